import type { ApplyDoc, ApplyLineDoc } from '../engine/document.ts';
import { isOfALine } from './causes.ts';
import { costText, endingOf } from './endings.ts';
import { alike, type Entry, entryLines, type Group, groupLines, namesOf } from './entries.ts';
import { errorLines } from './errors-text.ts';
import { goesText } from './lifetime-words.ts';
import { applyNotes, kindOf, stateTone, subjectText } from './line-words.ts';
import { orphanLines } from './orphans.ts';
import { hostLines, indent, joinParts, leftLines, type NextCommands, staysLines, warningLines } from './sections.ts';
import type { Styles, Tone } from './styles.ts';
import { columns, counted, oneLine, safeText, showJson, showTime } from './text.ts';
import { appliedText, verdictSigns } from './verdicts.ts';
import { waitingOf } from './waiting.ts';
import { fitted, rowsOf, type Window } from './window.ts';

/**
 * Tells people what an apply did: one entry per line, the outputs that may be shown, the receipt and the cost. A report that is longer than
 * the window counts the unchanged lines, then all lines that went well. Failures come last, just before the numbers, so that they stay in
 * sight.
 */
export function applyText(document: ApplyDoc, styles: Styles, next: NextCommands, window: Window | null = null): string {
  const title = styles.paint('strong', `${next.isDestroy ? 'Destroy' : 'Apply'} of ${document.environment}/${oneLine(document.scope)}: `);
  const { tone, words } = endingOf(document, next.isDestroy);
  const head = title + styles.paint(tone, words);
  const others = [
    hostLines(document.hosts, styles),
    leftLines(document.putBack),
    orphanLines(document.orphans, { styles, command: next.prune, when: 'apply', window }),
    staysLines(document),
    warningLines(document.warnings, styles),
    document.error && !isOfALine(document.error, [...document.lines, ...document.orphans]) ? errorLines(document.error, styles) : [],
  ];
  const closing = closingLines(document, styles);
  const waits = waitingOf(document.lines);
  const entries = entryLines(
    document.lines.map((line) => entryOf(line, styles, waits.get(line.id))),
    styles,
    window,
  );
  const whole = [[head], entries, outputLines(document), ...others, closing].map((part) => fitted(part, window));
  if (window === null || fits(whole, window)) return joinParts(whole);

  const [idle, active] = split(
    document.lines,
    ({ state, verdict, driftLeft }) => stateTone(state) === 'good' && verdict === 'none' && !driftLeft,
  );
  const numbers = [`${window.columns < narrow ? title + styles.paint(tone, document.status) : head}; ${appliedText(document.lines)}`];
  const all = (entries: string[], outputs: string[]): Parts =>
    [entries, outputs, ...others, closing, numbers].map((part) => fitted(part, window));
  const shortEntries = [
    ...countLines(idle, styles),
    ...entryLines(
      active.map((line) => entryOf(line, styles, waits.get(line.id))),
      styles,
      window,
    ),
  ];
  const shorter = all(shortEntries, outputsWithin(document, window, all(shortEntries, [])));
  if (fits(shorter, window)) return joinParts(shorter);

  const [good, bad] = split(document.lines, ({ state }) => stateTone(state) === 'good');
  const counts = countLines(good, styles);
  const outputs = outputsWithin(document, window, all(counts, []), bad.length);
  // A small window scrolls its first rows away, so the least important parts come first.
  const before = [closing, counts, outputs, ...others].map((part) => fitted(part, window));
  const after = [fitted(numbers, window)];
  const rows = window.rows - 3 - heightOf([...before, ...after], window);
  const groups = alike(worstFirst(bad), ({ state, verdict }) => `${state} ${verdict}`);
  return joinParts([...before, fitted(groupLines(groups, groupEntry, { styles, window, rows, waits }), window), ...after]);
}

/** Below this width the numbers leave no room for the meaning of the status. */
const narrow = 60;

type Parts = readonly (readonly string[])[];

/** Counts the empty lines between the parts too. */
const heightOf = (parts: Parts, window: Window): number => {
  const full = parts.filter((part) => part.length > 0);
  return rowsOf(full.flat(), window) + Math.max(0, full.length - 1);
};

/** The next command of the shell takes a row too. */
const fits = (parts: Parts, window: Window): boolean => heightOf(parts, window) < window.rows - 1;

/** Shows as many outputs as the rest of the report leaves room for, and always a few. Failures take a part of that room. */
function outputsWithin(document: ApplyDoc, window: Window, rest: Parts, failures = 0): string[] {
  const least = Math.max(1, Math.floor(window.rows / 8));
  const free = window.rows - 2 - heightOf(rest, window) - 3;
  return outputLines(document, failures > 0 ? least : Math.max(least, free));
}

function split<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

/** Failed lines come first: they are the reason why the others were skipped. */
const worstFirst = (lines: readonly ApplyLineDoc[]): ApplyLineDoc[] => split(lines, ({ state }) => stateTone(state) === 'bad').flat();

/** Counts the lines that went well, by their verdict. */
function countLines(lines: readonly ApplyLineDoc[], styles: Styles): string[] {
  const groups = Map.groupBy(lines, ({ verdict }) => verdict);
  const rows = columns(
    [...groups].map(([verdict, of]) => [verdictSigns[verdict].glyph, `${counted(of.length, 'line')} ${verdictSigns[verdict].done}`]),
  );
  return [...groups.keys()].map((verdict, i) => `  ${styles.paint(verdictSigns[verdict].tone, rows[i] ?? '')}`);
}

function entryOf(line: ApplyLineDoc, styles: Styles, waiting: readonly string[] | undefined): Entry {
  const { glyph, word } = verdictSigns[line.verdict];
  const requests = line.requests === 0 ? '' : counted(line.requests, 'request');
  return {
    tone: toneOf(line),
    cells: [glyph, word, oneLine(line.id), line.state, showTime(line.ms), requests],
    subject: namedText(line),
    details: [...notesOf(line), ...(line.error ? errorLines(line.error, styles, undefined, waiting) : [])],
  };
}

/** An entry for several lines shows nothing that belongs to only one of them. */
function groupEntry({ first, ids }: Group<ApplyLineDoc>): Entry {
  const { glyph, word } = verdictSigns[first.verdict];
  return {
    tone: toneOf(first),
    cells: [glyph, word, namesOf(ids), first.state],
    subject: ids.length === 1 ? namedText(first) : '',
    details: ids.length === 1 ? notesOf(first) : [],
  };
}

/** The operation and the object. A row of an apply has no room for columns of theirs. */
function namedText(line: ApplyLineDoc): string {
  const subject = subjectText(line);
  return subject === '' ? '' : `${oneLine(kindOf(line))}: ${subject}`;
}

const notesOf = (line: ApplyLineDoc): string[] => applyNotes(line).flatMap((note) => safeText(note).split('\n'));

const toneOf = (line: ApplyLineDoc): Tone =>
  (({ bad: 'bad', open: 'warn', good: verdictSigns[line.verdict].tone }) as const)[stateTone(line.state)];

function outputLines(document: ApplyDoc, most = Number.POSITIVE_INFINITY): string[] {
  const all = Object.entries(document.outputs).flatMap(([line, values]) =>
    Object.entries(values).map(([name, value]) => ({ line, name, value })),
  );
  if (all.length === 0) return [];
  // People look for addresses first, so a shortened list begins with them.
  const ordered = all.length > most ? split(all, ({ name }) => isAddress.test(name)).flat() : all;
  const rows = ordered.slice(0, most).map(({ line, name, value }) => [oneLine(`${line}.${name}`), showJson(value)]);
  const rest = all.length > most ? [`… and ${all.length - most} more`] : [];
  return ['Outputs:', ...indent([...columns(rows), ...rest], 2)];
}

const isAddress = /(^|_)(url|host|hostname)$/;

function closingLines(document: ApplyDoc, styles: Styles): string[] {
  const { receipt, stats, lifetime } = document;
  const receiptText = receipt.commit === null ? 'not written' : `${oneLine(receipt.branch)} at ${receipt.commit.slice(0, 12)}`;
  return columns([
    ...(lifetime ? [['Goes', `on ${goesText(lifetime, oneLine)}`]] : []),
    ['Receipt', receiptText],
    ['Cost', costText(stats)],
    ['Run', document.runId],
  ]).map((line) => styles.paint('quiet', line));
}
