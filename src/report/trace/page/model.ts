import type { RunEvent } from '../../../engine/document.ts';
import { subjectText } from '../../line-words.ts';
import { hasEnded } from '../../verdicts.ts';
import type { Chart } from './charts.ts';

type Told<T extends RunEvent['type']> = Extract<RunEvent, { readonly type: T }>;

export type RunError = Told<'failure'>['error'];

/** A machine entered another state. Times are milliseconds since the run began. */
export interface Step {
  readonly at: number;
  readonly from: string;
  readonly to: string;
  readonly event: string;
}

/** The steps of one state machine. */
export interface Actor {
  /** The name of its chart. */
  readonly machine: 'line' | 'parent' | 'readiness' | 'coordinator';
  readonly name: string;
  readonly initial: string;
  readonly begunAt: number;
  readonly steps: readonly Step[];
}

export interface Request {
  readonly from: number;
  readonly to: number;
  readonly method: string;
  readonly url: string;
  readonly status: number | null;
  readonly attempt: number;
  /** Decided by the method. A request without a line, such as one for a token, changes no object of a line and counts as a read. */
  readonly isWrite: boolean;
  readonly isBad: boolean;
}

export interface Said {
  readonly at: number;
  readonly text: string;
}

export interface Failed {
  readonly at: number;
  readonly error: RunError;
}

export type Judged = Pick<Told<'verdict'>, 'verdict' | 'why' | 'drift' | 'changes' | 'lock'> & { readonly at: number };

export interface LineTrace extends Actor {
  readonly machine: 'line';
  readonly index: number;
  readonly kind: string;
  /** Names the object; empty where no event does. */
  readonly subject: string;
  readonly after: readonly number[];
  readonly before: readonly number[];
  /** The lines whose end kept this one from its turn. */
  readonly because: readonly number[];
  /** The verdicts in their order. A line may look again and get another one. */
  readonly verdicts: readonly Judged[];
  readonly failures: readonly Failed[];
  readonly requests: readonly Request[];
  readonly waits: readonly Said[];
  readonly notes: readonly Said[];
  /** Set if the line waited until an object was ready. */
  readonly readiness: Actor | null;
  /** An index into `parents`: the object whose list has this line as an entry. */
  readonly parent: number | null;
}

export interface ParentTrace extends Actor {
  readonly machine: 'parent';
  readonly index: number;
  readonly lines: readonly number[];
}

export interface Span {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The end of the events: the run finished, was interrupted and drained, never began its lines, or was cut off. */
export type Ending = 'finished' | 'interrupted' | 'not begun' | 'cut off';

export interface RunTrace {
  readonly lines: readonly LineTrace[];
  readonly parents: readonly ParentTrace[];
  readonly coordinators: readonly Actor[];
  /** Fetches and pushes of the ledger. */
  readonly ledger: readonly Span[];
  /** The waits of the run itself with their reasons: for its lease, or until no write of an earlier run could land any more. */
  readonly waits: readonly Said[];
  /** The time from the first wait of the run to the begin of its lines; `null` if it did not wait. */
  readonly delay: Span | null;
  /** Requests that belong to no line. */
  readonly requests: readonly Request[];
  /** The moment of every event, each once, in order. */
  readonly moments: readonly number[];
  /** The wall time of the first moment. */
  readonly startedAt: number;
  readonly ms: number;
  readonly ending: Ending;
}

/** Sorts the events of a run by their actor for the page. Times count from the first moment of the run. */
export function traceOf(events: readonly RunEvent[], charts: readonly Chart[]): RunTrace {
  const begins = events.map((event) => ('ms' in event ? event.at - event.ms : event.at));
  const startedAt = begins.reduce((first, at) => Math.min(first, at), begins[0] ?? 0);
  const end = events.reduce((last, { at }) => Math.max(last, at), startedAt);
  const since = (at: number): number => at - startedAt;
  const initialOf = (machine: string): string => charts.find(({ name }) => name === machine)?.initial ?? '';
  const of = sorted(events);
  const actors = actorsOf(of.machine, initialOf, since);
  const lines = linesOf(of, { since, initial: initialOf('line'), readiness: actors.get('readiness') ?? [] });
  const begun = of.run.find(({ state }) => state === 'begun');
  const waits = of.run.flatMap(({ at, detail }) => (detail === undefined ? [] : [{ at: since(at), text: detail }]));
  const begunAt = begun ? since(begun.at) : end - startedAt;
  return {
    ...withParents(lines, actors.get('parent') ?? [], initialOf('parent')),
    coordinators: coordinatorsOf(actors.get('coordinator') ?? [], begun ? since(begun.at) : null, initialOf('coordinator')),
    ledger: of.ledger.map(({ at, ms, what }) => ({ from: since(at - ms), to: since(at), text: what })),
    waits,
    delay: waits[0] && waits[0].at < begunAt ? { from: waits[0].at, to: begunAt, text: 'waits' } : null,
    requests: of.request.filter(({ line }) => line === null).map((request) => requestOf(request, since)),
    moments: [...new Set([0, ...events.map(({ at }) => since(at))])].sort((a, b) => a - b),
    startedAt,
    ms: end - startedAt,
    ending: endingOf(lines, actors.get('coordinator') ?? [], begun !== undefined),
  };
}

/** The errors of a run that belong to none of its lines, so the page shows them by themselves. */
export function ownErrors({ lines }: RunTrace, errors: readonly RunError[]): readonly RunError[] {
  const shown = new Set(lines.flatMap(({ failures }) => failures.map(({ error }) => `${error.code} ${error.detail}`)));
  return errors.filter(({ code, detail }) => !shown.has(`${code} ${detail}`));
}

type Sorted = { readonly [T in RunEvent['type']]: readonly Told<T>[] };

function sorted(events: readonly RunEvent[]): Sorted {
  const pick = <T extends RunEvent['type']>(type: T): readonly Told<T>[] => events.filter((event): event is Told<T> => event.type === type);
  return {
    run: pick('run'),
    line: pick('line'),
    lines: pick('lines'),
    verdict: pick('verdict'),
    failure: pick('failure'),
    machine: pick('machine'),
    note: pick('note'),
    wait: pick('wait'),
    request: pick('request'),
    ledger: pick('ledger'),
  };
}

type Since = (at: number) => number;

const stepOf = ({ at, from, to, event }: Told<'line' | 'machine'>, since: Since): Step => ({ at: since(at), from, to, event });

/** The machines beside the lines, by their kind. */
function actorsOf(told: Sorted['machine'], initialOf: (machine: string) => string, since: Since): Map<string, Actor[]> {
  const actors = [...Map.groupBy(told, ({ machine, actor }) => `${machine} ${actor}`).values()].flatMap((all): Actor[] => {
    const [first] = all;
    if (!first) return [];
    const initial = first.from || initialOf(first.machine);
    // The first transition of a machine has no state before it, because the machine was just made.
    const steps = all.map((event) => stepOf({ ...event, from: event.from || initial }, since));
    return [
      { machine: first.machine, name: first.actor, initial, begunAt: since(first.at), steps: steps.filter(({ from, to }) => from !== to) },
    ];
  });
  return Map.groupBy(actors, ({ machine }) => machine);
}

interface LineFacts {
  readonly since: Since;
  readonly initial: string;
  readonly readiness: readonly Actor[];
}

function linesOf(of: Sorted, { since, initial, readiness }: LineFacts): readonly LineTrace[] {
  const told = of.lines.flatMap(({ at, lines }) => lines.map((line) => ({ ...line, at: since(at) })));
  // A destroy that starts over lists its lines again.
  const named = new Map<string, (typeof told)[number]>();
  for (const line of told) named.set(line.id, { ...line, at: named.get(line.id)?.at ?? line.at });
  // A line that no `lines` event lists is shown too.
  const ids = [...new Set([...named.keys(), ...of.line.map(({ line }) => line)])];
  const indexes = new Map(ids.map((id, index) => [id, index]));
  const followers = new Map<string, number[]>();
  for (const { id, after } of named.values())
    for (const producer of after) followers.set(producer, [...(followers.get(producer) ?? []), indexes.get(id) ?? 0]);
  const by = {
    steps: byLine(of.line),
    verdicts: byLine(of.verdict),
    failures: byLine(of.failure),
    requests: byLine(of.request),
    waits: byLine(of.wait),
    notes: byLine(of.note),
    readiness: new Map(readiness.map((actor) => [actor.name, actor])),
  };
  return ids.map((id, index) => {
    const about = named.get(id);
    return {
      machine: 'line',
      index,
      name: id,
      initial,
      begunAt: about?.at ?? 0,
      kind: about === undefined ? '' : kindOf(about),
      subject: subjectText({
        subject: by.verdicts.get(id)?.findLast(({ subject }) => subject !== undefined)?.subject ?? about?.subject ?? '',
      }),
      after: (about?.after ?? []).flatMap((producer) => indexes.get(producer) ?? []),
      before: followers.get(id) ?? [],
      because: (by.steps.get(id) ?? []).flatMap(({ because }) => (because === undefined ? [] : (indexes.get(because) ?? []))),
      steps: (by.steps.get(id) ?? []).map((event) => stepOf(event, since)),
      verdicts: withClaims(by.verdicts.get(id) ?? [], by.steps.get(id) ?? []).map((judged) => ({ ...judged, at: since(judged.at) })),
      failures: (by.failures.get(id) ?? []).map(({ at, error }) => ({ at: since(at), error })),
      requests: (by.requests.get(id) ?? []).map((request) => requestOf(request, since)).sort((a, b) => a.from - b.from),
      waits: (by.waits.get(id) ?? []).map(({ at, detail }) => ({ at: since(at), text: detail })),
      notes: (by.notes.get(id) ?? []).map(({ at, text }) => ({ at: since(at), text })),
      readiness: by.readiness.get(id) ?? null,
      parent: null,
    };
  });
}

/** A receipt names its lines without their operations. */
const kindOf = ({ recipe, adapter, op }: Told<'lines'>['lines'][number]): string =>
  recipe ?? (adapter === '' ? 'no record any more' : `${adapter}.${op}`);

/** A create that had already happened becomes a claim on the way, without a new verdict event. */
function withClaims(verdicts: Sorted['verdict'], steps: Sorted['line']): Sorted['verdict'] {
  const claims = steps.flatMap(({ at, to }) => {
    const judged = to === 'claimed' ? verdicts.findLast((verdict) => verdict.at <= at) : undefined;
    return judged ? [{ ...judged, verdict: 'claim' as const, at }] : [];
  });
  return claims.length === 0 ? verdicts : [...verdicts, ...claims].toSorted((a, b) => a.at - b.at);
}

function byLine<T extends { readonly line: string | null }>(events: readonly T[]): ReadonlyMap<string | null, readonly T[]> {
  return Map.groupBy(events, ({ line }) => line);
}

function requestOf({ at, ms, line, method, url, status, attempt }: Told<'request'>, since: Since): Request {
  const isWrite = line !== null && method !== 'GET' && method !== 'HEAD';
  return { from: since(at - ms), to: since(at), method, url, status, attempt, isWrite, isBad: status === null || status >= 400 };
}

/** Every parent that a line names. A parent without any work is included, because the lines still share it. */
function withParents(lines: readonly LineTrace[], actors: readonly Actor[], initial: string): Pick<RunTrace, 'lines' | 'parents'> {
  const lockOf = (line: LineTrace): string | null => line.verdicts.findLast(({ lock }) => lock !== null)?.lock ?? null;
  const names = [...new Set([...actors.map(({ name }) => name), ...lines.flatMap((line) => lockOf(line) ?? [])])];
  const indexes = new Map(names.map((name, index) => [name, index]));
  const linked = lines.map((line) => ({ ...line, parent: indexes.get(lockOf(line) ?? '') ?? null }));
  const known = new Map(actors.map((actor) => [actor.name, actor]));
  return {
    lines: linked,
    parents: names.map((name, index) => ({
      ...(known.get(name) ?? { name, initial, begunAt: 0, steps: [] }),
      machine: 'parent',
      index,
      lines: linked.flatMap((line) => (line.parent === index ? [line.index] : [])),
    })),
  };
}

/** A coordinator is at work from the begin of the run, but sends an event only when its state changes. */
function coordinatorsOf(actors: readonly Actor[], begunAt: number | null, initial: string): readonly Actor[] {
  if (actors.length === 0 && begunAt !== null) return [{ machine: 'coordinator', name: 'coordinator', initial, begunAt, steps: [] }];
  return actors.map((actor) => (begunAt === null || actors.length > 1 ? actor : { ...actor, begunAt: Math.min(begunAt, actor.begunAt) }));
}

function endingOf(lines: readonly LineTrace[], coordinators: readonly Actor[], hasBegun: boolean): Ending {
  if (!hasBegun && lines.length === 0) return 'not begun';
  const last = coordinators.map(({ steps }) => steps.at(-1)?.to);
  if (last.includes('interrupted')) return 'interrupted';
  const isOver = lines.every(({ steps, initial }) => hasEnded(steps.at(-1)?.to ?? initial));
  return isOver ? 'finished' : 'cut off';
}
