import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { seed } from 'pilotfish-sandbox/all';
import { afterEach, describe, expect, it } from 'vitest';
import { ends, lines, planOf } from './shop.ts';
import { minute, openTown, second, type Town, terms } from './town.ts';

let town: Town;
const open = async (...changes: readonly string[]): Promise<Town> => {
  town = await openTown(planOf(...changes));
  return town;
};
afterEach(async () => {
  town.verify();
  await town.close();
});
const persons = 'https://shop.acme.example/callback';
const urlOf = (scope: string): string => `https://${scope}.acme.example/callback`;
const list = (): readonly string[] => [...(town.callbacks() as string[])].sort();
const patch = { method: 'PATCH', path: /\/clients\// } as const;
const lockOn =
  (client: string): ((lock: { readonly name: string }) => boolean) =>
  ({ name }) =>
    name.includes(client);

describe('rule 7: late writes', () => {
  it('a lock is given back with the time in which a write under it may still land, so a late one undoes nothing', async () => {
    const { computer, pass, locks } = await open(lines.callback);
    const one = computer();
    // Its first write breaks and lands twenty seconds later; the repeat is answered at once.
    one.machine.slow(patch, 20 * second, { cut: true });
    expect((await one.apply({ scope: 'pr-1' })).status).toBe('complete');
    expect(locks()[0]?.released.quietForMs).toBeGreaterThan(20 * second);
    expect((await computer().apply({ scope: 'pr-2' })).status).toBe('complete');
    await pass(minute);
    expect(list()).toEqual([urlOf('pr-1'), urlOf('pr-2'), persons].sort());
  });

  it('also where it takes the old entry of a line away that has another key now', async () => {
    const site = '\n  - { id: site, adapter: vercel, op: deploy, project: shop }';
    const { computer, pass, locks, world } = await open(site, lines.callback.replace(/url: .*/, 'url: { from: site.url }'));
    const deployed = (sha: string): void => world.vercel.world.settle(world.vercel.world.push('feature', sha.repeat(40)), 'READY');
    deployed('1');
    expect(await computer().apply({ scope: 'pr-1' })).toMatchObject({ status: 'complete' });
    const [old] = list().filter((url) => url !== persons);
    deployed('2');
    const one = computer();
    // The new entry comes first. The write that takes the old one away breaks, lands twenty seconds later, and its repeat is answered at once.
    let writes = 0;
    one.machine.slow(patch, 0);
    one.machine.slow(patch, 20 * second, { cut: true });
    world.auth0.watch(({ phase, method }) => {
      if (phase === 'after' && method === 'PATCH') writes += 1;
    });
    expect(await one.apply({ scope: 'pr-1', sha: '2'.repeat(40) })).toMatchObject({ status: 'complete' });
    expect([writes, list().includes(old ?? '')]).toEqual([2, false]);
    expect(locks()[0]?.released.quietForMs).toBeGreaterThan(20 * second);
    await pass(minute);
  });

  it('and not with the time of a write to something else, which is under way meanwhile', async () => {
    const { computer, locks } = await open(lines.callback, lines.dns);
    const one = computer();
    one.machine.slow({ method: 'POST', path: /dns_records/ }, 20 * second);
    expect((await one.apply({ scope: 'pr-1' })).status).toBe('complete');
    expect(locks()[0]?.released).toEqual({ quietForMs: 0 });
  });

  it('also between two batches of one run', async () => {
    const second_ = `${lines.callback.replace('id: callback', 'id: later').replace('/callback', '/later')}\n    depends_on: [callback]`;
    const { computer, pass } = await open(lines.callback, second_);
    const one = computer();
    one.machine.slow(patch, 20 * second, { cut: true });
    expect((await one.apply()).status).toBe('complete');
    await pass(minute);
    expect(list()).toEqual([urlOf('pr-12'), urlOf('pr-12').replace('/callback', '/later'), persons].sort());
  });

  it.each([20, 140])('a write that lands %i s after its run was killed under the lock undoes nothing', async (seconds) => {
    const { computer, pass, abandon } = await open(lines.callback);
    const dead = computer();
    dead.machine.slow(patch, seconds * second);
    dead.machine.at('sent', 'PATCH', patch.path, () => dead.machine.kill());
    abandon(dead.apply({ scope: 'pr-1' }));
    await dead.machine.stopped;
    expect((await computer().apply({ scope: 'pr-2' })).status).toBe('complete');
    await pass(5 * minute);
    expect(list()).toContain(urlOf('pr-2'));
    expect((await computer().apply({ scope: 'pr-1' })).status).toBe('complete');
    expect(list()).toEqual([urlOf('pr-1'), urlOf('pr-2'), persons].sort());
  });

  it('a write that the provider puts off until the lock has run out is not sent, and undoes nothing', async () => {
    const { computer, world, pass } = await open(lines.callback);
    world.auth0.faults.times(3, 'PATCH /api/v2/clients/{id}', 429, {}, { 'retry-after': '55' });
    const first = computer();
    const slow = first.apply({ scope: 'pr-1' });
    await pass(second);
    const docs = await Promise.all([slow, computer().apply({ scope: 'pr-2' })]);
    expect(docs[1]?.status).toBe('complete');
    expect(list()).toContain(urlOf('pr-2'));
    await computer().apply({ scope: 'pr-1' });
    expect(list()).toEqual([urlOf('pr-1'), urlOf('pr-2'), persons].sort());
  });

  it('a holder of the lock that was suspended for an hour sends nothing under it when it wakes up', async () => {
    const { computer, pass, remote } = await open(lines.callback);
    const sleeper = computer();
    remote.after = (name) => {
      if (name.includes('locks')) sleeper.machine.freeze({ monoStops: true });
    };
    const run = sleeper.apply({ scope: 'pr-1' });
    await sleeper.machine.stopped;
    remote.after = () => undefined;
    await pass(60 * minute);
    sleeper.machine.thaw();
    expect((await run).ok).toBe(false);
    expect(sleeper.machine.sent.filter(({ method }) => method === 'PATCH')).toEqual([]);
    expect(list()).toEqual([persons]);
  });

  it('what was written is read again before it is believed, and an entry that somebody dropped is written again', async () => {
    const { computer, world } = await open(lines.callback);
    const one = computer();
    one.machine.at(
      'after',
      'PATCH',
      patch.path,
      () => void Object.assign(world.auth0.world.client(seed.auth0Client), { callbacks: [persons] }),
    );
    expect((await one.apply()).status).toBe('complete');
    expect(list()).toEqual([urlOf('pr-12'), persons].sort());
    expect(one.machine.sent.filter(({ method }) => method === 'PATCH')).toHaveLength(2);
  });
});

describe('rule 11: locks', () => {
  it('two pull requests that touch one application at once both end up in its list, beside what a person keeps there', async () => {
    const { computer, locks, commits } = await open(lines.callback, lines.logout);
    const docs = await Promise.all(['pr-1', 'pr-2', 'pr-3'].map((scope) => computer().apply({ scope })));
    expect(docs.map(({ status }) => status)).toEqual(['complete', 'complete', 'complete']);
    expect(list()).toEqual([urlOf('pr-1'), urlOf('pr-2'), urlOf('pr-3'), persons].sort());
    // One ref for the application, whatever list of it was written.
    expect(locks()).toHaveLength(1);
    expect(locks()[0]?.released).toEqual({ quietForMs: 0 });
    expect(commits()).toEqual([]);
  });

  it('are not taken when there is nothing to write', async () => {
    const { computer, remote } = await open(lines.callback);
    await computer().apply();
    const before = remote.commits.filter(({ branch }) => branch.includes('locks')).length;
    expect(before).toBe(2);
    await computer().apply();
    await computer().plan();
    expect(remote.commits.filter(({ branch }) => branch.includes('locks'))).toHaveLength(before);
  });

  it('are held by no line that waits for another one, so two runs in opposite order do not wait for each other', async () => {
    const other = 'otherWebAbCdEfGhIjKlMnOpQrStUvWx';
    const on = (client: string, id: string, after: string): string =>
      `${lines.callback.replace('id: callback', `id: ${id}`).replace(seed.auth0Client, client)}${after && `\n    depends_on: [${after}]`}`;
    const { computer, world, folder, clock, locks } = await open(on(seed.auth0Client, 'one', ''), on(other, 'two', 'one'));
    const crossed = path.join(folder, 'crossed.plan.yaml');
    await writeFile(crossed, planOf(on(other, 'two', ''), on(seed.auth0Client, 'one', 'two')));
    world.auth0.world.addClient(other, { callbacks: [] });
    world.auth0.faults.slow({ path: /clients/ }, second);
    const began = clock.mono();
    const docs = await Promise.all([computer().apply({ scope: 'pr-1' }), computer().apply({ scope: 'pr-2', plan: crossed })]);
    expect(docs.map(({ status }) => status)).toEqual(['complete', 'complete']);
    expect(clock.mono() - began).toBeLessThan(terms.lease);
    expect(locks().filter(lockOn(seed.auth0Client)).length + locks().filter(lockOn(other)).length).toBe(2);
  });

  it('are taken only when what the line waits for has settled', async () => {
    const { computer, remote, world, records } = await open(lines.dns, `${lines.callback}\n    depends_on: [dns]`);
    world.cloudflare.faults.slow({ method: 'POST' }, 20 * second);
    const standing: number[] = [];
    remote.before = (name) => {
      if (name.includes('locks')) standing.push(records().length);
    };
    expect((await computer().apply()).status).toBe('complete');
    expect(standing).toEqual([1, 1]);
  });

  it('of a dead run are waited out for the duration that they name, and its deadline after that', async () => {
    const { computer, abandon, clock } = await open(lines.callback);
    const dead = computer();
    dead.machine.at('before', 'PATCH', patch.path, () => dead.machine.kill());
    abandon(dead.apply({ scope: 'pr-1' }));
    await dead.machine.stopped;
    const began = clock.mono();
    const next = computer();
    expect(ends(await next.apply({ scope: 'pr-2' }))).toEqual(['callback create settled']);
    const wrote = next.machine.sent.find(({ method }) => method === 'PATCH')?.at ?? 0;
    expect(wrote - began).toBeGreaterThanOrEqual(terms.lease + terms.deadline);
    expect(list()).toEqual([urlOf('pr-2'), persons].sort());
  });

  it.each(['before', 'sent'] as const)(
    'of a dead run whose lease was waited out are not waited for once more (its write: %s)',
    async (phase) => {
      const { computer, abandon, clock } = await open(lines.callback, lines.logout);
      const dead = computer();
      dead.machine.slow(patch, 25 * second);
      dead.machine.at(phase, 'PATCH', patch.path, () => dead.machine.kill());
      abandon(dead.apply());
      await dead.machine.stopped;
      const began = clock.mono();
      const next = computer();
      // What its write has brought is there, and a new entry needs the lock all the same.
      await town.write(
        planOf(lines.callback, lines.logout, lines.callback.replace('id: callback', 'id: other').replace('/callback', '/other')),
      );
      expect((await next.apply()).status).toBe('complete');
      const wrote = next.machine.sent.find(({ method }) => method === 'PATCH')?.at ?? 0;
      expect(wrote - began).toBeGreaterThanOrEqual(terms.lease + terms.deadline);
      expect(wrote - began).toBeLessThan(terms.lease + terms.deadline + 5 * second);
      expect(list()).toEqual([urlOf('pr-12'), urlOf('pr-12').replace('/callback', '/other'), persons].sort());
      expect(town.locks().map(({ released }) => released)).toEqual([{ quietForMs: 0 }]);
    },
  );

  it('of a run that slept through its lease do not let it write when it wakes up, though its lock was taken early', async () => {
    const { computer, clock, pass, remote } = await open(lines.callback);
    const sleeper = computer();
    remote.after = (name) => {
      if (name.includes('locks')) sleeper.machine.freeze({ monoStops: true });
    };
    const run = sleeper.apply();
    await sleeper.machine.stopped;
    remote.after = () => undefined;
    const began = clock.mono();
    expect((await computer().apply()).status).toBe('complete');
    expect(clock.mono() - began).toBeLessThan(terms.lease + terms.deadline + 5 * second);
    sleeper.machine.thaw();
    expect((await run).error?.code).toBe('LEASE_LOST');
    await pass(minute);
    expect(sleeper.machine.sent.filter(({ method }) => method === 'PATCH')).toEqual([]);
    expect(list()).toEqual([urlOf('pr-12'), persons].sort());
  });

  it('of other applications are not waited for', async () => {
    const other = 'otherWebAbCdEfGhIjKlMnOpQrStUvWx';
    const { computer, abandon, world, write, clock } = await open(lines.callback);
    world.auth0.world.addClient(other, { callbacks: [] });
    const dead = computer();
    dead.machine.at('before', 'PATCH', patch.path, () => dead.machine.kill());
    abandon(dead.apply({ scope: 'pr-1' }));
    await dead.machine.stopped;
    await write(planOf(lines.callback.replace(seed.auth0Client, other)));
    const began = clock.mono();
    expect((await computer().apply({ scope: 'pr-2' })).status).toBe('complete');
    expect(clock.mono() - began).toBeLessThan(second);
  });
});
