import { describe, expect, it } from 'vitest';
import { block, fakeHttp } from '../../test/support/fake-http.ts';
import { Sealed } from '../core/sealed.ts';
import type { Bound, Desired, Params } from '../ops/bound.ts';
import { http } from '../ops/generic/index.ts';
import type { BindContext } from '../ops/op.ts';
import type { Reach } from '../remote/reach.ts';
import { Kept, Pending, PendingValue } from '../remote/value.ts';
import { familyAdapter } from './expand.ts';
import { expandTemplate } from './expand-template.ts';
import { familyNames, loadFamily } from './load.ts';

const context: BindContext = { block, environment: 'preview', scope: 'pr-12', sha: null, branch: null };

async function bind(recipe: string, params: Params, more: Partial<BindContext> = {}): Promise<Bound> {
  const [name, op] = recipe.split('.') as [string, string];
  const family = await loadFamily(name);
  const { base_url: base, auth } = family.provider;
  // Lines of such a family name the endpoints of their own apps.
  const own = base === null && auth === null ? { block: { api: name, base_url: '', auth } } : {};
  const bound = familyAdapter(family).ops[op]?.bind(params, { ...context, ...own, ...more });
  if (!bound) throw new Error(`there is no ${recipe}`);
  return bound;
}

/** The identity of a line, and its requests. */
const essence = ({ key, fields, reach, ...rest }: Bound) => ({ key, fields, reach, lock: 'lockOn' in rest ? rest.lockOn : null });

const hook = { repo: 'acme/shop', url: 'https://pr-12.test' };

describe('a recipe line and a hand-written line with equal requests', () => {
  it('are the same resource', async () => {
    const written = http.ops.resource?.bind(
      {
        find: {
          path: '/repos/acme/shop/hooks',
          query: { per_page: 100 },
          page: { kind: 'link' },
          match: { '/config/url': 'https://pr-12.test/hook' },
        },
        create: { path: '/repos/acme/shop/hooks' },
        delete: { path: '/repos/acme/shop/hooks/{id}' },
        fields: {
          '/config/content_type': 'json',
          '/config/insecure_ssl': '0',
          '/events': ['push'],
          active: true,
        },
        created_at: '/created_at',
      },
      context,
    );
    if (!written) throw new Error('no http.resource');
    expect(essence(await bind('github.repo_webhook', { ...hook, path: '/hook' }))).toEqual(essence(written));
  });

  it('are the same entry, under the same lock', async () => {
    const written = http.ops.list_item?.bind(
      {
        parent: {
          path: '/clients/abc',
          method: 'PATCH',
          read_path: '/clients/abc?fields=client_id,callbacks,allowed_logout_urls,web_origins,allowed_origins&include_fields=true',
        },
        list_path: '/callbacks',
        item: 'https://a.test/cb',
      },
      context,
    );
    if (!written) throw new Error('no http.list_item');
    expect(essence(await bind('auth0.callback_url', { client_id: 'abc', url: 'https://a.test/cb' }))).toEqual(essence(written));
  });
});

describe('params', () => {
  it('that are left out take their default, or remove their field and every mention of it', async () => {
    const bound = await bind('github.repo_webhook', hook);
    expect(bound.fields).toEqual({
      '/config/content_type': 'json',
      '/config/insecure_ssl': '0',
      events: ['push'],
      active: true,
    });
  });

  it('that are kept stay kept', async () => {
    expect((await bind('github.repo_webhook', { ...hook, active: new Kept() })).fields.active).toBeInstanceOf(Kept);
  });

  it('that do not exist yet make the key wait and the field pending', async () => {
    const url = new Pending('deploy', 'url');
    await expect(bind('github.repo_webhook', { ...hook, url })).rejects.toThrow(PendingValue);
    const endpoint = await bind('stripe.webhook_endpoint', { name: 'x', url, enabled_events: ['*'] });
    expect(endpoint.fields.url).toBe(url);
  });

  it('that are secret stay sealed in a field and never reach the key', async () => {
    const secret = new Sealed('https://s3cret.test', 'env://S');
    const bound = await bind('stripe.webhook_endpoint', { name: 'x', url: secret, enabled_events: ['*'] });
    expect(bound.fields.url).toBeInstanceOf(Sealed);
    expect(JSON.stringify([bound.key, bound.reach, bound.fields])).not.toContain('s3cret');
    await expect(bind('stripe.webhook_endpoint', { name: secret, url: 'x', enabled_events: [] })).rejects.toMatchObject({
      code: 'PARAM_INVALID',
    });
    await expect(bind('github.repo_webhook', { repo: secret, url: 'x' })).rejects.toMatchObject({ code: 'PARAM_INVALID' });
  });

  it('cannot break out of their place in a path', async () => {
    const bound = await bind('unleash.flag_strategy', { feature: '../x?y#{id}', environment: 'dev', title: 't' });
    expect(bound.key).toBe('/api/admin/projects/default/features/..%2Fx%3Fy%23%7Bid%7D/environments/dev/strategies[title=t]');
  });
});

const examples = await Promise.all(
  (await familyNames()).map(async ({ name }) => {
    const family = await loadFamily(name);
    return Object.entries(family.ops).map(([op, { example }]) => [`${name}.${op}`, example as Params] as const);
  }),
);

/** The params as a run fills them in. */
const ofOneScope = (params: Params): Params => {
  const text = JSON.stringify(params).replaceAll('${ctx.pr.number}', '12');
  return JSON.parse(text.replaceAll(/\$\{ctx\.\w+(?:\.\w+)?\}/g, 'pr-12'));
};

describe('the example of every recipe', () => {
  it.each(examples.flat())('%s binds, and the ledger keeps only plain data of it', async (recipe, params) => {
    const bound = await bind(recipe, ofOneScope(params));
    expect(bound.problems ?? []).toEqual([]);
    expect(JSON.parse(JSON.stringify(bound.reach))).toEqual(bound.reach);
    expect(JSON.stringify([bound.key, bound.reach])).not.toMatch(/\{\+?(?!id\})\w+\}|undefined/);
  });
});

describe('keys, locks and deletes', () => {
  const zone = '023e105f4ecef8ad9ca31a8372d0c353';
  it.each<[string, Params, string, string | null]>([
    ['auth0.callback_url', { client_id: 'abc', url: 'https://a.test/cb' }, '/clients/abc#callbacks=https://a.test/cb', null],
    ['auth0.logout_url', { client_id: 'abc', url: 'https://a.test' }, '/clients/abc#allowed_logout_urls=https://a.test', null],
    ['auth0.web_origin', { client_id: 'abc', origin: 'https://a.test' }, '/clients/abc#web_origins=https://a.test', null],
    ['auth0.allowed_origin', { client_id: 'abc', origin: 'https://a.test' }, '/clients/abc#allowed_origins=https://a.test', null],
    [
      'github.repo_webhook',
      { ...hook, path: '/h' },
      '/repos/acme/shop/hooks[config/url=https://pr-12.test/h]',
      '/repos/acme/shop/hooks/{id}',
    ],
    [
      'stripe.webhook_endpoint',
      { name: 'shop-pr-12', url: 'https://pr-12.test', enabled_events: ['*'] },
      '/v1/webhook_endpoints[metadata/pilotfish_name=shop-pr-12]',
      '/v1/webhook_endpoints/{id}',
    ],
    [
      'unleash.flag_strategy',
      { project: 'p', feature: 'f', environment: 'e', title: 't' },
      '/api/admin/projects/p/features/f/environments/e/strategies[title=t]',
      '/api/admin/projects/p/features/f/environments/e/strategies/{id}',
    ],
    [
      'cloudflare.dns_cname',
      { zone_id: zone, name: 'a.test', target: 'b.test' },
      `/zones/${zone}/dns_records[name=a.test,type=CNAME]`,
      `/zones/${zone}/dns_records/{id}`,
    ],
    [
      'sentry.release',
      { organization: 'o', version: 'a@1+2', projects: ['p'] },
      '/api/0/organizations/o/releases/a%401%2B2/',
      '/api/0/organizations/o/releases/{id}/',
    ],
    [
      'sentry.deploy',
      { organization: 'o', version: '1', environment: 'e', name: 'n' },
      '/api/0/organizations/o/releases/1/deploys/[environment=e,name=n]',
      null,
    ],
    ['rollbar.deploy', { environment: 'e', revision: '1' }, 'POST /deploy[environment=e]', null],
  ])('%s', async (recipe, params, key, remove) => {
    const bound = await bind(recipe, params);
    expect(bound.key).toBe(key);
    expect(removePath(bound.reach)).toBe(remove);
    expect(bound.kind === 'item' ? bound.lockOn : null).toBe(recipe.startsWith('auth0.') ? 'https://api.acme.test/clients/abc' : null);
  });
});

const removePath = (reach: Reach): string | null => (reach.kind === 'object' ? (reach.remove?.path ?? null) : null);

describe('an action recipe', () => {
  it('carries the credential of its family, although the line names no api', async () => {
    const bound = await bind('rollbar.deploy', { environment: 'e', revision: '1' }, { api: null });
    if (bound.kind !== 'action') throw new Error('no action');
    const api = fakeHttp(() => ({ body: { data: { deploy_id: 7 } } }));
    expect(await bound.send({ http: api, signal: new AbortController().signal, note: () => {} })).toEqual({ outputs: { id: 7 } });
    expect(api.sent[0]?.options.bare).toBeUndefined();
    expect(api.sent[0]?.request.body).toEqual({ environment: 'e', revision: '1', status: 'succeeded' });
  });
});

describe('a stripe update', () => {
  it.each([
    [['url'], { url: 'https://a.test/api/webhooks/stripe', enabled_events: ['*'] }],
    [['status'], { disabled: false }],
  ])('of %j leaves out what the create fixed and what did not change', async (changed, body) => {
    const bound = await bind('stripe.webhook_endpoint', { name: 'n', url: 'https://a.test', enabled_events: ['*'], api_version: 'v' });
    if (bound.kind !== 'object') throw new Error('no object');
    const api = fakeHttp(() => ({ body: { id: 'we_1' } }));
    const io = { http: api, signal: new AbortController().signal, note: () => {} };
    await bound.update?.(io, { id: 'we_1', values: {}, outputs: {} }, bound.fields as Desired, changed);
    expect(api.sent.map(({ request }) => request)).toEqual([{ method: 'POST', path: '/v1/webhook_endpoints/we_1', body }]);
  });
});

it('every field of an object can be kept, so that an existing object can be adopted', async () => {
  const keep = new Kept();
  const lines: readonly (readonly [string, Params])[] = [
    ['github.repo_webhook', { ...hook, events: keep, content_type: keep, insecure_ssl: keep, active: keep }],
    ['stripe.webhook_endpoint', { name: 'n', url: keep, enabled_events: keep, status: keep }],
    ['unleash.flag_strategy', { feature: 'f', environment: 'e', title: 't', strategy: keep, disabled: keep }],
    ['cloudflare.dns_cname', { zone_id: '0'.repeat(32), name: 'a.test', target: keep, ttl: keep, proxied: keep }],
  ];
  for (const [recipe, params] of lines) {
    const { fields } = await bind(recipe, params);
    expect(
      Object.values(fields).every((value) => value instanceof Kept),
      recipe,
    ).toBe(true);
  }
});

it('a recipe that cannot delete tells the plan so', async () => {
  const { ops } = familyAdapter(await loadFamily('sentry'));
  expect(ops.deploy).toMatchObject({ destroy: 'never', mayDelete: false });
  expect(ops.release).toMatchObject({ destroy: 'keep' });
  expect(ops.release?.mayDelete).toBeUndefined();
});

describe('in a template', () => {
  const route = { description: 'x', expression: 'catch_all()', url: 'https://pr-12.test' };
  const actionsOf = async (params: Params) => (await bind('mailgun.route', { ...route, ...params })).fields.actions;
  const forward = 'forward("https://pr-12.test/api/inbound/mailgun")';

  it('a list param gives its entries to the list around it', async () => {
    expect(await actionsOf({ actions: ['store()', 'stop()'] })).toEqual([forward, 'store()', 'stop()']);
    expect(await actionsOf({})).toEqual([forward]);
  });
});

describe('a name in braces', () => {
  const template = {
    item_path: '/secrets/{name}',
    read: { path: '/secrets/{name}', none_match: { '/secrets/{name}': { absent: true } } },
    create: { path: '/secrets/{id}', body: { secrets: { '{name}': { param: 'value' } }, note: '{name}' } },
    fields: { '/by/{name}': { param: 'value' }, more: { param: 'more' } },
    immutable: ['more'],
  };

  it('is the param in the name of a member and in item_path, where an object stands in a map by its name', () => {
    const secret = new Sealed('s3cret', 'env://S');
    expect(expandTemplate(template, { name: 'a', value: secret })).toEqual({
      item_path: '/secrets/a',
      read: { path: '/secrets/a', none_match: { '/secrets/a': { absent: true } } },
      create: { path: '/secrets/{id}', body: { secrets: { a: secret }, note: '{name}' } },
      fields: { '/by/a': secret },
      immutable: [],
    });
  });

  it('is one segment of a pointer, and of a member whatever it holds', () => {
    const { item_path, create } = expandTemplate(template, { name: 'a/~b$&', value: '1' });
    expect({ item_path, create }).toMatchObject({ item_path: '/secrets/a~1~0b$&', create: { body: { secrets: { 'a/~b$&': '1' } } } });
  });

  it('is waited for where it is not known yet, and is never a secret', () => {
    expect(() => expandTemplate(template, { name: new Pending('line', 'name') })).toThrow(PendingValue);
    expect(() => expandTemplate(template, { name: new Sealed('s', 'env://S') })).toThrow('PARAM_INVALID');
  });
});

describe('headers of a map', () => {
  const params = (headers: Params | Pending): Params => ({ headers });
  const expand = (value: Params | Pending) =>
    expandTemplate({ create: { headers: { 'X-Forward-*': { param: 'headers' }, a: 'b' } } }, params(value));

  it('have one header for each member, after the prefix, and their values may be secret', () => {
    const secret = new Sealed('s3cret', 'env://S');
    expect(expand({ one: '1', two: secret })).toEqual({ create: { headers: { 'X-Forward-one': '1', 'X-Forward-two': secret, a: 'b' } } });
    expect(expand({})).toEqual({ create: { headers: { a: 'b' } } });
  });

  it.each(['a b', 'a:b', 'ä', 'a\nb'])('%j names none', (name) => {
    expect(() => expand({ [name]: '1' })).toThrow('PARAM_INVALID');
  });

  it('that are not known yet make the line wait', () => {
    expect(() => expand(new Pending('line', 'headers'))).toThrow(PendingValue);
  });
});
