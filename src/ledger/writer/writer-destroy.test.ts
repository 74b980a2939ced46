import { describe, expect, it } from 'vitest';
import { endingOf, intent, later, now, outcome, record, scope } from '../../../test/support/writer-scope.ts';
import { LedgerMoved } from './ledger-moved.ts';

const forget = { kind: 'forget' as const, identity: record(1, 'a').record.identity };

/** A destroy that has read the ledger, and an apply that writes to it meanwhile: one record that was there, one that is new. */
async function two() {
  const { clock, begun, run, state } = scope();
  const first = await begun('first');
  await first.writer.submit([intent(1, 'first')], now);
  await first.writer.submit([record(1, 'first')], now);
  await first.writer.finish(endingOf('first'));
  const destroy = run('destroy', { isDestroy: true });
  await destroy.writer.begin();
  const apply = await begun('apply');
  return { clock, state, destroy: destroy.writer, apply: apply.writer };
}

describe('a run that rests on all that the ledger holds', () => {
  it('replays nothing once another run wrote, not even facts that the other run left alone', async () => {
    const { destroy, apply, state } = await two();
    await apply.submit([intent(2, 'apply'), record(2, 'apply')], now);
    await apply.finish(endingOf('apply'));
    const forgotten = destroy.submit([forget], later);
    expect(await destroy.finish(endingOf('destroy'))).toBe('moved');
    expect(await outcome(forgotten)).toBeInstanceOf(LedgerMoved);
    expect([destroy.epoch, destroy.state.records.size, state().receipt?.run, state().records.size]).toEqual([1, 2, 'apply', 2]);
  });

  it('ends anew although it had nothing to write, because new records concern it', async () => {
    const { destroy, apply, state } = await two();
    await apply.submit([intent(2, 'apply'), record(2, 'apply')], now);
    await apply.finish(endingOf('apply'));
    expect(await destroy.finish(endingOf('destroy'))).toBe('moved');
    expect([destroy.isStale, destroy.state.records.size]).toEqual([false, 2]);
    expect(await destroy.finish(endingOf('destroy'))).toBe('stored');
    expect(state().receipt?.run).toBe('destroy');
  });

  it('waits for the run at work, and writes nothing over what that run announced', async () => {
    const { clock, destroy, apply, state } = await two();
    await apply.submit([intent(2, 'apply')], now);
    const ended = destroy.finish(endingOf('destroy'));
    await clock.advance(20_000);
    expect(await outcome(ended)).toBe('open');
    await apply.submit([record(2, 'apply')], now);
    await apply.finish(endingOf('apply'));
    await clock.advance(10_000);
    expect(await ended).toBe('moved');
    expect([destroy.state.records.size, state().receipt?.run]).toEqual([2, 'apply']);
  });

  it('ends anew when the push for its lease, under way at its end, finds that another run wrote', async () => {
    const { destroy, apply, state } = await two();
    await apply.finish(endingOf('apply'));
    const leased = destroy.ensureLease();
    const forgotten = destroy.submit([forget], later);
    expect(await destroy.finish(endingOf('destroy'))).toBe('moved');
    expect([await outcome(leased), await outcome(forgotten)]).toEqual([expect.any(LedgerMoved), expect.any(LedgerMoved)]);
    expect([destroy.epoch, state().receipt?.run, state().records.size]).toEqual([1, 'apply', 1]);
  });

  it('replays what it did once it holds the lease, as every run does', async () => {
    const { destroy } = await two();
    await destroy.ensureLease();
    await destroy.submit([forget], now);
    expect(await destroy.finish(endingOf('destroy'))).toBe('stored');
    expect([destroy.epoch, destroy.state.records.size]).toEqual([0, 0]);
  });
});
