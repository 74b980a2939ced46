import type { RunEvent } from './document.ts';
import { hasEnded, isIdle, stateWords } from './line-states.ts';
import type { Progress } from './progress.ts';
import type { Styles, Tone } from './styles.ts';
import { counted, oneLine, showTime } from './text.ts';

/** A terminal, as far as drawing needs it. */
export interface LiveScreen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

export interface LiveOptions {
  readonly stream: LiveScreen;
  readonly styles: Styles;
  readonly now: () => number;
  /** Calls `draw` again and again until the returned function is called; tests draw themselves. */
  readonly repeat?: (draw: () => void) => () => void;
}

interface Row {
  readonly line: string;
  state: string;
  since: number;
  detail: string;
}

const csi = '\u001b[';

/**
 * One row a line with its state and seconds, redrawn in place. Rows that do not fit the window collapse into a count,
 * those in work last of all. The picture is erased at the end, because the report that follows says the same and more.
 */
export function createLiveProgress({ stream, styles, now, repeat = everyTenth }: LiveOptions): Progress {
  const rows = new Map<string, Row>();
  let drawn = 0;
  let isStopped = false;
  let isHidden = false;

  const erase = (): string => (drawn === 0 ? '' : `${csi}${drawn}A${csi}0J`);
  const draw = (above = ''): void => {
    if (isStopped) return;
    const lines = picture([...rows.values()], { width: stream.columns ?? 80, height: stream.rows ?? 24, now: now(), styles });
    const hide = isHidden ? '' : `${csi}?25l`;
    isHidden = true;
    stream.write(`${hide}${erase()}${above}${lines.map((line) => `${line}\n`).join('')}`);
    drawn = lines.length;
  };
  const stopRepeating = repeat(draw);

  return {
    listen: (event) => note(rows, event, now()),
    print: (line) => {
      if (isStopped) stream.write(`${line}\n`);
      else draw(`${line}\n`);
    },
    stop: () => {
      if (isStopped) return;
      stopRepeating();
      isStopped = true;
      if (isHidden) stream.write(`${erase()}${csi}?25h`);
      drawn = 0;
    },
  };
}

function everyTenth(draw: () => void): () => void {
  const timer = setInterval(draw, 100);
  // A picture must never keep the process alive.
  timer.unref();
  return () => clearInterval(timer);
}

function note(rows: Map<string, Row>, event: RunEvent, at: number): void {
  if (event.type === 'line') {
    const row = rows.get(event.line);
    if (!row) rows.set(event.line, { line: event.line, state: event.to, since: at, detail: '' });
    else Object.assign(row, { state: event.to, since: at, detail: '' });
    return;
  }
  const row = event.type === 'wait' || event.type === 'note' ? rows.get(event.line) : undefined;
  if (row && event.type === 'wait') row.detail = oneLine(event.detail);
  if (row && event.type === 'note') row.detail = oneLine(event.text);
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly now: number;
  readonly styles: Styles;
}

/** The rows that fit: all of them, or those in work first, with one row for the rest. The cursor's own row stays free. */
function picture(rows: readonly Row[], frame: Frame): string[] {
  const room = Math.max(1, frame.height - 1);
  const width = Math.max(0, ...rows.map((row) => row.line.length));
  if (rows.length <= room) return rows.map((row) => show(row, width, frame));
  const ranked = [...rows].sort((a, b) => rank(a) - rank(b));
  const shown = new Set(ranked.slice(0, room - 1));
  const rest = rows.filter((row) => !shown.has(row));
  return [...rows.filter((row) => shown.has(row)).map((row) => show(row, width, frame)), cut(restText(rest), frame.width)];
}

const rank = (row: Row): number =>
  row.state === 'failed' || row.state === 'refused' ? 1 : hasEnded(row.state) ? 3 : isIdle(row.state) ? 2 : 0;

function restText(rest: readonly Row[]): string {
  const counts = new Map<string, number>();
  for (const row of rest) counts.set(row.state, (counts.get(row.state) ?? 0) + 1);
  const parts = [...counts].map(([state, count]) => `${count} ${stateWords(state)}`);
  return `  … ${counted(rest.length, 'more line')}: ${parts.join(', ')}`;
}

function show(row: Row, width: number, { styles, now, ...frame }: Frame): string {
  const isOpen = !hasEnded(row.state) && !isIdle(row.state);
  const time = isOpen ? `  ${secondsText(now - row.since)}` : '';
  const detail = row.detail === '' ? '' : `  ${row.detail}`;
  return styles.paint(toneOf(row), cut(`${mark(row)} ${row.line.padEnd(width)}  ${stateWords(row.state)}${time}${detail}`, frame.width));
}

/** Whole seconds: a tenth that flickers tells nobody anything. */
const secondsText = (ms: number): string => (ms < 60_000 ? `${Math.floor(ms / 1_000)} s` : showTime(ms));

const mark = (row: Row): string => (toneOf(row) === 'bad' ? '!' : hasEnded(row.state) ? '=' : isIdle(row.state) ? ' ' : '>');

function toneOf(row: Row): Tone {
  if (row.state === 'failed' || row.state === 'refused') return 'bad';
  return hasEnded(row.state) || isIdle(row.state) ? 'quiet' : 'change';
}

/** A row that wraps would break the count of rows to go up: one column stays free. */
const cut = (text: string, columns: number): string => {
  const room = Math.max(1, columns - 1);
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
};
