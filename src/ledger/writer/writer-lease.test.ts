import { describe, expect, it } from 'vitest';
import { rest } from '../../../test/support/virtual-clock.ts';
import { endingOf, identity, intent, later, now, outcome, record, scope } from '../../../test/support/writer-scope.ts';
import { Failure } from '../../core/errors.ts';

describe('the lease', () => {
  it('is waited for, and LEASE_HELD after the timeout', async () => {
    const { clock, begun, run } = scope();
    const a = await begun('a');
    await a.writer.ensureLease();
    const b = run('b', { leaseTimeoutMs: 10_000 });
    const waiting = b.writer.begin();
    expect(await outcome(waiting)).toBe('open');
    await clock.advance(10_000);
    expect(await outcome(waiting)).toMatchObject({ code: 'LEASE_HELD', detail: expect.stringContaining('after 10 s') });
  });

  it('is taken by one push for all who ask before that push or during it', async () => {
    const { begun, commits, remote } = scope();
    const a = await begun('a');
    const asked: Promise<void>[] = [];
    remote.before = () => void asked.push(a.writer.ensureLease());
    asked.push(a.writer.ensureLease(), a.writer.ensureLease());
    await Promise.all(asked);
    expect(asked).toHaveLength(3);
    await a.writer.ensureLease();
    expect([a.writer.holdsLease, commits().length]).toEqual([true, 1]);
  });

  it('comes to none of those who ask while it is being taken, when another run wrote before', async () => {
    const { begun, remote, state } = scope();
    const [a, b] = [await begun('a'), await begun('b')];
    await b.writer.finish(endingOf('b'));
    const asked: Promise<void>[] = [];
    remote.before = () => {
      remote.before = () => undefined;
      asked.push(a.writer.ensureLease());
    };
    asked.push(a.writer.ensureLease());
    expect(await Promise.all(asked.map(outcome))).toMatchObject([{ name: 'LedgerMoved' }, { name: 'LedgerMoved' }]);
    await a.writer.ensureLease();
    expect(state().lease).toMatchObject({ run: 'a', released: null });
  });

  it('counts the timeout over the renewals of the other run', async () => {
    const { clock, begun, run } = scope();
    await (await begun('a')).writer.ensureLease();
    const waiting = run('b', { leaseTimeoutMs: 90_000 }).writer.begin();
    await clock.advance(89_000);
    expect(await outcome(waiting)).toBe('open');
    await clock.advance(1_000);
    expect(await outcome(waiting)).toMatchObject({ code: 'LEASE_HELD', detail: expect.stringContaining('after 90 s') });
  });

  it('is taken over when it stood unchanged for its own duration by our clock, and a quiet moment follows', async () => {
    const { clock, begun, run, state } = scope();
    const a = await begun('a', { durationMs: 150_000, deadlineMs: 50_000 });
    await a.writer.ensureLease();
    a.writer.close(); // the process died: nothing renews any more
    const b = run('b');
    const waiting = b.writer.begin();
    await clock.advance(149_000);
    expect(await outcome(waiting)).toBe('open');
    await clock.advance(1_000);
    await waiting;
    expect(state().lease).toMatchObject({ run: 'b', released: null });
    // The moment is as long as a request of the dead run may take, which is longer than one of ours.
    const quiet = b.writer.quietMoment(b.stop.signal);
    await clock.advance(49_999);
    expect(await outcome(quiet)).toBe('open');
    await clock.advance(1);
    await quiet;
  });

  it('is released by the last push, which tells how long writes may still land', async () => {
    const { clock, begun, state } = scope();
    const a = await begun('a');
    await a.writer.ensureLease();
    await a.writer.finish(endingOf('a', { quietForMs: 4_000.2 }));
    expect(state().lease?.released).toEqual({ quietForMs: 4_001 });
    const b = await begun('b');
    const quiet = b.writer.quietMoment(b.stop.signal);
    await clock.advance(4_000);
    expect(await outcome(quiet)).toBe('open');
    await clock.advance(1);
    await quiet;
  });

  it('is released by the last push even when the answer to the push that took it is lost for good', async () => {
    const { begun, remote, state } = scope();
    const a = await begun('a');
    let lost = 0;
    remote.after = () => {
      lost += 1;
      if (lost === 1) throw new Failure('LEDGER_REFUSED', { detail: 'whether it landed is not known' });
    };
    await expect(a.writer.submit([intent(1, 'a')], { urgent: true })).rejects.toMatchObject({ code: 'LEDGER_REFUSED' });
    expect(state().lease).toMatchObject({ run: 'a', released: null });
    await a.writer.finish(endingOf('a'));
    expect(state().lease).toMatchObject({ run: 'a', released: { quietForMs: 0 } });
  });

  it('is renewed at a third of its duration, unless another push did so', async () => {
    const { clock, begun, commits, state } = scope();
    const { writer } = await begun('a');
    await writer.ensureLease();
    await clock.advance(39_999);
    expect(commits()).toHaveLength(1);
    await clock.advance(1);
    expect(commits()).toHaveLength(2);
    await clock.advance(20_000);
    await writer.submit([intent(1, 'a')], now);
    await clock.advance(20_000);
    expect(commits()).toHaveLength(3);
    expect(state().lease?.renewal).toBe(3);
    await clock.advance(300_000);
    expect(() => writer.checkLease()).not.toThrow();
  });

  it('is renewed again when a renewal was refused', async () => {
    const { remote, clock, begun } = scope();
    const { writer } = await begun('a');
    await writer.ensureLease();
    let refused = 0;
    remote.before = () => {
      refused += 1;
      if (refused <= 2) throw new Error('no network');
    };
    await clock.advance(200_000);
    expect(refused).toBeGreaterThan(2);
    expect(() => writer.checkLease()).not.toThrow();
  });

  it('is lost by a machine that slept', async () => {
    const { remote, clock, begun } = scope();
    const { writer } = await begun('a');
    await writer.ensureLease();
    remote.before = () => new Promise(() => undefined); // renewals do not come through
    await clock.advance(39_000);
    expect(() => writer.checkLease()).not.toThrow();
    await clock.advance(51_001);
    expect(() => writer.checkLease()).toThrow(expect.objectContaining({ code: 'LEASE_LOST' }));
    expect(await outcome(writer.submit([intent(2, 'a')], now))).toMatchObject({ code: 'LEASE_LOST' });
  });

  it('that was lost leaves no fact waiting for ever', async () => {
    const { clock, begun } = scope();
    const { writer } = await begun('a');
    await writer.ensureLease();
    writer.close();
    await clock.advance(100_000);
    const recorded = writer.submit([record(1, 'a')], later);
    expect(() => writer.checkLease()).toThrow(expect.objectContaining({ code: 'LEASE_LOST' }));
    expect(await outcome(recorded)).toMatchObject({ code: 'LEASE_LOST' });
    expect(await outcome(writer.finish(endingOf('a')))).toMatchObject({ code: 'LEASE_LOST' });
  });

  it('that another run took over is not written over', async () => {
    const { clock, begun, run, state } = scope();
    const a = await begun('a', { durationMs: 90_000 });
    await a.writer.ensureLease();
    a.writer.close();
    const b = run('b');
    const taking = b.writer.begin();
    await clock.advance(90_000);
    await taking;
    expect(await outcome(a.writer.submit([intent(1, 'a')], now))).toMatchObject({ code: 'LEASE_LOST' });
    expect(await outcome(a.writer.finish(endingOf('a')))).toMatchObject({ code: 'LEASE_LOST' });
    expect(state().lease?.run).toBe('b');
    expect(state().intents.size).toBe(0);
  });

  it('is given back while only pollers are left, and taken again for a write', async () => {
    const { begun, state } = scope();
    const { writer } = await begun('a');
    await writer.submit([intent(1, 'a')], now);
    const recorded = writer.submit([record(1, 'a')], later);
    writer.rest(0);
    await recorded;
    expect(state().lease?.released).toEqual({ quietForMs: 0 });
    expect(writer.holdsLease).toBe(false);
    await writer.ensureLease();
    expect(state().lease?.released).toBeNull();
  });

  it('that was given back makes the run stale once another run has written', async () => {
    const { begun } = scope();
    const a = await begun('a');
    await a.writer.ensureLease();
    a.writer.rest(0);
    await rest();
    await (await begun('b')).writer.finish(endingOf('b'));
    expect(await outcome(a.writer.finish(endingOf('a')))).toMatchObject({ code: 'LEASE_LOST' });
    expect(a.writer.isStale).toBe(true);
  });

  it('is not waited for by a run that is interrupted', async () => {
    const { begun, run, clock } = scope();
    await (await begun('a')).writer.ensureLease();
    const b = run('b');
    const waiting = b.writer.begin();
    await clock.advance(1_000);
    b.stop.abort(new Error('SIGINT'));
    expect(await outcome(waiting)).toMatchObject({ message: 'SIGINT' });
  });

  it('that never came does not keep an interrupted run from its receipt', async () => {
    const { begun, clock, state } = scope();
    const [a, b] = [await begun('a'), await begun('b')];
    await a.writer.submit([intent(1, 'a')], now);
    const second = b.writer.submit([intent(2, 'b')], now);
    await clock.advance(1_000);
    b.stop.abort(new Error('SIGINT'));
    expect(await outcome(second)).toMatchObject({ message: 'SIGINT' });
    expect(await b.writer.finish(endingOf('b'))).toBe('stored');
    expect(state().lease?.run).toBe('a');
    expect(state().history.map((entry) => entry.run)).toEqual(['b']);
  });

  it('is given back without a receipt by a run that ends without a word, and a run that never took it pushes nothing', async () => {
    const { begun, commits, state } = scope();
    const a = await begun('a');
    await a.writer.release(0);
    expect(commits()).toHaveLength(0);
    const b = await begun('b');
    await b.writer.submit([intent(1, 'b')], now);
    const withdrawn = b.writer.submit([{ kind: 'withdraw', identity: identity(1) }], later);
    await b.writer.release(70);
    await withdrawn;
    expect(commits()).toHaveLength(2);
    expect([state().intents.size, state().history.length, state().receipt]).toEqual([0, 0, null]);
    expect(state().lease?.released).toEqual({ quietForMs: 70 });
  });
});
