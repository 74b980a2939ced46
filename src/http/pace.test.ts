import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../test/support/virtual-clock.ts';
import { Pace, type Sent } from './pace.ts';

const one = (pace: Pace, clock: VirtualClock): Sent => ({ turn: pace.begin(), sentAt: clock.mono() });

/** Sends `count` requests, one every `ms`, and gives the last. */
async function send(pace: Pace, clock: VirtualClock, count: number, ms: number): Promise<Sent> {
  let last = { turn: 0, sentAt: 0 };
  for (let n = 0; n < count; n += 1) {
    last = one(pace, clock);
    await clock.advance(ms);
  }
  return last;
}

/** Milliseconds between this request and the next. */
function gapOf(pace: Pace, clock: VirtualClock): number {
  pace.begin();
  return pace.next - clock.mono();
}

describe('the pace of a host', () => {
  it('is free while the host refuses nothing', async () => {
    const clock = new VirtualClock();
    const pace = new Pace(clock);
    await send(pace, clock, 50, 1);
    expect(pace.next).toBe(Number.NEGATIVE_INFINITY);
  });

  it('is a little less than the host took in the second before the refusal', async () => {
    const clock = new VirtualClock();
    const pace = new Pace(clock);
    await send(pace, clock, 30, 50);
    pace.slowDown(one(pace, clock));
    // 19 of the 30 were sent less than a second ago.
    expect(gapOf(pace, clock)).toBeCloseTo(1_000 / (19 * 0.95), 5);
  });

  it('is that of the second before the refused request was sent, however long its answer took', async () => {
    const clock = new VirtualClock();
    const pace = new Pace(clock);
    await send(pace, clock, 20, 10);
    const refused = one(pace, clock);
    await clock.advance(2_000);
    pace.slowDown(refused);
    expect(gapOf(pace, clock)).toBeCloseTo(1_000 / (20 * 0.95), 5);
  });

  it('counts neither a refused request nor the requests sent after it', async () => {
    const clock = new VirtualClock();
    const pace = new Pace(clock);
    await send(pace, clock, 10, 10);
    const refused = one(pace, clock);
    await send(pace, clock, 5, 10);
    pace.slowDown(refused);
    expect(gapOf(pace, clock)).toBeCloseTo(1_000 / (10 * 0.95), 5);
  });

  it('is learned from four requests or more, and falls at each refusal, down to one a second', async () => {
    const clock = new VirtualClock();
    const pace = new Pace(clock);
    pace.slowDown(await send(pace, clock, 3, 10));
    expect(pace.next).toBe(Number.NEGATIVE_INFINITY);
    pace.slowDown(await send(pace, clock, 9, 10));
    const first = gapOf(pace, clock);
    await clock.advance(5_000);
    pace.slowDown(one(pace, clock));
    expect(gapOf(pace, clock)).toBeCloseTo(first / 0.95, 5);
    for (let n = 0; n < 100; n += 1) pace.slowDown(one(pace, clock));
    expect(gapOf(pace, clock)).toBe(1_000);
  });

  it('rises again when the host refused nothing for long', async () => {
    const clock = new VirtualClock();
    const pace = new Pace(clock);
    pace.slowDown(await send(pace, clock, 10, 10));
    const slow = gapOf(pace, clock);
    await clock.advance(14_999);
    expect(gapOf(pace, clock)).toBeCloseTo(slow, 5);
    await clock.advance(2);
    expect(gapOf(pace, clock)).toBeCloseTo(slow / 1.25, 5);
    expect(gapOf(pace, clock)).toBeCloseTo(slow / 1.25, 5);
  });

  it('rises from second to second where the host refused some of the first requests, until it refuses again', async () => {
    const clock = new VirtualClock();
    const pace = new Pace(clock);
    const sent = Array.from({ length: 16 }, () => one(pace, clock));
    for (const { turn } of sent.slice(6)) pace.refused(turn);
    if (sent[6]) pace.slowDown(sent[6], true);
    // The wait does not count, however long it was: nothing tried the pace meanwhile.
    await clock.advance(3_000);
    const slow = 1_000 / (6 * 0.95);
    expect(gapOf(pace, clock)).toBeCloseTo(slow, 5);
    await clock.advance(1_001);
    expect(gapOf(pace, clock)).toBeCloseTo(slow / 1.5, 5);
    for (let n = 2; n < 6; n += 1) {
      await clock.advance(1_001);
      expect(gapOf(pace, clock)).toBeCloseTo(slow / 1.5 ** n, 5);
    }
    await clock.advance(900);
    pace.slowDown(await send(pace, clock, 19, 50));
    const known = gapOf(pace, clock);
    expect(known).toBeCloseTo(1_000 / (18 * 0.95), 5);
    await clock.advance(5_000);
    expect(gapOf(pace, clock)).toBeCloseTo(known, 5);
  });
});
