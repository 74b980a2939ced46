import type { RunEvent, Verdict } from '../engine/document.ts';
import { subjectText } from './line-words.ts';
import { oneLine } from './text.ts';
import { hasEnded, isIdle } from './verdicts.ts';

/** Shows a run while it goes on. */
export interface Progress {
  listen(event: RunEvent): void;
  /** Prints a line for people without tearing the picture. */
  print(line: string): void;
  /** Leaves the terminal as it was. A second call does nothing. */
  stop(): void;
}

/** The facts about one line while the run goes on. Every text in it may be shown. */
export interface Row {
  readonly line: string;
  readonly after: readonly string[];
  /** Names the object of the line. */
  subject: string;
  state: string;
  /** The time at which the line entered this state. */
  since: number;
  /** The time at which its work began; `null` before. */
  began: number | null;
  verdict: Verdict | null;
  /** The shared list that has the line as an entry. */
  lock: string | null;
  /** The reason of its wait, its last note, or the reason why it failed. */
  detail: string;
}

/** The state of a run so far, for live progress. */
export interface Board {
  readonly rows: ReadonlyMap<string, Row>;
  /** The reason why the whole run waits, such as the lease of another run; empty if it does not wait. */
  readonly wait: string;
  readonly startedAt: number;
  note(event: RunEvent, at: number): void;
  /** The reason why a silent line waits: the lines before it, or the lock of its list. */
  waitsFor(row: Row): string;
}

export const createBoard = (startedAt: number): Board => new EventBoard(startedAt);

class EventBoard implements Board {
  readonly startedAt: number;
  readonly rows = new Map<string, Row>();
  wait = '';
  /** The shared objects whose lock this run is taking. */
  readonly #locking = new Set<string>();

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }

  note(event: RunEvent, at: number): void {
    switch (event.type) {
      case 'lines':
        for (const line of event.lines) {
          this.rows.delete(line.id);
          this.#row(line.id, line.after).subject = subjectText(line);
        }
        return;
      case 'line': {
        const row = this.#row(event.line);
        // The failure event comes before this one, so its reason must stay.
        if (!isBad(event.to)) row.detail = '';
        if (!isIdle(event.to)) row.began ??= at;
        // The line found the object of an earlier run under its own intent.
        if (event.to === 'claimed') row.verdict = 'claim';
        Object.assign(row, { state: event.to, since: at });
        return;
      }
      case 'verdict':
        Object.assign(this.#row(event.line), { verdict: event.verdict, lock: event.lock, ...subjectIn(event) });
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
        // A run that pushes holds its lease, so it waits for nobody.
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
    const fresh = { state: 'waiting', since: this.startedAt, began: null, verdict: null, lock: null, subject: '', detail: '' };
    const row = this.rows.get(line) ?? { line: oneLine(line), after, ...fresh };
    this.rows.set(line, row);
    return row;
  }
}

const subjectIn = (event: { readonly subject?: string }): { readonly subject?: string } =>
  event.subject === undefined ? {} : { subject: subjectText(event) };

export const isBad = (state: string): boolean => state === 'failed' || state === 'refused';

/** A line that records its result has its outputs already, so the lines after it no longer wait for it. */
const isAwaited = (row: Row | undefined): boolean =>
  row !== undefined && !hasEnded(row.state) && row.state !== 'recording' && row.state !== 'recordingRemoval';

function list(ids: readonly string[]): string {
  if (ids.length === 0) return '';
  const shown = ids.slice(0, 3).map(oneLine).join(', ');
  return `for ${shown}${ids.length > 3 ? ` and ${ids.length - 3} more` : ''}`;
}
