import { seed } from 'pilotfish-sandbox/all';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApplyDoc, PlanDoc } from '../../src/engine/document.ts';
import { ends, lines, openRecord, openShop, planOf, type Shop } from './shop.ts';

let shop: Shop;
const open = async (...changes: readonly string[]): Promise<Shop> => {
  shop = await openShop(planOf(...changes));
  return shop;
};
afterEach(async () => {
  shop.verify();
  await shop.close();
});

const reporting = (line: string): string => `${line}\n    drift: report`;
const action = (revision: string): string => `
  - id: told
    recipe: rollbar.deploy
    environment: pr-12
    revision: "${revision.repeat(40)}"`;
const variable = reporting(`
  - id: variable
    adapter: vercel
    op: env
    project: ${seed.vercelProject}
    key: GREETING
    value: hello
    type: plain
    comment: from the plan
    git_branch: feature`);
const deploy = reporting(`
  - id: deploy
    adapter: vercel
    op: deploy
    project: ${seed.vercelProject}
    depends_on: [variable]`);
const dns = reporting(lines.dns);
const told = ({ lines: all }: PlanDoc | ApplyDoc): readonly string[] =>
  all.map(({ id, verdict, drift, driftLeft, changes }) =>
    [id, verdict, drift, driftLeft ? 'left' : '', ...changes.map(({ field, left }) => (left ? `(${field})` : field))]
      .filter(Boolean)
      .join(' '),
  );
const editDns = (change: object): void => void Object.assign(shop.records()[0] ?? {}, change);
const removeDns = (): void => void shop.world.cloudflare.world.removeRecord(seed.zone.id, shop.records()[0]?.id ?? '');
/** Writes of a run, by method. */
async function writesOf(run: () => Promise<ApplyDoc>): Promise<{ readonly doc: ApplyDoc; readonly writes: readonly string[] }> {
  const seen = shop.watch();
  const doc = await run();
  return { doc, writes: seen.writes().map(({ method }) => method) };
}

describe('drift: report, of an object', () => {
  it('tells what others changed and leaves it, in every run and at no cost of a write', async () => {
    await open(dns);
    await shop.apply();
    editDns({ content: 'elsewhere.example' });
    expect(told(await shop.plan())).toEqual(['dns none changed left (content)']);
    for (let runs = 0; runs < 2; runs += 1) {
      const { doc, writes } = await writesOf(() => shop.apply());
      expect([doc.ok, doc.status, told(doc), writes]).toEqual([true, 'complete', ['dns none changed left (content)'], []]);
    }
    expect(shop.records()[0]).toMatchObject({ content: 'elsewhere.example' });
    expect((await shop.ledger()).receipt?.lines).toMatchObject([{ id: 'dns', verdict: 'none', driftLeft: 'changed' }]);
  });

  it('may stand at the top of the plan, for every line that says no other', async () => {
    await open(lines.dns, `${lines.alias}\n    drift: put-back`);
    await shop.apply();
    for (const record of shop.records()) Object.assign(record, { ttl: 300, content: 'elsewhere.example' });
    await shop.write(planOf(lines.dns, `${lines.alias}\n    drift: put-back`).replace('changes:', 'drift: report\nchanges:'));
    expect(ends(await shop.apply())).toEqual(['dns none settled', 'alias update settled']);
  });

  it('is written back once the line says it no more', async () => {
    await open(dns);
    await shop.apply();
    editDns({ content: 'elsewhere.example' });
    await shop.apply();
    await shop.write(planOf(lines.dns));
    expect(ends(await shop.apply())).toEqual(['dns update settled']);
    expect(shop.records()[0]).toMatchObject({ content: 'cname.vercel-dns.com' });
  });

  it('writes a field that the plan changed, alone where the provider takes it alone', async () => {
    await open(`${dns}\n    ttl: 300`);
    await shop.apply();
    editDns({ content: 'elsewhere.example' });
    await shop.write(planOf(`${dns}\n    ttl: 600`));
    expect(told(await shop.plan())).toEqual(['dns update changed left (content) ttl']);
    const { doc, writes } = await writesOf(() => shop.apply());
    expect([doc.status, told(doc), writes]).toEqual(['complete', ['dns update changed left (content) ttl'], ['PATCH']]);
    expect(shop.records()[0]).toMatchObject({ content: 'elsewhere.example', ttl: 600 });
    expect(told(await shop.apply())).toEqual(['dns none changed left (content)']);
  });

  it('sends back as it stands what others changed, where a write holds the whole object', async () => {
    const line = reporting(lines.payments);
    await open(line);
    await shop.apply();
    Object.assign(shop.endpoints()[0] ?? {}, { url: 'https://by-hand.example' });
    await shop.write(planOf(line.replace('[invoice.paid]', '[invoice.paid, invoice.voided]')));
    expect(ends(await shop.apply())).toEqual(['payments update settled']);
    expect(shop.endpoints()[0]).toMatchObject({ url: 'https://by-hand.example', enabled_events: ['invoice.paid', 'invoice.voided'] });
  });

  it('writes a field that both changed, because the plan did', async () => {
    await open(dns);
    await shop.apply();
    editDns({ content: 'elsewhere.example' });
    await shop.write(planOf(dns.replace('cname.vercel-dns.com', 'other.example')));
    expect(told(await shop.apply())).toEqual(['dns update none content']);
    expect(shop.records()[0]).toMatchObject({ content: 'other.example' });
  });

  it('is drift no more once the plan says what others made', async () => {
    await open(dns);
    await shop.apply();
    editDns({ content: 'other.example' });
    await shop.apply();
    await shop.write(planOf(dns.replace('cname.vercel-dns.com', 'other.example')));
    expect(told(await shop.apply())).toEqual(['dns none none']);
  });

  it('makes an object anew as planned on --recreate, which is an explicit wish', async () => {
    await open(dns);
    await shop.apply();
    editDns({ content: 'elsewhere.example' });
    expect(told(await shop.apply({ recreate: ['dns'] }))).toEqual(['dns replace changed content ttl proxied']);
    expect(shop.records()).toMatchObject([{ content: 'cname.vercel-dns.com' }]);
  });

  it('destroys as ever what others changed', async () => {
    await open(dns);
    await shop.apply();
    editDns({ content: 'elsewhere.example' });
    await shop.apply();
    expect(ends(await shop.destroy())).toEqual(['dns delete settled']);
    expect(shop.records()).toEqual([]);
  });
});

describe('drift: report, of an object that is missing', () => {
  it('tells that it is missing and does not make it again; the lines after it use what the ledger stores', async () => {
    await open(dns, lines.alias);
    await shop.apply();
    removeDns();
    expect(told(await shop.plan())).toEqual(['dns none missing left', 'alias none none']);
    const { doc, writes } = await writesOf(() => shop.apply());
    expect([doc.status, told(doc), writes]).toEqual(['complete', ['dns none missing left', 'alias none none'], []]);
    expect((await shop.ledger()).receipt?.lines[0]).toMatchObject({ id: 'dns', driftLeft: 'missing' });
    await shop.write(planOf(dns, `${lines.alias}\n    ttl: 300`));
    expect(ends(await shop.apply())).toEqual(['dns none settled', 'alias update settled']);
    expect(shop.records()).toMatchObject([{ name: `www.pr-12.${seed.zone.name}`, ttl: 300 }]);
  });

  it('makes it again once the line says it no more, and with --recreate', async () => {
    await open(dns);
    await shop.apply();
    removeDns();
    await shop.apply();
    expect(ends(await shop.apply({ recreate: ['dns'] }))).toEqual(['dns create settled']);
    removeDns();
    await shop.write(planOf(lines.dns));
    expect(ends(await shop.apply())).toEqual(['dns create settled']);
  });

  it('has another line say which output it lacks, where the ledger does not store it', async () => {
    await open(reporting(lines.payments), lines.hook);
    await shop.apply();
    shop.world.stripe.world.removeEndpoint(shop.endpoints()[0]?.id ?? '');
    expect(ends(await shop.apply())).toEqual(['payments none settled', 'hook none settled']);
    await shop.write(planOf(reporting(lines.payments), `${lines.hook}\n    events: [pull_request]`));
    const doc = await shop.apply();
    expect(ends(doc)).toEqual(['payments none settled', 'hook refused refused OUTPUT_UNAVAILABLE']);
    expect(doc.lines[1]?.error?.detail).toContain('payments.secret');
    expect(doc.lines[1]?.error?.detail).toContain('deleted outside');
  });

  it('takes nobody else’s object in its place for it', async () => {
    await open(dns, lines.alias);
    await shop.apply();
    const [old] = shop.records();
    removeDns();
    shop.world.cloudflare.world.addRecord(seed.zone.id, { type: 'CNAME', name: old?.name ?? '', content: 'theirs.example' });
    const { doc, writes } = await writesOf(() => shop.apply());
    expect([doc.status, told(doc), writes]).toEqual(['complete', ['dns none missing left', 'alias none none'], []]);
    expect([...ends(await shop.destroy())].sort()).toEqual(['alias delete settled', 'dns delete settled']);
    expect(shop.records()).toMatchObject([{ content: 'theirs.example' }]);
  });

  it('goes on with what this scope took away itself: a replacement that was cut is made', async () => {
    await open(dns);
    await shop.apply();
    shop.crash.at('after', 'DELETE', /dns_records/);
    await shop.apply({ recreate: ['dns'] }).catch(() => null);
    shop.crash.over();
    expect((await shop.apply()).status).toBe('complete');
    expect(shop.records()).toHaveLength(1);
  });
});

describe('drift: report, and a run that was cut', () => {
  it('makes again what a destroy took away that was cut before it was recorded', async () => {
    await open(dns, reporting(lines.callback));
    await shop.apply();
    shop.crash.at('after', 'DELETE', /dns_records/);
    await shop.destroy().catch(() => null);
    shop.crash.over();
    const doc = await shop.apply();
    expect([doc.status, shop.records().length, shop.callbacks()]).toEqual([
      'complete',
      1,
      expect.arrayContaining(['https://pr-12.acme.example/callback']),
    ]);
    removeDns();
    expect(told(await shop.apply())[0]).toBe('dns none missing left');
  });

  it('knows its own write of a field that the plan has otherwise again', async () => {
    await open(dns);
    await shop.apply();
    await shop.write(planOf(dns.replace('cname.vercel-dns.com', 'other.example')));
    shop.crash.at('after', 'PATCH', /dns_records/);
    await shop.apply().catch(() => null);
    shop.crash.over();
    expect(shop.records()[0]).toMatchObject({ content: 'other.example' });
    await shop.write(planOf(dns));
    expect(ends(await shop.apply())).toEqual(['dns update settled']);
    expect(shop.records()[0]).toMatchObject({ content: 'cname.vercel-dns.com' });
  });

  it('tells what is left also where another run goes on', async () => {
    await open(dns, lines.payments);
    await shop.apply();
    editDns({ content: 'elsewhere.example' });
    await shop.write(planOf(dns, lines.payments.replace('[invoice.paid]', '[invoice.voided]')));
    shop.crash.at('after', 'POST', /webhook_endpoints/);
    await shop.apply().catch(() => null);
    shop.crash.over();
    expect(told(await shop.apply())[0]).toBe('dns none changed left (content)');
    expect(shop.records()[0]).toMatchObject({ content: 'elsewhere.example' });
  });
});

describe('drift: report, of an entry of a list', () => {
  const callback = reporting(lines.callback);

  it('tells that somebody took it out, and does not put it back', async () => {
    await open(callback, lines.logout);
    await shop.apply();
    const before = shop.callbacks();
    Object.assign(shop.world.auth0.world.client(seed.auth0Client), { callbacks: ['https://theirs.example'] });
    const { doc, writes } = await writesOf(() => shop.apply());
    expect([doc.status, told(doc), writes]).toEqual(['complete', ['callback none missing left', 'logout none none'], []]);
    await shop.write(planOf(lines.callback, lines.logout));
    expect(ends(await shop.apply())).toEqual(['callback create settled', 'logout none settled']);
    expect(shop.callbacks()).toHaveLength(2);
    expect(before).not.toEqual(shop.callbacks());
  });

  it('is not written with the other entries of its list', async () => {
    await open(callback, lines.logout);
    await shop.apply();
    Object.assign(shop.world.auth0.world.client(seed.auth0Client), { callbacks: [] });
    await shop.write(planOf(callback, lines.logout, lines.callback.replace('id: callback', 'id: second').replace('/callback', '/second')));
    expect(told(await shop.apply())).toEqual(['callback none missing left', 'logout none none', 'second create none item']);
    expect(shop.callbacks()).toEqual(['https://pr-12.acme.example/second']);
  });
});

describe('drift: report, of what has no state that others change', () => {
  const kept = openRecord({ more: ['drift: report'] }).replace('cname.vercel-dns.com', '{ keep: true }');
  const theirs = { type: 'CNAME' as const, name: `pr-12.${seed.zone.name}`, content: 'theirs.example' };

  it('adopts as ever, and tells that an adopted object is gone', async () => {
    shop = await openShop(kept);
    shop.world.cloudflare.world.addRecord(seed.zone.id, theirs);
    expect(ends(await shop.apply())).toEqual(['thing adopt settled']);
    editDns({ content: 'elsewhere.example' });
    expect(told(await shop.apply())).toEqual(['thing none none']);
    removeDns();
    const doc = await shop.apply();
    expect([doc.status, told(doc)]).toEqual(['complete', ['thing none missing left']]);
  });

  it('refuses to adopt what never was there', async () => {
    shop = await openShop(kept);
    expect(ends(await shop.apply())).toEqual(['thing refused refused PROVIDER_NOT_FOUND']);
  });

  it('sends an action when its trigger changes, and not for what became of it', async () => {
    await open(reporting(action('1')));
    expect(ends(await shop.apply())).toEqual(['told send settled']);
    expect(ends(await shop.apply())).toEqual(['told none settled']);
    await shop.write(planOf(reporting(action('2'))));
    expect(ends(await shop.apply())).toEqual(['told send settled']);
  });

  it('waits for a deployment as ever, and not for what is left so', async () => {
    await open(variable, deploy);
    const at = { branch: 'feature', sha: '1'.repeat(40) };
    shop.world.vercel.world.settle(shop.world.vercel.world.push(at.branch, at.sha), 'READY');
    expect((await shop.apply(at)).status).toBe('complete');
    Object.assign(shop.world.vercel.world.env('GREETING', { gitBranch: 'feature' }) ?? {}, { comment: 'by hand' });
    expect(told(await shop.plan(at))).toEqual(['variable none changed left (comment)', 'deploy none none']);
    expect(told(await shop.apply(at))).toEqual(['variable none changed left (comment)', 'deploy none none']);
  });
});

describe('drift: report and --put-back', () => {
  it('writes back what others changed and makes again what they took away, for this run', async () => {
    await open(dns, reporting(lines.callback));
    await shop.apply();
    editDns({ content: 'elsewhere.example' });
    Object.assign(shop.world.auth0.world.client(seed.auth0Client), { callbacks: [] });
    const left = await shop.apply();
    expect(left.putBack).toBe('pilotfish apply --put-back --scope pr-12');
    expect((await shop.ledger()).receipt?.putBack).toBe(left.putBack);
    expect((await shop.plan()).putBack).toBe(left.putBack);
    expect(told(await shop.plan({ putBack: true }))).toEqual(['dns update changed content', 'callback create missing item']);
    const doc = await shop.apply({ putBack: true });
    expect([doc.status, doc.putBack, ends(doc)]).toEqual(['complete', undefined, ['dns update settled', 'callback create settled']]);
    expect(shop.records()[0]).toMatchObject({ content: 'cname.vercel-dns.com' });
    editDns({ content: 'elsewhere.example' });
    expect(told(await shop.apply())).toEqual(['dns none changed left (content)', 'callback none none']);
  });

  it('with --only is about the lines that it names, and not about those that they need', async () => {
    await open(dns, reporting(lines.alias));
    await shop.apply();
    for (const record of shop.records()) Object.assign(record, { content: 'elsewhere.example' });
    expect(told(await shop.apply({ putBack: true, only: ['alias'] }))).toEqual([
      'dns none changed left (content)',
      'alias update changed content',
    ]);
    expect(shop.records().map(({ content }) => content)).toEqual(['elsewhere.example', `pr-12.${seed.zone.name}`]);
  });

  it('is what an error names that lacks the output of a missing object', async () => {
    await open(reporting(lines.payments), lines.hook);
    await shop.apply();
    shop.world.stripe.world.removeEndpoint(shop.endpoints()[0]?.id ?? '');
    await shop.write(planOf(reporting(lines.payments), `${lines.hook}\n    events: [pull_request]`));
    expect((await shop.apply()).error?.fix).toContain('pilotfish apply --put-back --only payments --scope pr-12');
    expect((await shop.apply({ putBack: true })).status).toBe('complete');
  });

  it('has a digest of its own, and goes on with no run that was cut without it', async () => {
    await open(dns);
    await shop.apply();
    editDns({ content: 'elsewhere.example' });
    const [left, back] = [(await shop.plan()).digest, (await shop.plan({ putBack: true })).digest];
    expect(left).not.toBe(back);
    await expect(shop.apply({ putBack: true, expect: left })).rejects.toThrow('DIGEST_MISMATCH');
    await expect(shop.apply({ expect: back })).rejects.toThrow('DIGEST_MISMATCH');
    expect(ends(await shop.apply({ putBack: true, expect: back }))).toEqual(['dns update settled']);
  });
});

describe('drift: report and --expect', () => {
  it('is part of what was approved: another word for it, another digest', async () => {
    await open(lines.dns);
    await shop.apply();
    const before = (await shop.plan()).digest;
    await shop.write(planOf(dns));
    expect((await shop.plan()).digest).not.toBe(before);
    await expect(shop.apply({ expect: before })).rejects.toThrow('DIGEST_MISMATCH');
  });

  it('applies what was seen, told drift and missing objects too', async () => {
    await open(dns, lines.alias, reporting(lines.payments), lines.hook);
    await shop.apply();
    removeDns();
    Object.assign(shop.endpoints()[0] ?? {}, { url: 'https://by-hand.example' });
    await shop.write(
      planOf(dns, `${lines.alias}\n    ttl: 300`, reporting(lines.payments).replace('[invoice.paid]', '[invoice.voided]'), lines.hook),
    );
    const { digest } = await shop.plan();
    const doc = await shop.apply({ expect: digest });
    expect([doc.status, told(doc)]).toEqual([
      'complete',
      ['dns none missing left', 'alias update none ttl', 'payments update changed left (url) enabled_events', 'hook none none'],
    ]);
    expect(shop.endpoints()[0]).toMatchObject({ url: 'https://by-hand.example', enabled_events: ['invoice.voided'] });
  });
});
