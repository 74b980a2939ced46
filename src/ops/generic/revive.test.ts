import { describe, expect, it } from 'vitest';
import { block, fakeHttp, type Reply } from '../../../test/support/fake-http.ts';
import { problemsOf } from '../../../test/support/problems-of.ts';
import type { RequestSpec } from '../../http/types.ts';
import type { Desired, ObjectBound, Params } from '../bound.ts';
import type { BindContext } from '../op.ts';
import { resource } from './resource.ts';

const context: BindContext = { block, environment: 'preview', scope: 'pr-12', sha: null, branch: null };
const product = {
  chosen_id: 'shop-pr-12',
  read: { path: '/products/{id}', none_match: { '/active': false } },
  create: {
    path: '/products',
    body: { id: 'shop-pr-12' },
    revive: { path: '/products/{id}', match: { '/active': false }, body: { active: true } },
  },
  delete: { path: '/products/{id}', method: 'POST', body: { active: false } },
  mark: '/metadata/pilotfish_scope',
  exists_match: { '/error/code': 'resource_already_exists' },
  fields: { name: 'Shop', kind: 'good' },
  immutable: ['kind'],
} satisfies Params;

const bind = (change: Params = {}): ObjectBound => {
  const bound = resource.bind({ ...product, ...change }, context);
  if (bound.kind !== 'object') throw new Error('not an object');
  return bound;
};

/** A provider that refuses the id, and shows `stands` at its own path. */
const taken = (stands: Reply, woken: Reply = {}) =>
  fakeHttp(({ method, path }: RequestSpec) =>
    path === '/products' ? { status: 400, body: { error: { code: 'resource_already_exists' } } } : method === 'GET' ? stands : woken,
  );
const sleeper = { id: 'shop-pr-12', active: false, name: 'Old', kind: 'good', metadata: { pilotfish_scope: 'preview/pr-12' } };
const create = (bound: ObjectBound, http: ReturnType<typeof taken>) =>
  bound.create({ http, signal: new AbortController().signal, note: () => {} }, bound.fields as Desired);

describe('an id that the create refuses', () => {
  it('wakes the object that a destroy of this scope put away, with the fields of the plan', async () => {
    const http = taken({ body: sleeper }, { body: { ...sleeper, active: true, name: 'Shop' } });
    expect(await create(bind(), http)).toMatchObject({ id: 'shop-pr-12', values: { name: 'Shop', kind: 'good' }, isMarked: true });
    expect(http.lines()).toEqual(['POST /products', 'GET /products/shop-pr-12', 'POST /products/shop-pr-12']);
    expect(http.sent[0]?.request.body).toEqual({
      id: 'shop-pr-12',
      name: 'Shop',
      kind: 'good',
      metadata: { pilotfish_scope: 'preview/pr-12' },
    });
    // Fields that are fixed at the create are not sent again.
    expect(http.sent[2]).toMatchObject({ request: { body: { active: true, name: 'Shop' } }, options: { purpose: 'write', retry: 'none' } });
  });

  it.each([
    ['of another scope', { pilotfish_scope: 'preview/pr-13' }],
    ['of nobody', {}],
  ])('leaves one %s asleep', async (_, metadata) => {
    const http = taken({ body: { ...sleeper, metadata } });
    await expect(create(bind(), http)).rejects.toMatchObject({
      code: 'RESOURCE_FOREIGN',
      detail: expect.stringContaining('preview/pr-12 at /metadata/pilotfish_scope'),
    });
    expect(http.sent).toHaveLength(2);
  });

  it.each([
    ['awake', { body: { ...sleeper, active: true } }],
    ['gone by then', { status: 404 }],
  ])('stays refused where the object is %s', async (_, stands) => {
    const http = taken(stands);
    await expect(create(bind(), http)).rejects.toMatchObject({ code: 'PROVIDER_CONFLICT', status: 400 });
    expect(http.sent).toHaveLength(2);
  });

  it('stays refused where the object cannot become as planned', async () => {
    const http = taken({ body: { ...sleeper, kind: 'service' } });
    await expect(create(bind(), http)).rejects.toMatchObject({ code: 'PARAM_INVALID', detail: expect.stringContaining('its kind cannot') });
    expect(http.sent).toHaveLength(2);
  });

  it('is read by its own path even where a list finds it', async () => {
    const http = taken({ body: sleeper }, { body: { ...sleeper, active: true } });
    const find = { path: '/products', query: { active: 'true' }, list_path: '/data', match: { id: 'shop-pr-12' } };
    await create(bind({ find, read: { path: '/products/{id}' } }), http);
    expect(http.lines()).toEqual(['POST /products', 'GET /products/shop-pr-12', 'POST /products/shop-pr-12']);
  });
});

describe('a sleeping object', () => {
  it('is absent for a look, and counts as gone for a destroy', async () => {
    const http = fakeHttp(() => ({ body: sleeper }));
    expect(await bind().find({ http, signal: new AbortController().signal, note: () => {} })).toEqual([]);
    expect(bind().reach).toMatchObject({
      find: { none_match: { '/active': false }, mark: { at: '/metadata/pilotfish_scope', text: 'preview/pr-12' } },
    });
  });

  it.each([
    ['no mark', { mark: undefined }, 'create.revive needs mark'],
    ['an empty mark', { mark: '' }, 'mark is empty'],
    ['no look', { read: undefined, find: { path: '/p', match: { a: 1 } } }, 'the line needs chosen_id and read'],
    ['an id of the provider', { chosen_id: undefined }, 'the line needs chosen_id and read'],
    [
      'nothing to tell it by',
      { create: { ...product.create, revive: { ...product.create.revive, match: {} } } },
      'create.revive.match is empty',
    ],
    ['no path', { create: { ...product.create, revive: { match: { '/active': false } } } }, 'create.revive.path is missing.'],
    ['a mark that nothing leaves', { create: undefined }, 'mark is left by the create'],
    ['an empty meaning', { exists_match: {} }, 'exists_match is empty, so every answer would match.'],
    ['a text beside others', { gone_match: { '/a': { contains: 'x', also: 1 } } }, 'a text to look for must stand alone'],
    ['a text that is none', { gone_match: { '/a': { contains: '' } } }, 'gone_match./a.contains must be a text'],
    ['a text that is a list', { read: { path: '/p', none_match: { '/a': { contains: ['x'] } } } }, 'read.none_match./a.contains must be'],
  ])('is refused as a line with %s', (_, change, sentence) => {
    const line = Object.fromEntries(Object.entries({ ...product, ...change }).filter(([, value]) => value !== undefined));
    expect(problemsOf(resource, line)).toEqual(expect.arrayContaining([expect.stringContaining(sentence)]));
  });
});
