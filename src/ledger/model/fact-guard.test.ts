import { expect, it, vi } from 'vitest';
import { branch, intent, record } from '../../../test/support/writer-scope.ts';
import { changeOf, type Fact } from './change.ts';
import { isPlainFact, SoundParts } from './fact-guard.ts';
import { intentSchema, recordSchema } from './fact-schema.ts';
import { parseState } from './state.ts';

type Shape = { readonly [member: string]: unknown };

const request = { method: 'GET', path: '/dns/records', query: { zone: 'a' }, headers: { accept: 'x' } };
const find = { request, list: '/items', match: { name: 'a' }, page: { kind: 'cursor', next: '/next', param: 'cursor' }, id: '/id' };
const object = { kind: 'object', find, remove: { method: 'DELETE', path: '/dns/records/{id}' }, witness: request };
const parent = { path: '/apps/1', method: 'PATCH', list_path: '/callbacks', shape: 'array' };
const edge = { field: 'url', line: 'web', output: 'url', producer: 'p', recordId: 'r', generation: 1 };
const provider = { api: 'acme', base_url: 'https://api.acme.example', auth: { bearer_env: 'ACME_TOKEN' }, concurrency: 4 };
const signed = { ...provider, auth: { digest: { user_env: 'USER', password_env: 'PASSWORD' } } };
const made = { ...record(1, 'a').record, provider };
const announced = { ...intent(1, 'a').intent, provider };

/** Facts as they stand in ledgers, each with what judges it. */
const facts: readonly (readonly [string, Shape, 'record' | 'intent'])[] = [
  ['a record', { sum: 'x', ...made, kind: 'object', reach: object, edges: [edge], revision: '7', fields: { a: 'b' } }, 'record'],
  ['a record of an item', { ...made, kind: 'item', reach: { kind: 'item', parent, item: 'x' }, lock: 'l' }, 'record'],
  ['a record behind a signature', { ...made, provider: signed, kind: 'object', reach: object }, 'record'],
  ['an intent', { ...announced, kind: 'object', reach: object, not: ['x'], fixed: { a: 'b' }, idempotencyKey: 'k' }, 'intent'],
];
const schemas = { record: recordSchema, intent: intentSchema };
const taught = (fact: Shape): SoundParts => {
  const parts = new SoundParts();
  parts.learn(fact);
  return parts;
};

it.each(facts)('%s of the usual form needs no schema, or one for the first of its provider and parent', (_, fact, kind) => {
  expect(schemas[kind].safeParse(fact).error).toBeUndefined();
  expect(isPlainFact[kind](fact, new SoundParts())).toBe(fact.kind === 'object' && fact.provider !== signed);
  expect(isPlainFact[kind](fact, taught(fact))).toBe(true);
});

it.each(facts)('%s that the guard lets pass is one that the schema lets pass, whatever stands in its members', (_, fact, kind) => {
  const parts = taught(fact);
  let [passed, refused] = [0, 0];
  for (const changed of changes(fact)) {
    if (isPlainFact[kind](changed, parts)) {
      expect(schemas[kind].safeParse(changed).error, JSON.stringify(changed)).toBeUndefined();
      passed += 1;
    } else refused += 1;
  }
  expect(passed).toBeGreaterThan(20);
  expect(refused).toBeGreaterThan(500);
});

it('what the guard learned of an item is not taken for a provider, and the reverse', () => {
  const item = { ...made, kind: 'item', reach: { kind: 'item', parent, item: 'x' } };
  const parts = taught(item);
  expect(isPlainFact.record({ ...item, provider: parent }, parts)).toBe(false);
  expect(isPlainFact.record({ ...item, reach: { kind: 'item', parent: item.provider, item: 'x' } }, parts)).toBe(false);
});

it('a number that is too large does not pass for the null that stood there', () => {
  const fact = { ...made, kind: 'object', reach: object, provider: { ...provider, auth: null, region: 'x' } };
  const parts = taught(fact);
  expect(recordSchema.safeParse(fact).error).toBeUndefined();
  expect(isPlainFact.record({ ...fact, provider: { ...fact.provider, auth: JSON.parse('1e999') } }, parts)).toBe(false);
});

it('a block without an address is not learned: it is sound only for what nobody sends a request for', () => {
  const fact = { ...made, kind: 'object', reach: object };
  const parts = taught({ ...fact, provider: { ...made.provider, base_url: '' }, reach: { kind: 'none' } });
  expect(isPlainFact.record({ ...fact, provider: { ...made.provider, base_url: '' } }, parts)).toBe(false);
});

it('addresses that the guard takes are those of the web, whole', () => {
  const usual = (base_url: string) =>
    isPlainFact.record({ ...made, kind: 'object', reach: object, provider: { ...provider, base_url } }, new SoundParts());
  expect(['https://a.example', 'http://127.0.0.1:8080', 'https://a.example/v1/x~y'].map(usual)).toEqual([true, true, true]);
  expect(
    ['https://', 'ftp://a.example', 'https://a.example:99999', 'https://1.2.3.4.5', 'a.example', ' https://a.example'].map(usual),
  ).not.toContain(true);
});

it('a ledger of many records asks the schema no more often than one of few', () => {
  const asked = (count: number): number => {
    const spy = vi.spyOn(recordSchema, 'safeParse');
    // A provider of its own for each size, since what was learned stays.
    const own = { ...signed, api: `api-${count}` };
    const all = Array.from({ length: count }, (_, i): Fact => {
      const one = record(i, 'a').record;
      return { kind: 'record', record: { ...one, provider: own, kind: 'object', reach: { kind: 'object', find: null, remove: null } } };
    });
    const change = changeOf({ files: new Map(), facts: all, lease: null, snapshot: null, ending: null });
    const files = new Map([...change].flatMap(([path, text]) => (text === null ? [] : [[path, text] as const])));
    expect(parseState(files, branch).records.size).toBe(count);
    const { length } = spy.mock.calls;
    spy.mockRestore();
    return length;
  };
  expect([asked(20), asked(200)]).toEqual([1, 1]);
});

/** The fact with every member, at any depth, taken away, put twice, or made something else. */
function* changes(value: unknown): Generator<unknown> {
  const others = ['', 'x', '/x', 0, -1, 1.5, 1e308 * 10, null, true, [], [1], ['x'], {}, { x: 1 }, { x: 'y' }, '2026-02-30T00:00:00.000Z'];
  yield* others;
  if (Array.isArray(value)) {
    for (const [i, one] of value.entries()) for (const changed of changes(one)) yield value.with(i, changed);
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, unknown: 1 };
    for (const [name, one] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
      for (const changed of changes(one)) yield { ...value, [name]: changed };
    }
  }
}
