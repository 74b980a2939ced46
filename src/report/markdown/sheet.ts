import { counted } from '../text.ts';
import { inert, inertLines } from './inert.ts';

/** The limits of one page. */
export interface Cut {
  readonly graph: boolean;
  readonly unchanged: boolean;
  readonly changes: boolean;
  /** Bytes of one text. */
  readonly text: number;
  /** Entries of each table and list. */
  readonly rows: number;
  /** Whether the page has more than its heading and the list of missing parts. */
  readonly rest: boolean;
}

/** One try at a page. It shows texts up to their limit, and remembers in words what it leaves out. */
export interface Sheet extends Cut {
  code(text: string): string;
  lines(text: string): string;
  /**
   * The entries that the limit allows, in their order. Entries that matter stay before the others. The page names the missing ones by
   * `noun`.
   */
  take<T>(entries: readonly T[], noun: string, matters?: (entry: T) => boolean): readonly T[];
  leave(words: string): void;
}

/** The parts of a page. Empty parts are left out. */
export type Page = (sheet: Sheet) => readonly string[];

/**
 * Makes a page of at most `longest` bytes of UTF-8, and so of at most as many characters. It leaves out the least needed parts first, whole
 * parts and whole rows at a time: the graph, unchanged lines, field changes, the ends of long texts, rows, and then everything but the
 * heading. The last part says what is missing; `whole` says where to find it.
 */
export function fitInto(page: Page, longest: number, whole: string): string {
  const remember = remembering();
  const steps = stepsTo(longest);
  const barest = steps[steps.length - 1] ?? steps[0];
  for (const cut of steps) {
    const text = write(page, cut, whole, remember);
    if (size(text) <= longest) return text;
  }
  let [most, least, best] = [Math.ceil(longest / 16), 0, ''];
  while (least <= most) {
    const rows = Math.floor((least + most) / 2);
    const text = write(page, { ...barest, rows }, whole, remember);
    if (size(text) <= longest) [best, least] = [text, rows + 1];
    else most = rows - 1;
  }
  if (best !== '') return best;
  const heading = write(page, { ...barest, rows: 0, rest: false }, whole, remember);
  return size(heading) <= longest ? heading : '';
}

/** No text is written longer than `longest`, because the page could not hold it. */
function stepsTo(longest: number): readonly [...Cut[], Cut] {
  const all: Cut = { graph: true, unchanged: true, changes: true, text: longest, rows: Number.POSITIVE_INFINITY, rest: true };
  const barest: Cut = { ...all, graph: false, unchanged: false, changes: false };
  return [
    all,
    { ...all, graph: false },
    { ...all, graph: false, unchanged: false },
    barest,
    ...[20_000, 2_000, 500].filter((text) => text < longest).map((text) => ({ ...barest, text })),
    { ...barest, text: 160 },
  ];
}

const size = (text: string): number => Buffer.byteLength(text);

function write(page: Page, cut: Cut, whole: string, remember: Show): string {
  const left = new Set<string>();
  let isShortened = false;
  const short = (show: typeof inert, text: string): string => {
    const shown = remember(show, text, cut.text);
    if (shown.includes('…</code>') && !text.trimEnd().endsWith('…')) isShortened = true;
    return shown;
  };
  const sheet: Sheet = {
    ...cut,
    code: (text) => short(inert, text),
    lines: (text) => short(inertLines, text),
    take: (entries, noun, matters = () => false) => {
      if (entries.length <= cut.rows) return entries;
      left.add(counted(entries.length - cut.rows, noun));
      const first = [...entries.filter(matters), ...entries.filter((entry) => !matters(entry))].slice(0, cut.rows);
      const kept = new Set(first);
      return entries.filter((entry) => kept.has(entry));
    },
    leave: (words) => void left.add(words),
  };
  const parts = page(sheet).filter((part) => part !== '');
  if (isShortened) left.add('the ends of long texts');
  const words = [...left];
  const missing = words.length === 0 ? [] : [`✂️ Left out here: ${listed(words)}. ${whole}`];
  return `${[...parts, ...missing].join('\n\n')}\n`;
}

type Show = (show: typeof inert, text: string, longest: number) => string;

/** Keeps each text for each length, because a page is tried many times and a text of a provider may be long. */
function remembering(): Show {
  const known = new Map<typeof inert, Map<number, Map<string, string>>>();
  return (show, text, longest) => {
    const lengths = known.get(show) ?? new Map<number, Map<string, string>>();
    const texts = lengths.get(longest) ?? new Map<string, string>();
    const shown = texts.get(text) ?? show(text, longest);
    known.set(show, lengths.set(longest, texts.set(text, shown)));
    return shown;
  };
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;

export interface Column<T> {
  readonly head: string;
  /** Finished Markdown on one line, without a bare `|`. */
  readonly cell: (entry: T) => string;
  readonly isNumber?: boolean;
}

/** A table without its empty columns. */
export function table<T>(columns: readonly Column<T>[], entries: readonly T[]): string {
  if (entries.length === 0) return '';
  const cells = columns.map(({ cell }) => entries.map(cell));
  const kept = columns.flatMap((column, at) => (cells[at]?.some((text) => text !== '') ? [{ column, texts: cells[at] }] : []));
  const row = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;
  return [
    row(kept.map(({ column }) => column.head)),
    row(kept.map(({ column }) => (column.isNumber ? '--:' : ':--'))),
    ...entries.map((_, at) => row(kept.map(({ texts }) => texts[at] ?? ''))),
  ].join('\n');
}
