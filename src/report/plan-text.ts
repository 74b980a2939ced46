import { door } from '../core/door.ts';
import type { FieldChange, PlanDoc, PlanLineDoc } from '../engine/document.ts';
import { fieldDiff, usualRoom } from './diff-text.ts';
import { alike, type Entry, entryLines, groupLines, namesOf } from './entries.ts';
import { errorLines } from './errors-text.ts';
import { driftWords, kindOf, planAsks, planNotes, subjectText, unmanagedText } from './line-words.ts';
import { orphanLines } from './orphans.ts';
import { hostLines, joinParts, leftLines, type NextCommands, staysLines, warningLines } from './sections.ts';
import type { Styles } from './styles.ts';
import { counted, oneLine, safeText } from './text.ts';
import { summaryText, verdictSigns } from './verdicts.ts';
import { waitingOf } from './waiting.ts';
import { padTo, widthOf } from './width.ts';
import { fitted, rowsOf, type Window } from './window.ts';

/**
 * Writes the plan for people: one entry per line with its field changes, then orphans, warnings, digest, summary and the next step. A
 * report that is longer than the window counts the unchanged lines. Refused lines come last, so that they stay in sight.
 */
export function planText(document: PlanDoc, styles: Styles, next: NextCommands, window: Window | null = null): string {
  const waits = waitingOf(document.lines);
  const sight = { styles, waits, room: window === null ? usualRoom : Math.min(usualRoom, Math.max(24, window.columns - 6)) };
  const head = [
    styles.paint('strong', `${next.isDestroy ? 'Plan to destroy' : 'Plan for'} ${document.environment}/${oneLine(document.scope)}`),
  ];
  const orphans = [
    ...leftLines(document.putBack),
    ...orphanLines(document.orphans, { styles, command: next.prune, when: 'plan', window }),
    ...staysLines(document),
  ];
  const hosts = hostLines(document.hosts, styles);
  const warnings = warningLines(document.warnings, styles);
  const hasLineErrors = [...document.lines, ...document.orphans].some(({ error }) => error);
  const error = document.error && !hasLineErrors ? errorLines(document.error, styles) : [];
  const summary = [summaryText(document.summary), styles.paint('quiet', `Digest ${document.digest}`)];
  const closing = next.isAsked ? [] : [planAsks(document, next.isDestroy) ?? `Next: ${door.also(next.apply, 'expect', document.digest)}`];
  const whole = [
    head,
    entryLines(
      document.lines.map((line) => entryOf(line, sight)),
      styles,
      window,
    ),
    hosts,
    orphans,
    warnings,
    error,
    summary,
  ].map((part) => fitted(part, window));
  if (window === null || rowsOf([...whole.flat(), ...closing], window) + whole.length < window.rows) return joinParts([...whole, closing]);

  const refused = document.lines.filter(({ verdict }) => isBad(verdict));
  const idle = document.lines.filter(isIdle);
  const changing = document.lines.filter((line) => !isBad(line.verdict) && !isIdle(line));
  const left = window.rows - rowsOf([...error, ...summary, ...closing], window) - 6;
  const parts = [
    head,
    [
      ...idleLines(idle, styles),
      ...entryLines(
        changing.map((line) => entryOf(line, sight)),
        styles,
        window,
      ),
    ],
    hosts,
    orphans,
    warnings,
    groupLines(
      alike(refused, ({ verdict }) => verdict),
      groupEntry,
      { styles, window, rows: left, waits },
    ),
    error,
    summary,
  ];
  return joinParts([...parts.map((part) => fitted(part, window)), closing]);
}

interface Sight {
  readonly styles: Styles;
  /** The columns that a field and its values may take. */
  readonly room: number;
  /** The lines that wait for each failed line. */
  readonly waits: ReadonlyMap<string, readonly string[]>;
}

const isBad = (verdict: PlanLineDoc['verdict']): boolean => verdict === 'refused' || verdict === 'failed';

/** Tells whether the report has nothing to say about a line. */
const isIdle = (line: PlanLineDoc): boolean =>
  (line.verdict === 'none' || line.verdict === 'keep') &&
  line.drift === 'none' &&
  line.changes.length === 0 &&
  !line.error &&
  !line.unmanaged?.length;

const idleLines = (lines: readonly PlanLineDoc[], styles: Styles): string[] =>
  lines.length === 0 ? [] : [`  ${styles.paint('quiet', `=  ${counted(lines.length, 'line')} unchanged`)}`];

function entryOf(line: PlanLineDoc, sight: Sight): Entry {
  const { glyph, word, tone } = verdictSigns[line.verdict];
  const drift = line.drift === 'none' ? '' : `[drift: ${driftWords[line.drift]}]`;
  const cells = [glyph, word, oneLine(line.id), kindOf(line), drift];
  return { tone, cells, subject: subjectText(line), details: details(line, sight) };
}

function groupEntry({ first, ids }: { readonly first: PlanLineDoc; readonly ids: readonly string[] }): Entry {
  const { glyph, word, tone } = verdictSigns[first.verdict];
  const isOne = ids.length === 1;
  return { tone, cells: [glyph, word, namesOf(ids), isOne ? kindOf(first) : ''], subject: isOne ? subjectText(first) : '', details: [] };
}

const details = (line: PlanLineDoc, sight: Sight): string[] => [
  ...planNotes(line).flatMap((note) => safeText(note).split('\n')),
  ...changeLines(line.changes, sight),
  ...unmanagedText(line.unmanaged),
  ...(line.error ? errorLines(line.error, sight.styles, undefined, sight.waits.get(line.id)) : []),
];

/** The fields with their signs and values aligned, and below each field the differences within its value. */
function changeLines(changes: readonly FieldChange[], { styles, room }: Pick<Sight, 'styles' | 'room'>): string[] {
  const names = changes.map(({ field }) => `${oneLine(field)}:`);
  const widest = Math.min(32, Math.max(0, ...names.map((name) => widthOf(name))));
  return changes.flatMap((change, i) => {
    const { sign, text, below } = fieldDiff(change, { beside: Math.max(16, room - widest - 4), below: room - 4 });
    const head = `${tinted(sign, sign, styles)} ${padTo(names[i] ?? '', widest)}  ${text}`;
    return [head.trimEnd(), ...below.map((line) => `    ${tinted(line, line[0], styles)}`)];
  });
}

const tinted = (text: string, sign: string | undefined, styles: Styles): string =>
  sign === '+'
    ? styles.paint('add', text)
    : sign === '-'
      ? styles.paint('remove', text)
      : sign === '~'
        ? styles.paint('change', text)
        : text;
