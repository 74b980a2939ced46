import type { ErrorData } from '../../core/errors.ts';
import type { RunEvent } from '../../engine/document.ts';
import { hasEnded } from '../verdicts.ts';
import { type Attributes, httpAttributes, httpFailure, methodName } from './http-attributes.ts';

/** A span of a run, before it has ids: `key` names it in its trace, and `parent` is the key of its parent, `null` for the root. */
export interface RunSpan {
  readonly key: string;
  readonly parent: string | null;
  readonly name: string;
  readonly kind: 'internal' | 'client';
  /** Milliseconds since 1970; `end` is never before `start`. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly events: readonly { readonly name: string; readonly at: number; readonly attributes: Attributes }[];
  /** Why it failed, in constant words; `null` where it did not. */
  readonly failed: string | null;
}

/** The end of a run: its title and the errors that it ended with. */
export interface RunEnd {
  /** `apply --destroy preview/pr-12` */
  readonly title: string;
  readonly errors: readonly ErrorData[];
}

const rootKey = 'run';

/**
 * A run as spans: one for the run, one for each line below it, one for each state of a line, and one for each request below the state that
 * sent it. Fetches and pushes of the ledger, and requests of several lines, are below the run. The root comes first, and each parent before
 * its children. Empty for a run that told nothing.
 */
export function spansOf(events: readonly RunEvent[], end: RunEnd): readonly RunSpan[] {
  if (events.length === 0) return [];
  const requests = events.filter((event) => event.type === 'request');
  const told = new Map(events.flatMap((event) => (event.type === 'lines' ? event.lines : [])).map((line) => [line.id, line]));
  const byLine = Map.groupBy(
    events.filter((event) => 'line' in event && event.line !== null),
    (event) => ('line' in event ? (event.line ?? '') : ''),
  );
  const lines = [...byLine].flatMap(([id, of]) => lineSpans(id, of, told.get(id)));
  const byKey = Map.groupBy(lines, ({ parent, key }) => (parent === rootKey ? key : (parent ?? '')));
  const sent = requests.map((event, i) => requestSpan(event, i, byKey.get(lineKey(event.line ?? '')) ?? []));
  const ledger = events.filter((event) => event.type === 'ledger').map(ledgerSpan);
  const below = [...lines, ...sent, ...ledger];
  return [rootSpan(events, below, end), ...below];
}

function rootSpan(events: readonly RunEvent[], below: readonly RunSpan[], { title, errors }: RunEnd): RunSpan {
  const runs = events.filter((event) => event.type === 'run');
  const failed = below.find(({ parent, failed }) => parent === rootKey && failed !== null);
  const code = errors[0]?.code ?? failed?.attributes['error.type'];
  const id = runs.find(({ run }) => run !== undefined)?.run;
  return {
    key: rootKey,
    parent: null,
    name: `pilotfish ${title.split(' ', 1)[0]}`,
    kind: 'internal',
    start: Math.min(
      ...edges(
        events.map(({ at }) => at),
        below.map(({ start }) => start),
      ),
    ),
    end: Math.max(
      ...edges(
        events.map(({ at }) => at),
        below.map((span) => span.end),
      ),
    ),
    attributes: {
      'pilotfish.run.title': title,
      ...(id !== undefined && { 'pilotfish.run.id': id }),
      ...(code !== undefined && { 'error.type': code }),
    },
    events: runs.map(({ state, at, detail }) => ({
      name: state,
      at,
      attributes: detail === undefined ? {} : { 'pilotfish.detail': detail },
    })),
    failed: errors[0]?.summary ?? failed?.failed ?? null,
  };
}

/** The least and the greatest of some lists. A run may have more events than a call takes arguments. */
function edges(...lists: readonly (readonly number[])[]): readonly [number, number] {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const list of lists) {
    for (const value of list) {
      least = Math.min(least, value);
      greatest = Math.max(greatest, value);
    }
  }
  return [least, greatest];
}

type Told = Extract<RunEvent, { type: 'lines' }>['lines'][number];

const lineKey = (id: string): string => `line ${id}`;

/** The span of a line, and those of its states below it. */
function lineSpans(id: string, events: readonly RunEvent[], told: Told | undefined): readonly RunSpan[] {
  const changes = events.filter((event) => event.type === 'line');
  const [start, end] = edges(
    events.map(({ at }) => at),
    events.map((event) => ('ms' in event ? event.at - event.ms : event.at)),
  );
  const state = changes.at(-1)?.to ?? null;
  const verdict = events.findLast((event) => event.type === 'verdict');
  const error = events.findLast((event) => event.type === 'failure')?.error;
  const hasFailed = error !== undefined && (state === 'failed' || state === 'refused');
  const key = lineKey(id);
  const line: RunSpan = {
    key,
    parent: rootKey,
    name: `line ${id}`,
    kind: 'internal',
    start,
    end,
    attributes: {
      'pilotfish.line.id': id,
      ...(told && { 'pilotfish.operation': told.recipe ?? `${told.adapter}.${told.op}` }),
      ...(verdict && { 'pilotfish.verdict': verdict.verdict, 'pilotfish.drift': verdict.drift }),
      ...(state !== null && { 'pilotfish.state': state }),
      ...(hasFailed && { 'error.type': error.code }),
    },
    events: events.flatMap((event) => {
      if (event.type === 'note') return [{ name: 'note', at: event.at, attributes: { 'pilotfish.detail': event.text } }];
      return event.type === 'wait' ? [{ name: 'wait', at: event.at, attributes: { 'pilotfish.detail': event.detail } }] : [];
    }),
    failed: hasFailed ? error.summary : null,
  };
  const steps = changes.flatMap(({ to, at, event: by }, i): readonly RunSpan[] => {
    if (hasEnded(to)) return [];
    const until = Math.max(at, changes[i + 1]?.at ?? end);
    const attributes = { 'pilotfish.line.id': id, 'pilotfish.event': by };
    return [{ key: `${key} ${i}`, parent: key, name: to, kind: 'internal', start: at, end: until, attributes, events: [], failed: null }];
  });
  return [line, ...steps];
}

type Request = Extract<RunEvent, { type: 'request' }>;

/** `of`: the spans of the line of the request, the line first. The state in which the request began is its parent. */
function requestSpan(event: Request, i: number, of: readonly RunSpan[]): RunSpan {
  const start = event.at - event.ms;
  const [line, ...steps] = of;
  const step = steps.findLast((one) => one.start <= start && start <= one.end);
  return {
    key: `request ${i}`,
    parent: (step ?? line)?.key ?? rootKey,
    name: methodName(event.method),
    kind: 'client',
    start,
    end: event.at,
    attributes: httpAttributes(event),
    events: [],
    failed: httpFailure(event.status),
  };
}

const ledgerSpan = (event: Extract<RunEvent, { type: 'ledger' }>, i: number): RunSpan => ({
  key: `ledger ${i}`,
  parent: rootKey,
  name: `ledger ${event.what}`,
  kind: 'internal',
  start: event.at - event.ms,
  end: event.at,
  attributes: {},
  events: [],
  failed: null,
});
