import { type Board, isBad, type Row } from './progress-board.ts';
import type { Styles, Tone } from './styles.ts';
import { showTime } from './text.ts';
import { hasEnded, isIdle, stateWords, verdictSigns } from './verdicts.ts';
import { cutEnd, cutMiddle, padTo, widthOf, wrapped } from './width.ts';

/** The window that a picture has to fit. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly now: number;
  readonly styles: Styles;
}

/** A row of the picture, and how wide it is without its colours. */
export interface Drawn {
  readonly text: string;
  readonly width: number;
}

/**
 * One row per line, the reason why the whole run waits, and a row of numbers. If not all lines fit, failed lines come first, then lines in
 * work, then waiting lines, and each kind ends with a count of the rest. The cursor's own row and the last column stay free.
 */
export function picture(board: Board, frame: Frame): Drawn[] {
  const room = frame.height - 1;
  if (room < 1) return [];
  const foot = footOf(board, frame);
  const body = bodyOf(board, Math.max(0, room - foot.length), frame);
  return [...body, ...foot].slice(-room);
}

/** The kinds of lines, in the order in which a small window shows them. */
const kinds = ['bad', 'work', 'idle', 'ended'] as const;
type Kind = (typeof kinds)[number];

const kindOf = ({ state }: Row): Kind => (isBad(state) ? 'bad' : hasEnded(state) ? 'ended' : isIdle(state) ? 'idle' : 'work');

const marks: { readonly [kind in Kind]: { readonly mark: string; readonly tone: Tone } } = {
  bad: { mark: '!', tone: 'bad' },
  work: { mark: '>', tone: 'change' },
  idle: { mark: ' ', tone: 'quiet' },
  ended: { mark: '=', tone: 'quiet' },
};

function bodyOf(board: Board, room: number, frame: Frame): Drawn[] {
  const rows = [...board.rows.values()];
  if (rows.length <= room) return table(board, rows, frame).map(({ drawn }) => drawn);
  const parts = Object.entries(Object.groupBy(rows, kindOf)).map(([kind, of]) => ({ kind: kind as Kind, of }));
  const ordered = kinds.flatMap((kind) => parts.filter((part) => part.kind === kind));
  if (room < ordered.length) return table(board, ordered.flatMap(({ of }) => of).slice(0, room), frame).map(({ drawn }) => drawn);
  const shares = shareOut(ordered, room);
  const chosen = ordered.map(({ kind, of }, i) => ({ kind, shown: of.slice(0, shares[i]), rest: of.slice(shares[i]) }));
  const drawn = table(
    board,
    chosen.flatMap(({ shown }) => shown),
    frame,
  );
  return chosen.flatMap(({ kind, shown, rest }) => [
    ...drawn.filter(({ row }) => shown.includes(row)).map((one) => one.drawn),
    ...(rest.length > 0 ? [restOf(kind, shown.length, rest, frame)] : []),
  ]);
}

/**
 * Decides how many lines of each kind are shown. The first kinds get the rows they need, and every later kind keeps one row for its count.
 * Failures leave half of the window to the lines in work.
 */
function shareOut(parts: readonly { readonly kind: Kind; readonly of: readonly Row[] }[], room: number): number[] {
  let left = room;
  return parts.map(({ kind, of }, i) => {
    const later = parts.length - 1 - i;
    const next = kind === 'bad' && parts[1]?.kind === 'work' ? parts[1].of.length + later - 1 : later;
    const space = Math.max(left - next, Math.min(left - later, Math.ceil(room / 2)));
    const shown = of.length <= space ? of.length : space - 1;
    left -= Math.min(of.length, space);
    return shown;
  });
}

function restOf(kind: Kind, shown: number, rest: readonly Row[], frame: Frame): Drawn {
  const parts = countedBy(rest, ({ state }) => stateWords(state));
  const what = parts.length === 1 ? (parts[0]?.[0] ?? '') : parts.map(([state, count]) => `${count} ${state}`).join(', ');
  const count = `${rest.length} ${shown > 0 ? 'more' : rest.length === 1 ? 'line' : 'lines'}`;
  return draw([[marks[kind].tone, `${marks[kind].mark} … ${count}: ${what}`]], frame);
}

function countedBy(rows: readonly Row[], key: (row: Row) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(key(row), (counts.get(key(row)) ?? 0) + 1);
  return [...counts];
}

/** Below this width a table would be mostly gaps. */
const narrow = 60;

function table(board: Board, rows: readonly Row[], frame: Frame): { row: Row; drawn: Drawn }[] {
  const isNarrow = frame.width < narrow;
  const longest = Math.max(8, Math.floor(frame.width * 0.4));
  const cells = rows.map((row) => ({ row, id: cutMiddle(row.line, longest), state: wordsOf(row), time: timeOf(row, frame.now) }));
  const widest = (pick: (cell: (typeof cells)[number]) => string): number =>
    cells.reduce((most, cell) => Math.max(most, widthOf(pick(cell))), 0);
  const ids = widest(({ id }) => id);
  const states = isNarrow ? 0 : widest(({ state }) => state);
  const times = isNarrow ? 0 : widest(({ time }) => time);
  return cells.map(({ row, id, state, time }) => {
    const { mark, tone } = marks[kindOf(row)];
    const numbers = time === '' && times === 0 ? '' : `  ${time.padStart(times)}`;
    const head = `${mark} ${padTo(id, ids)}  ${padTo(state, states)}${numbers}`;
    const detail = row.detail || board.waitsFor(row) || row.subject;
    return {
      row,
      drawn: draw(
        detail === ''
          ? [[tone, head.trimEnd()]]
          : [
              [tone, head],
              [kindOf(row) === 'bad' ? 'bad' : 'quiet', `  ${detail}`],
            ],
        frame,
      ),
    };
  });
}

/** Shows the result of a line instead of its state when the result says more. */
function wordsOf({ state, verdict }: Row): string {
  if (verdict !== null && state === 'settled') return verdictSigns[verdict].done;
  if (verdict !== null && state === 'planned') return verdictSigns[verdict].counted;
  return stateWords(state);
}

/** The time since a running line began, or the time that an ended line took if a person would have felt it. */
function timeOf(row: Row, now: number): string {
  if (isIdle(row.state)) return '';
  if (!hasEnded(row.state)) return seconds(now - row.since);
  const took = row.since - (row.began ?? row.since);
  return took < 1_000 ? '' : seconds(took);
}

/** Whole seconds: a tenth that flickers tells nobody anything. */
const seconds = (ms: number): string => (ms < 60_000 ? `${Math.max(0, Math.floor(ms / 1_000))} s` : showTime(ms));

/** The reason of a wait may end with a time, so it takes up to this many rows instead of being cut at one. */
const longestWait = 4;

function footOf(board: Board, frame: Frame): Drawn[] {
  const passed = frame.now - board.startedAt;
  const rows = [...board.rows.values()];
  const waits = board.wait === '' ? [] : wrapped(`waits: ${board.wait}`, Math.max(1, frame.width - 3)).slice(0, longestWait);
  const waiting = waits.map((text, i) => draw([['warn', i === 0 ? text : `  ${text}`]], frame));
  if (rows.length === 0)
    return passed < 1_000 && waits.length === 0
      ? []
      : [...waiting, draw([['quiet', `${seconds(passed)}: reading the plan and the ledger`]], frame)];
  const done = rows.filter(({ state }) => hasEnded(state) && !isBad(state));
  const finished = done.filter(({ state }) => state === 'settled' || state === 'planned').length;
  const count = (kind: Kind): number => rows.filter((row) => kindOf(row) === kind).length;
  const parts = [
    `${finished} of ${rows.length} done`,
    ...countedBy(
      rows.filter((row) => kindOf(row) === 'bad'),
      ({ state }) => state,
    ).map(([state, n]) => `${n} ${state}`),
    ...countedBy(
      done.filter(({ state }) => state !== 'settled' && state !== 'planned'),
      ({ state }) => state,
    ).map(([state, n]) => `${n} ${state}`),
    ...(count('work') > 0 ? [`${count('work')} in work`] : []),
    ...(count('idle') > 0 ? [`${count('idle')} waiting`] : []),
  ];
  return [...waiting, draw([['strong', `${seconds(passed)}: ${parts.join(', ')}`]], frame)];
}

/** Pieces of a row, each in its tone, cut before the last column. */
function draw(pieces: readonly (readonly [Tone, string])[], { width, styles }: Frame): Drawn {
  const room = Math.max(1, width - 1);
  let used = 0;
  let text = '';
  for (const [tone, piece] of pieces) {
    const fitting = cutEnd(piece, room - used);
    used += widthOf(fitting);
    text += styles.paint(tone, fitting);
  }
  return { text, width: used };
}
