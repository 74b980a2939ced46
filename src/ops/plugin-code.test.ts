import { describe, expect, it } from 'vitest';
import { Failure } from '../core/errors.ts';
import type { Bound, Io, ObjectBound } from './bound.ts';
import type { Adapter, Op } from './op.ts';
import { forPlugin } from './plugin-code.ts';
import { createRegistry, type Registry } from './registry.ts';

const bound = {
  kind: 'object',
  key: 'loaf:rye',
  fields: { grain: 'rye' },
  reach: { kind: 'object', find: null, remove: { method: 'DELETE', path: '/loaves/{id}' } },
  find: async () => [],
  create: async () => ({ id: 'w1', values: {}, outputs: {} }),
};
const op = { kind: 'object', doc: 'A loaf.', params: {}, outputs: {}, bind: () => bound };
const adapter = { name: 'bakery', title: 'Bakery', docs: '-', provider: { base_url: null, auth: null }, ops: { loaf: op } };
const block = { api: 'bakery', base_url: 'https://bakery.example', auth: null };
const context = { block, environment: 'preview', scope: 'pr-12', sha: null, branch: null };
const throwing = new Proxy(
  {},
  {
    get: () => {
      throw new Error('no flour');
    },
  },
);

/** A value that the types forbid, as a plugin in JavaScript may pass it. */
const untyped = <T>(value: T): never => value as never;

function added(parts: object): Op {
  let loaf: Op | undefined;
  const registry: Registry = { ...createRegistry(), addAdapter: ({ ops }) => (loaf = ops.loaf) };
  forPlugin(registry, './bakery.mjs').addAdapter(untyped({ ...adapter, ...parts }));
  if (!loaf) throw new Error('the adapter was not added');
  return loaf;
}
const boundBy = (parts: object, kind = 'object'): Bound =>
  added({ ops: { loaf: { ...op, kind, bind: () => ({ ...bound, ...parts }) } } }).bind({}, context);
const io = (signal = new AbortController().signal): Io => untyped({ http: {}, signal, note: () => undefined });

describe('an adapter of a plugin', () => {
  it('is taken as it is where nothing is wrong', async () => {
    const made = added({}).bind({}, context);
    expect(made.key).toBe('loaf:rye');
    if (made.kind !== 'object') throw new Error('it is an object');
    expect((await made.create(io(), {})).id).toBe('w1');
  });

  it('may take functions out of its client', async () => {
    const asked: string[] = [];
    class Client {
      readonly name = 'client';
      send({ path }: { readonly path: string }): Promise<unknown> {
        asked.push(`${this.name} ${path}`);
        return Promise.resolve({ status: 200, headers: {}, body: {} });
      }
    }
    const create: ObjectBound['create'] = async ({ http: { send } }) => {
      await send({ method: 'POST', path: '/loaves' }, untyped({}));
      return { id: 'w1', values: {}, outputs: {} };
    };
    const made = boundBy({ create });
    if (made.kind !== 'object') throw new Error('it is an object');
    await made.create(untyped({ ...io(), http: new Client() }), {});
    expect(asked).toEqual(['client /loaves']);
  });

  it.each<[string, object, RegExp]>([
    ['without a credential form', { provider: { base_url: null } }, /no `provider\.auth`/],
    ['with a credential form that is none', { provider: { base_url: null, auth: { basic: 7 } } }, /provider\.auth/],
    ['with an address that is no text', { provider: { base_url: { host: 'x' }, auth: null } }, /provider\.base_url/],
    ['whose member throws', { provider: throwing }, /no flour/],
    ['without operations', { ops: undefined }, /no `ops`/],
    ['with a param of no known type', { ops: { loaf: { ...op, params: { name: { type: 'dough' } } } } }, /params\.name\.type/],
    [
      'with a param that allows something that is no list',
      { ops: { loaf: { ...op, params: { name: { type: 'any', enum: 7 } } } } },
      /enum/,
    ],
    [
      'with a pattern that is none',
      { ops: { loaf: { ...op, params: { name: { type: 'string', pattern: '(' } } } } },
      /no regular expression/,
    ],
    ['whose outputs are no function', { ops: { loaf: { ...op, outputsFor: {} } } }, /outputsFor/],
  ])('%s is refused when it is added', (_, parts, words) => {
    expect(() => added(parts)).toThrow(words);
  });

  it.each(['addLateAdapter', 'addFamily'] as const)('that is added late by %s is checked when it is loaded', async (add) => {
    const late = (load: unknown) => {
      const registry = createRegistry();
      forPlugin(registry, './bakery.mjs')[add](untyped({ name: 'bakery', load }));
      return add === 'addFamily' ? registry.family('bakery') : registry.adapter('bakery');
    };
    expect(() => late(7)).toThrow('has no function `load`');
    await expect(late(async () => ({ ...adapter, ops: undefined }))).rejects.toThrow(/\.\/bakery\.mjs.*could not load its .*no `ops`/s);
    expect((await late(async () => adapter))?.name).toBe('bakery');
  });

  it.each<[string, object, RegExp]>([
    ['no find', { find: undefined }, /no `find`/],
    ['a path that is no text', { reach: { kind: 'object', find: null, remove: { method: 'DELETE', path: throwing } } }, /reach/],
    [
      'a match that JSON cannot hold',
      { reach: { ...bound.reach, find: { request: { method: 'GET', path: '/' }, list: '', match: { '/a': 10n }, id: '/id' } } },
      /reach/,
    ],
    ['fields that are no plain data', { fields: { at: new Date(0) } }, /fields\.at/],
    ['a reach that holds itself', { reach: { kind: 'none', loop: looping() } }, /reach/],
    ['fields that hold themselves', { fields: { loop: looping() } }, /fields\.loop/],
    ['no key', { key: '' }, /key/],
  ])('that binds to something with %s is PLUGIN_FAILED', (_, parts, words) => {
    expect(() => boundBy(parts)).toThrow(expect.objectContaining({ code: 'PLUGIN_FAILED', detail: expect.stringMatching(words) }));
  });

  it.each(['bind', 'outputsFor', 'providerFor', 'problems', 'writesProduction'] as const)(
    'whose %s is asynchronous is PLUGIN_FAILED',
    (name) => {
      const later = added({ ops: { loaf: { ...op, [name]: () => Promise.reject(new Error('later')) } } });
      const call: CallableFunction | undefined = later[name];
      expect(() => call?.({}, context)).toThrow(
        expect.objectContaining({ code: 'PLUGIN_FAILED', detail: expect.stringContaining(`\`${name}\` gives a promise`) }),
      );
    },
  );

  it('that pretends to give plain data gives plain data', () => {
    expect(JSON.stringify(boundBy({ fields: { grain: throwing } }).fields)).toBe('{"grain":{}}');
  });

  it('that pretends to answer with plain data answers with plain data, and keeps its own raw value', async () => {
    const raw = new Date();
    const live = { id: 'w1', values: { grain: throwing }, outputs: { id: throwing }, revision: '2', raw };
    const made = boundBy({
      create: async () => live,
      find: async () => [live],
      ready: async () => ({ state: 'ready', live }),
      output: async () => ({ shelf: throwing }),
    });
    if (made.kind !== 'object') throw new Error('it is an object');
    const plain = { id: 'w1', values: { grain: {} }, outputs: { id: {} }, revision: '2', raw };
    const created = await made.create(io(), {});
    expect(created.raw).toBe(raw);
    const told = [created, ...(await made.find(io())), await made.ready?.(io(), created), await made.output?.(io(), created, 'id')];
    expect(told).toEqual([plain, plain, { state: 'ready', live: plain }, { shelf: {} }]);
  });

  it.each([
    { state: 'wait', detail: 'in the oven', live: undefined },
    { state: 'failed', detail: 'burnt', live: null },
  ])('may say that nothing is there yet: %j', async (told) => {
    const made = boundBy({ ready: async () => told });
    if (made.kind !== 'object') throw new Error('it is an object');
    const live = { id: 'w1', values: {}, outputs: {} };
    expect(await made.ready?.(io(), live)).toEqual({ state: told.state, detail: told.detail });
  });

  it.each<[string, () => unknown, RegExp]>([
    ['nothing', async () => undefined, /what `find` gives/],
    ['an object without an id', async () => [{ values: {}, outputs: {} }], /what `find` gives/],
    [
      'an exception',
      async () => {
        throw new TypeError('no flour');
      },
      /no flour/,
    ],
    ['a throw of nothing', () => Promise.reject(), /threw nothing/],
  ])('whose find gives %s is PLUGIN_FAILED', async (_, find, words) => {
    const made = boundBy({ find });
    if (made.kind !== 'object') throw new Error('it is an object');
    await expect(made.find(io())).rejects.toMatchObject({ code: 'PLUGIN_FAILED', detail: expect.stringMatching(words) });
  });

  it.each<[string, () => unknown, RegExp]>([
    ['a number', () => 7, /what `remark` gives/],
    ['a promise', async () => 'later', /`remark` gives a promise/],
    [
      'an exception',
      () => {
        throw new TypeError('no flour');
      },
      /no flour/,
    ],
  ])('whose entry remarks %s is PLUGIN_FAILED', (_, remark, words) => {
    const parent = { path: '/loaves', method: 'PATCH', list_path: '/all', shape: 'map' };
    const made = boundBy({ kind: 'item', lockOn: 'loaves', entry: 'rye', reach: { kind: 'item', parent, item: 'a' }, remark }, 'item');
    if (made.kind !== 'item') throw new Error('it is an entry');
    expect(() => made.remark?.({})).toThrow(expect.objectContaining({ code: 'PLUGIN_FAILED', detail: expect.stringMatching(words) }));
  });

  it('passes on a refusal of its own and the end of the run as they are', async () => {
    const refusal = new Failure('PARAM_INVALID', { detail: 'No such grain.' });
    const refusing = boundBy({ find: () => Promise.reject(refusal) });
    const ended = new AbortController();
    ended.abort(new Error('the run is over'));
    const ending = boundBy({ find: () => Promise.reject(ended.signal.reason) });
    if (refusing.kind !== 'object' || ending.kind !== 'object') throw new Error('they are objects');
    await expect(refusing.find(io())).rejects.toBe(refusal);
    await expect(ending.find(io(ended.signal))).rejects.toBe(ended.signal.reason);
  });
});

it.each<[string, (registry: ReturnType<typeof forPlugin>) => void, RegExp]>([
  ['an adapter', (registry) => registry.addAdapter(untyped<Partial<Adapter>>({})), /adapter without a name/],
  ['a recipe family', (registry) => registry.addFamily(untyped({ load: async () => adapter })), /family without a name/],
  ['a secret source', (registry) => registry.addSecretSource(untyped(null)), /source without a scheme/],
])('a plugin that adds %s without a name gets an error that says so', (_, add, words) => {
  expect(() => add(forPlugin(createRegistry(), './bakery.mjs'))).toThrow(words);
});

function looping(): object {
  const loop: { self?: object } = {};
  loop.self = loop;
  return loop;
}
