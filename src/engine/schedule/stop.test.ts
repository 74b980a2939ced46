import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import { Failure } from '../../core/errors.ts';
import { stopBy } from './stop.ts';

const reasonCode = ({ reason }: AbortSignal): string | null => (reason instanceof Failure ? reason.code : null);

describe('a run that is told to stop', () => {
  it('begins nothing more at once, and waits for what is under way for 4 seconds', async () => {
    const [outer, clock] = [new AbortController(), new VirtualClock()];
    const { stopping, ending } = stopBy(outer.signal, clock);
    await clock.advance(60_000);
    expect([stopping.aborted, ending.aborted]).toEqual([false, false]);
    outer.abort(new Error('SIGINT'));
    expect([stopping.aborted, reasonCode(stopping)]).toEqual([true, 'INTERRUPTED']);
    await clock.advance(3_999);
    expect(ending.aborted).toBe(false);
    await clock.advance(1);
    expect([ending.aborted, ending.reason]).toEqual([true, stopping.reason]);
  });

  it('before it began, by itself or twice, stops once', async () => {
    const clock = new VirtualClock();
    const before = stopBy(AbortSignal.abort(), clock);
    expect(before.stopping.aborted).toBe(true);
    const outer = new AbortController();
    const twice = stopBy(outer.signal, clock);
    twice.begin();
    const { reason } = twice.stopping;
    outer.abort(new Error('SIGINT'));
    twice.begin();
    expect(twice.stopping.reason).toBe(reason);
    const alone = stopBy(undefined, clock);
    alone.begin();
    expect(reasonCode(alone.stopping)).toBe('INTERRUPTED');
    expect(clock.asked).toEqual([4_000, 4_000, 4_000]);
  });

  it('tells the failure that it was stopped with', () => {
    const why = new Failure('LEASE_LOST', { detail: 'gone' });
    expect(stopBy(AbortSignal.abort(why), new VirtualClock()).stopping.reason).toBe(why);
  });

  it('has nothing to wait for when it is over', async () => {
    const [outer, clock] = [new AbortController(), new VirtualClock()];
    const over = stopBy(outer.signal, clock);
    over.begin();
    over.close();
    expect(over.ending.reason).not.toBe(over.stopping.reason);
    const ended = stopBy(outer.signal, clock);
    ended.close();
    outer.abort();
    expect([ended.stopping.aborted, ended.ending.aborted]).toEqual([false, true]);
    expect(clock.asked).toHaveLength(1);
  });
});
