import { oneLine, showTime } from '../../../text.ts';
import { stateWords } from '../../../verdicts.ts';
import { clockTime } from '../times.ts';
import { el } from './dom.ts';
import type { Row } from './timeline-rows.ts';

export interface Tip {
  readonly element: HTMLElement;
  show(lines: readonly string[] | null, at?: { readonly clientX: number; readonly clientY: number }): void;
}

/** Describes the thing under the pointer. The panel says the same, so nobody needs a pointer. */
export function tip(): Tip {
  const element = el('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
  return {
    element,
    show: (lines, at) => {
      element.hidden = lines === null || lines.length === 0;
      if (element.hidden || !at || !lines) return;
      element.replaceChildren(...lines.map((line) => el('div', {}, line)));
      const { offsetWidth, offsetHeight } = element;
      const left = Math.min(at.clientX + 14, innerWidth - offsetWidth - 8);
      const top = at.clientY + 18 + offsetHeight > innerHeight ? at.clientY - offsetHeight - 10 : at.clientY + 18;
      element.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
    },
  };
}

/** Describes a row at a moment. `perPixel` is the number of milliseconds per pixel, and widens the moment. */
export function tipAt(row: Row, at: number, perPixel: number): readonly string[] {
  const near = perPixel * 3;
  const isNear = ({ from, to }: { readonly from: number; readonly to: number }): boolean => at >= from - near && at <= to + near;
  const bar =
    row.bars.findLast(({ from, to }) => at >= from && at <= Math.max(to, from + near)) ?? row.bars.findLast(({ from }) => at >= from);
  return [
    row.name,
    ...(bar ? [`${stateWords(bar.state)}${bar.to > bar.from ? `, ${showTime(bar.to - bar.from)}` : ''} from ${clockTime(bar.from)}`] : []),
    ...row.spans.filter(isNear).map(({ text, from, to }) => `${text}, ${showTime(to - from)}`),
    ...row.requests
      .filter(isNear)
      .slice(0, 6)
      .map((request) =>
        oneLine(
          `${request.method} ${request.url}: ${request.status ?? 'no answer'}, ${showTime(request.to - request.from)}${request.attempt > 1 ? `, try ${request.attempt}` : ''}`,
        ),
      ),
    ...row.waits.filter((wait) => Math.abs(wait.at - at) <= near * 2).map(({ text }) => oneLine(text)),
  ];
}
