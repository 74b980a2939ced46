import { afterEach, describe, expect, it } from 'vitest';
import { branch, ends, lines, planOf } from './shop.ts';
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
const hour = 60 * minute;
/** Somebody changes the record by hand, so that the next apply has something to put back. */
const meddle = (): void => void Object.assign(town.records()[0] ?? {}, { content: 'elsewhere.example' });

describe('rule 1: lease', () => {
  it('shorter than three request deadlines is refused before any request and any commit', async () => {
    const { computer, watch, remote } = await open(lines.dns);
    const seen = watch();
    const env = { PILOTFISH_LEASE_MS: '89999', PILOTFISH_REQUEST_DEADLINE_MS: '30000' };
    await expect(computer().apply({ env })).rejects.toMatchObject({ code: 'USAGE' });
    expect([seen.all(), remote.commits]).toEqual([[], []]);
    expect((await computer().apply({ env: { ...env, PILOTFISH_LEASE_MS: '90000' } })).status).toBe('complete');
  });

  it('is taken in the push of the first intents, and given back in the push of the receipt', async () => {
    const { computer, commits, remote, lease } = await open(lines.dns);
    await computer().apply();
    const [first = [], last = []] = commits();
    expect(commits()).toHaveLength(2);
    expect(first.some((path) => path.startsWith('intents/'))).toBe(true);
    expect(JSON.parse(remote.on(branch)[0]?.get('lease.json') ?? '')).toMatchObject({
      released: null,
      durationMs: terms.lease,
      deadlineMs: terms.deadline,
    });
    expect(last).toEqual(expect.arrayContaining(['lease.json', 'receipt.json']));
    expect((await lease())?.released).toEqual({ quietForMs: 0 });
  });

  it('is taken by a destroy while its lines are being started, and by no commit more', async () => {
    const { computer, commits, remote } = await open(lines.dns, lines.alias);
    await computer().apply();
    const known = commits().length;
    const begun: unknown[] = [];
    const told: string[] = [];
    const alive = remote.before;
    remote.before = (...given) => {
      begun.push(told.includes('line'));
      return alive(...given);
    };
    const doc = await computer().destroy({}, { listen: ({ type }) => void told.push(type) });
    remote.before = alive;
    expect(doc.status).toBe('complete');
    expect([begun[0], commits().length - known]).toEqual([false, 2]);
    await computer().destroy();
    expect(commits().length - known).toBe(3);
  });

  it('is taken alone before the first write that no intent announces, and not at all when there is nothing to write', async () => {
    const { computer, commits, lease, world } = await open(lines.dns);
    await computer().apply();
    const before = await lease();
    await computer().apply();
    expect(await lease()).toEqual(before);
    meddle();
    const known = commits().length;
    const held: unknown[] = [];
    const off = world.cloudflare.watch(async ({ phase, write }) => {
      if (phase === 'before' && write) held.push((await lease())?.released);
    });
    await computer().apply();
    off();
    expect(held).toEqual([null]);
    expect(commits()[known]?.filter((path) => path !== 'snapshot.json')).toEqual(['lease.json']);
  });

  it('counts from before its push was sent: one that took too long to get sends nothing', async () => {
    const { computer, remote, pass, ledger } = await open(lines.dns);
    let pushes = 0;
    remote.before = async () => {
      pushes += 1;
      if (pushes === 1) await pass(terms.lease - terms.deadline + second);
    };
    const one = computer();
    expect((await one.apply()).error?.code).toBe('LEASE_LOST');
    expect(one.machine.sent).toEqual([]);
    // What was announced is left to the next run, which waits until this lease has run out.
    expect((await ledger()).intents.size).toBe(1);
    expect(ends(await computer().apply())).toEqual(['dns create settled']);
  });

  it('is renewed at a third of its duration while providers are slow, and nobody takes it meanwhile', async () => {
    const { computer, world, remote, pass, clock } = await open(lines.dns, lines.alias);
    world.cloudflare.faults.slow({ path: /./ }, 29 * second);
    const began = clock.mono();
    const times: number[] = [];
    const holders: string[] = [];
    remote.after = (name, change) => {
      const lease = change.get('lease.json');
      if (name !== branch || !lease) return;
      times.push(clock.mono() - began);
      holders.push(JSON.parse(lease).run);
    };
    const first = computer().apply();
    await pass(30 * second);
    const [one, other] = await Promise.all([first, computer().apply()]);
    expect([one.status, other.status]).toEqual(['complete', 'complete']);
    expect(ends(other)).toEqual(['dns none settled', 'alias none settled']);
    expect(new Set(holders)).toHaveLength(1);
    for (const [i, at] of times.slice(1).entries()) expect(at - (times[i] ?? 0)).toBeLessThanOrEqual(terms.lease / 3 + second);
    expect(times.length).toBeGreaterThan(3);
  });

  it('is waited out for its own duration, by the clock of who waits, from when it saw that head', async () => {
    const { computer, pass, abandon, clock, records } = await open(lines.dns);
    const [dead, next] = [computer(), computer()];
    dead.machine.at('before', 'POST', /dns_records$/, () => dead.machine.kill());
    abandon(dead.apply({ env: { PILOTFISH_LEASE_MS: String(4 * minute) } }));
    await dead.machine.stopped;
    await pass(10 * second);
    // Whatever the wall clocks say: they are never compared with each other, and one that is set forward ends nothing.
    next.machine.setWall(hour);
    void pass(minute).then(() => next.machine.setWall(hour));
    const began = clock.mono();
    expect((await next.apply({ leaseTimeoutMs: 3 * hour })).status).toBe('complete');
    expect((next.machine.sent[0]?.at ?? 0) - began).toBeGreaterThanOrEqual(4 * minute);
    expect(records()).toHaveLength(1);
  });

  it('is waited out afresh from each renewal', async () => {
    const { computer, world, remote, abandon, clock } = await open(lines.dns);
    const [dead, next] = [computer(), computer()];
    // The provider asks for a pause that is longer than a third of the lease, so there is a push of the lease alone.
    world.cloudflare.faults.once('POST /client/v4/zones/{zone}/dns_records', 429, {}, { 'retry-after': '50' });
    const taken = Promise.withResolvers<void>();
    let renewedAt = 0;
    remote.after = (_, change) => {
      taken.resolve();
      if (JSON.parse(change.get('lease.json') ?? '{}').renewal !== 2) return;
      renewedAt = clock.mono();
      remote.after = () => undefined;
      dead.machine.kill();
    };
    abandon(dead.apply());
    await taken.promise;
    expect((await next.apply()).status).toBe('complete');
    expect(renewedAt).toBe(terms.lease / 3);
    expect(next.machine.sent[0]?.at).toBeGreaterThanOrEqual(renewedAt + terms.lease);
  });

  it.each([
    ['whose clocks both went on', { monoStops: false, wall: 0 }],
    ['whose monotonic clock stood still', { monoStops: true, wall: 0 }],
    ['whose wall clock was set back', { monoStops: false, wall: -hour }],
  ])('a holder that was suspended for an hour, %s, wakes up and sends nothing', async (_, { monoStops, wall }) => {
    const { computer, remote, pass, records } = await open(lines.dns);
    await computer().apply();
    meddle();
    const sleeper = computer();
    remote.after = () => {
      remote.after = () => undefined;
      sleeper.machine.freeze({ monoStops });
    };
    const run = sleeper.apply();
    await sleeper.machine.stopped;
    await pass(hour);
    sleeper.machine.setWall(wall);
    sleeper.machine.thaw();
    expect((await run).error?.code).toBe('LEASE_LOST');
    expect(sleeper.machine.sent).toEqual([]);
    expect(records()[0]?.content).toBe('elsewhere.example');
    expect(ends(await computer().apply())).toEqual(['dns update settled']);
  });

  it.each([false, true])(
    'a holder that wakes up after another run took over writes nothing more (clock stopped: %s)',
    async (monoStops) => {
      const { computer, pass, records, ledger, commits } = await open(lines.dns, lines.alias);
      const sleeper = computer();
      sleeper.machine.at('after', 'POST', /dns_records$/, () => sleeper.machine.freeze({ monoStops }));
      const run = sleeper.apply();
      await sleeper.machine.stopped;
      expect(ends(await computer().apply())).toEqual(['dns claim settled', 'alias create settled']);
      await pass(hour);
      const [sent, pushed] = [sleeper.machine.sent.length, commits().length];
      sleeper.machine.thaw();
      expect((await run).error?.code).toBe('LEASE_LOST');
      expect([sleeper.machine.sent.length, commits().length]).toEqual([sent, pushed]);
      expect([records().length, (await ledger()).records.size]).toEqual([2, 2]);
    },
  );
});
