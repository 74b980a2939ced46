import { seed } from 'pilotfish-sandbox/all';
import { afterEach, describe, expect, it } from 'vitest';
import { runApply } from '../../src/engine/run.ts';
import { ends, lines, openShop, planOf, type Shop } from './shop.ts';

let shop: Shop;
const open = async (...changes: readonly string[]): Promise<Shop> => {
  shop = await openShop(planOf(...changes));
  return shop;
};
afterEach(async () => {
  shop.verify();
  await shop.close();
});
const withVersion = (version: string): string => `${lines.payments}\n    api_version: ${version}`;
const errorOf = (doc: Awaited<ReturnType<Shop['apply']>>, id: string) => doc.lines.find((line) => line.id === id)?.error;

describe('a value that came by reference', () => {
  it('is held to the rules of its param before anything is sent, and the line that gives it is made all the same', async () => {
    const { apply, records } = await open(lines.dns, lines.alias.replace(/zone_id: .*/, 'zone_id: { from: dns.hostname }'));
    const doc = await apply();
    expect(doc.lines.map(({ id, error }) => [id, error?.code])).toEqual([
      ['dns', undefined],
      ['alias', 'PARAM_INVALID'],
    ]);
    expect(records()).toHaveLength(1);
  });
});

describe('an object that is not ours', () => {
  it('is refused, and nothing is written, announced or claimed later', async () => {
    const { apply, world, ledger, watch, records } = await open(lines.dns);
    world.cloudflare.world.addRecord(seed.zone.id, { type: 'CNAME', name: `pr-12.${seed.zone.name}`, content: 'theirs.example' });
    const seen = watch();
    for (const _ of [1, 2]) {
      const doc = await apply();
      expect(ends(doc)).toEqual(['dns refused refused RESOURCE_FOREIGN']);
      expect(errorOf(doc, 'dns')?.fix).toContain('{ keep: true }');
    }
    expect(seen.writes()).toEqual([]);
    expect((await ledger()).intents.size + (await ledger()).records.size).toBe(0);
    await shop.destroy();
    expect(records()).toHaveLength(1);
  });

  it('is refused when it appears between the look and the create, and a later run does not claim it', async () => {
    const { apply, world, records, ledger } = await open(lines.dns);
    const stop = world.cloudflare.watch(({ phase, method }) => {
      if (phase !== 'before' || method !== 'POST') return;
      stop();
      world.cloudflare.world.addRecord(seed.zone.id, {
        type: 'CNAME',
        name: `pr-12.${seed.zone.name}`,
        content: 'theirs.example',
        created_on: '2020-01-01T00:00:00Z',
      });
    });
    expect((await apply()).status).toBe('failed');
    expect((await apply()).status).toBe('failed');
    await shop.destroy();
    expect(records()).toHaveLength(1);
    expect((await ledger()).records.size).toBe(0);
  });

  it('is not taken over from another scope that has it', async () => {
    const fixed = lines.dns.replace('${ctx.scope}', 'fixed');
    const { apply, records } = await open(fixed);
    await apply();
    const doc = await apply({ scope: 'pr-13' });
    expect(ends(doc)).toEqual(['dns refused refused RESOURCE_FOREIGN']);
    await shop.destroy({ scope: 'pr-13' });
    expect(records()).toHaveLength(1);
  });
});

describe('a plan of a line that fails', () => {
  it('shows what the line would be given as far as that is known, and no change', async () => {
    const { plan, world } = await open(lines.dns, lines.alias);
    world.cloudflare.faults.once('GET /client/v4/zones/{zone}/dns_records', 400, { success: false, errors: [] });
    const doc = await plan();
    expect(doc.lines[0]).toMatchObject({
      verdict: 'failed',
      changes: [],
      inputs: { target: { state: 'literal', value: 'cname.vercel-dns.com' } },
    });
    // What it needs failed before its own values were asked for.
    expect(doc.lines[1]).toMatchObject({ id: 'alias', changes: [], inputs: {}, verdict: 'pending', because: ['dns'] });
  });
});

describe('a replacement', () => {
  it('by an immutable field: the new one stands before the old one goes, and its dependents take the new secret', async () => {
    const { apply, write, plan, endpoints, hooks } = await open(withVersion('2024-06-20'), lines.hook);
    await apply();
    const old = endpoints()[0];
    await write(planOf(withVersion('2025-01-27.acacia'), lines.hook));
    expect((await plan()).lines.map(({ verdict }) => verdict)).toEqual(['replace', 'update']);
    expect(ends(await apply())).toEqual(['payments replace settled', 'hook update settled']);
    expect(endpoints().map(({ api_version }) => api_version)).toEqual(['2025-01-27.acacia']);
    expect(endpoints()[0]?.id).not.toBe(old?.id);
    expect(hooks()[0]?.config.secret).toBe(endpoints()[0]?.secret);
    expect(ends(await apply())).toEqual(['payments none settled', 'hook none settled']);
  });

  it('by --recreate rotates the once-only output', async () => {
    const { apply, endpoints, hooks } = await open(lines.payments, lines.hook);
    await apply();
    const old = hooks()[0]?.config.secret;
    expect(ends(await apply({ recreate: ['payments'] }))).toEqual(['payments replace settled', 'hook update settled']);
    expect(hooks()[0]?.config.secret).toBe(endpoints()[0]?.secret);
    expect(hooks()[0]?.config.secret).not.toBe(old);
    expect(endpoints()).toHaveLength(1);
  });

  it('leaves the old object while a dependent could not take the new output, and the next run finishes', async () => {
    const { apply, world, endpoints, hooks } = await open(lines.payments, lines.hook);
    await apply();
    const refused = world.github.faults.times(9, 'PATCH /repos/{owner}/{repo}/hooks/{id}/config', 403, { message: 'no' });
    expect((await apply({ recreate: ['payments'] })).status).toBe('failed');
    expect(endpoints()).toHaveLength(2);
    refused.disarm();
    const next = await apply();
    expect(errorOf(next, 'hook')).toMatchObject({ code: 'OUTPUT_UNAVAILABLE', fix: expect.stringContaining('--recreate payments') });
    expect(endpoints()).toHaveLength(2);
    expect((await apply({ recreate: ['payments'] })).status).toBe('complete');
    expect(endpoints()).toHaveLength(1);
    expect(hooks()[0]?.config.secret).toBe(endpoints()[0]?.secret);
  });

  it('with --only leaves the old object while others still have its secret', async () => {
    const { apply, endpoints } = await open(lines.payments, lines.hook);
    await apply();
    expect((await apply({ recreate: ['payments'], only: ['payments'] })).status).toBe('complete');
    expect(endpoints()).toHaveLength(2);
  });

  it.each(['before', 'after'] as const)('that died %s its create is finished by the next run', async (phase) => {
    const { apply, write, crash, endpoints, ledger } = await open(withVersion('2024-06-20'));
    await apply();
    await write(planOf(withVersion('2025-01-27.acacia')));
    crash.at(phase, 'POST', /webhook_endpoints$/);
    await apply();
    crash.over();
    expect((await apply()).status).toBe('complete');
    expect(endpoints().map(({ api_version }) => api_version)).toEqual(['2025-01-27.acacia']);
    const [record] = (await ledger()).records.values();
    expect(record).toMatchObject({ objectId: endpoints()[0]?.id, superseded: [] });
    await shop.destroy();
    expect(endpoints()).toEqual([]);
  });

  it.each(['before', 'after'] as const)('that died %s its create is taken away whole by destroy', async (phase) => {
    const { apply, write, crash, endpoints, destroy, ledger } = await open(withVersion('2024-06-20'));
    await apply();
    await write(planOf(withVersion('2025-01-27.acacia')));
    crash.at(phase, 'POST', /webhook_endpoints$/);
    await apply();
    crash.over();
    expect((await destroy()).status).toBe('complete');
    expect(endpoints()).toEqual([]);
    expect((await ledger()).records.size + (await ledger()).intents.size).toBe(0);
  });
});

describe('a once-only output', () => {
  it('that a later line needs is refused with the one thing to do, and --recreate does it', async () => {
    const { apply, write, hooks, endpoints, watch } = await open(lines.payments);
    await apply();
    await write(planOf(lines.payments, lines.hook));
    const seen = watch();
    const doc = await apply();
    expect(ends(doc)).toEqual(['payments none settled', 'hook refused refused OUTPUT_UNAVAILABLE']);
    expect(errorOf(doc, 'hook')?.fix).toBe('Run `pilotfish apply --recreate payments --scope pr-12`.');
    expect(seen.writes()).toEqual([]);
    expect((await apply({ recreate: ['payments'] })).status).toBe('complete');
    expect(hooks()[0]?.config.secret).toBe(endpoints()[0]?.secret);
  });

  it('whose producer was made by a dead run, before its dependent took it, is refused and not read as empty', async () => {
    const { apply, crash, hooks } = await open(lines.payments, lines.hook);
    crash.at('before', 'POST', /hooks$/);
    await apply();
    crash.over();
    const doc = await apply();
    expect(errorOf(doc, 'hook')?.code).toBe('OUTPUT_UNAVAILABLE');
    expect(hooks()).toEqual([]);
    expect((await apply({ recreate: ['payments'] })).status).toBe('complete');
  });
});

describe('a failure', () => {
  it('skips only what is below it', async () => {
    const { apply, world, records, hooks } = await open(lines.payments, lines.hook, lines.dns);
    world.stripe.faults.once('POST /v1/webhook_endpoints', 403, { error: { message: 'no' } });
    const doc = await apply();
    expect([...ends(doc)].sort()).toEqual(['dns create settled', 'hook pending skipped', 'payments create failed PROVIDER_AUTH']);
    expect(doc.error?.code).toBe('PROVIDER_AUTH');
    expect(doc.lines.find(({ id }) => id === 'hook')).toMatchObject({ code: 'DEPENDENCY_FAILED', because: ['payments'] });
    expect(errorOf(doc, 'hook')).toBeUndefined();
    expect([records().length, hooks().length]).toEqual([1, 0]);
    expect((await apply()).status).toBe('complete');
  });

  it('of a definite answer leaves no announcement behind', async () => {
    const { apply, world, ledger } = await open(lines.dns);
    world.cloudflare.faults.once('POST /client/v4/zones/{zone}/dns_records', 403, { success: false });
    await apply();
    expect((await ledger()).intents.size).toBe(0);
  });
});

describe('what the plan says about lines', () => {
  it('a removed line is an orphan: named, left alone by apply, removed by destroy', async () => {
    const { apply, plan, write, destroy, records } = await open(lines.payments, lines.dns);
    await apply();
    await write(planOf(lines.payments));
    for (const doc of [await plan(), await apply()]) expect(doc.orphans.map(({ line }) => line)).toEqual(['dns']);
    expect(records()).toHaveLength(1);
    await destroy();
    expect(records()).toEqual([]);
  });

  it('a renamed line writes nothing at the provider and no second record', async () => {
    const { apply, write, watch, ledger } = await open(lines.dns);
    await apply();
    await write(planOf(lines.dns.replace('id: dns', 'id: name')));
    const seen = watch();
    expect(ends(await apply())).toEqual(['name rename settled']);
    expect(seen.writes()).toEqual([]);
    expect([...(await ledger()).records.values()].map(({ line }) => line)).toEqual(['name']);
  });

  it('a line whose producer moved its key is replaced, not orphaned', async () => {
    const source = `
  - id: source
    recipe: cloudflare.dns_cname
    zone_id: ${seed.zone.id}
    name: one.${seed.zone.name}
    target: cname.vercel-dns.com`;
    const below = `
  - id: below
    recipe: cloudflare.dns_cname
    zone_id: 0123456789abcdef0123456789abcdef
    name: { from: source.hostname }
    target: other.example`;
    const { apply, write, world, ledger } = await open(source, below);
    world.cloudflare.world.addZone('acme.example', '0123456789abcdef0123456789abcdef');
    const elsewhere = () => world.cloudflare.world.records('0123456789abcdef0123456789abcdef').map(({ name }) => name);
    expect((await apply()).status).toBe('complete');
    expect(elsewhere()).toEqual([`one.${seed.zone.name}`]);
    await write(planOf(source.replace('one.', 'two.'), below));
    const doc = await apply();
    expect(doc.status).toBe('complete');
    expect(elsewhere()).toEqual([`two.${seed.zone.name}`]);
    // The producer's own key was changed by hand, so its old object is an orphan.
    expect(doc.orphans.map(({ line }) => line)).toEqual(['source']);
    expect((await ledger()).records.size).toBe(3);
  });

  it('two lines that are one object are refused before any request', async () => {
    const { apply, watch } = await open(lines.dns, lines.dns.replace('id: dns', 'id: again'));
    const seen = watch();
    await expect(apply()).rejects.toThrow('PARAM_INVALID');
    expect(seen.all()).toEqual([]);
  });

  it('two lines that turn out to be one object are refused before the second one is looked for', async () => {
    const twin = lines.alias
      .replace('id: alias', 'id: twin')
      .replace('name: www.${ctx.scope}.acme.example', 'name: { from: dns.hostname }')
      .replace('target: { from: dns.hostname }', 'target: x.example');
    const { apply, records } = await open(lines.dns, twin);
    const doc = await apply();
    expect(errorOf(doc, 'twin')?.code).toBe('PARAM_INVALID');
    expect(records()).toHaveLength(1);
  });

  it('--only leaves the other lines alone, and they are no orphans', async () => {
    const { apply, watch } = await open(lines.payments, lines.dns);
    await apply();
    const seen = watch();
    const doc = await apply({ only: ['dns'] });
    expect(ends(doc)).toEqual(['dns none settled']);
    expect(doc.orphans).toEqual([]);
    expect(seen.all().every(({ path }) => path.includes('dns_records'))).toBe(true);
  });

  it('--expect applies what was looked at and refuses anything else', async () => {
    const { apply, plan, world, records } = await open(lines.dns);
    const { digest } = await plan();
    world.cloudflare.world.addRecord(seed.zone.id, { type: 'CNAME', name: `pr-12.${seed.zone.name}`, content: 'theirs.example' });
    await expect(apply({ expect: digest })).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
    world.cloudflare.world.removeRecord(seed.zone.id, records()[0]?.id ?? '');
    expect((await apply({ expect: digest })).status).toBe('complete');
  });

  it('production needs an approval, which the receipt names', async () => {
    const { apply, destroy, watch, store } = await open(lines.dns);
    const seen = watch();
    const production = { environment: 'production', scope: null };
    await expect(apply(production)).rejects.toThrow('ENV_NOT_APPROVED');
    await expect(destroy(production)).rejects.toThrow('ENV_NOT_APPROVED');
    expect(seen.all()).toEqual([]);
    const doc = await apply({ ...production, approvedBy: 'sam' });
    expect(doc.status).toBe('complete');
    const tree = await store().read(doc.receipt.branch);
    expect(tree?.files.get('receipt.json')).toContain('"approvedBy": "sam"');
  });

  it('what a destroy of production would remove is shown to who has no approval yet', async () => {
    const { apply, plan } = await open(lines.dns);
    const production = { environment: 'production', scope: null };
    await apply({ ...production, approvedBy: 'sam' });
    const { lines: shown, warnings } = await plan({ ...production, destroy: true });
    expect(shown.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(['dns delete']);
    expect(warnings).toEqual(['The environment is production: apply will need `--approved-by <name>`.']);
  });
});

describe('a sensitive output', () => {
  it('is told to whoever hides texts also where no line takes it', async () => {
    const { request, dispatcher, remote, clock } = await open(lines.payments);
    const told: string[] = [];
    await runApply(request(), { dispatcher, store: remote.open(), repository: null, clock, onSecret: (text) => told.push(text) });
    expect(told.filter((text) => /^whsec_/.test(text))).toHaveLength(1);
  });
});
