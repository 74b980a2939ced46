import { describe, expect, it } from 'vitest';
import { endingOf, intent, now, outcome, record, scope } from '../../../test/support/writer-scope.ts';
import { LedgerMoved } from './ledger-moved.ts';

/** Two runs that read the same ledger, and how often the second asks for its head. */
async function two() {
  const { clock, remote, run } = scope();
  const open = remote.open.bind(remote);
  const asked = { heads: 0, reads: 0 };
  const first = run('a');
  await first.writer.begin();
  remote.open = () => {
    const store = open();
    return {
      ...store,
      head: (branch) => {
        asked.heads += 1;
        return store.head(branch);
      },
      read: (branch) => {
        asked.reads += 1;
        return store.read(branch);
      },
    };
  };
  const quiet = { now: true };
  const second = run('b', { workers: { isQuiet: () => quiet.now, watch: () => undefined } });
  await second.writer.begin();
  asked.reads = 0;
  return { clock, remote, asked, quiet, a: first.writer, b: second.writer };
}

describe('a look at the ledger', () => {
  it('is confirmed by an unchanged head', async () => {
    const { b, asked } = await two();
    await b.confirm(b.epoch, { waits: true });
    expect([asked, b.epoch]).toEqual([{ heads: 1, reads: 0 }, 0]);
  });

  it('is confirmed without a question by the holder of the lease', async () => {
    const { b, asked } = await two();
    await b.ensureLease();
    await b.confirm(b.epoch, { waits: true });
    expect(asked).toEqual({ heads: 0, reads: 0 });
  });

  it('is not confirmed for a holder whose lease ran out while its renewal hung: its run is over', async () => {
    const { clock, remote, b } = await two();
    await b.ensureLease();
    remote.before = () => new Promise(() => undefined);
    await clock.advance(119_000);
    expect(await outcome(b.confirm(b.epoch, { waits: true }))).toMatchObject({ code: 'LEASE_LOST' });
  });

  it('is confirmed by one question for all that ask together, and by another for those that ask meanwhile, whose look may be newer than the answer', async () => {
    const { b, asked } = await two();
    const all = Array.from({ length: 50 }, () => b.confirm(0, { waits: true }));
    await Promise.resolve();
    await Promise.resolve();
    all.push(...Array.from({ length: 50 }, () => b.confirm(0, { waits: true })));
    await Promise.all(all);
    expect(asked).toEqual({ heads: 2, reads: 0 });
  });

  it('is over for every line when another run wrote, and so is what is queued on it', async () => {
    const { clock, quiet, a, b } = await two();
    await a.submit([intent(1, 'a')], now);
    await a.submit([record(1, 'a')], now);
    await a.finish(endingOf('a'));
    quiet.now = false;
    const queued = b.submit([intent(2, 'b')], now);
    const confirmed = b.confirm(0, { waits: true });
    await clock.advance(1);
    expect(await outcome(confirmed)).toBeInstanceOf(LedgerMoved);
    expect(await outcome(queued)).toBeInstanceOf(LedgerMoved);
    expect([b.epoch, b.state.records.size]).toEqual([1, 1]);
    expect(await outcome(b.confirm(1, { waits: true }))).toBe('done');
  });

  it('is confirmed after the other run is over, but a plan waits for nobody', async () => {
    const { clock, a, b } = await two();
    await a.submit([intent(1, 'a')], now);
    const seen = b.confirm(0, { waits: true });
    await clock.advance(10_000);
    expect(await outcome(seen)).toBe('open');
    await a.finish(endingOf('a'));
    await clock.advance(10_000);
    expect(await outcome(seen)).toBeInstanceOf(LedgerMoved);

    const other = await two();
    await other.a.submit([intent(1, 'a')], now);
    const shown = other.b.confirm(0, { waits: false });
    await other.clock.advance(1);
    expect(await outcome(shown)).toBeInstanceOf(LedgerMoved);
    expect(other.b.state.intents.size).toBe(1);
  });

  it('is confirmed by a push under way, which takes the lease on the head that was read', async () => {
    const { remote, b, asked } = await two();
    const sent = Promise.withResolvers<void>();
    remote.before = () => sent.promise;
    const taken = b.ensureLease();
    const confirmed = b.confirm(0, { waits: true });
    expect(await outcome(confirmed)).toBe('open');
    sent.resolve();
    await taken;
    expect([await outcome(confirmed), asked.heads]).toEqual(['done', 0]);
  });
});
