import { seed } from 'pilotfish-sandbox/all';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApplyDoc, PlanDoc, RunEvent } from '../../src/engine/document.ts';
import { Forger, factsIn, put } from '../attacks/forger.ts';
import { branch, lines, openShop, planOf, type Shop } from './shop.ts';

let shop: Shop;
const open = async (...changes: readonly string[]): Promise<Shop> => {
  shop = await openShop(planOf(...changes));
  return shop;
};
afterEach(async () => {
  shop.verify();
  await shop.close();
});

const moved = lines.dns.replace('name: ${ctx.scope}', 'name: new-${ctx.scope}');
const kept = lines.payments.concat('\n    destroy: keep');
const adopted = lines.dns.replace(
  'target: cname.vercel-dns.com',
  'target: { keep: true }\n    ttl: { keep: true }\n    proxied: { keep: true }',
);
/** The end of each orphan. */
const orphans = ({ orphans: all }: PlanDoc | ApplyDoc): readonly string[] => all.map(({ line, becomes }) => `${line} ${becomes}`).sort();
const names = (): readonly string[] =>
  shop
    .records()
    .map(({ name }) => String(name).replace(`.${seed.zone.name}`, ''))
    .sort();
/** `METHOD last-part-of-the-path` of each write to the zone. */
const zoneWrites = (seen: ReturnType<Shop['watch']>): readonly string[] =>
  seen.writes().flatMap(({ method, path }) => (path.includes('/dns_records') ? [method] : []));

describe('a line that has left the plan', () => {
  it('is shown by a plan and removed by the apply of that plan; the next apply writes only its receipt', async () => {
    const { apply, plan, write, endpoints, ledger, remote } = await open(lines.dns, lines.payments);
    await apply();
    await write(planOf(lines.dns));
    const told = await plan({ prune: true });
    expect([orphans(told), told.ok, told.summary]).toEqual([['payments removed'], true, { none: 1, delete: 1 }]);
    const doc = await apply({ prune: true, expect: told.digest });
    expect([orphans(doc), doc.status, doc.digest]).toEqual([['payments removed'], 'complete', told.digest]);
    expect(endpoints()).toEqual([]);
    const { records, receipt } = await ledger();
    expect([...records.values()].map(({ line }) => line)).toEqual(['dns']);
    expect(receipt?.lines.map(({ id, verdict, state }) => `${id} ${verdict} ${state}`)).toEqual([
      'dns none settled',
      'payments delete settled',
    ]);
    const before = remote.commits.length;
    expect((await apply({ prune: true })).status).toBe('complete');
    const pushed = remote.commits.slice(before);
    expect(pushed.map(({ change }) => [...change.keys()].sort())).toEqual([['history.jsonl', 'receipt.json']]);
  });

  it('stays without the flag, and the report names the flag', async () => {
    const { apply, plan, write, endpoints } = await open(lines.dns, lines.payments);
    await apply();
    await write(planOf(lines.dns));
    const docs = [await plan(), await apply()];
    expect(docs.map(orphans)).toEqual([['payments undefined'], ['payments undefined']]);
    expect(docs.map((doc) => doc.orphans[0]?.why)).toEqual(Array(2).fill('no line of the plan has it any more; `--prune` removes it'));
    expect(endpoints()).toHaveLength(1);
  });

  it('goes after the object that took its place, and after the lines that used it took the new values', async () => {
    const { apply, write, watch } = await open(lines.dns, lines.alias);
    await apply();
    await write(planOf(moved, lines.alias));
    const seen = watch();
    const doc = await apply({ prune: true });
    expect([doc.status, orphans(doc)]).toEqual(['complete', ['dns removed']]);
    expect(zoneWrites(seen).at(-1)).toBe('DELETE');
    expect(zoneWrites(seen)).toHaveLength(3);
    expect(names()).toEqual(['new-pr-12', 'www.pr-12']);
    expect(shop.records().find(({ name }) => String(name).startsWith('www'))?.content).toBe(`new-pr-12.${seed.zone.name}`);
  });

  it('goes in the order of the ledger: what came after it goes first', async () => {
    const { apply, write } = await open(lines.payments, lines.hook, lines.callback);
    await apply();
    await write(planOf(lines.callback));
    const events: RunEvent[] = [];
    const doc = await apply({ prune: true }, events);
    expect(orphans(doc)).toEqual(['hook removed', 'payments removed']);
    const steps = events.flatMap((event) => (event.type === 'line' ? [`${event.line} ${event.to}`] : []));
    expect(steps.indexOf('payments observing')).toBeGreaterThan(steps.indexOf('hook recordingRemoval'));
    // Its actor tells every step, as that of any other line.
    expect(events.flatMap((event) => (event.type === 'line' && event.line === 'hook' ? [event.to] : []))).toEqual([
      'observing',
      'judged',
      'removing',
      'recordingRemoval',
      'settled',
    ]);
  });

  it('takes only its own entry out of a shared list', async () => {
    const { apply, write, callbacks } = await open(lines.callback, lines.dns);
    await apply();
    await write(planOf(lines.dns));
    expect(orphans(await apply({ prune: true }))).toEqual(['callback removed']);
    expect(callbacks()).toEqual(['https://shop.acme.example/callback']);
  });

  it('is no orphan where the object only has another id', async () => {
    const { apply, write, endpoints } = await open(lines.payments);
    await apply();
    await write(planOf(lines.payments.replace('id: payments', 'id: billing')));
    const doc = await apply({ prune: true });
    expect([doc.orphans, doc.status, endpoints().length]).toEqual([[], 'complete', 1]);
  });
});

it('an unfinished create of a line that has left the plan goes with the orphans', async () => {
  const { apply, write, crash, endpoints, ledger } = await open(lines.payments);
  crash.at('after', 'POST', /webhook_endpoints$/);
  await apply();
  crash.over();
  await write(planOf(lines.dns));
  const doc = await apply({ prune: true });
  expect([doc.status, orphans(doc), endpoints()]).toEqual(['complete', ['payments removed'], []]);
  expect([(await ledger()).intents.size, doc.warnings.join().includes('no longer in the plan')]).toEqual([0, false]);
});

it('two runs that prune at once agree, and send one delete for each orphan', async () => {
  const { apply, write, endpoints, hooks, ledger, watch } = await open(lines.payments, lines.hook, lines.dns);
  await apply();
  await write(planOf(moved));
  const seen = watch();
  const docs = await Promise.all([apply({ prune: true }), apply({ prune: true }), apply()]);
  expect(docs.map(({ status }) => status)).toEqual(Array(3).fill('complete'));
  expect(seen.writes().filter(({ method }) => method === 'DELETE')).toHaveLength(3);
  expect([endpoints(), hooks(), names()]).toEqual([[], [], ['new-pr-12']]);
  const { records, intents } = await ledger();
  expect([[...records.values()].map(({ line }) => line), intents.size]).toEqual([['dns'], 0]);
});

describe('an orphan whose object stays', () => {
  it('is forgotten and named, and the scope claims the object when its line comes back', async () => {
    const { apply, write, endpoints, ledger } = await open(kept, lines.dns);
    await apply();
    await write(planOf(lines.dns));
    const doc = await apply({ prune: true });
    expect([orphans(doc), doc.orphans[0]?.why]).toEqual([
      ['payments forgotten'],
      'no line of the plan has it any more; destroy: keep, so it stays',
    ]);
    const { records, left } = await ledger();
    expect([records.size, left.size, endpoints().length]).toEqual([1, 1, 1]);
    await write(planOf(kept, lines.dns));
    expect((await apply({ prune: true })).lines.map(({ verdict }) => verdict)).toEqual(['claim', 'none']);
    expect(endpoints()).toHaveLength(1);
  });

  it('is forgotten without a note where it was adopted', async () => {
    const { apply, write, world, ledger } = await open(adopted, lines.callback);
    world.cloudflare.world.addRecord(seed.zone.id, { type: 'CNAME', name: `pr-12.${seed.zone.name}`, content: 'theirs.example' });
    await apply();
    await write(planOf(lines.callback));
    expect(orphans(await apply({ prune: true }))).toEqual(['dns forgotten']);
    expect(names()).toEqual(['pr-12']);
    expect([(await ledger()).records.size, (await ledger()).left.size]).toEqual([1, 0]);
  });
});

describe('nothing is pruned', () => {
  const said = 'Nothing was pruned, because';

  it('where a line failed, and the next run prunes', async () => {
    const { apply, write, world, endpoints } = await open(lines.payments);
    await apply();
    await write(planOf(moved));
    world.cloudflare.faults.times(1, `POST /client/v4/zones/${seed.zone.id}/dns_records`, 400, {
      success: false,
      errors: [{ code: 1004, message: 'DNS Validation Error' }],
      messages: [],
      result: null,
    });
    const failed = await apply({ prune: true });
    expect([failed.status, orphans(failed), endpoints().length]).toEqual(['failed', ['payments left'], 1]);
    expect(failed.warnings).toContain(`${said} a line of the plan failed. The next run with \`--prune\` takes the orphan.`);
    const next = await apply({ prune: true });
    expect([next.status, orphans(next), endpoints()]).toEqual(['complete', ['payments removed'], []]);
    expect(next.warnings).toEqual([]);
  });

  it('where the run was interrupted', async () => {
    const { apply, write, world, endpoints } = await open(lines.payments);
    await apply();
    await write(planOf(lines.dns));
    const stop = new AbortController();
    world.cloudflare.watch(({ phase, method }) => {
      if (phase === 'after' && method === 'POST') stop.abort(new Error('stop'));
    });
    const doc = await apply({ prune: true }, [], stop.signal);
    expect([doc.status, endpoints().length]).toEqual(['interrupted', 1]);
    expect(doc.warnings.join()).toContain(`${said} the run was interrupted.`);
  });

  it('that the digest does not name', async () => {
    const { apply, plan, write, endpoints, records } = await open(lines.payments, lines.dns, lines.callback);
    await apply();
    await write(planOf(lines.dns, lines.callback));
    const { digest } = await plan();
    await expect(apply({ prune: true, expect: digest })).rejects.toMatchObject({
      code: 'DIGEST_MISMATCH',
      fix: expect.stringContaining('--prune'),
    });
    const pruned = await plan({ prune: true });
    expect(pruned.digest).not.toBe(digest);
    await expect(apply({ expect: pruned.digest })).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
    await write(planOf(lines.callback));
    await expect(apply({ prune: true, expect: pruned.digest })).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
    expect([endpoints().length, records().length]).toEqual([1, 1]);
  });

  it('where the ledger had lost facts, which the run brings back', async () => {
    const { apply, write, remote, endpoints } = await open(lines.payments, lines.dns, lines.callback);
    await apply();
    await write(planOf(lines.dns));
    await new Forger(remote).push(branch, (files) => {
      const [path = ''] = factsIn(files, 'records').find(([, { line }]) => line === 'callback') ?? [];
      files.delete(path);
    });
    const doc = await apply({ prune: true });
    expect([doc.ok, endpoints().length]).toEqual([false, 1]);
    expect(doc.warnings.join()).toContain(`${said} the ledger had lost facts. The next run with \`--prune\` takes the 2 orphans.`);
    expect(orphans(await apply({ prune: true }))).toEqual(['callback removed', 'payments removed']);
  });

  it('where somebody wrote that a sealed object is an action, which is only forgotten', async () => {
    const { apply, write, remote, endpoints, ledger } = await open(lines.payments, lines.dns);
    await apply();
    await write(planOf(lines.dns));
    await new Forger(remote).push(branch, (files) => {
      const [, fact = {}] = factsIn(files, 'records').find(([, { line }]) => line === 'payments') ?? [];
      const provider = { ...(fact.provider as object), auth: null };
      put(files, 'records', { ...fact, provider, kind: 'action', reach: { kind: 'none' }, recordId: '', objectId: '' });
    });
    const doc = await apply({ prune: true });
    expect([doc.ok, orphans(doc).filter((end) => end !== 'payments left'), endpoints().length]).toEqual([false, [], 1]);
    expect((await ledger()).records.size).toBe(2);
    expect(orphans(await apply({ prune: true }))).toEqual(['payments removed']);
    expect(endpoints()).toEqual([]);
  });

  it('without the credential that made it, and the report names the variable', async () => {
    const { apply, write, endpoints } = await open(lines.payments, lines.dns);
    await apply();
    await write(planOf(lines.dns));
    const doc = await apply({ prune: true, env: { STRIPE_SECRET_KEY: '' } });
    expect([doc.ok, orphans(doc), endpoints().length]).toEqual([true, ['payments left'], 1]);
    expect(doc.orphans[0]?.why).toContain('STRIPE_SECRET_KEY is not set');
  });

  it('in production without an approval', async () => {
    const { apply, write } = await open();
    await write('version: 1\nchanges: []\n');
    await expect(apply({ prune: true, environment: 'production', scope: null })).rejects.toThrow(/nobody has approved/);
  });

  it('that became an orphan only within the run of a digest; the next run prunes it', async () => {
    const named = lines.alias.replace(/name: .*/, 'name: www.${dns.hostname}');
    const { apply, plan, write } = await open(lines.dns, named);
    await apply();
    await write(planOf(moved, named.replace('target: { from: dns.hostname }', 'target: elsewhere.example')));
    const told = await plan({ prune: true });
    expect(orphans(told)).toEqual(['dns removed']);
    const doc = await apply({ prune: true, expect: told.digest });
    expect([doc.status, orphans(doc)]).toEqual(['complete', ['alias left', 'dns removed']]);
    expect(doc.orphans.find(({ line }) => line === 'alias')?.why).toContain('the plan of `--expect` does not name it');
    expect(orphans(await apply({ prune: true }))).toEqual(['alias removed']);
    expect(names()).toEqual(['new-pr-12', 'www.new-pr-12']);
  });

  it('on the word of a record that no credential of this run sealed', async () => {
    const { apply, plan, write, remote, endpoints, world } = await open(lines.payments, lines.dns);
    await apply();
    const theirs = world.stripe.world.addEndpoint('https://theirs.example/hook').id;
    await write(planOf(lines.dns));
    await new Forger(remote).push(branch, (files) => {
      const [, fact] = factsIn(files, 'records').find(([, { line }]) => line === 'dns') ?? [];
      const [, shown] = factsIn(files, 'records').find(([, { line }]) => line === 'payments') ?? [];
      put(files, 'records', {
        ...shown,
        identity: `0${String(fact?.identity).slice(1)}`,
        line: 'forged',
        objectId: theirs,
        recordId: `DELETE /v1/webhook_endpoints/${theirs}`,
      });
    });
    const docs = [await plan({ prune: true }), await apply({ prune: true })];
    expect(docs.map(orphans)).toEqual(Array(2).fill(['forged left', 'payments removed']));
    expect(docs[1]?.orphans.find(({ line }) => line === 'forged')?.why).toContain('no credential of this run sealed it');
    expect(endpoints().map(({ id }) => id)).toEqual([theirs]);
  });
});

describe('a destroy of orphans alone', () => {
  it('removes what has left the plan, leaves the rest, and is no destroy of the scope', async () => {
    const { apply, plan, destroy, write, endpoints, ledger } = await open(lines.payments, lines.dns);
    await apply();
    await write(planOf(lines.dns));
    const told = await plan({ destroy: true, orphans: true });
    expect([told.lines.map(({ id, verdict }) => `${id} ${verdict}`), told.stays]).toEqual([['payments delete'], ['dns']]);
    const doc = await destroy({ orphans: true, expect: told.digest });
    expect([doc.status, doc.lines.map(({ id, state }) => `${id} ${state}`), doc.stays, doc.orphansOnly]).toEqual([
      'complete',
      ['payments settled'],
      ['dns'],
      true,
    ]);
    expect([endpoints(), names()]).toEqual([[], ['pr-12']]);
    expect((await ledger()).history.at(-1)?.outcome).toBe('partly destroyed: complete');
  });

  it('leaves an orphan that a recorded line still uses', async () => {
    const { apply, destroy, write } = await open(lines.dns, lines.alias);
    await apply();
    await write(planOf(moved, lines.alias));
    const doc = await destroy({ orphans: true });
    expect([doc.lines, doc.stays, names()]).toEqual([[], ['alias', 'dns'], ['pr-12', 'www.pr-12']]);
  });

  it('needs the plan', async () => {
    const { apply, destroy, endpoints, write } = await open(lines.payments);
    await apply();
    await write('version: 1\nchanges: nothing\n');
    await expect(destroy({ orphans: true })).rejects.toThrow();
    expect(endpoints()).toHaveLength(1);
  });
});

it('prune and orphans are refused beside what contradicts them', async () => {
  const { apply, plan } = await open(lines.dns);
  const refused = [
    apply({ prune: true, only: ['dns'] }),
    plan({ prune: true, destroy: true }),
    apply({ destroy: true, orphans: true, only: ['dns'] }),
    apply({ orphans: true }),
  ];
  for (const run of refused) await expect(run).rejects.toMatchObject({ code: 'USAGE' });
});
