import type { RunEvent, Verdict } from '../engine/document.ts';
import { oneLine } from './text.ts';
import { hasEnded, isIdle } from './verdicts.ts';

/** Shows a run while it goes on. */
export interface Progress {
  listen(event: RunEvent): void;
  /** A line for people that must not tear the picture. */
  print(line: string): void;
  /** Leaves the terminal as it was. May be called more than once. */
  stop(): void;
}

/** What is known of one line while the run goes on. Every text in it may be shown. */
export interface Row {
  readonly line: string;
  readonly after: readonly string[];
  state: string;
  /** When it came to this state. */
  since: number;
  /** When its work began; `null` before. */
  began: number | null;
  verdict: Verdict | null;
  /** The shared list that it is an entry of. */
  lock: string | null;
  /** What it waits for, or was told last; of a line that failed, why. */
  detail: string;
}

/** What a run has told up to now, as live progress shows it. */
export interface Board {
  readonly rows: ReadonlyMap<string, Row>;
  /** What the run as a whole waits for, such as another one's lease; empty when it does not. */
  readonly wait: string;
  readonly startedAt: number;
  note(event: RunEvent, at: number): void;
  /** What a line waits for that tells nothing itself: the lines before it, or the lock of its list. */
  waitsFor(row: Row): string;
}

export const createBoard = (startedAt: number): Board => new EventBoard(startedAt);

class EventBoard implements Board {
  readonly startedAt: number;
  readonly rows = new Map<string, Row>();
  wait = '';
  /** Shared objects whose lock is being taken. */
  readonly #locking = new Set<string>();

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }

  note(event: RunEvent, at: number): void {
    switch (event.type) {
      case 'lines':
        for (const { id, after } of event.lines) {
          this.rows.delete(id);
          this.#row(id, after);
        }
        return;
      case 'line': {
        const row = this.#row(event.line);
        // Why it failed is told before it has.
        if (!isBad(event.to)) row.detail = '';
        if (!isIdle(event.to)) row.began ??= at;
        // What an earlier run had made turned up under its own intent.
        if (event.to === 'claimed') row.verdict = 'claim';
        Object.assign(row, { state: event.to, since: at });
        return;
      }
      case 'verdict':
        Object.assign(this.#row(event.line), { verdict: event.verdict, lock: event.lock });
        return;
      case 'failure':
        this.#row(event.line).detail = `${event.error.code}: ${oneLine(event.error.detail)}`;
        return;
      case 'wait':
      case 'note': {
        const row = this.rows.get(event.line);
        if (row) row.detail = oneLine(event.type === 'wait' ? event.detail : event.text);
        return;
      }
      case 'machine':
        if (event.machine === 'parent' && event.to === 'locking') this.#locking.add(event.actor);
        else if (event.machine === 'parent') this.#locking.delete(event.actor);
        return;
      case 'run':
        this.wait = oneLine(event.detail ?? '');
        return;
      case 'ledger':
        // Whoever may push waits for nobody.
        if (event.what === 'push') this.wait = '';
        return;
      case 'request':
        return;
    }
  }

  waitsFor(row: Row): string {
    if (isIdle(row.state)) return list(row.after.filter((id) => isAwaited(this.rows.get(id))));
    return row.lock !== null && !hasEnded(row.state) && this.#locking.has(row.lock) ? `for the lock on ${oneLine(row.lock)}` : '';
  }

  #row(line: string, after: readonly string[] = []): Row {
    const fresh = { state: 'waiting', since: this.startedAt, began: null, verdict: null, lock: null, detail: '' };
    const row = this.rows.get(line) ?? { line: oneLine(line), after, ...fresh };
    this.rows.set(line, row);
    return row;
  }
}

export const isBad = (state: string): boolean => state === 'failed' || state === 'refused';

/** A line goes on once those before it have something to give, which is before their records are stored. */
const isAwaited = (row: Row | undefined): boolean =>
  row !== undefined && !hasEnded(row.state) && row.state !== 'recording' && row.state !== 'recordingRemoval';

function list(ids: readonly string[]): string {
  if (ids.length === 0) return '';
  const shown = ids.slice(0, 3).map(oneLine).join(', ');
  return `for ${shown}${ids.length > 3 ? ` and ${ids.length - 3} more` : ''}`;
}
