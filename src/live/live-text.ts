import type { Styles } from '../report/styles.ts';
import { columns, counted } from '../report/text.ts';
import type { LiveDoc } from './document.ts';

/** The report of a proof for people: its steps were told while it ran, so this is the end of them. */
export function liveText({ report, file, stands, cleaned, error }: LiveDoc, styles: Styles): string {
  const { operation, held, steps, spelling } = report;
  const count = (result: string): number => steps.filter((step) => step.result === result).length;
  const sums = `${counted(count('held'), 'step')} held, ${count('not held')} did not, ${count('left out')} were left out`;
  const spelt = columns(
    spelling.spelt.map(({ field, sent, read }) => [`  ${field}`, `sent ${JSON.stringify(sent)}`, `read ${JSON.stringify(read)}`]),
  );
  const lines = [
    `${styles.paint(held ? 'strong' : 'bad', held ? 'Held' : 'Not held')}  ${operation}: ${sums}.`,
    ...(spelt.length > 0 ? ['The service spells these values in another way:', ...spelt] : []),
    ...(spelling.unread.length > 0 ? [`It does not show again: ${spelling.unread.join(', ')}.`] : []),
    ...(error ? [`${error.code}: ${error.summary}. ${error.detail}`] : []),
    ...(cleaned.length > 0 ? [`What an earlier run left is removed: ${cleaned.join(', ')}.`] : []),
    ...(stands.length > 0 ? [`Still standing: ${stands.join(', ')}. Start the same command again to remove it.`] : []),
    ...(file === null ? [] : [`The report is ${file}.`]),
  ];
  return `${lines.join('\n')}\n`;
}
