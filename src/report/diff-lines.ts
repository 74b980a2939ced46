import { counted } from './text.ts';

/** Text of several lines on both sides: those that differ, and where. What it begins and ends with alike is only counted. */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
): { readonly text: string; readonly below: readonly string[] } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const gone = before.slice(start, before.length - end);
  const fresh = after.slice(start, after.length - end);
  if (gone.length + fresh.length === 0) return { text: `the same ${counted(after.length, 'line')}`, below: [] };
  const last = before.length - end;
  const which = gone.length === 0 ? `after line ${start}` : last === start + 1 ? `line ${last}` : `lines ${start + 1} to ${last}`;
  return {
    text: `${which} of ${before.length}:`,
    below: [...gone.map((line) => `- ${line}`), ...fresh.map((line) => `+ ${line}`)],
  };
}
