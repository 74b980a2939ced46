import { createWorld } from 'pilotfish-sandbox/all';
import { digitalocean } from 'pilotfish-sandbox/digitalocean/index';
import { railway } from 'pilotfish-sandbox/railway';
import { afterEach, describe, expect, it } from 'vitest';
import { type Failure, Failures } from '../../src/core/errors.ts';
import { openStage } from '../support/stage.ts';
import { ends, lines, openShop, planOf, type Shop } from './shop.ts';

let shop: Shop | null = null;
const open = async (...changes: readonly string[]): Promise<Shop> => {
  shop = await openShop(planOf(...changes));
  return shop;
};
afterEach(async () => {
  shop?.verify();
  await shop?.close();
  shop = null;
});

const hookAt = (url: string, more: readonly string[] = []): string =>
  lines.hook.replace(/url: .*/, () => `url: ${url}`).replace(/\n {4}secret: .*/, '') + more.map((line) => `\n    ${line}`).join('');
const hookWith = (secret: string): string => lines.hook.replace(/secret: .*/, () => `secret: ${secret}`);

/** The mistakes of a plan that cannot be run. */
async function mistakesOf(run: Promise<unknown>): Promise<readonly Failure[]> {
  const thrown = await run.then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof Failures) return thrown.failures;
  throw new Error('The plan has no mistake.', { cause: thrown });
}
const codes = async (run: Promise<unknown>): Promise<readonly string[]> => (await mistakesOf(run)).map(({ code }) => code);

describe('a text with values of other lines', () => {
  it.each([
    ['a text', '"https://${dns.hostname}/hooks/${ctx.scope}"'],
    ['a join', '{ join: ["https://", { from: dns.hostname }, "/hooks/", "${ctx.scope}"] }'],
  ])('in %s is put together once they are known, comes after them, and is not written again', async (_form, url) => {
    const { apply, plan, hooks } = await open(hookAt(url), lines.dns);
    expect((await plan()).lines.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['dns', 'create'],
      ['hook', 'create'],
    ]);
    expect(ends(await apply())).toEqual(['dns create settled', 'hook create settled']);
    expect(hooks()[0]?.config.url).toBe('https://pr-12.acme.example/hooks/pr-12/api/webhooks/github');
    expect(ends(await apply())).toEqual(['dns none settled', 'hook none settled']);
  });

  it('moves with the value that it takes, and with the text around it', async () => {
    const aliasTo = (target: string): string => lines.alias.replace(/target: .*/, () => `target: "${target}"`);
    const { apply, write, records } = await open(lines.dns, aliasTo('a.${dns.hostname}'));
    await apply();
    await write(planOf(lines.dns, aliasTo('b.${dns.hostname}')));
    expect(ends(await apply())).toEqual(['dns none settled', 'alias update settled']);
    expect(records().map(({ content }) => content)).toEqual(['cname.vercel-dns.com', 'b.pr-12.acme.example']);
  });

  it('that is one value alone is that value', async () => {
    const { apply, hooks } = await open(lines.payments, hookWith('"${payments.secret}"'));
    await apply();
    expect(hooks()[0]?.config.secret).toBe(shop?.endpoints()[0]?.secret);
  });
});

describe('a text around a secret', () => {
  const around = (text: string): string => hookWith(`"${text}"`);

  it('is written whole, and stands in no file, document or error', async () => {
    const { apply, hooks, plan, remote } = await open(lines.payments, around('key-${payments.secret}-${ctx.scope}'));
    const first = await apply();
    const secret = shop?.endpoints()[0]?.secret ?? '?';
    expect(hooks()[0]?.config.secret).toBe(`key-${secret}-pr-12`);
    expect(JSON.stringify([first, await plan(), await apply(), remote.commits.map(({ change }) => [...change.values()])])).not.toContain(
      secret,
    );
    expect(remote.commits.length).toBeGreaterThan(0);
  });

  it('is not read again while nothing of it changes, although the provider shows it only once', async () => {
    const { apply, watch } = await open(lines.payments, around('key-${payments.secret}'));
    await apply();
    const seen = watch();
    expect(ends(await apply())).toEqual(['payments none settled', 'hook none settled']);
    expect(seen.writes()).toEqual([]);
  });

  it('is written again when the text around it changes, and says so where the secret is gone', async () => {
    const { apply, write, hooks } = await open(lines.payments, around('key-${payments.secret}'));
    await apply();
    await write(planOf(lines.payments, around('token-${payments.secret}')));
    const doc = await apply();
    expect(doc.lines[1]?.error).toMatchObject({ code: 'OUTPUT_UNAVAILABLE' });
    expect(doc.lines[1]?.error?.fix).toContain('--recreate payments');
    await apply({ recreate: ['payments'] });
    expect(hooks()[0]?.config.secret).toBe(`token-${shop?.endpoints()[0]?.secret}`);
    expect(ends(await apply())).toEqual(['payments none settled', 'hook none settled']);
  });

  it('follows a change of the secret of the plan that stands beside it', async () => {
    const beside = hookWith('{ join: [{ from: payments.name }, ":", { secret: env://BESIDE }] }').replace('payments.name', 'dns.hostname');
    const { apply, hooks, env } = await open(lines.dns, beside);
    Reflect.set(env, 'BESIDE', 'first-beside-value');
    await apply();
    expect(hooks()[0]?.config.secret).toBe('pr-12.acme.example:first-beside-value');
    Reflect.set(env, 'BESIDE', 'other-beside-value');
    await apply();
    expect(hooks()[0]?.config.secret).toBe('pr-12.acme.example:other-beside-value');
  });

  it('can be no part of a key or an address that the ledger stores', async () => {
    const { plan } = await open(lines.payments, lines.dns.replace(/name: .*/, 'name: "x-${payments.secret}.acme.example"'));
    expect(await codes(plan())).toEqual(['PARAM_INVALID']);
  });
});

describe('a ${…} that names nothing', () => {
  it.each([
    ['a shell variable', '"https://${FOO}"', ['names neither', 'ctx.scope']],
    ['a CI expression', '"${{ secrets.BAR }}"', ['${{ secrets.BAR }}', '$${']],
    ['a slip in the id', '"https://${dsn.hostname}"', ['Did you mean "dns.hostname"']],
    ['a line alone', '"https://${dns}"', ['its outputs are', 'hostname']],
    ['an empty name', '"a ${} b"', ['names neither']],
    ['no end', '"https://${dns.hostname"', ['not closed']],
  ])('%s is one error with place, nearest name and fix', async (_what, url, words) => {
    const { plan } = await open(lines.dns, hookAt(url));
    const mistakes = await mistakesOf(plan());
    expect(mistakes.map(({ code }) => code)).toEqual(['REF_UNKNOWN']);
    for (const word of words) expect(`${mistakes[0]?.detail} ${mistakes[0]?.fix}`).toContain(word);
    expect(mistakes[0]?.place).toMatchObject({ file: 'release.plan.yaml', line: expect.any(Number) });
  });

  it('a slip in the output names the outputs of the line', async () => {
    const { plan } = await open(lines.dns, hookAt('"https://${dns.hostnme}"'));
    const mistakes = await mistakesOf(plan());
    expect(mistakes).toMatchObject([{ code: 'REF_OUTPUT_UNKNOWN', detail: expect.stringContaining('Did you mean "hostname"') }]);
  });

  it('a circle of texts is named', async () => {
    const first = hookAt('"https://${dns.hostname}"');
    const { plan } = await open(first, lines.dns.replace(/target: .*/, 'target: "x.${hook.id}.example"'));
    expect(await codes(plan())).toEqual(['REF_CYCLE']);
  });

  it('$${ is text', async () => {
    const { apply, records } = await open(`${lines.dns}\n    comment: "of $\${FOO}"`);
    await apply();
    expect(records()[0]?.comment).toBe('of ${FOO}');
  });

  it('and is no text in the places that are read before any line runs', async () => {
    shop = await openShop(
      planOf(lines.dns).replace('version: 1', 'version: 1\nproviders: { cloudflare: { base_url: "https://${HOST}/v4" } }'),
    );
    expect(await codes(shop.plan())).toEqual(['REF_UNKNOWN']);
  });
});

describe('a param that takes templates of its provider', () => {
  const place = { project_id: '4f2b8c1e-project', environment_id: '9a7d3e5f-preview', service_id: '1c6e0b2d-web' };

  it('keeps them, composes what the plan has, and says which is which', async () => {
    const simulation = railway();
    simulation.world.addEnvironment(place.project_id, place.environment_id, place.service_id);
    const world = createWorld({});
    const value = '${{shared.HOST}} ${db.URL} ${dns.hostname} ${dns.hostnme} $${dns.hostname}';
    const stage = await openStage({
      simulations: [simulation, ...world.simulations],
      env: { ...world.credentials, RAILWAY_API_TOKEN: simulation.tokens.full },
      plan: `${planOf(lines.dns)}  - ${JSON.stringify({ id: 'own', recipe: 'railway.variable', ...place, name: 'OWN_${ctx.pr.number}', value })}\n`,
    });
    const { warnings } = await stage.plan({ pr: 12 });
    expect(warnings).toEqual([
      expect.stringContaining('own.value: ${dns.hostname} is the output of the line dns'),
      expect.stringContaining('own.value: ${dns.hostnme} is sent as it stands'),
    ]);
    expect(warnings[1]).toContain('Did you mean "hostname"');
    expect(await stage.apply({ pr: 12 })).toMatchObject({ ok: true });
    expect(simulation.world.variables(place.environment_id, place.service_id)).toEqual({
      OWN_12: { value: '${{shared.HOST}} ${db.URL} pr-12.acme.example ${dns.hostnme} ${dns.hostname}' },
    });
    await stage.close();
  });

  it('is the spec of a DigitalOcean app at any depth', async () => {
    const simulation = digitalocean();
    const stage = await openStage({
      simulations: [simulation],
      env: { DIGITALOCEAN_ACCESS_TOKEN: simulation.tokens.full },
      plan: JSON.stringify({
        version: 1,
        changes: [
          {
            id: 'app',
            adapter: 'digitalocean',
            op: 'app',
            name: 'shop-${ctx.scope}',
            spec: { services: [{ name: 'web', envs: [{ key: 'DATABASE_URL', value: '${db.DATABASE_URL}' }] }] },
          },
        ],
      }),
    });
    expect(await stage.plan()).toMatchObject({ ok: true, warnings: [] });
    await stage.close();
  });
});
