import type { Json } from '../core/json.ts';
import type { Side } from '../engine/document.ts';
import { cutEnd, isWithin, padTo, widthOf } from './width.ts';

/**
 * Makes text of a provider or a plan safe to show. Invisible characters become `\u…`, and so do characters that move a cursor, change the
 * reading direction or are half a character. Line breaks stay.
 */
export function safeText(text: string): string {
  // Nearly all text passes this check, which takes a tenth of the time of looking up each letter.
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return text.replace(unseen, (c) => {
    if (c === '\r' || c === '\t') return ' ';
    const code = (c.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** Control, format, lone surrogate, separator, ignorable and non-characters, without the line feed. */
const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/** Makes text safe to show, on one line. */
export const oneLine = (text: string): string => safeText(text).replace(/\s+/g, (gap) => (gap.includes('\n') ? ' ' : gap));

/** Shows a value on one line. A value of more than `longest` columns is cut, and its length is said. */
export function showJson(value: Json | undefined, longest = 160): string {
  const text = oneLine(JSON.stringify(value) ?? 'absent');
  return isWithin(text, longest) ? text : `${cutEnd(text, longest + 1)} (${text.length} characters)`;
}

/** Tells whether anybody may see the value of a side. */
export const canBeShown = (side: Side): side is Side & { readonly state: 'literal' | 'resolved' } =>
  side.state === 'literal' || side.state === 'resolved';

/** Shows one side of a change: its value if it may be shown, otherwise a word that says why not, whatever else the side holds. */
export const showSide = (side: Side): string =>
  side.state === 'literal' || side.state === 'resolved' ? showJson(side.value) : words[side.state];

const words: { readonly [state in Exclude<Side['state'], 'literal' | 'resolved'>]: string } = {
  pending: '(not known yet)',
  secret: '(secret)',
  sensitive: '(sensitive)',
  kept: '(kept as it is)',
  absent: '(absent)',
};

/** `1 line`, `2 lines`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string => `${count} ${count === 1 ? noun : plural}`;

/** Writes milliseconds for people: `340 ms`, `4.2 s`, `3 min 05 s`. */
export function showTime(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** Aligns the columns of rows. The last column is not padded. */
export function columns(rows: readonly (readonly string[])[], gap = 2): string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, widthOf(cell));
  return rows.map((row) =>
    row
      .map((cell, i) => (i === row.length - 1 ? cell : padTo(cell, (widths[i] ?? 0) + gap)))
      .join('')
      .trimEnd(),
  );
}
