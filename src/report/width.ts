import { eastAsianWidth } from 'get-east-asian-width';

/**
 * How many columns text takes in a terminal: two for what East Asian scripts and emoji draw wide, none for marks that stand on the
 * letter before. The text is one that may be shown (`text.ts`): no control character and no colour is in it.
 *
 * `string-width` 8.3 counts the same. Importing it costs every run 36 ms of CPU, where Node itself starts in 34 (bundled, Node 24,
 * medians of 20): it makes an `Intl.Segmenter` and compiles the set of all emoji. `wrap-ansi` and `slice-ansi` import it too. Nearly
 * all text needs neither, so this file keeps only the table of widths from a library.
 */
export function widthOf(text: string): number {
  if (isNarrow(text)) return text.length;
  let width = 0;
  for (const letter of eachLetter(text)) width += widthOfLetter(letter);
  return width;
}

/** Whether it takes no more columns than that. A text of a provider may be megabytes: what comes after the last column is not read. */
export function isWithin(text: string, room: number): boolean {
  if (isNarrow(text)) return text.length <= room;
  let left = room;
  for (const letter of eachLetter(text)) {
    left -= widthOfLetter(letter);
    if (left < 0) return false;
  }
  return true;
}

/** The text where there is room for it, else its beginning and `…`. */
export function cutEnd(text: string, room: number): string {
  if (isWithin(text, room)) return text;
  return room < 1 ? '' : `${fitting(eachLetter(text), room - 1).join('')}…`;
}

/** The same for names, which often begin alike: what is left out is in the middle. */
export function cutMiddle(text: string, room: number): string {
  if (isWithin(text, room)) return text;
  if (room < 5) return cutEnd(text, room);
  const all = letters(text);
  const left = fitting(all, Math.ceil((room - 1) / 2)).join('');
  const right = fitting(all.toReversed(), room - 1 - widthOf(left)).toReversed();
  return `${left}…${right.join('')}`;
}

/** `padEnd`, in columns. */
export const padTo = (text: string, width: number): string => `${text}${' '.repeat(Math.max(0, width - widthOf(text)))}`;

/** Lines that fit: broken between words, and inside of a word that is longer than a line. `measure` tells the width of a word. */
export function wrapped(text: string, room: number, measure: (word: string) => number = widthOf): string[] {
  const space = Math.max(1, room);
  const lines: string[] = [];
  let line = '';
  let width = 0;
  const put = (piece: string, wide: number, gap: string): void => {
    if (width > 0 && width + gap.length + wide > space) {
      lines.push(line);
      line = '';
      width = 0;
    }
    const joint = width === 0 ? '' : gap;
    line += joint + piece;
    width += joint.length + wide;
  };
  for (const word of text.split(' ')) {
    const wide = measure(word);
    // A word in colour cannot be taken apart by its letters.
    if (wide <= space || word.includes('\u001b')) put(word, wide, ' ');
    else for (const [i, letter] of letters(word).entries()) put(letter, widthOfLetter(letter), i === 0 ? ' ' : '');
  }
  return [...lines, line];
}

/** What a reader takes for one letter: its marks, the tone of an emoji's skin and the second half of a flag belong to it. */
export const letters = (text: string): string[] => [...eachLetter(text)];

function* eachLetter(text: string): Generator<string> {
  if (isNarrow(text)) return yield* text;
  // Made when it is first needed: that takes longer than anything else here.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

let segmenter: Intl.Segmenter | undefined;

/** Most text is Latin, Greek or Cyrillic with ordinary punctuation: counting it is all there is to do. */
const isNarrow = (text: string): boolean => /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027]*$/.test(text);

const isMark = /^\p{M}+$/u;
/** A letter that asks to be drawn as an emoji, has a tone of skin, or is a flag. The table knows the others. */
const isEmoji = /\ufe0f|\p{Emoji_Modifier}|^\p{Regional_Indicator}{2}/u;

const widthOfLetter = (letter: string): number =>
  isMark.test(letter) ? 0 : isEmoji.test(letter) ? 2 : eastAsianWidth(letter.codePointAt(0) ?? 0);

/** The first letters that fit. */
function fitting(all: Iterable<string>, room: number): string[] {
  const kept: string[] = [];
  let left = room;
  for (const letter of all) {
    left -= widthOfLetter(letter);
    if (left < 0) break;
    kept.push(letter);
  }
  return kept;
}
