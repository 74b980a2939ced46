import { describe, expect, it } from 'vitest';
import { rest } from '../../../test/support/virtual-clock.ts';
import { branch, endingOf, intent, later, now, outcome, position, record, scope } from '../../../test/support/writer-scope.ts';
import { Failure } from '../../core/errors.ts';
import { paths } from '../model/state.ts';
import type { Change } from '../stores/store.ts';
import { LedgerMoved } from './ledger-moved.ts';

/** Somebody writes past every rule: what a person with push rights can do. */
async function meddle(remote: ReturnType<typeof scope>['remote'], change: Change): Promise<void> {
  const store = remote.open();
  await store.append(branch, change, await store.head(branch), 'by hand');
}

describe('the message of a push', () => {
  it('names what the push holds: kinds of facts, the receipt, or nothing but the lease', async () => {
    const { remote, begun } = scope();
    const { writer } = await begun('a');
    await writer.submit([record(1, 'a'), intent(2, 'a')], now);
    await writer.finish(endingOf('a'));
    const next = await begun('b');
    await next.writer.ensureLease();
    expect(remote.commits.map(({ message }) => message)).toEqual(['record intent', 'receipt', '']);
    expect(writer.head).toBe('commit-2');
  });

  it('names nothing but the lease when one is taken over', async () => {
    const { remote, clock, begun, run } = scope();
    const a = await begun('a');
    await a.writer.ensureLease();
    a.writer.close();
    const b = run('b');
    const taking = b.writer.begin();
    await clock.advance(120_000);
    await taking;
    expect(remote.commits.map(({ message }) => message)).toEqual(['', '']);
    expect([b.writer.head, b.writer.state.lease?.run, b.writer.state.lease?.renewal]).toEqual(['commit-2', 'b', 1]);
    expect(b.writer.holdsLease).toBe(true);
    await b.writer.submit([intent(1, 'b')], now);
    expect(b.writer.state.lease?.renewal).toBe(2);
  });
});

describe('the lease is taken', () => {
  it('with an intent, whatever stands beside it, and not for records alone', async () => {
    const { begun, state } = scope();
    const { writer } = await begun('a');
    expect(writer.isStale).toBe(false);
    await writer.submit([record(1, 'a')], now);
    expect([state().lease, writer.holdsLease]).toEqual([null, false]);
    await writer.submit([record(2, 'a'), intent(3, 'a')], now);
    expect([state().lease?.run, writer.holdsLease]).toEqual(['a', true]);
  });

  it('once, and its holder asks for nothing', async () => {
    const { begun, commits } = scope();
    const { writer } = await begun('a');
    await writer.ensureLease();
    await writer.ensureLease();
    await writer.submit([], now);
    await rest();
    expect(commits()).toHaveLength(1);
  });

  it('and renewed on what somebody wrote by hand meanwhile', async () => {
    const { clock, remote, begun, state } = scope();
    const { writer } = await begun('a');
    await writer.ensureLease();
    await meddle(remote, new Map([['notes.md', 'by hand']]));
    await clock.advance(50_000);
    // The push that found the moved head counts, too.
    expect([state().lease?.renewal, writer.holdsLease, remote.filesOf(branch).get('notes.md')]).toEqual([3, true, 'by hand']);
    expect(() => writer.checkLease()).not.toThrow();
  });

  it('again after it was given back, and renewed like the first one', async () => {
    const { clock, begun, state } = scope();
    const { writer } = await begun('a');
    await writer.ensureLease();
    writer.rest(0);
    await rest();
    await writer.submit([record(1, 'a')], now);
    expect([state().lease?.released, writer.holdsLease]).toEqual([{ quietForMs: 0 }, false]);
    await writer.ensureLease();
    await clock.advance(300_000);
    expect(() => writer.checkLease()).not.toThrow();
  });

  it('by one of two that waited for a dead run; the other one waits on', async () => {
    const { clock, begun, run, state } = scope();
    const a = await begun('a');
    await a.writer.ensureLease();
    a.writer.close();
    const waiting = [run('b'), run('c')].map(({ writer }) => ({ writer, ready: writer.begin() }));
    await clock.advance(130_000);
    const ends = await Promise.all(waiting.map(({ ready }) => outcome(ready)));
    expect([...ends].sort()).toEqual(['done', 'open']);
    const winner = waiting[ends.indexOf('done')];
    expect(waiting.filter(({ writer }) => writer.holdsLease)).toEqual([winner]);
    await winner?.writer.finish(endingOf(state().lease?.run ?? ''));
    await clock.advance(5_000);
    expect(await Promise.all(waiting.map(({ ready }) => outcome(ready)))).toEqual(['done', 'done']);
  });

  it('over after all when somebody wrote in the very moment, once it has stood unchanged again', async () => {
    const { remote, clock, begun, run, state } = scope();
    const a = await begun('a');
    await a.writer.ensureLease();
    a.writer.close();
    remote.before = async () => {
      remote.before = () => undefined;
      await meddle(remote, new Map([['notes.md', 'by hand']]));
    };
    const b = run('b');
    const taking = b.writer.begin();
    await clock.advance(125_000);
    expect(await outcome(taking)).toBe('open');
    expect(state().lease?.run).toBe('a');
    await clock.advance(120_000);
    expect(await outcome(taking)).toBe('done');
    expect(state().lease?.run).toBe('b');
  });

  it('over together with the position of the dead run, which is over', async () => {
    for (const snapshot of [position, null]) {
      const { clock, begun, run, state, commits } = scope();
      const a = await begun('a', snapshot ? { snapshot } : {});
      await a.writer.ensureLease();
      a.writer.close();
      expect(state().snapshot).toEqual(snapshot);
      const b = run('b');
      const taking = b.writer.begin();
      await clock.advance(120_000);
      await taking;
      expect(state().snapshot).toBeNull();
      expect([...(commits().at(-1)?.keys() ?? [])]).toEqual(snapshot ? [paths.lease, paths.snapshot] : [paths.lease]);
    }
  });

  it('over by no run whose push was refused', async () => {
    const { remote, clock, begun, run } = scope();
    const a = await begun('a');
    await a.writer.ensureLease();
    a.writer.close();
    remote.before = () => {
      throw new Error('no permission');
    };
    const b = run('b');
    const taking = b.writer.begin();
    await clock.advance(120_000);
    expect(await outcome(taking)).toMatchObject({ message: 'no permission' });
    expect(b.writer.holdsLease).toBe(false);
  });
});

describe('a run that waits', () => {
  it('tries nothing while the lease is renewed', async () => {
    const { remote, clock, begun, run } = scope();
    const a = await begun('a');
    await a.writer.ensureLease();
    let appends = 0;
    remote.before = () => {
      appends += 1;
    };
    void run('b').writer.begin();
    await clock.advance(200_000);
    expect(appends).toBe(5); // the renewals of the one that has it
  });

  it('waits even when it knew of the lease before it had anything to write', async () => {
    const { clock, begun, run, commits } = scope();
    const a = await begun('a');
    await a.writer.ensureLease();
    const b = run('b');
    await b.writer.look();
    const announced = b.writer.submit([intent(2, 'b')], now);
    expect(await outcome(announced)).toBe('open');
    await a.writer.finish(endingOf('a'));
    await clock.advance(5_000);
    expect(await outcome(announced)).toBeInstanceOf(LedgerMoved);
    expect(commits()).toHaveLength(2);
  });

  it('ends anew when a fact of its last push was made old meanwhile', async () => {
    const { clock, begun, run } = scope();
    const a = await begun('a');
    await a.writer.ensureLease();
    const b = run('b');
    await b.writer.look();
    void b.writer.submit([record(1, 'b')], later);
    const finished = b.writer.finish(endingOf('b'));
    await a.writer.submit([record(1, 'a')], now);
    await a.writer.finish(endingOf('a'));
    await clock.advance(10_000);
    expect(await finished).toBe('moved');
  });

  it('looks again for facts that came while its push was under way, too', async () => {
    const { remote, clock, begun, state } = scope();
    const [a, b] = [await begun('a'), await begun('b')];
    await a.writer.submit([intent(1, 'a')], now);
    await a.writer.submit([record(1, 'a')], now);
    const late: Promise<void>[] = [];
    remote.before = async () => {
      remote.before = () => undefined;
      late.push(b.writer.submit([record(1, 'b')], later), b.writer.submit([intent(3, 'b')], later));
      await a.writer.finish(endingOf('a'));
    };
    const announced = b.writer.submit([intent(2, 'b')], now);
    await clock.advance(5_000);
    for (const one of [announced, ...late]) expect(await outcome(one)).toBeInstanceOf(LedgerMoved);
    await b.writer.finish(endingOf('b'));
    expect([state().intents.size, state().records.size, [...state().records.values()][0]?.run]).toEqual([0, 1, 'a']);
  });

  it('looks again for facts that it adds while it waits, although the ledger does not change meanwhile', async () => {
    const { clock, begun, state } = scope();
    const [a, b] = [await begun('a'), await begun('b')];
    await a.writer.submit([intent(1, 'a')], now);
    await a.writer.submit([record(1, 'a')], now);
    const announced = b.writer.submit([intent(2, 'b')], now);
    expect(await outcome(announced)).toBe('open');
    // This fact comes from a look that began before, and knows of no record.
    const late = b.writer.submit([record(1, 'b')], later);
    await a.writer.finish(endingOf('a'));
    await clock.advance(5_000);
    for (const one of [announced, late]) expect(await outcome(one)).toBeInstanceOf(LedgerMoved);
    await b.writer.finish(endingOf('b'));
    expect([...state().records.values()].map(({ run }) => run)).toEqual(['a']);
  });

  it('looks again whatever the other run wrote, because its look is older', async () => {
    const { clock, begun } = scope();
    const [a, b] = [await begun('a'), await begun('b')];
    await a.writer.submit([intent(1, 'a')], now);
    const other = b.writer.submit([intent(2, 'b')], now);
    await a.writer.finish(endingOf('a'));
    await clock.advance(5_000);
    expect(await outcome(other)).toBeInstanceOf(LedgerMoved);
    expect(b.writer.epoch).toBe(1);
  });

  it('says that it wrote no receipt when it is interrupted', async () => {
    const { begun, commits } = scope();
    const [a, b] = [await begun('a'), await begun('b')];
    await a.writer.submit([intent(1, 'a')], now);
    void b.writer.submit([record(2, 'b')], later);
    const finished = b.writer.finish(endingOf('b'));
    await rest();
    b.stop.abort(new Failure('INTERRUPTED', { detail: 'SIGINT' }));
    expect(await outcome(finished)).toMatchObject({ code: 'INTERRUPTED', detail: expect.stringContaining('its receipt was not written') });
    expect(commits()).toHaveLength(1);
  });

  it('gets LEASE_HELD as it is, even when it is interrupted at the same time', async () => {
    const { clock, begun } = scope();
    const [a, b] = [await begun('a'), await begun('b', { leaseTimeoutMs: 3_000 })];
    await a.writer.submit([intent(1, 'a')], now);
    void b.writer.submit([record(2, 'b')], later);
    const finished = b.writer.finish(endingOf('b'));
    await clock.advance(3_000);
    expect(await outcome(finished)).toMatchObject({ code: 'LEASE_HELD' });
  });
});

describe('a last push', () => {
  it('that is refused gives its error as it is, and nothing is renewed any more', async () => {
    const { remote, clock, begun } = scope();
    const { writer } = await begun('a');
    await writer.ensureLease();
    let appends = 0;
    remote.before = () => {
      appends += 1;
      throw new Error('no network');
    };
    expect(await outcome(writer.finish(endingOf('a')))).toMatchObject({ message: 'no network' });
    await clock.advance(200_000);
    expect(appends).toBe(1);
  });

  it('waits for the push that is under way', async () => {
    const { remote, begun, state } = scope();
    const { writer } = await begun('a');
    const gate = Promise.withResolvers<void>();
    let [open, most] = [0, 0];
    remote.before = async () => {
      open += 1;
      most = Math.max(most, open);
      await gate.promise;
    };
    remote.after = () => {
      open -= 1;
    };
    const announced = writer.submit([intent(1, 'a')], now);
    const finished = writer.finish(endingOf('a'));
    await rest();
    gate.resolve();
    await announced;
    expect(await finished).toBe('stored');
    expect(most).toBe(1);
    expect([state().intents.size, state().lease?.released]).toEqual([1, { quietForMs: 0 }]);
  });
});
