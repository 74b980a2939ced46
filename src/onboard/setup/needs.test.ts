import { describe, expect, it } from 'vitest';
import { Failures } from '../../core/errors.ts';
import type { Adapter } from '../../ops/op.ts';
import { createRegistry, type Registry } from '../../ops/registry.ts';
import { type ApiNeed, needsOf, type PlanNeeds } from './needs.ts';

const op: Adapter['ops'][string] = {
  kind: 'object',
  doc: 'A thing.',
  params: {},
  open: true,
  outputs: { id: { doc: 'Its id.' } },
  bind: () => {
    throw new Error('nothing is bound here');
  },
};

const adapter = (name: string, o: Partial<Adapter> = {}): Adapter => ({
  name,
  title: name.toUpperCase(),
  docs: 'https://docs.example',
  provider: { base_url: `https://api.${name}.example`, auth: { bearer_env: `${name.toUpperCase()}_TOKEN` } },
  setup: { page: `https://${name}.example/tokens`, needs: 'To read and write.', check: { method: 'GET', path: '/me' } },
  ops: { thing: op },
  ...o,
});

function someRegistry(): Registry {
  const registry = createRegistry();
  registry.addAdapter(adapter('http', { ops: { resource: op, action: { ...op, kind: 'action' } } }));
  registry.addAdapter(adapter('neon', { alias: 'sql_a' }));
  const okta = adapter('okta', {
    provider: { base_url: null, base_url_env: 'OKTA_ORG_URL', auth: { basic: { user_env: 'OKTA_USER', password_env: 'OKTA_PASSWORD' } } },
  });
  registry.addFamily({ name: 'okta', alias: 'idp_a', load: () => Promise.resolve(okta) });
  return registry;
}

const needs = (text: string, env: NodeJS.ProcessEnv = {}): Promise<PlanNeeds> =>
  needsOf(text, { path: '/r/release.plan.yaml', display: 'release.plan.yaml', registry: someRegistry(), env });

const only = ({ apis }: PlanNeeds): ApiNeed => {
  const [api, ...more] = apis;
  if (!api || more.length > 0) throw new Error(`${apis.length} APIs`);
  return api;
};

describe('the needs of a plan', () => {
  it('have the page, the check and the variable of an adapter once, for all lines and spellings', async () => {
    const api = only(await needs('changes:\n  - { id: a, adapter: neon, op: thing }\n  - { id: b, adapter: sql_a, op: thing }\n'));
    expect(api).toMatchObject({
      provider: 'neon',
      title: 'NEON',
      variables: [{ name: 'NEON_TOKEN', isSecret: true }],
      setup: { page: 'https://neon.example/tokens', check: { path: '/me' } },
      isUnfinished: false,
      environments: ['preview', 'production'],
    });
    expect(api.block?.base_url).toBe('https://api.neon.example');
  });

  it('send the check to an own address, from the plan or from a variable', async () => {
    const text = 'providers: { neon: { base_url: https://eu.neon.example } }\nchanges:\n  - { id: a, adapter: neon, op: thing }\n';
    expect(only(await needs(text)).block?.base_url).toBe('https://eu.neon.example');
    expect(only(await needs(text, { NEON_API_URL: 'http://127.0.0.1:1/x' })).block?.base_url).toBe('http://127.0.0.1:1/x');
  });

  it('have both the user and the password of a recipe, and the variable of the address if nothing else gives it', async () => {
    const api = only(await needs('changes:\n  - { id: a, recipe: okta.thing }\n', { OKTA_ORG_URL: 'https://acme.okta.example' }));
    expect(api.provider).toBe('okta');
    expect(api.variables).toEqual([
      { name: 'OKTA_USER', isSecret: false },
      { name: 'OKTA_PASSWORD', isSecret: true },
      { name: 'OKTA_ORG_URL', isSecret: false },
    ]);
  });

  it('have no variable for a stated address, also under the alias', async () => {
    const text = 'providers: { http: { idp_a: { base_url: https://acme.okta.example } } }\nchanges:\n  - { id: a, recipe: okta.thing }\n';
    expect(only(await needs(text)).variables.map(({ name }) => name)).toEqual(['OKTA_USER', 'OKTA_PASSWORD']);
  });

  it('have the variables of an API that the plan describes, but no page and no check', async () => {
    const text = `providers:
  http:
    billing:
      base_url: https://billing.example
      auth: { headers: [{ header: X-Id, value_env: BILLING_ID_KEY }, { header: X-Key, value_env: BILLING_KEY }] }
changes:
  - { id: a, adapter: http, op: resource, api: billing }
`;
    const api = only(await needs(text));
    expect(api).toMatchObject({ provider: 'billing', setup: null });
    expect(api.variables.map(({ name }) => name)).toEqual(['BILLING_ID_KEY', 'BILLING_KEY']);
  });

  it('take page and check of a block from the family that it names', async () => {
    const text = `providers: { http: { second: { recipe: okta, base_url: https://b.example } } }
changes:
  - { id: a, adapter: http, op: resource, api: second }
`;
    expect(only(await needs(text))).toMatchObject({ provider: 'second', setup: { page: 'https://okta.example/tokens' } });
  });

  it('are empty for an action without an API', async () => {
    expect((await needs('changes:\n  - { id: a, adapter: http, op: action }\n')).apis).toEqual([]);
  });

  it('have the secrets of lines: their variables, their lines, and the other sources', async () => {
    const text = `changes:
  - { id: a, adapter: neon, op: thing, key: { secret: env://STRIPE_KEY }, deep: [{ more: { secret: "env://STRIPE_KEY" } }] }
  - { id: b, adapter: neon, op: thing, key: { secret: env://STRIPE_KEY }, other: { secret: vault://secret/a#b }, environments: [production] }
`;
    const { secrets, sources } = await needs(text);
    expect(secrets).toEqual([{ variable: 'STRIPE_KEY', lines: ['a', 'b'], environments: ['preview', 'production'] }]);
    expect(sources).toEqual(['vault']);
  });

  it('have the own credential of a line, and not the one of the API that it replaces', async () => {
    const { apis, secrets } = await needs('changes:\n  - { id: a, adapter: neon, op: thing, credential: { secret: env://OTHER_TOKEN } }\n');
    expect(apis).toEqual([]);
    expect(secrets.map(({ variable }) => variable)).toEqual(['OTHER_TOKEN']);
  });

  it('have the variables of a line only for its environment', async () => {
    const api = only(await needs('changes:\n  - { id: a, adapter: neon, op: thing, environments: [production] }\n'));
    expect(api.environments).toEqual(['production']);
  });

  it('have the variables of an API with a placeholder in its settings, but do not trust its address', async () => {
    const text = `providers:
  http:
    okta:
      base_url: https://your-tenant.okta.example # TODO: the address of the tenant
changes:
  - { id: a, recipe: okta.thing, name: x # TODO: a name
    }
`;
    const found = await needs(text);
    expect(found.todos.map(({ path }) => path)).toEqual(['providers.http.okta.base_url', 'changes[0].name']);
    expect(only(found)).toMatchObject({ isUnfinished: true });
    expect(only(found).variables.map(({ name }) => name)).toEqual(['OKTA_USER', 'OKTA_PASSWORD']);
  });

  it('have a check for an API although a line has a placeholder', async () => {
    const text = 'changes:\n  - id: a\n    adapter: neon\n    op: thing\n    project: x # TODO: its id\n';
    expect(only(await needs(text)).isUnfinished).toBe(false);
  });

  it('throw every mistake of the plan except its placeholders', async () => {
    const text = 'changes:\n  - { id: a, adapter: neno, op: thing }\n  - { id: b, recipe: okta.thing }\n';
    const thrown = await needs(text).catch((error: unknown) => error);
    if (!(thrown instanceof Failures)) throw new Error('nothing was thrown');
    expect(thrown.failures.map(({ code, place }) => [code, place?.line])).toEqual([
      ['PLAN_INVALID', 2],
      ['PLAN_INVALID', 3],
    ]);
  });

  const shop = adapter('shop', {
    provider: {
      base_url: 'https://api.shop.example',
      auth: { bearer_env: 'SHOP_TOKEN' },
      settings: { team_id: { doc: 'The team.' } },
    },
    setup: {
      page: 'https://shop.example/tokens',
      needs: 'To read.',
      check: { method: 'GET', path: '/all', query: { limit: '1' } },
      check_by: [{ method: 'GET', path: '/all/{project}/things' }],
      check_query: { team: 'team_id' },
    },
  });
  const checkIn = async (text: string): Promise<unknown> => {
    const registry = someRegistry();
    registry.addAdapter(shop);
    const { check } = only(await needsOf(text, { path: '/r/p.yaml', display: 'p.yaml', registry, env: {} }));
    return [check?.request, check?.kind];
  };

  it('check the credential of a line with a read of its own object', async () => {
    expect(
      await checkIn('changes:\n  - { id: a, adapter: shop, op: thing }\n  - { id: b, adapter: shop, op: thing, project: a/b }\n'),
    ).toEqual([{ method: 'GET', path: '/all/a%2Fb/things' }, 'line']);
    expect(await checkIn('changes:\n  - { id: b, adapter: shop, op: thing, project: a/b }\n')).toEqual([
      { method: 'GET', path: '/all/a%2Fb/things' },
      'line',
    ]);
  });

  it('send the settings of the API with the check', async () => {
    const team = 'providers: { shop: { team_id: team_1 } }\n';
    expect(await checkIn(`${team}changes:\n  - { id: b, adapter: shop, op: thing }\n`)).toEqual([
      { method: 'GET', path: '/all', query: { limit: '1', team: 'team_1' } },
      'general',
    ]);
    expect(await checkIn(`${team}changes:\n  - { id: b, adapter: shop, op: thing, project: p }\n`)).toEqual([
      { method: 'GET', path: '/all/p/things', query: { team: 'team_1' } },
      'line',
    ]);
  });

  it('use no placeholder in a check, but the value of another line', async () => {
    const todo = 'changes:\n  - id: a\n    adapter: shop\n    op: thing\n    project: x # TODO: its id\n';
    expect(await checkIn(todo)).toEqual([{ method: 'GET', path: '/all', query: { limit: '1' } }, 'poor']);
    expect(await checkIn(`${todo}  - { id: b, adapter: shop, op: thing, project: p }\n`)).toEqual([
      { method: 'GET', path: '/all/p/things' },
      'line',
    ]);
  });

  it('have the program instead of a variable if a program prints the credential', async () => {
    const text = `providers: { http: { g: { base_url: "https://g.example", auth: { command: [gcloud, token] } } } }
changes:
  - { id: a, adapter: http, op: resource, api: g }
`;
    expect(only(await needs(text))).toMatchObject({ variables: [], command: ['gcloud', 'token'] });
  });
});
