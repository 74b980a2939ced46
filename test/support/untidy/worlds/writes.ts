import { changedBody, gone } from 'pilotfish-sandbox/untidy/body';
import { type Heard, type Told, tap, type Wire } from 'pilotfish-sandbox/untidy/wire';
import type { Bench } from '../../suite/bench.ts';
import { putMembers } from '../../suite/case.ts';
import { fieldsOf, valuesIn } from '../ours.ts';
import type { World } from '../world.ts';

/** What a write does with what it gets, and with what it does not get. */
export const writes: readonly World[] = [
  {
    kind: 'unsent-reset',
    name: 'what an update does not carry',
    meet: (subject, kind) => {
      if (kind !== undefined) return 'it is no object that could be changed';
      const fields = fieldsOf(subject);
      if (fields.length < 2) return 'it has no two fields that are told by their values: there is none that an update could leave out';
      return { wire: null, arm: (bench) => resets(bench), never: 'no update was sent' };
    },
  },
  {
    kind: 'empty-special',
    name: 'null is refused',
    meet: () => ({
      wire: null,
      arm: (bench) => onceOnly(bench, refusedNull, hasBody),
      never: 'it sends no body in which null could stand',
    }),
  },
  {
    kind: 'empty-special',
    name: 'empty values change nothing',
    meet: () => ({ wire: null, arm: (bench) => onceOnly(bench, ignoredEmpty), never: 'it sends no empty value of its own' }),
  },
];

/** A field that an update does not carry goes to another value. */
function resets(bench: Bench): () => number {
  const { subject, simulation } = bench;
  let updates = 0;
  const seen = simulation.log;
  simulation.watch(({ phase, write, method }) => {
    if (phase !== 'after' || !write || method === 'DELETE' || bench.step() !== 'mending') return;
    const { body, path } = seen.at(-1) ?? { body: null, path: '' };
    const headers = Object.values(simulation.exchanges.at(-1)?.headers ?? {});
    const sent = new Set(
      [...(typeof body === 'string' ? textsIn(body) : valuesIn(body)), ...headers].map((one) => String(one).toLowerCase()),
    );
    const isSent = (one: unknown): boolean =>
      sent.has(String(one).toLowerCase()) || path.includes(encodeURIComponent(String(one))) || path.includes(String(one));
    const [thing] = subject.mine();
    updates += 1;
    for (const { field, value } of fieldsOf(subject)) {
      if (leavesOf(value).every(isSent)) continue;
      putMembers(thing, subject.edits?.[field] ?? {});
    }
  });
  return () => updates;
}

/** The single texts of an XML body. */
function textsIn(text: string): readonly unknown[] {
  const texts: unknown[] = [];
  changedBody({ type: 'application/xml', text }, (value) => {
    texts.push(value);
    return value;
  });
  return texts;
}

const leavesOf = (value: unknown): readonly unknown[] => valuesIn(opened(value)).filter((one) => typeof one !== 'object');

/** A map that is shown as text was sent as a map. */
function opened(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  return JSON.parse(value) as unknown;
}

type Hearing = (request: Heard, isShown: (value: unknown, name: string) => boolean) => Heard | Told;

/** Before the first change of the object or the destroy, which may say by null what has to go; of what the provider itself shows, nothing. */
function onceOnly(bench: Bench, hearing: Hearing, isMet = (sent: Heard, taken: Heard | Told): boolean => taken !== sent): () => number {
  const shown = new Set<string>();
  const wire: Wire = {
    hear: (request) => (bench.step() === '' ? hearing(request, (value, name) => shown.has(`${name} ${JSON.stringify(value)}`)) : request),
    tell: (answer) => {
      changedBody(answer.body, (value, name) => {
        if (isNothing(value)) shown.add(`${name} ${JSON.stringify(value)}`);
        return value;
      });
      return answer;
    },
  };
  let touched = 0;
  const hear = wire.hear;
  tap(bench.simulation, {
    ...wire,
    hear: (request) => {
      const taken = hear?.(request) ?? request;
      if (isMet(request, taken)) touched += 1;
      return taken;
    },
  });
  return () => touched;
}

/** A provider that refuses null takes every body without one: that there is none is what the story shows. */
const hasBody = ({ method, body }: Heard): boolean => method !== 'GET' && body.type.includes('json') && body.text !== '';

const isNothing = (value: unknown): boolean => value === null || value === '';

const refusedNull: Hearing = (request, isShown) => {
  let hasNull = false;
  changedBody(request.body, (value, name) => {
    if (value === null && name !== '' && !isShown(value, name)) hasNull = true;
    return value;
  });
  if (!hasNull) return request;
  return { status: 422, body: { type: 'application/json', text: JSON.stringify({ message: 'null is not allowed' }) } };
};

const ignoredEmpty: Hearing = (request, isShown) => {
  const body = changedBody(request.body, (value, name) => (name !== '' && isNothing(value) && !isShown(value, name) ? gone : value));
  return body === request.body ? request : { ...request, body };
};
