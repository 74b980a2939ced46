import { describe, expect, it } from 'vitest';
import { rest } from '../../../test/support/virtual-clock.ts';
import {
  branch,
  endingOf,
  identity,
  idle,
  intent,
  later,
  now,
  outcome,
  position,
  record,
  scope,
} from '../../../test/support/writer-scope.ts';
import { paths } from '../model/state.ts';
import type { Change } from '../stores/store.ts';
import { Writer } from './writer.ts';

/** Somebody writes past every rule: what a person with push rights can do. */
async function meddle(remote: ReturnType<typeof scope>['remote'], change: Change): Promise<void> {
  const store = remote.open();
  await store.append(branch, change, await store.head(branch), 'by hand');
}
const lost = (text: string) => ({ code: 'LEASE_LOST', detail: expect.stringContaining(text) });

describe('an end without a receipt', () => {
  it('waits for the push that is under way, and gives the lease back', async () => {
    const { remote, begun, state, commits } = scope();
    const { writer } = await begun('a');
    const gate = Promise.withResolvers<void>();
    remote.before = () => gate.promise;
    const announced = writer.submit([intent(1, 'a')], now);
    const released = writer.release(3_000);
    gate.resolve();
    await Promise.all([announced, released]);
    expect([state().lease?.released, state().receipt, commits().length]).toEqual([{ quietForMs: 3_000 }, null, 2]);
  });

  it('writes nothing where there is no lease', async () => {
    const { begun, commits } = scope();
    const { writer } = await begun('a');
    await writer.release(0);
    expect(commits()).toHaveLength(0);
  });
});

describe('a fact that could not be stored', () => {
  it('goes with the last push, even when another run’s receipt moved the head meanwhile', async () => {
    const { remote, begun, run, state } = scope();
    const a = await begun('a');
    const { writer: c } = run('c');
    await a.writer.ensureLease();
    await c.look();
    remote.before = () => {
      throw new Error('no network');
    };
    expect(await outcome(a.writer.submit([record(1, 'a')], now))).toMatchObject({ message: 'no network' });
    expect(await outcome(a.writer.submit([record(2, 'a')], now))).toMatchObject({ message: 'no network' });
    remote.before = () => undefined;
    expect(await c.finish(endingOf('c'))).toBe('stored');
    expect(await a.writer.finish(endingOf('a'))).toBe('stored');
    expect([...state().records.keys()]).toEqual([identity(1), identity(2)]);
  });
});

describe('a branch that is not there', () => {
  it('raises a question before anything is done, and a present one raises none', async () => {
    const { remote, clock, begun } = scope();
    const asked: string[] = [];
    const writerOf = (run: string) =>
      new Writer({
        workers: idle,
        store: remote.open(),
        branch,
        clock,
        terms: { holder: 'host', run, durationMs: 120_000, deadlineMs: 30_000 },
        leaseTimeoutMs: 1_000,
        signal: new AbortController().signal,
        message: () => '',
        onWait: () => undefined,
        snapshot: () => null,
        onMissing: async () => void asked.push(run),
      });
    await writerOf('a').begin();
    await (await begun('b')).writer.finish(endingOf('b'));
    await writerOf('c').begin();
    expect(asked).toEqual(['a']);
  });
});

describe('a renewal', () => {
  it('is left to the push that is under way', async () => {
    const { remote, clock, begun } = scope();
    const { writer } = await begun('a');
    await writer.ensureLease();
    await clock.advance(39_000);
    let [open, most] = [0, 0];
    const gate = Promise.withResolvers<void>();
    remote.before = async () => {
      open += 1;
      most = Math.max(most, open);
      await gate.promise;
    };
    remote.after = () => {
      open -= 1;
    };
    const announced = writer.submit([intent(1, 'a')], now);
    await clock.advance(5_000);
    gate.resolve();
    await announced;
    expect(most).toBe(1);
  });
});

describe('giving the lease back', () => {
  it('is nothing for a run that does not have it', async () => {
    const { begun, commits } = scope();
    const { writer } = await begun('a');
    writer.rest(0);
    await rest();
    expect(commits()).toHaveLength(0);
  });

  it('is left out while a push is under way', async () => {
    const { remote, begun, state } = scope();
    const { writer } = await begun('a');
    await writer.ensureLease();
    const gate = Promise.withResolvers<void>();
    remote.before = () => gate.promise;
    const announced = writer.submit([intent(1, 'a')], now);
    writer.rest(0);
    gate.resolve();
    await announced;
    await rest();
    expect(state().lease?.released).toBeNull();
  });

  it('hands on what is left of an earlier quiet moment', async () => {
    const { clock, begun, state } = scope();
    const a = await begun('a');
    await a.writer.ensureLease();
    await a.writer.finish(endingOf('a', { quietForMs: 20_000 }));
    const b = await begun('b');
    await b.writer.ensureLease();
    await clock.advance(5_000);
    await b.writer.finish(endingOf('b'));
    expect(state().lease?.released).toEqual({ quietForMs: 15_000 });
    const c = await begun('c');
    await c.writer.ensureLease();
    await c.writer.finish(endingOf('c', { quietForMs: 17_000 }));
    expect(state().lease?.released).toEqual({ quietForMs: 17_000 });
  });
});

describe('a holder', () => {
  it('may send with exactly one deadline left, and not with less', async () => {
    const { clock, begun } = scope();
    const { writer } = await begun('a');
    await writer.ensureLease();
    writer.close();
    await clock.advance(90_000);
    expect(() => writer.checkLease()).not.toThrow();
    await clock.advance(1);
    expect(() => writer.checkLease()).toThrow(expect.objectContaining(lost('Less of its lease was left than one request may take')));
    expect(await outcome(writer.ensureLease())).toMatchObject(lost('The ledger names what this run began as intents'));
    expect(await outcome(writer.submit([], now))).toBe('done');
    expect(() => writer.checkLease()).toThrow();
    expect(writer.unstored).toEqual([]);
  });

  it('that lost it still knows what it did and could not store', async () => {
    const { clock, begun } = scope();
    const { writer } = await begun('a');
    await writer.ensureLease();
    writer.close();
    void writer.submit([record(1, 'a')], later);
    await clock.advance(90_001);
    expect(() => writer.checkLease()).toThrow();
    expect(await outcome(writer.submit([record(2, 'a')], later))).toMatchObject({ code: 'LEASE_LOST' });
    expect(writer.unstored.map((fact) => fact.kind === 'record' && fact.record.objectId)).toEqual(['1', '2']);
  });

  it('that lost it has none to give back', async () => {
    const { clock, commits, begun } = scope();
    const { writer } = await begun('a');
    await writer.ensureLease();
    writer.close();
    await clock.advance(90_001);
    expect(() => writer.checkLease()).toThrow();
    const before = commits().length;
    writer.rest(0);
    await rest();
    expect([writer.holdsLease, commits().length]).toEqual([false, before]);
  });

  it('that never had a lease may send nothing', async () => {
    const { begun } = scope();
    const { writer } = await begun('a');
    expect(() => writer.checkLease()).toThrow(expect.objectContaining({ code: 'LEASE_LOST' }));
  });

  it('goes on when the receipt of another run moved the head', async () => {
    const { begun, state } = scope();
    const [a, c] = [await begun('a'), await begun('c')];
    await a.writer.ensureLease();
    await c.writer.finish(endingOf('c'));
    await a.writer.submit([intent(5, 'a')], now);
    expect([...state().intents.keys()]).toEqual([identity(5)]);
    expect(a.writer.epoch).toBe(0);
  });

  it('renews its lease on top of what others wrote', async () => {
    const { clock, begun, state } = scope();
    const [a, c] = [await begun('a'), await begun('c')];
    await a.writer.ensureLease();
    await c.writer.finish(endingOf('c'));
    await clock.advance(150_000);
    expect(() => a.writer.checkLease()).not.toThrow();
    expect(state().lease).toMatchObject({ run: 'a', released: null });
  });

  it('stops when its lease is gone from the branch', async () => {
    const { remote, begun } = scope();
    const { writer } = await begun('a');
    await writer.ensureLease();
    await meddle(remote, new Map([[paths.lease, null]]));
    expect(await outcome(writer.submit([intent(1, 'a')], now))).toMatchObject(lost('Another run took this scope over'));
  });

  it('does not write over a fact that somebody put in the place of its own, and stores the others', async () => {
    const { remote, begun, state } = scope();
    const { writer } = await begun('a');
    await writer.submit([intent(1, 'a'), intent(2, 'a')], now);
    const other = scope();
    await (await other.begun('x')).writer.submit([record(1, 'x', 7)], now);
    await meddle(remote, new Map([[paths.record(identity(1)), other.remote.filesOf(branch).get(paths.record(identity(1))) ?? null]]));
    const mine = writer.submit([record(1, 'a')], later);
    const others = writer.submit([record(2, 'a')], now);
    expect(await outcome(mine)).toMatchObject(lost('Another run changed what this one was about to record'));
    await others;
    expect([state().records.get(identity(1))?.run, state().records.get(identity(2))?.run]).toEqual(['x', 'a']);
  });

  it('that rested is told that a later run took the scope', async () => {
    const { begun } = scope();
    const a = await begun('a');
    await a.writer.ensureLease();
    a.writer.rest(0);
    await rest();
    await (await begun('b')).writer.finish(endingOf('b'));
    expect(await outcome(a.writer.ensureLease())).toMatchObject(lost('A later run took this scope over while this one waited'));
    expect(a.writer.isStale).toBe(true);
  });
});

describe('a run without a lease', () => {
  it('is told when another run changed what it had looked at', async () => {
    const { begun } = scope();
    const [a, b] = [await begun('a'), await begun('b')];
    await a.writer.submit([record(1, 'a')], now);
    expect(await outcome(b.writer.finish(endingOf('b')))).toMatchObject(lost('Another run changed records that this one had looked at'));
    expect(b.writer.isStale).toBe(true);
  });

  it('gives back a lease that a push took although its answer never came', async () => {
    const { remote, begun, state } = scope();
    const { writer } = await begun('a');
    remote.after = () => {
      throw new Error('no answer');
    };
    expect(await outcome(writer.submit([intent(1, 'a')], now))).toMatchObject({ message: 'no answer' });
    expect([state().lease?.released, writer.holdsLease]).toEqual([null, false]);
    remote.after = () => undefined;
    expect(await writer.finish(endingOf('a'))).toBe('stored');
    expect(state().lease?.released).toEqual({ quietForMs: 0 });
  });

  it('knows where an earlier run stood', async () => {
    const { begun } = scope();
    const a = await begun('a', { snapshot: position });
    expect(a.writer.position).toBeNull();
    await a.writer.finish(endingOf('a', { snapshot: position }));
    expect((await begun('b')).writer.position).toEqual(position);
  });
});

describe('a quiet moment', () => {
  it('that is over is not waited for, even by a run that is told to stop', async () => {
    const { begun, clock } = scope();
    const { writer } = await begun('a');
    expect(await outcome(writer.quietMoment(AbortSignal.abort()))).toBe('done');
    expect(clock.asked).toEqual([]);
  });

  it('that another run left is not this run’s own', async () => {
    const { begun, clock } = scope();
    const { writer, stop } = await begun('a');
    await writer.ensureLease();
    writer.rest(9_000);
    await rest();
    clock.asked.length = 0;
    await writer.look();
    await writer.quietMoment(stop.signal);
    expect(clock.asked).toEqual([]);
  });
});
