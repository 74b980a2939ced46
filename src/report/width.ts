import { eastAsianWidth } from 'get-east-asian-width';

/**
 * Counts the columns that text takes in a terminal: two for wide East Asian letters and emoji, none for marks on the letter before. The
 * text must be safe to show (`text.ts`): it holds no control character and no colour.
 *
 * `string-width` 8.3 counts the same. Importing it costs every run 36 ms of CPU; Node itself starts in 34 (bundled, Node 24, medians of
 * 20). It makes an `Intl.Segmenter` and compiles the set of all emoji. `wrap-ansi` and `slice-ansi` import it too. Nearly all text needs
 * neither, so this file keeps only the table of widths from a library.
 */
export function widthOf(text: string): number {
  if (isNarrow(text)) return text.length;
  let width = 0;
  for (const letter of eachLetter(text)) width += widthOfLetter(letter);
  return width;
}

/** Tells whether text takes at most `room` columns. It reads no further, because a text of a provider may be megabytes. */
export function isWithin(text: string, room: number): boolean {
  if (isNarrow(text)) return text.length <= room;
  let left = room;
  for (const letter of eachLetter(text)) {
    left -= widthOfLetter(letter);
    if (left < 0) return false;
  }
  return true;
}

/** The text if it fits, otherwise its beginning and `…`. */
export function cutEnd(text: string, room: number): string {
  if (isWithin(text, room)) return text;
  return room < 1 ? '' : `${fitting(eachLetter(text), room - 1).join('')}…`;
}

/** Cuts a name in its middle, because many names begin alike. */
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

/** Breaks text into lines that fit: between words, and inside a word that is longer than a line. `measure` gives the width of a word. */
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

/**
 * Splits text into letters as a reader sees them. The marks of a letter, the skin tone of an emoji and both halves of a flag stay together.
 */
export const letters = (text: string): string[] => [...eachLetter(text)];

function* eachLetter(text: string): Generator<string> {
  if (isNarrow(text)) return yield* text;
  // Making a segmenter takes longer than anything else here, so it is made on first use.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

let segmenter: Intl.Segmenter | undefined;

/** Most text is Latin, Greek or Cyrillic with ordinary punctuation. Its width is its length. */
const isNarrow = (text: string): boolean => /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027]*$/.test(text);

const isMark = /^\p{M}+$/u;
/** A letter with an emoji selector or a skin tone, or a flag. The table knows the others. */
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
