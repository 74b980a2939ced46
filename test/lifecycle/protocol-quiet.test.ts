import { afterEach, describe, expect, it } from 'vitest';
import { ends, lines, openRecord, planOf } from './shop.ts';
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

/** A DNS record at a provider whose list lags. Seconds. */
const laggingThing = (settle: number): string => openRecord({ more: [`settle: ${settle}`, 'coexist: false'] });

describe('rule 2: quiet moment', () => {
  const create = {
    payments: { line: lines.payments, method: 'POST', path: /webhook_endpoints$/ },
    callback: { line: lines.callback, method: 'PATCH', path: /\/clients\// },
  } as const;
  const standing = (): number => town.endpoints().length + (town.callbacks() as string[]).filter((url) => url.includes('pr-12')).length;

  describe.each(['payments', 'callback'] as const)('a create of %s', (id) => {
    const { line, method, path } = create[id];

    // 140 s: after its lease ran out, and before its deadline counted from the takeover.
    it.each([20, 140])('that lands %i s after its run was killed is claimed by the next one', async (seconds) => {
      const { computer, pass, abandon } = await open(line);
      const dead = computer();
      dead.machine.slow({ method, path }, seconds * second);
      dead.machine.at('sent', method, path, () => dead.machine.kill());
      abandon(dead.apply());
      await dead.machine.stopped;
      expect(ends(await computer().apply())).toEqual([`${id} claim settled`]);
      await pass(5 * minute);
      expect(standing()).toBe(1);
    });

    it.each([20, 140])('that lands %i s after its run was killed is taken away by a destroy', async (seconds) => {
      const { computer, pass, abandon, ledger } = await open(line);
      const dead = computer();
      dead.machine.slow({ method, path }, seconds * second);
      dead.machine.at('sent', method, path, () => dead.machine.kill());
      abandon(dead.apply());
      await dead.machine.stopped;
      expect(ends(await computer().destroy())).toEqual([`${id} delete settled`]);
      await pass(5 * minute);
      expect(standing()).toBe(0);
      expect((await ledger()).records.size + (await ledger()).intents.size).toBe(0);
    });

    /** A run that is told to stop while its create is on the wire for twenty seconds; its clock is `wall` behind or ahead. */
    const interrupted = async (wall = 0): Promise<void> => {
      const stopped = town.computer();
      stopped.machine.setWall(wall);
      stopped.machine.slow({ method, path }, 20 * second);
      stopped.machine.at('sent', method, path, () => stopped.interrupt());
      expect((await stopped.apply()).ok).toBe(false);
    };

    it('that is on the wire when its run is interrupted is named by the release', async () => {
      const { lease } = await open(line);
      await interrupted();
      const quiet = (await lease())?.released?.quietForMs ?? 0;
      expect(quiet).toBeGreaterThan(20 * second);
      expect(quiet).toBeLessThanOrEqual(terms.deadline);
    });

    // An intent's age is never used: the clock of who wrote it may say anything.
    it.each([0, -hour])('that lands after its run gave the scope back is claimed (its wall clock off by %i ms)', async (wall) => {
      const { computer, pass } = await open(line);
      await interrupted(wall);
      expect(standing()).toBe(0);
      expect(ends(await computer().apply())).toEqual([`${id} claim settled`]);
      await pass(minute);
      expect(standing()).toBe(1);
    });

    it('that lands after its run gave the scope back is taken away by a destroy', async () => {
      const { computer, pass } = await open(line);
      await interrupted();
      expect(ends(await computer().destroy())).toEqual([`${id} delete settled`]);
      await pass(minute);
      expect(standing()).toBe(0);
    });

    it('that lands after a run which took over was interrupted is still waited for by the next', async () => {
      const { computer, pass, abandon, remote } = await open(line);
      const dead = computer();
      dead.machine.slow({ method, path }, 140 * second);
      dead.machine.at('sent', method, path, () => dead.machine.kill());
      abandon(dead.apply());
      await dead.machine.stopped;
      const heir = computer();
      remote.after = () => {
        remote.after = () => undefined;
        void pass(second).then(() => heir.interrupt());
      };
      expect((await heir.apply()).status).toBe('interrupted');
      expect(ends(await computer().apply())).toEqual([`${id} claim settled`]);
      await pass(minute);
      expect(standing()).toBe(1);
    });
  });

  it('an update that lands 20 s after its run ended does not undo what the next run writes', async () => {
    const { computer, pass, write, records } = await open(lines.dns);
    await computer().apply();
    await write(planOf(lines.dns.replace('cname.vercel-dns.com', 'second.example')));
    const stopped = computer();
    stopped.machine.slow({ method: 'PATCH' }, 20 * second);
    stopped.machine.at('sent', 'PATCH', /dns_records/, () => stopped.interrupt());
    const doc = await stopped.apply();
    expect([doc.status, ...ends(doc), ...doc.lines.map(({ error }) => error ?? null)]).toEqual([
      'interrupted',
      'dns update interrupted',
      null,
    ]);
    await write(planOf(lines.dns.replace('cname.vercel-dns.com', 'third.example')));
    expect(ends(await computer().apply())).toEqual(['dns update settled']);
    await pass(minute);
    expect(records()[0]?.content).toBe('third.example');
  });

  it('a delete that is on the wire when its run is told to stop is no failure, and the next destroy ends it', async () => {
    const { computer, pass, records } = await open(lines.dns);
    await computer().apply();
    const stopped = computer();
    stopped.machine.slow({ method: 'DELETE' }, 20 * second);
    stopped.machine.at('sent', 'DELETE', /dns_records/, () => stopped.interrupt());
    const doc = await stopped.destroy();
    expect([doc.status, ...ends(doc)]).toEqual(['interrupted', 'dns delete interrupted']);
    expect((await computer().destroy()).status).toBe('complete');
    await pass(minute);
    expect(records()).toEqual([]);
  });

  it('keeps back the delete of a destroy, which looks at nothing before', async () => {
    const { computer, write, records } = await open(lines.dns);
    await computer().apply();
    await write(planOf(lines.dns.replace('cname.vercel-dns.com', 'second.example')));
    const stopped = computer();
    stopped.machine.slow({ method: 'PATCH' }, 20 * second);
    stopped.machine.at('sent', 'PATCH', /dns_records/, () => stopped.interrupt());
    await stopped.apply();
    const next = computer();
    expect(ends(await next.destroy())).toEqual(['dns delete settled']);
    const [patched, deleted] = [stopped.machine.sent.at(-1)?.at ?? 0, next.machine.sent.at(-1)?.at ?? 0];
    expect(deleted - patched).toBeGreaterThanOrEqual(terms.deadline);
    expect(records()).toEqual([]);
  });

  it('is handed on by a run that was interrupted in it: its writes may still land under the one after', async () => {
    const { computer, pass, write, records, remote, lease } = await open(lines.dns);
    await computer().apply();
    await write(planOf(lines.dns.replace('cname.vercel-dns.com', 'second.example')));
    const stopped = computer();
    stopped.machine.slow({ method: 'PATCH' }, 20 * second);
    stopped.machine.at('sent', 'PATCH', /dns_records/, () => stopped.interrupt());
    await stopped.apply();
    // It has the lease, may not send yet, and is told to stop.
    const between = computer();
    remote.after = () => {
      remote.after = () => undefined;
      between.interrupt();
    };
    await between.destroy();
    expect(between.machine.sent).toEqual([]);
    expect((await lease())?.released?.quietForMs).toBeGreaterThan(20 * second);
    await write(planOf(lines.dns.replace('cname.vercel-dns.com', 'third.example')));
    expect(ends(await computer().apply())).toEqual(['dns update settled']);
    await pass(minute);
    expect(records()[0]?.content).toBe('third.example');
  });

  it('is over when every answer came: the next run waits for nothing', async () => {
    const { computer, clock } = await open(lines.dns);
    await computer().apply();
    meddle();
    const began = clock.mono();
    await computer().apply();
    expect(clock.mono() - began).toBeLessThan(second);
  });

  it('holds within a run: a create whose connection broke and that lands 20 s later is claimed, not sent again', async () => {
    const { computer, pass, records } = await open(lines.dns);
    const one = computer();
    one.machine.slow({ method: 'POST', path: /dns_records$/ }, 20 * second, { cut: true });
    expect(ends(await one.apply())).toEqual(['dns claim settled']);
    await pass(minute);
    expect(one.machine.sent).toHaveLength(1);
    expect(records()).toHaveLength(1);
  });

  it('is followed by the time that a list lags: "nothing found" is believed only after it', async () => {
    const settle = 40;
    town = await openTown(laggingThing(settle));
    const { computer, abandon, world, clock } = town;
    const dead = computer();
    let landedAt = Number.POSITIVE_INFINITY;
    dead.machine.at('sent', 'POST', /dns_records$/, () => dead.machine.kill());
    dead.machine.slow({ method: 'POST', path: /dns_records$/ }, 140 * second);
    // The list shows an object only so long after it was made.
    const off = world.cloudflare.watch(({ phase, method }) => {
      if (phase === 'after' && method === 'POST' && landedAt === Number.POSITIVE_INFINITY) landedAt = clock.mono();
    });
    const stale = world.cloudflare.faults.staleRead(
      ({ method }) => method === 'GET' && clock.mono() < landedAt + settle * second,
      1,
      Number.POSITIVE_INFINITY,
    );
    abandon(dead.apply());
    await dead.machine.stopped;
    const next = computer();
    const doc = await next.apply();
    off();
    stale.disarm();
    expect(next.machine.sent).toEqual([]);
    expect(ends(doc)).toEqual(['thing claim settled']);
    expect(town.records()).toHaveLength(1);
  });

  it('is followed by it after a replacement, too: the old object, shown alone, is no stranger', async () => {
    town = await openTown(laggingThing(3));
    const { computer, world, clock, records } = town;
    await computer().apply();
    const [old] = records();
    // From then on the list shows what was there before both writes, the delete and the create.
    let replacedAt = Number.POSITIVE_INFINITY;
    const isLagging = (): boolean => clock.mono() >= replacedAt && clock.mono() < replacedAt + 3 * second;
    const lag = world.cloudflare.faults.staleRead(({ method }) => method === 'GET' && isLagging(), 2, 9);
    expect(ends(await computer().apply({ recreate: ['thing'] }))).toEqual(['thing replace settled']);
    replacedAt = clock.mono();
    expect(ends(await computer().apply())).toEqual(['thing none settled']);
    lag.disarm();
    expect(records()).toHaveLength(1);
    expect(records()[0]?.id).not.toBe(old?.id);
  });
});
