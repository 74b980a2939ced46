import { type Change, changed, gone } from 'pilotfish-sandbox/untidy/body';
import { heardAs, toldAs } from 'pilotfish-sandbox/untidy/spelling';
import type { Heard, Wire } from 'pilotfish-sandbox/untidy/wire';
import { canonicalJson } from '../../../../src/core/canonical.ts';
import type { Bench } from '../../suite/bench.ts';
import { hasScope, plannedOf, valuesIn } from '../ours.ts';
import type { World } from '../world.ts';

const sizes = /^(?:limit|per_?page|page_?size|size|count|max_?results|take|first|items_?per_?page|page\[size\])$/i;

/** Lists that are cut, and lists that hold more than what was made. */
export const lists: readonly World[] = [
  {
    kind: 'partial-list',
    name: 'one entry a page',
    meet: () => ({ wire: capped(1), never: 'it asks for no page of a size' }),
  },
  {
    kind: 'partial-list',
    name: 'ten entries a page, of a long list',
    meet: ({ crowd }) =>
      crowd
        ? {
            wire: capped(10),
            afterwards: (bench) => bench.subject.crowd?.fill(),
            never: 'it asks for no page of a size',
          }
        : 'nobody has a long list of them',
  },
  {
    kind: 'set-semantics',
    name: 'entries of lists backwards, at every other read',
    meet: (subject, kind) =>
      kind === 'action'
        ? 'nothing of it is read'
        : {
            wire: turning(plannedOf(subject).filter(Array.isArray)),
            alike: inOneOrder,
            never: 'no answer has a list of several entries',
          },
  },
  {
    kind: 'write-does-more',
    name: 'an entry of the provider beside ours',
    meet: (_, kind) =>
      kind === 'action' ? 'nothing of it is read' : { wire: accompanied(), never: 'no answer has a list in which an entry of it stands' },
  },
  {
    kind: 'soft-delete',
    name: '410 for what was there',
    meet: ({ remove }, kind) =>
      remove && kind === undefined
        ? { wire: buried(), meanwhile: removed, never: 'what is gone is answered with no 404' }
        : 'nobody can remove it',
  },
  {
    kind: 'soft-delete',
    name: 'a delete of what is gone succeeds',
    meet: ({ remove, stays }, kind) =>
      kind !== undefined || !remove
        ? 'nobody can remove it'
        : stays
          ? 'destroy sends no delete'
          : {
              wire: {
                tell: (answer, { request }) =>
                  request.method === 'DELETE' && answer.status === 404 ? { status: 204, body: { type: '', text: '' } } : answer,
              },
              meanwhile: async ({ subject }) => subject.remove?.(),
              never: 'a delete of what is gone is answered with no 404',
            },
  },
];

/** The server gives smaller pages than it was asked for. */
const capped = (most: number): Wire => ({
  hear: (request) => {
    const url = new URL(request.url);
    for (const [name, value] of [...url.searchParams])
      if (sizes.test(name) && Number(value) > most) url.searchParams.set(name, String(most));
    return url.href === request.url.href ? request : { ...request, url };
  },
});

/** A list has no order of its own. What is sent back is put into the order in which it stands. */
function turning(planned: readonly unknown[]): Wire {
  const own = new Set(planned.map((value) => canonicalJson(inOneOrder(value))));
  let reads = 0;
  const order = new Map<string, number>();
  const place = (value: unknown): number => order.get(JSON.stringify(value)) ?? Number.MAX_SAFE_INTEGER;
  const turn: Change = (value) => {
    // What stands in the entries is no list of the provider's.
    if (Array.isArray(value) && value.length === 1) return [...value];
    if (!isListOfMany(value) || own.has(canonicalJson(inOneOrder(value)))) return value;
    for (const [n, one] of value.entries()) order.set(JSON.stringify(one), n);
    return [...value].reverse();
  };
  const back: Change = (value) => (isListOfMany(value) ? [...value].sort((a, b) => place(a) - place(b)) : value);
  return {
    hear: (request) => heardAs(request, back),
    tell: (answer, { isWrite }) => {
      if (isWrite) return answer;
      reads += 1;
      return reads % 2 === 0 ? answer : toldAs(answer, turn);
    },
  };
}

const inOneOrder = (value: unknown): unknown =>
  changed(value, (one) => (isListOfMany(one) ? [...one].sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1)) : one));
const isListOfMany = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > 1;

/** With what we write comes an entry that nobody asked for. */
function accompanied(): Wire {
  let wrote = false;
  const withCompanion: Change = (value) => {
    if (!Array.isArray(value)) return value;
    const ours: unknown = value.find((one) => valuesIn(one).some(hasScope));
    const theirs = ours === undefined ? undefined : companionOf(ours);
    if (theirs === undefined) return value;
    return [theirs, ...(value as readonly unknown[])];
  };
  return {
    hear: (request) => heardAs(request, (value, _, isEntry) => (isEntry && isCompanion(value) ? gone : value)),
    tell: (answer, { request, isWrite }) => {
      wrote ||= isWrite && answer.status < 300;
      return wrote && !isFiltered(request) ? toldAs(answer, withCompanion) : answer;
    },
  };
}

/** Who asks for what has a name gets nothing else. */
const isFiltered = ({ url }: Heard): boolean => [...url.searchParams.values()].some(hasScope);

const name = 'by-the-provider';
const isCompanion = (value: unknown): boolean => valuesIn(value).some((one) => typeof one === 'string' && one.includes(name));

const companionOf = (ours: unknown): unknown =>
  changed(ours, (value, member) => {
    if (typeof value === 'string' && hasScope(value)) return value.replaceAll('pr-12', name);
    if (!/(?:^|_)(?:u?id|ref)$|Id$|^sid$/.test(member)) return value;
    return typeof value === 'number' ? value + 900_000 : typeof value === 'string' ? [...value].reverse().join('') : value;
  });

/** What was there once, and is not any more, is said to be gone. */
function buried(): Wire {
  const seen = new Set<string>();
  return {
    tell: (answer, { request }) => {
      if (answer.status < 300) seen.add(request.url.pathname);
      return answer.status === 404 && seen.has(request.url.pathname) ? { ...answer, status: 410 } : answer;
    },
  };
}

async function removed(bench: Bench): Promise<void> {
  bench.subject.remove?.();
  await bench.applied();
  bench.one();
  bench.subject.remove?.();
}
