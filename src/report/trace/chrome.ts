import type { RunEvent } from '../../engine/document.ts';
import { hasEnded, isIdle } from '../verdicts.ts';

/** An event of Chrome's trace format; times are whole microseconds from the start of the run. */
export interface ChromeEvent {
  readonly ph: 'M' | 'X' | 'i' | 'b' | 'e' | 's' | 'f';
  readonly pid: number;
  readonly tid: number;
  readonly name: string;
  readonly cat?: string;
  readonly ts?: number;
  readonly dur?: number;
  readonly id?: number;
  readonly s?: 't';
  /** `e` binds the end of an arrow to the bar that encloses its time. */
  readonly bp?: 'e';
  readonly args?: { readonly [name: string]: string | number | null };
}

export interface ChromeTrace {
  readonly traceEvents: readonly ChromeEvent[];
  readonly displayTimeUnit: 'ms';
}

const linesPid = 1;
const requestsPid = 2;
const ledgerPid = 3;
const machinesPid = 4;

interface TraceClock {
  /** Whole microseconds since the start of the run. */
  micros(at: number): number;
  /** The last moment of any event. */
  readonly end: number;
}

/**
 * The run as a Chrome trace. Each line is a thread with one bar per state and an arrow to each line after it; so is each other machine.
 * Requests and pushes are overlapping spans beside them. Bars of one thread never overlap, because a line is in one state at a time and
 * both ends are rounded the same way.
 */
export function chromeTrace(events: readonly RunEvent[]): ChromeTrace {
  const begun = events.map((event) => ('ms' in event ? event.at - event.ms : event.at));
  const start = begun.reduce((first, at) => Math.min(first, at), begun[0] ?? 0);
  const end = events.reduce((latest, event) => Math.max(latest, event.at), start);
  const micros = (at: number): number => Math.round((at - start) * 1_000);
  const clock = { micros, end };
  const lines = changesOf(events);
  const bars = tracks(lines, linesPid, clock);
  return {
    traceEvents: [
      process(linesPid, 'lines'),
      process(requestsPid, 'requests'),
      process(ledgerPid, 'ledger'),
      process(machinesPid, 'machines'),
      ...bars,
      ...arrows(events, lines, bars),
      ...tracks(machinesOf(events), machinesPid, clock),
      ...spans(events, micros),
      ...runEvents(events, micros),
    ],
    displayTimeUnit: 'ms',
  };
}

const process = (pid: number, name: string): ChromeEvent => ({ ph: 'M', pid, tid: 0, name: 'process_name', args: { name } });

type Change = Extract<RunEvent, { type: 'line' | 'machine' }>;

/** One track per actor, with a bar for each of its states. */
function tracks(of: ReadonlyMap<string, readonly Change[]>, pid: number, clock: TraceClock): ChromeEvent[] {
  const out: ChromeEvent[] = [];
  let tid = 0;
  for (const [name, changes] of of) {
    tid += 1;
    out.push({ ph: 'M', pid, tid, name: 'thread_name', args: { name } });
    let since = 0;
    changes.forEach((change, i) => {
      const track = { pid, tid };
      const ts = Math.max(since, clock.micros(change.at));
      // The first change also names the state before it. The line was in that state from the start of the run.
      if (i === 0 && change.from !== '' && ts > 0) out.push(bar(track, change.from, { from: 0, to: ts, by: 'start' }));
      const next = changes[i + 1];
      since = Math.max(ts, clock.micros(next?.at ?? clock.end));
      if (next === undefined && hasEnded(change.to)) out.push({ ph: 'i', ...track, name: change.to, cat: 'state', ts, s: 't' });
      else out.push(bar(track, change.to, { from: ts, to: since, by: change.event }));
    });
  }
  return out;
}

const changesOf = (events: readonly RunEvent[]): ReadonlyMap<string, readonly Change[]> =>
  Map.groupBy(
    events.filter((event) => event.type === 'line'),
    (event) => event.line,
  );

/** A parent and a line that waits may have the same name, so the kind of machine stands before it. */
const machinesOf = (events: readonly RunEvent[]): ReadonlyMap<string, readonly Change[]> =>
  Map.groupBy(
    events.filter((event) => event.type === 'machine'),
    ({ machine, actor }) => (machine === actor ? machine : `${machine} ${actor}`),
  );

/**
 * Draws an arrow from each line to every line that comes after it, at the moment when the later line starts. A viewer draws an arrow only
 * if both ends lie within a bar that takes time. A skipped line has no such bar and gets no arrow.
 */
function arrows(events: readonly RunEvent[], of: ReadonlyMap<string, readonly Change[]>, bars: readonly ChromeEvent[]): ChromeEvent[] {
  const tids = new Map([...of.keys()].map((line, i) => [line, i + 1]));
  const byTid = Map.groupBy(
    bars.flatMap(({ ph, tid, name, ts = 0, dur = 0 }) => (ph === 'X' && dur > 0 ? [{ tid, name, ts, end: ts + dur }] : [])),
    ({ tid }) => tid,
  );
  const out: ChromeEvent[] = [];
  const afters = new Map(events.flatMap((event) => (event.type === 'lines' ? event.lines : [])).map(({ id, after }) => [id, after]));
  for (const [id, after] of afters) {
    const tid = tids.get(id) ?? 0;
    const begun = byTid.get(tid)?.find(({ name }) => !isIdle(name));
    if (!begun) continue;
    for (const producer of after) {
      const from = tids.get(producer) ?? 0;
      const source = byTid.get(from)?.findLast(({ ts }) => ts < begun.ts);
      if (!source) continue;
      const flow = { cat: 'after', name: `${producer} → ${id}`, id: out.length / 2 + 1 };
      out.push({ ph: 's', pid: linesPid, tid: from, ...flow, ts: Math.min(source.end, begun.ts) - 1 });
      out.push({ ph: 'f', bp: 'e', pid: linesPid, tid, ...flow, ts: begun.ts });
    }
  }
  return out;
}

interface Span {
  readonly from: number;
  readonly to: number;
  /** The event that led into the state. */
  readonly by: string;
}

const bar = (track: { readonly pid: number; readonly tid: number }, name: string, { from, to, by }: Span): ChromeEvent => ({
  ph: 'X',
  ...track,
  name,
  cat: 'state',
  ts: from,
  dur: to - from,
  args: { by },
});

/** Requests and pushes may overlap, so they are async spans: each pair has an id of its own. The `at` of their event is their end. */
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
