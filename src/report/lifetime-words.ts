import { dayText } from '../core/life-span.ts';
import type { LifetimeDoc } from '../engine/receipt-document.ts';

/** When a scope goes, for people: `12 Dec 2026 unless it is applied again; the label keep-preview keeps it`. `shown`: how a label is shown. */
export function goesText({ goesAt, label }: LifetimeDoc, shown: (label: string) => string): string {
  const keeps = label === undefined ? '' : `; the label ${shown(label)} keeps it`;
  return `${dayText(Date.parse(goesAt))} unless it is applied again${keeps}`;
}
