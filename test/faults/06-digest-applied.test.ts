import { seed } from 'pilotfish-sandbox/all';
import { afterEach, describe, expect, it } from 'vitest';
import { errorTable } from '../../src/core/error-table.ts';
import type { RunRequest } from '../../src/engine/types.ts';
import { branch, ends, lines, openRecord, openShop, planOf, type Shop } from '../lifecycle/shop.ts';
import { openTown, type Town } from '../lifecycle/town.ts';

let shop: Shop;
let close: (() => Promise<void>) | null = null;
afterEach(async () => {
  await close?.();
  close = null;
});

async function open(...changes: readonly string[]): Promise<Shop> {
  shop = await openShop(planOf(...changes));
  close = shop.close;
  return shop;
}

async function openTwo(...changes: readonly string[]): Promise<Town> {
  const town = await openTown(planOf(...changes));
  close = town.close;
  return town;
}

const zone = seed.zone.id;
const listDns = /dns_records$/;
const dnsTo = (target: string): string => lines.dns.replace('cname.vercel-dns.com', target);

/** Does something to the world once, right after a provider answered the first look that matches. */
function afterTheLook(at: Shop, path: RegExp, act: () => void): void {
  let isDone = false;
  at.world.cloudflare.watch(({ phase, method, path: asked }) => {
    if (isDone || phase !== 'after' || method !== 'GET' || !path.test(asked)) return;
    isDone = true;
    act();
  });
}

const edit = (at: Shop, change: object): void => {
  for (const record of at.records()) Object.assign(record, change);
};

/** What the run wrote at providers, by method. */
const writesOf = (seen: ReturnType<Shop['watch']>): readonly string[] => seen.writes().map(({ method }) => method);

describe('what is applied is what was judged under the digest, in one look', () => {
  it('a line is looked at once: an apply with a digest reads no more than its plan did', async () => {
    const { plan, apply, watch } = await open(lines.dns, lines.payments, lines.callback);
    const planned = watch();
    const { digest } = await plan();
    const reads = planned.all().filter(({ write }) => !write).length;
    const applied = watch();
    const doc = await apply({ expect: digest });
    expect(doc).toMatchObject({ status: 'complete', digest });
    const dns = applied.all().filter(({ method, path }) => method === 'GET' && listDns.test(path));
    expect(dns).toHaveLength(1);
    expect(reads).toBeGreaterThan(0);
  });

  it('a record that a person removes after the look is not made anew where its update was judged', async () => {
    const { plan, apply, write, watch, records, world } = await open(lines.dns);
    await apply();
    await write(planOf(dnsTo('next.acme.example')));
    const { digest, lines: planned } = await plan();
    expect(planned.map(({ verdict }) => verdict)).toEqual(['update']);
    afterTheLook(shop, listDns, () => world.cloudflare.world.removeRecord(zone, records()[0]?.id ?? ''));
    const seen = watch();
    const doc = await apply({ expect: digest });
    expect(doc.ok).toBe(false);
    expect(records()).toEqual([]);
    expect(writesOf(seen)).not.toContain('POST');
  });

  it('a record that a person changes after the look stays as that person left it where nothing was judged', async () => {
    const { plan, apply, watch, records } = await open(lines.dns);
    await apply();
    const { digest, lines: planned } = await plan();
    expect(planned.map(({ verdict }) => verdict)).toEqual(['none']);
    afterTheLook(shop, listDns, () => edit(shop, { content: 'theirs.example' }));
    const seen = watch();
    expect(await apply({ expect: digest })).toMatchObject({ status: 'complete', lines: [{ verdict: 'none' }] });
    expect(writesOf(seen)).toEqual([]);
    expect(records().map(({ content }) => content)).toEqual(['theirs.example']);
  });

  it('a record that a stranger makes after the look is neither taken nor changed', async () => {
    const { plan, apply, records, world } = await open(lines.dns);
    const { digest } = await plan();
    afterTheLook(shop, listDns, () =>
      world.cloudflare.world.addRecord(zone, { type: 'CNAME', name: `pr-12.${seed.zone.name}`, content: 'theirs.example' }),
    );
    const doc = await apply({ expect: digest });
    expect(ends(doc)).toEqual(['dns create failed RESOURCE_FOREIGN']);
    expect(records().map(({ content }) => content)).toEqual(['theirs.example']);
  });

  it('no line writes before every line that can be judged was judged', async () => {
    const { plan, apply, world } = await open(lines.dns, lines.payments, lines.callback, lines.alias, lines.hook);
    const { digest } = await plan();
    const sent: string[] = [];
    for (const simulation of world.simulations)
      simulation.watch(
        ({ phase, method, path }) => void (phase === 'before' && !path.endsWith('/oauth/token') && sent.push(`${method} ${path}`)),
      );
    expect(await apply({ expect: digest })).toMatchObject({ status: 'complete' });
    const looked = sent.slice(
      0,
      sent.findIndex((request) => !request.startsWith('GET')),
    );
    for (const path of [listDns, /webhook_endpoints$/, /clients\//])
      expect(looked.filter((request) => path.test(request)).length).toBeGreaterThan(0);
  });
});

describe('a line whose values are still to come', () => {
  it('is in the digest as pending, and is applied under it when they are there', async () => {
    const { plan, apply, hooks, records } = await open(lines.payments, lines.hook, lines.dns, lines.alias);
    const { digest } = await plan();
    expect(await apply({ expect: digest })).toMatchObject({ status: 'complete', digest });
    expect(hooks()).toHaveLength(1);
    expect(records()).toHaveLength(2);
    expect((await plan()).summary).toEqual({ none: 4 });
  });

  it('is refused where it would write more than was judged', async () => {
    const alias = `${lines.alias}\n    ttl: 300`;
    const { plan, apply, records, world, watch } = await open(lines.dns, alias);
    await apply();
    const of = (name: string) => records().find((record) => record.name === name);
    const own = `pr-12.${seed.zone.name}`;
    world.cloudflare.world.removeRecord(zone, of(own)?.id ?? '');
    const planned = await plan();
    expect(planned.lines.map(({ verdict }) => verdict)).toEqual(['create', 'update']);
    const seen = watch();
    world.cloudflare.watch(({ phase, method }) => {
      if (phase === 'after' && method === 'POST') Object.assign(of(`www.${own}`) ?? {}, { ttl: 60 });
    });
    const doc = await apply({ expect: planned.digest });
    expect(doc.lines.map(({ id, state, error }) => [id, state, error?.code])).toEqual([
      ['dns', 'settled', undefined],
      ['alias', 'failed', 'DIGEST_MISMATCH'],
    ]);
    expect(writesOf(seen)).toEqual(['POST']);
    expect(of(`www.${own}`)).toMatchObject({ ttl: 60 });
    const again = await plan();
    expect(again.digest).not.toBe(planned.digest);
    expect(await apply({ expect: again.digest })).toMatchObject({ status: 'complete' });
    expect(of(`www.${own}`)).toMatchObject({ ttl: 300 });
  });
});

describe('another run of the scope that writes between the look and the lease', () => {
  const frozen = async (town: Town, expectOf: Partial<RunRequest>) => {
    const late = town.computer();
    late.machine.at('after', 'GET', listDns, () => late.machine.freeze());
    const run = late.apply(expectOf);
    run.catch(() => undefined);
    await late.machine.stopped;
    return { late, run };
  };

  it('has all lines judged again, and what is judged otherwise is refused before the first write', async () => {
    const town = await openTwo(lines.dns);
    const { digest } = await town.computer().plan();
    const { late, run } = await frozen(town, { expect: digest });
    expect(await town.computer().apply()).toMatchObject({ status: 'complete' });
    late.machine.thaw();
    await expect(run).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
    expect(late.machine.sent).toEqual([]);
    expect(town.records()).toHaveLength(1);
    expect((await town.lease())?.released).toEqual({ quietForMs: 0 });
    expect(await town.computer().apply()).toMatchObject({ status: 'complete' });
  });

  it('is no hindrance where the same is judged again', async () => {
    const town = await openTwo(lines.dns, lines.payments);
    const only = { only: ['dns'] };
    const { digest } = await town.computer().plan(only);
    const { late, run } = await frozen(town, { ...only, expect: digest });
    expect(await town.computer().apply({ only: ['payments'] })).toMatchObject({ status: 'complete' });
    late.machine.thaw();
    expect(await run).toMatchObject({ status: 'complete', digest });
    expect(town.records()).toHaveLength(1);
  });
});

describe('what an interrupted run left', () => {
  const left = async (): Promise<Town> => {
    const town = await openTwo(lines.dns, lines.payments);
    const dead = town.computer();
    dead.machine.at('sent', 'POST', listDns, () => dead.machine.kill());
    town.abandon(dead.apply({ only: ['dns'] }));
    await dead.machine.stopped;
    return town;
  };

  it('is claimed under the digest of the plan that saw it', async () => {
    const town = await left();
    const planned = await town.computer().plan();
    expect(planned.lines.map(({ verdict }) => verdict)).toEqual(['claim', 'create']);
    expect(await town.computer().apply({ expect: planned.digest })).toMatchObject({ status: 'complete', digest: planned.digest });
    expect(town.records()).toHaveLength(1);
  });

  it('is taken away under the digest of a destroy, although only the destroy itself looks for it', async () => {
    const town = await left();
    const { digest } = await town.computer().plan({ destroy: true });
    expect(await town.computer().destroy({ expect: digest })).toMatchObject({ status: 'complete', digest });
    expect(town.records()).toEqual([]);
    expect((await town.ledger()).intents.size).toBe(0);
  });

  it('is judged as every other line is: a position that says "settled" spares no look under a digest', async () => {
    const { plan, apply, watch } = await open(lines.callback, lines.dns);
    const stop = new AbortController();
    shop.world.cloudflare.watch(({ phase, method }) => void (phase === 'before' && method === 'POST' && stop.abort(new Error('SIGTERM'))));
    await apply({}, undefined, stop.signal);
    const { digest } = await plan();
    const seen = watch();
    expect(await apply({ expect: digest })).toMatchObject({ status: 'complete' });
    expect(seen.all().some(({ path }) => path.includes('/clients/'))).toBe(true);
  });
});

describe('a digest that does not match', () => {
  it('has a code and an exit code of its own, and the error gives the present digest, what would be done, and the command to look', async () => {
    const { plan, apply, watch, write } = await open(lines.dns);
    const { digest } = await plan();
    await write(planOf(dnsTo('next.acme.example')));
    const now = await plan();
    const seen = watch();
    const thrown: unknown = await apply({ expect: digest, only: ['dns'] }).catch((error: unknown) => error);
    expect(thrown).toMatchObject({
      code: 'DIGEST_MISMATCH',
      detail: expect.stringContaining(`is now ${now.digest}`),
      fix: expect.stringContaining('pilotfish plan --only dns --scope pr-12'),
    });
    expect(String((thrown as Error).message)).toContain('create dns');
    expect(errorTable.DIGEST_MISMATCH.exit).toBe(2);
    expect(writesOf(seen)).toEqual([]);
    expect((await shop.ledger()).lease).toBeNull();
  });

  it('of a destroy is refused as well: what was recorded since is not taken away', async () => {
    const { plan, apply, destroy, write, records, endpoints } = await open(lines.dns);
    await apply();
    const { digest } = await plan({ destroy: true });
    await write(planOf(lines.dns, lines.payments));
    await apply();
    await expect(destroy({ expect: digest })).rejects.toMatchObject({
      code: 'DIGEST_MISMATCH',
      fix: expect.stringContaining('plan --destroy'),
    });
    expect([records().length, endpoints().length]).toEqual([1, 1]);
    const again = await plan({ destroy: true });
    expect(await destroy({ expect: again.digest })).toMatchObject({ status: 'complete', digest: again.digest });
    expect([records().length, endpoints().length]).toEqual([0, 0]);
  });

  it('of a destroy covers the object: one that was made anew is another', async () => {
    const { plan, apply, destroy, records, world } = await open(lines.dns);
    await apply();
    const { digest } = await plan({ destroy: true });
    world.cloudflare.world.removeRecord(zone, records()[0]?.id ?? '');
    await apply();
    await expect(destroy({ expect: digest })).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
    expect(records()).toHaveLength(1);
  });
});

const api = (change: string = ''): string =>
  `providers: { http: { things: { base_url: https://api.cloudflare.com/client/v4, auth: { bearer_env: CLOUDFLARE_API_TOKEN }${change} } } }`;
const actionPlan = (request: object, more: object = {}, providers: object = {}): string =>
  JSON.stringify({
    version: 1,
    providers,
    changes: [{ id: 'warm', adapter: 'http', op: 'action', trigger: { commit: 'a1' }, request, ...more }],
  });
const post = { method: 'POST', url: 'https://one.example/warm', headers: { 'x-key': 'a' }, body: { paths: ['/'] } };
const things = (block: object = {}) => ({
  http: { things: { base_url: 'https://one.example/v1', auth: { bearer_env: 'FIRST_TOKEN' }, ...block } },
});
const viaThings = (block: object = {}, request: object = {}, more: object = {}) =>
  actionPlan({ method: 'POST', path: '/warm', body: {}, ...request }, { api: 'things', ...more }, things(block));

/** Two plans, or one plan and two environments, that send something else or to somebody else. */
const apart: readonly (readonly [what: string, before: string, after: string, env?: Readonly<Record<string, string>>])[] = [
  ['the host of a URL', actionPlan(post), actionPlan({ ...post, url: 'https://two.example/warm' })],
  ['the path of a URL', actionPlan(post), actionPlan({ ...post, url: 'https://one.example/cold' })],
  ['a method', actionPlan(post), actionPlan({ ...post, method: 'PUT' })],
  ['a header', actionPlan(post), actionPlan({ ...post, headers: { 'x-key': 'b' } })],
  ['the name of a header', actionPlan(post), actionPlan({ ...post, headers: { 'x-other': 'a' } })],
  [
    'the reference of a secret header',
    actionPlan({ ...post, headers: { 'x-key': { secret: 'env://FIRST_TOKEN' } } }),
    actionPlan({ ...post, headers: { 'x-key': { secret: 'env://SECOND_TOKEN' } } }),
  ],
  ['a body', actionPlan(post), actionPlan({ ...post, body: { paths: ['/', '/admin'] } })],
  ['an encoding', actionPlan(post), actionPlan({ ...post, encoding: 'form' })],
  ['a trigger', actionPlan(post), actionPlan(post, { trigger: { commit: 'b2' } })],
  ['a base URL', viaThings(), viaThings({ base_url: 'https://two.example/v1' })],
  ['the variable of a credential', viaThings(), viaThings({ auth: { bearer_env: 'SECOND_TOKEN' } })],
  ['the form of a credential', viaThings(), viaThings({ auth: { header: 'x-token', value_env: 'FIRST_TOKEN' } })],
  [
    'the command of a credential',
    viaThings({ auth: { command: ['printf', 'token-of-a-program'] } }),
    viaThings({ auth: { command: ['printf', 'other-token-of-a-program'] } }),
  ],
  ['a header of the block', viaThings(), viaThings({ headers: { 'x-version': '2' } })],
  ['the path of a request below a block', viaThings(), viaThings({}, { path: '/cold' })],
  ['the credential of a line', viaThings(), viaThings({}, {}, { credential: { secret: 'env://SECOND_TOKEN' } })],
  [
    'the value of a variable that replaces the base URL',
    viaThings({ base_url_env: 'THINGS_URL' }),
    viaThings({ base_url_env: 'THINGS_URL' }),
    { THINGS_URL: 'https://three.example/v1' },
  ],
  [
    'the value of a variable that says where a token is asked for',
    viaThings({ auth: oauth() }),
    viaThings({ auth: oauth() }),
    { TOKEN_URL: 'https://three.example/token' },
  ],
];

function oauth() {
  return { oauth_client_credentials: { client_id_env: 'FIRST_TOKEN', client_secret_env: 'SECOND_TOKEN', token_url_env: 'TOKEN_URL' } };
}

describe('a digest covers all that decides what is sent and to whom', () => {
  const env = { FIRST_TOKEN: 'first-token-0123456789', SECOND_TOKEN: 'second-token-0123456789' };

  it.each(apart.map(([what, before, after, change = {}]) => ({ what, before, after, change })))(
    '$what',
    async ({ before, after, change }) => {
      const at = await open(lines.dns);
      await at.write(before);
      const looked = await at.plan({ env });
      expect(looked.ok).toBe(true);
      await at.write(after);
      const seen = at.watch();
      const now = { env: { ...env, ...change } };
      expect((await at.plan(now)).digest).not.toBe(looked.digest);
      await expect(at.apply({ ...now, expect: looked.digest })).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
      expect(seen.all()).toEqual([]);
    },
  );

  it.each([
    ['the delete request of a line', openRecord({}), openRecord({ remove: `/zones/${zone}/dns_records/{id}?force=1` })],
    ['what destroy does with it', openRecord({}), openRecord({ more: ['destroy: keep'] })],
    ['a field that is sent on create only', openRecord({}), openRecord({}).replace('ttl: 1', 'ttl: 300')],
    ['the path of the create', openRecord({}), openRecord({}).replace('dns_records, body', 'dns_records?quick=1, body')],
    [
      'a header of the block of an object',
      openRecord({}),
      openRecord({}).replace(/^providers:.*$/m, api(', headers: { accept-language: de }')),
    ],
    ['a param of a recipe', planOf(lines.dns), planOf(dnsTo('other.example'))],
    ['the order of lines', planOf(lines.dns, lines.payments), planOf(lines.dns, `${lines.payments}\n    depends_on: [dns]`)],
  ])('%s, before it is made', async (_, before, after) => {
    const at = await open(lines.dns);
    await at.write(before);
    const { digest } = await at.plan();
    await at.write(after);
    const seen = at.watch();
    expect((await at.plan()).digest).not.toBe(digest);
    await expect(at.apply({ expect: digest })).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
    expect(writesOf(seen)).toEqual([]);
  });
});

describe('a digest is the same wherever and whenever it is made', () => {
  it('in another checkout, by another run, after another time, with the lines in another order, and on a machine with more variables', async () => {
    const at = await open(lines.dns, lines.payments, lines.hook);
    const { digest } = await at.plan();
    await at.clock.sleep(3_600_000);
    await at.write(`# a comment\n${planOf(lines.payments, lines.hook, lines.dns)}`);
    expect((await at.plan()).digest).toBe(digest);
    expect((await at.plan({ env: { OTHER_TOKEN: 'cname.vercel-dns.com', HOME: '/nowhere' } })).digest).toBe(digest);
    await close?.();
    const other = await open(lines.dns, lines.payments, lines.hook);
    expect(other.folder).not.toBe(at.folder);
    expect((await other.plan()).digest).toBe(digest);
  });

  it('of a plan, of the apply under it and of its receipt', async () => {
    const { plan, apply, store } = await open(lines.dns);
    const { digest } = await plan();
    const doc = await apply({ expect: digest });
    expect(doc.digest).toBe(digest);
    expect(JSON.parse((await store().read(branch))?.files.get('receipt.json') ?? '{}')).toMatchObject({ digest });
  });

  it('whatever a secret is: who knows the digest cannot try values against it', async () => {
    const at = await open(lines.dns);
    const secret = planOf(`
  - { id: variable, adapter: vercel, op: env, project: shop, key: PIN, value: { secret: env://PIN_SECRET } }`);
    await at.write(secret);
    const digests = new Set<string>();
    for (const PIN_SECRET of ['123456', '654321', 'create', 'a-long-value-0123456789'])
      digests.add((await at.plan({ env: { PIN_SECRET } })).digest);
    expect(digests.size).toBe(1);
    // Also once it stands: that it would be written is in the digest, and what with is not.
    await at.apply({ env: { PIN_SECRET: '123456' } });
    const changed = new Set<string>();
    for (const PIN_SECRET of ['654321', '999999']) changed.add((await at.plan({ env: { PIN_SECRET } })).digest);
    expect(changed.size).toBe(1);
  });
});
