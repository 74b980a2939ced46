import type { RunEvent } from '../document.ts';
import { hasEnded } from '../line-states.ts';

/** An event of Chrome's trace format; times are whole microseconds from the start of the run. */
export interface ChromeEvent {
  readonly ph: 'M' | 'X' | 'i' | 'b' | 'e';
  readonly pid: number;
  readonly tid: number;
  readonly name: string;
  readonly cat?: string;
  readonly ts?: number;
  readonly dur?: number;
  readonly id?: number;
  readonly s?: 't';
  readonly args?: { readonly [name: string]: string | number | null };
}

export interface ChromeTrace {
  readonly traceEvents: readonly ChromeEvent[];
  readonly displayTimeUnit: 'ms';
}

const linesPid = 1;
const requestsPid = 2;
const ledgerPid = 3;

/**
 * The run as a Chrome trace: one thread a line with one bar a state, requests and pushes as overlapping spans beside them.
 * Bars of one thread never overlap, because a line is in one state at a time and both ends are rounded the same way.
 */
export function chromeTrace(events: readonly RunEvent[]): ChromeTrace {
  const begun = events.map((event) => ('ms' in event ? event.at - event.ms : event.at));
  const start = begun.reduce((first, at) => Math.min(first, at), begun[0] ?? 0);
  const end = events.reduce((latest, event) => Math.max(latest, event.at), start);
  const micros = (at: number): number => Math.round((at - start) * 1_000);
  const names: ChromeEvent[] = [process(linesPid, 'lines'), process(requestsPid, 'requests'), process(ledgerPid, 'ledger')];
  return {
    traceEvents: [...names, ...lineEvents(events, micros, end), ...spans(events, micros), ...runEvents(events, micros)],
    displayTimeUnit: 'ms',
  };
}

const process = (pid: number, name: string): ChromeEvent => ({ ph: 'M', pid, tid: 0, name: 'process_name', args: { name } });

type LineEvent = Extract<RunEvent, { type: 'line' }>;

function lineEvents(events: readonly RunEvent[], micros: (at: number) => number, end: number): ChromeEvent[] {
  const byLine = Map.groupBy(
    events.filter((event): event is LineEvent => event.type === 'line'),
    (event) => event.line,
  );
  const out: ChromeEvent[] = [];
  let tid = 0;
  for (const [line, changes] of byLine) {
    tid += 1;
    out.push({ ph: 'M', pid: linesPid, tid, name: 'thread_name', args: { name: line } });
    let since = 0;
    changes.forEach((change, i) => {
      const ts = Math.max(since, micros(change.at));
      // The first change tells of the state before it, too: the line was in it from the start of the run.
      if (i === 0 && change.from !== '' && ts > 0) out.push(bar(tid, change.from, 0, ts, 'start'));
      const next = changes[i + 1];
      since = Math.max(ts, micros(next?.at ?? end));
      if (next === undefined && hasEnded(change.to)) out.push({ ph: 'i', pid: linesPid, tid, name: change.to, cat: 'state', ts, s: 't' });
      else out.push(bar(tid, change.to, ts, since, change.event));
    });
  }
  return out;
}

const bar = (tid: number, name: string, from: number, to: number, by: string): ChromeEvent => ({
  ph: 'X',
  pid: linesPid,
  tid,
  name,
  cat: 'state',
  ts: from,
  dur: to - from,
  args: { by },
});

/** Requests and pushes may overlap, so they are async spans: each pair has an id of its own. `at` is when it ended. */
function spans(events: readonly RunEvent[], micros: (at: number) => number): ChromeEvent[] {
  let id = 0;
  return events.flatMap((event): ChromeEvent[] => {
    if (event.type !== 'request' && event.type !== 'ledger') return [];
    id += 1;
    const common =
      event.type === 'request'
        ? { pid: requestsPid, tid: 0, cat: 'request', name: `${event.method} ${event.url}`, id }
        : { pid: ledgerPid, tid: 0, cat: 'ledger', name: event.what, id };
    const args = event.type === 'request' ? { line: event.line, status: event.status, attempt: event.attempt } : {};
    return [
      { ph: 'b', ...common, ts: micros(event.at - event.ms), args },
      { ph: 'e', ...common, ts: micros(event.at) },
    ];
  });
}

function runEvents(events: readonly RunEvent[], micros: (at: number) => number): ChromeEvent[] {
  return events.flatMap((event): ChromeEvent[] =>
    event.type === 'run' ? [{ ph: 'i', pid: linesPid, tid: 0, name: event.state, cat: 'run', ts: micros(event.at), s: 't' }] : [],
  );
}
