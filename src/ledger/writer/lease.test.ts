import { describe, expect, it, vi } from 'vitest';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import type { Clock } from '../../core/clock.ts';
import { awaitLease, Elapsed, isHeldByAnother, type LeaseTerms, leaseFact, leaseTerms } from './lease.ts';

const terms: LeaseTerms = { holder: 'host/1', run: 'a', durationMs: 120_000, deadlineMs: 30_000 };
const held = leaseFact(terms, 1, 0);

describe('the terms of a lease', () => {
  it('are two minutes and thirty seconds unless the environment says otherwise', () => {
    expect(leaseTerms({}, 'host/1', 'a')).toEqual(terms);
    expect(leaseTerms({ PILOTFISH_LEASE_MS: '9000', PILOTFISH_REQUEST_DEADLINE_MS: '3000' }, 'h', 'r')).toMatchObject({
      durationMs: 9_000,
      deadlineMs: 3_000,
    });
  });

  it.each([
    [{ PILOTFISH_LEASE_MS: '89999' }, 'shorter than three deadlines'],
    [{ PILOTFISH_LEASE_MS: 'soon' }, 'PILOTFISH_LEASE_MS is "soon"'],
    [{ PILOTFISH_REQUEST_DEADLINE_MS: '0' }, 'PILOTFISH_REQUEST_DEADLINE_MS is "0"'],
    [{ PILOTFISH_LEASE_MS: '1.5' }, 'whole number'],
    [{ PILOTFISH_LEASE_MS: '600001' }, 'at most 600000'],
    [{ PILOTFISH_REQUEST_DEADLINE_MS: '200001', PILOTFISH_LEASE_MS: '600000' }, 'at most 200000'],
  ])('%j is USAGE', (env, text) => {
    expect(() => leaseTerms(env, 'h', 'r')).toThrow(expect.objectContaining({ code: 'USAGE', detail: expect.stringContaining(text) }));
  });

  it('may be as long as others honour one', () => {
    expect(leaseTerms({ PILOTFISH_LEASE_MS: '600000' }, 'h', 'r').durationMs).toBe(600_000);
  });

  it('are the usual ones where a variable is empty', () => {
    expect(leaseTerms({ PILOTFISH_LEASE_MS: '', PILOTFISH_REQUEST_DEADLINE_MS: '' }, 'host/1', 'a')).toEqual(terms);
  });

  it('that are refused come with the one thing to do', () => {
    const fixOf = (text: string) => expect.objectContaining({ fix: text });
    expect(() => leaseTerms({ PILOTFISH_LEASE_MS: '1' }, 'h', 'r')).toThrow(
      fixOf('Raise PILOTFISH_LEASE_MS or lower PILOTFISH_REQUEST_DEADLINE_MS.'),
    );
    expect(() => leaseTerms({ PILOTFISH_LEASE_MS: '-1' }, 'h', 'r')).toThrow(fixOf('Correct or unset PILOTFISH_LEASE_MS.'));
  });
});

describe('a lease', () => {
  it('is another run’s while it is neither ours nor released', () => {
    expect(isHeldByAnother(held, 'b')).toBe(true);
    expect(isHeldByAnother(held, 'a')).toBe(false);
    expect(isHeldByAnother({ ...held, released: { quietForMs: 0 } }, 'b')).toBe(false);
    expect(isHeldByAnother(null, 'b')).toBe(false);
  });
});

describe('the time since a mark', () => {
  it('is that of whichever clock advanced more', () => {
    const time = { wall: 1_000, mono: 5 };
    const clock: Clock = { now: () => time.wall, mono: () => time.mono, sleep: () => Promise.resolve() };
    const since = new Elapsed(clock);
    time.wall += 60_000; // the machine slept: its monotonic clock stood still
    expect(since.ms()).toBe(60_000);
    time.wall -= 3_600_000; // the wall clock was set back
    time.mono += 70_000;
    expect(since.ms()).toBe(70_000);
  });
});

describe('waiting for a lease', () => {
  const wait = (clock: VirtualClock, head: () => string, timeoutMs = 600_000, durationMs = held.durationMs) => {
    const waiting = awaitLease({
      clock,
      lease: { ...held, durationMs },
      seenHead: 'one',
      head: () => Promise.resolve(head()),
      waited: new Elapsed(clock),
      timeoutMs,
      signal: new AbortController().signal,
      onWait: () => undefined,
    });
    waiting.catch(() => undefined);
    return waiting;
  };

  it('tells who holds it, and when it goes on at the latest should that one be dead', async () => {
    const clock = new VirtualClock();
    const said: string[] = [];
    const waiting = awaitLease({
      clock,
      lease: { ...held, holder: 'runner-7/41', run: 'abc', durationMs: 120_000, deadlineMs: 30_000 },
      seenHead: 'one',
      head: () => Promise.resolve('two'),
      waited: new Elapsed(clock),
      timeoutMs: 600_000,
      signal: new AbortController().signal,
      onWait: (detail) => void said.push(detail),
    });
    const latest = new Date(clock.now() + 150_000).toISOString().slice(11, 19);
    await clock.advance(5_000);
    await waiting;
    expect(said).toEqual([`run abc of runner-7/41 holds this scope; if it is dead, this run goes on at ${latest} UTC`]);
  });

  it('ends when the head moved', async () => {
    const clock = new VirtualClock();
    let head = 'one';
    const waiting = wait(clock, () => head);
    await clock.advance(30_000);
    head = 'two';
    await clock.advance(5_000);
    expect(await waiting).toBe('moved');
  });

  it('ends when the head stood unchanged for the lease’s own duration, whatever its holder’s clock says', async () => {
    const clock = new VirtualClock();
    const waiting = wait(clock, () => 'one');
    await clock.advance(120_000);
    expect(await waiting).toBe('expired');
    expect(clock.asked.reduce((sum, ms) => sum + ms)).toBe(120_000);
  });

  it('does not end because the wall clock is set forward while it waits', async () => {
    const clock = new VirtualClock();
    let ahead = 0;
    const stepped: Clock = { now: () => clock.now() + ahead, mono: () => clock.mono(), sleep: (ms, signal) => clock.sleep(ms, signal) };
    const ended = vi.fn();
    const waiting = awaitLease({
      clock: stepped,
      lease: held,
      seenHead: 'one',
      head: () => Promise.resolve('one'),
      waited: new Elapsed(clock),
      timeoutMs: 600_000,
      signal: new AbortController().signal,
      onWait: () => undefined,
    }).then(ended);
    await clock.advance(30_000);
    ahead = 3_600_000;
    await clock.advance(89_999);
    expect(ended).not.toHaveBeenCalled();
    await clock.advance(1);
    await waiting;
    expect(ended).toHaveBeenCalledWith('expired');
  });

  it.each([
    [120_000, 250, 5_000],
    [11_000, 250, 1_833],
    [60, 20, 20],
    [30, 20, 20],
  ])('looks at the head a few times in %i ms: after %i ms first, at last every %i ms', async (durationMs, first, longest) => {
    const clock = new VirtualClock();
    const waiting = wait(clock, () => 'one', 600_000, durationMs);
    await clock.advance(durationMs);
    expect(await waiting).toBe('expired');
    expect(clock.asked[0]).toBe(first);
    // The longest pause, or what is left.
    expect(Math.max(...clock.asked)).toBe(longest);
    expect(clock.asked.length).toBeLessThan(35);
  });

  it('never sleeps beyond its own timeout', async () => {
    const clock = new VirtualClock();
    const waiting = wait(clock, () => 'one', 7_000);
    await clock.advance(7_000);
    await expect(waiting).rejects.toMatchObject({ code: 'LEASE_HELD', detail: expect.stringContaining('Run a of host/1') });
  });
});
