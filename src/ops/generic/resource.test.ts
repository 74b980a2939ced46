import { describe, expect, it } from 'vitest';
import { block, fakeHttp } from '../../../test/support/fake-http.ts';
import { Sealed } from '../../core/sealed.ts';
import { recordIdOf } from '../../remote/find.ts';
import { unreadable } from '../../remote/live-object.ts';
import { Kept, Pending, PendingValue } from '../../remote/value.ts';
import type { Desired, Io, ObjectBound, Params } from '../bound.ts';
import type { BindContext } from '../op.ts';
import { resource } from './resource.ts';

const context: BindContext = { block, environment: 'preview', scope: 'pr-12', sha: null, branch: null };
const hook = {
  find: { path: '/hooks', list_path: '/data', match: { name: 'pr-12' } },
  create: { path: '/hooks' },
  update: { path: '/hooks/{id}' },
  delete: { path: '/hooks/{id}' },
  fields: { '/config/url': 'https://a.test', events: ['push'] },
} satisfies Params;

function bind(params: Params): ObjectBound {
  const bound = resource.bind(params, context);
  if (bound.kind !== 'object') throw new Error('not an object');
  return bound;
}

const io = (http: Io['http'], more: Partial<Io> = {}): Io => ({ http, signal: new AbortController().signal, note: () => {}, ...more });
const desired = (bound: ObjectBound): Desired =>
  Object.fromEntries(
    Object.entries(bound.fields).flatMap(([name, value]) => (value instanceof Kept || value instanceof Pending ? [] : [[name, value]])),
  ) as Desired;
const refused = (detail: string) => expect.objectContaining({ code: 'PARAM_INVALID', detail: expect.stringContaining(detail) });

describe('the key', () => {
  it('is the list with the fields that match, in one order', () => {
    const match = { type: 'CNAME', '/config/host': 'a.test', port: 80 };
    expect(bind({ ...hook, find: { path: '/zones/z/records', match } }).key).toBe(
      '/zones/z/records[config/host=a.test,port=80,type=CNAME]',
    );
  });

  it('is the read path where there is no list, with a chosen id in it', () => {
    const read = { path: '/schedules/{id}' };
    const { find: _none, ...rest } = hook;
    expect(bind({ ...rest, read, chosen_id: 'a/b' }).key).toBe('/schedules/a%2Fb');
  });

  it('cannot be forged by a value that looks like two', () => {
    const one = bind({ ...hook, find: { path: '/x', match: { a: '1,b=2' } } }).key;
    expect(one).not.toBe(bind({ ...hook, find: { path: '/x', match: { a: '1', b: '2' } } }).key);
  });

  it('waits for a value that does not exist yet', () => {
    expect(() => bind({ ...hook, find: { path: '/x', match: { name: new Pending('db', 'id') } } })).toThrow(PendingValue);
    expect(() => bind({ ...hook, with: { app: new Pending('app', 'id') }, create: { path: '/apps/{app}' } })).toThrow(PendingValue);
  });

  it.each([
    ['find.match', { find: { path: '/x', match: { name: new Sealed('s3cret', 'env://S') } } }],
    ['a path', { with: { v: new Sealed('s3cret', 'env://S') }, delete: { path: '/x/{v}' } }],
    ['the delete body', { delete: { path: '/x', method: 'POST', body: { key: new Sealed('s3cret', 'env://S') } } }],
    ['a query of the find', { find: { path: '/x', match: { a: 1 }, query: { k: new Sealed('s3cret', 'env://S') } } }],
  ])('takes no secret: %s', (_, change) => {
    expect(() => bind({ ...hook, ...change })).toThrow(refused('env://S'));
  });
});

describe('params', () => {
  it('are all checked at once, and each mistake has the nearest key and its place', () => {
    const problems = resource.problems?.({ find: { pth: '/x', match: { a: 1 } }, creat: {}, outputs: { id2: 5 } });
    expect(problems).toEqual([
      { detail: '"pth" is not a key of find. Did you mean "path"?', at: ['find', 'pth'] },
      { detail: 'outputs.id2 has an unknown form.', at: ['outputs', 'id2'] },
      { detail: '"creat" is not a key. Did you mean "create"?', at: ['creat'] },
    ]);
    expect(resource.problems?.({ ...hook, find: { path: '/x', match: {} }, immutable: ['nothing'] })).toEqual([
      { detail: expect.stringContaining('find.match is empty'), at: ['find', 'match'] },
      { detail: expect.stringContaining('immutable names nothing'), at: ['immutable'] },
    ]);
    const { find: _none, ...blind } = hook;
    expect(resource.problems?.(blind)).toEqual([{ detail: expect.stringContaining('needs find or read'), at: [] }]);
  });

  it.each([
    [{ find: undefined }, 'needs find or read'],
    [{ find: { path: '/x', match: {} } }, 'find.match is empty'],
    [{ find: { path: '/x', match: { a: 1 }, next: '/next' } }, 'belong together'],
    [{ immutable: ['nothing'] }, 'immutable names nothing'],
    [{ fields: { url: 1, '/url': 2 } }, 'url is given twice'],
    [{ create: { path: 'https://elsewhere.test/x' } }, 'not a path below the base URL'],
    [{ create: { path: '/x/{nope}' } }, '{nope}'],
  ])('%j is refused', async (change, words) => {
    const params = Object.fromEntries(Object.entries({ ...hook, ...change }).filter(([, value]) => value !== undefined)) as Params;
    await expect(async () => {
      const bound = bind(params);
      await bound.create(io(fakeHttp(() => ({ body: { id: 1 } }))), desired(bound));
    }).rejects.toThrow(refused(words));
  });

  it('name the outputs, secret and once-only ones too', () => {
    const outputs = { url: '/url', key: { path: '/key', sensitive: true, once: true } };
    expect(resource.outputsFor?.({ ...hook, outputs })).toMatchObject({ id: {}, url: {}, key: { sensitive: true, once: true } });
  });
});

describe('find', () => {
  const live = async (item: object, params: Params = hook) =>
    (await bind(params).find(io(fakeHttp(() => ({ body: { data: [{ id: 1, name: 'pr-12', ...item }] } })))))[0];

  it('shows declared fields only, with the members that the plan names', async () => {
    const params = { ...hook, fields: { rules: [{ a: 1 }], '/config/url': 'x', size: 5, flag: true } };
    const item = { rules: [{ a: 1, added: true }], config: { url: 'y', more: 1 }, size: '5', flag: false, other: 1 };
    expect((await live(item, params))?.values).toEqual({ rules: [{ a: 1 }], '/config/url': 'y', size: 5, flag: false });
  });

  it('leaves an absent field out, and reads it as its default where the line gives one', async () => {
    const params = { ...hook, fields: { a: 1, b: false }, compare: { b: { default: false } } };
    expect((await live({}, params))?.values).toEqual({ b: false });
  });

  it('compares lists in order, unless order has no meaning', async () => {
    const ordered = await live({ events: ['b', 'a'] }, { ...hook, fields: { events: ['a', 'b'] } });
    expect(ordered?.values).toEqual({ events: ['b', 'a'] });
    const loose = await live({ events: ['b', 'a'] }, { ...hook, fields: { events: ['a', 'b'] }, compare: { events: { unordered: true } } });
    expect(loose?.values).toEqual({ events: ['a', 'b'] });
  });

  it('shows a scalar in place of a declared list as drift', async () => {
    expect((await live({ events: 'push' }))?.values).toEqual({ events: 'push' });
  });

  it('counts members that the plan does not name where the field is compared whole', async () => {
    const params = { ...hook, fields: { meta: { a: 1 } }, compare: { meta: { whole: true } } };
    expect((await live({ meta: { a: 1, b: 2 } }, params))?.values).toEqual({ meta: { a: 1, b: 2 } });
  });

  it('tells a hidden field from one that is not set', async () => {
    const params = { ...hook, fields: { secret: new Sealed('s3cret', 'env://S') }, compare: { secret: { hidden: 'masked' } } };
    expect((await live({ secret: '********' }, params))?.values).toEqual({ secret: unreadable });
    expect((await live({}, params))?.values).toEqual({});
  });

  it('never shows a secret that the provider shows', async () => {
    const params = {
      ...hook,
      fields: { key: new Sealed('s3cret', 'env://S'), deep: { key: new Sealed('s3cret', 'env://S') } },
      outputs: { token: { path: '/key', sensitive: true } },
    };
    const found = await live({ key: 'live-s3cret', deep: { key: 'live-s3cret' } }, params);
    expect(JSON.stringify({ values: found?.values, outputs: found?.outputs })).not.toContain('live-s3cret');
    expect(found?.values.deep).toBe(unreadable);
  });

  it('reads each match by its own path where the list does not show it whole', async () => {
    const http = fakeHttp((request) => ({
      body: request.path === '/hooks' ? { data: [{ id: 1, name: 'pr-12' }] } : { result: { config: { url: 'u' } } },
    }));
    const found = await bind({ ...hook, read: { path: '/hooks/{id}' }, item_path: '/result' }).find(io(http));
    expect(found).toMatchObject([{ id: '1', values: { '/config/url': 'u' } }]);
    expect(http.lines()).toEqual(['GET /hooks', 'GET /hooks/1']);
  });

  it('shares its read unless told not to', async () => {
    const http = fakeHttp(() => ({ body: { data: [] } }));
    await bind(hook).find(io(http));
    await bind(hook).find(io(http, { share: false }));
    expect(http.sent.map(({ options }) => options.share)).toEqual([true, false]);
  });
});

describe('create', () => {
  it('places the fields into the body and is not repeated by the client', async () => {
    const http = fakeHttp(() => ({ status: 201, body: { id: 7, config: { url: 'https://a.test' } } }));
    const bound = bind({
      ...hook,
      create: { path: '/hooks', body: { name: 'web', config: { kind: 'json' } }, headers: { 'X-Key': new Sealed('k', 'env://K') } },
    });
    expect(await bound.create(io(http), desired(bound))).toMatchObject({ id: '7', outputs: { id: '7' } });
    expect(http.sent[0]).toMatchObject({
      request: { method: 'POST', path: '/hooks', body: { name: 'web', config: { kind: 'json', url: 'https://a.test' }, events: ['push'] } },
      options: { purpose: 'write', retry: 'none' },
    });
    expect(http.sent[0]?.request.headers?.['X-Key']).toBeInstanceOf(Sealed);
  });

  it('repeats under its idempotency key', async () => {
    const http = fakeHttp(() => ({ body: { id: 7 } }));
    const bound = bind({ ...hook, create: { path: '/hooks', idempotency_key: true } });
    expect(bound.idempotency).toBe(true);
    await bound.create(io(http, { idempotencyKey: 'k1' }), desired(bound));
    expect(http.sent[0]?.options).toMatchObject({ retry: 'table', idempotencyKey: 'k1' });
  });

  it('leaves fields out of the body where the provider takes them elsewhere', async () => {
    const http = fakeHttp(() => ({ body: { id: 7 } }));
    const bound = bind({ ...hook, create: { path: '/hooks', send_fields: false, headers: { Cron: '* * * * *' } } });
    await bound.create(io(http), desired(bound));
    expect(http.sent[0]?.request).toEqual({ method: 'POST', path: '/hooks', headers: { Cron: '* * * * *' } });
  });

  it('takes the moment of sending where the provider wants one', async () => {
    const http = fakeHttp(() => ({ body: { id: 7 } }));
    const bound = bind({ ...hook, create: { path: '/hooks', stamp: ['/meta/at'] } });
    await bound.create(io(http), desired(bound));
    expect(http.sent[0]?.request.body).toMatchObject({ meta: { at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) } });
  });

  it('finds the object after the create when the answer does not carry it, and keeps values that only the create shows', async () => {
    const http = fakeHttp((request) => ({ body: request.method === 'POST' ? { token: 't0ken' } : { data: [{ id: 9, name: 'pr-12' }] } }));
    const bound = bind({ ...hook, outputs: { token: { path: '/token', sensitive: true, once: true } } });
    const live = await bound.create(io(http), desired(bound));
    expect(live.id).toBe('9');
    expect(live.outputs.id).toBe('9');
    expect(live.outputs.token).toBeInstanceOf(Sealed);
    expect(http.sent[1]?.options.share).toBe(false);
  });

  it.each([
    [{ exists_status: [422] }, 422, {}],
    [{ exists_match: { '/errors/0/code': 81053 } }, 400, { errors: [{ code: 81053 }] }],
    [{ exists_status: [208] }, 208, null],
    [{}, 409, {}],
  ])('reports a duplicate as a conflict: %j', async (change, status, body) => {
    const bound = bind({ ...hook, ...change });
    await expect(bound.create(io(fakeHttp(() => ({ status, body }))), desired(bound))).rejects.toMatchObject({
      code: 'PROVIDER_CONFLICT',
      status,
    });
  });

  it('reports any other refusal as it is', async () => {
    const bound = bind({ ...hook, exists_match: { '/errors/0/code': 81053 } });
    await expect(
      bound.create(io(fakeHttp(() => ({ status: 400, body: { errors: [{ code: 1 }] } }))), desired(bound)),
    ).rejects.toMatchObject({ code: 'PROVIDER_INVALID' });
  });
});

describe('update', () => {
  const live = {
    id: '7',
    values: {},
    outputs: {},
    raw: { id: 7, name: 'pr-12', parameters: { rollout: '10', sticky: 'x' }, variants: [1], own: 1 },
  };

  it('sends declared fields and none that the create fixed', async () => {
    const http = fakeHttp(() => ({ body: { id: 7, config: { url: 'https://a.test' } } }));
    const bound = bind({
      ...hook,
      fields: { ...hook.fields, kind: 'x', password: new Sealed('p', 'env://P') },
      immutable: ['kind'],
      write_only: ['/password'],
    });
    expect(bound).toMatchObject({ immutable: ['kind'], writeOnly: ['password'] });
    await bound.update?.(io(http), live, desired(bound), ['events']);
    expect(http.sent[0]?.request).toEqual({
      method: 'PATCH',
      path: '/hooks/7',
      body: { config: { url: 'https://a.test' }, events: ['push'] },
    });
  });

  it('sends back as read the members that a replacing update would lose', async () => {
    const http = fakeHttp(() => ({ body: { id: 7 } }));
    const bound = bind({
      ...hook,
      fields: { parameters: { rollout: '50' } },
      update: { method: 'PUT', path: '/hooks/{id}', body: { name: 'pr-12' }, live: ['parameters', 'variants'] },
    });
    await bound.update?.(io(http), live, desired(bound), ['parameters']);
    expect(http.sent[0]?.request.body).toEqual({ parameters: { rollout: '50', sticky: 'x' }, variants: [1], name: 'pr-12' });
  });

  it('sends only the requests whose fields changed', async () => {
    const update = [
      { path: '/hooks/{id}', fields: ['events'] },
      { path: '/hooks/{id}/config', fields: ['/config/url'], body_at: '/config' },
    ];
    const bound = bind({ ...hook, update });
    const http = fakeHttp((request) => ({ body: request.method === 'GET' ? { data: [{ id: 7, name: 'pr-12' }] } : {} }));
    await bound.update?.(io(http), live, desired(bound), ['/config/url']);
    expect(http.sent.map(({ request }) => [request.method, request.path, request.body])).toEqual([
      ['PATCH', '/hooks/7/config', { url: 'https://a.test' }],
      ['GET', '/hooks', undefined],
    ]);
  });

  it('sends by PATCH the changed fields alone, with all else of their member, where what others changed stays', async () => {
    const http = fakeHttp(() => ({ body: { id: 7 } }));
    const fields = { '/config/url': 'https://a.test', '/config/type': 'json', events: ['push'], name: 'pr-12' };
    const bound = bind({ ...hook, fields });
    const seen = { ...live, raw: { ...live.raw, config: { url: 'https://a.test', type: 'form', own: 1 }, events: ['by hand'] } };
    await bound.update?.(io(http, { leaves: ['/config/type', 'events'] }), seen, desired(bound), ['/config/url']);
    await bound.update?.(io(http, { leaves: ['/config/type', 'events'] }), seen, desired(bound), ['name']);
    await bound.update?.(io(http, { leaves: [] }), seen, desired(bound), ['events']);
    expect(http.sent.map(({ request }) => request.body)).toEqual([
      { config: { url: 'https://a.test', type: 'form' } },
      { name: 'pr-12' },
      { events: ['push'] },
    ]);
    expect(['/config/type', 'events'].map((field) => bound.leaving?.(field, ['/config/url']))).toEqual(['as read', 'unsent']);
  });

  it('sends back as it was read what others changed, where the request replaces the object', async () => {
    const http = fakeHttp(() => ({ body: { id: 7 } }));
    const fields = { parameters: { rollout: '50' }, variants: [2], note: 'mine' };
    const bound = bind({ ...hook, fields, update: { method: 'PUT', path: '/hooks/{id}', fields_at: '/hook' } });
    await bound.update?.(io(http, { leaves: ['parameters', 'note'] }), live, desired(bound), ['variants']);
    expect(http.sent[0]?.request.body).toEqual({ hook: { parameters: { rollout: '10', sticky: 'x' }, variants: [2] } });
    expect(bound.leaving?.('parameters', ['variants'])).toBe('as read');
  });

  it('cannot leave a field that the line writes in a form or a place of its own', () => {
    const leaving = (update: object, compare: object = {}) =>
      bind({ ...hook, update: { path: '/hooks/{id}', ...update }, ...compare } as Params).leaving?.('events', ['/config/url']);
    expect(leaving({ body: { events: ['push'] } })).toBe('as planned');
    expect(leaving({ body: { Events: 'push' }, send_fields: false })).toBe('as planned');
    expect(leaving({ body: { other: ['push'] } })).toBe('unsent');
    expect(leaving({ fields: ['/config/url'], body: { events: ['push'] } })).toBe('unsent');
  });

  it('refuses a change that no request carries', async () => {
    const bound = bind({ ...hook, update: { path: '/hooks/{id}', fields: ['events'] } });
    await expect(bound.update?.(io(fakeHttp(() => ({}))), live, desired(bound), ['/config/url'])).rejects.toThrow(refused('/config/url'));
  });

  it('does not exist where the line declares none', () => {
    const { update: _none, ...rest } = hook;
    expect(bind(rest).update).toBeUndefined();
  });
});

describe('the data in the ledger', () => {
  it('finds and removes the object without the plan', () => {
    const { reach } = bind({
      ...hook,
      gone_status: [422],
      created_at: '/made',
      settle: 5,
      delete: { method: 'POST', path: '/hooks/delete', body: { ids: ['{id}'] } },
    });
    expect(JSON.parse(JSON.stringify(reach))).toEqual(reach);
    expect(reach).toMatchObject({
      gone: [422],
      find: { settle: 5, created_at: '/made', match: { name: 'pr-12' } },
      witness: { path: '/hooks' },
    });
    expect(recordIdOf(reach, '7')).toBe('POST /hooks/delete {"ids":["7"]}');
  });

  it('does not mention that a list ends with an empty page, because that is the default', () => {
    const page = { kind: 'page', param: 'page', size: 50 };
    const { reach } = bind({ ...hook, find: { ...hook.find, page: { ...page, until_empty: true } } });
    expect(reach).toEqual(bind({ ...hook, find: { ...hook.find, page } }).reach);
    expect(reach).toMatchObject({ find: { page } });
  });

  it('says that the provider cannot delete', () => {
    const { delete: _none, ...rest } = hook;
    expect(bind(rest).reach).toMatchObject({ remove: null });
  });
});

it('params are read by their shape once, however often they are checked and bound', () => {
  let reads = 0;
  const find = new Proxy(hook.find, {
    // Only a check reads the keys of params.
    ownKeys: (target) => {
      reads += 1;
      return Reflect.ownKeys(target);
    },
  });
  const params: Params = { ...hook, find };
  expect(resource.problems?.(params)).toEqual([]);
  for (let n = 0; n < 3; n += 1) expect(bind(params).key).toBe('/hooks[name=pr-12]');
  expect(reads).toBe(1);
});
