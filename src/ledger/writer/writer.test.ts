import { describe, expect, it } from 'vitest';
import { branch, endingOf, identity, intent, later, now, outcome, position, record, scope } from '../../../test/support/writer-scope.ts';
import { paths } from '../model/state.ts';
import { LedgerMoved } from './ledger-moved.ts';

describe('group commit', () => {
  it('puts the intents of a wave and the records of the wave before into one push, with the lease', async () => {
    const { begun, commits, state } = scope();
    let isQuiet = false;
    let tell = (): void => undefined;
    const { writer } = await begun('a', {
      workers: {
        isQuiet: () => isQuiet,
        watch: (watcher) => {
          tell = watcher;
        },
      },
    });
    const facts = Promise.all([
      writer.submit([record(1, 'a')], later),
      writer.submit([intent(2, 'a')], now),
      writer.submit([intent(3, 'a')], now),
    ]);
    expect(await outcome(facts)).toBe('open');
    isQuiet = true;
    tell();
    await facts;
    expect(commits()).toHaveLength(1);
    expect([...state().intents.keys()]).toEqual([identity(2), identity(3)]);
    expect(state().records.size).toBe(1);
    expect(state().lease?.run).toBe('a');
    expect(writer.holdsLease).toBe(true);
  });

  it('leaves records for the last push when nothing urgent comes', async () => {
    const { begun, commits, state } = scope();
    const { writer } = await begun('a');
    const recorded = writer.submit([record(1, 'a')], later);
    expect(await outcome(recorded)).toBe('open');
    expect(commits()).toHaveLength(0);
    expect(await writer.finish(endingOf('a'))).toBe('stored');
    await recorded;
    expect(commits()).toHaveLength(1);
    expect(state().lease).toBeNull();
    expect(state().history.map((entry) => entry.run)).toEqual(['a']);
  });

  it('lets facts that arrive while a push is under way share the next one', async () => {
    const { remote, begun, commits } = scope();
    const { writer } = await begun('a');
    const gate = Promise.withResolvers<void>();
    remote.before = () => gate.promise;
    const first = writer.submit([intent(1, 'a')], now);
    const second = Promise.all([writer.submit([intent(2, 'a')], now), writer.submit([intent(3, 'a')], now)]);
    gate.resolve();
    await Promise.all([first, second]);
    expect(commits()).toHaveLength(2);
  });

  it('a record ends the intent of its identity, and a forget ends both', async () => {
    const { begun, state } = scope();
    const { writer } = await begun('a');
    await writer.submit([intent(1, 'a'), intent(2, 'a')], now);
    await writer.submit([record(1, 'a'), { kind: 'withdraw', identity: identity(2) }], now);
    expect([state().intents.size, state().records.size]).toEqual([0, 1]);
    await writer.submit([{ kind: 'forget', identity: identity(1) }], now);
    expect(state().records.size).toBe(0);
  });

  it('a push that is refused fails the facts that it held, and the next one is tried', async () => {
    const { remote, begun, state } = scope();
    const { writer } = await begun('a');
    remote.before = () => {
      throw new Error('no network');
    };
    expect(await outcome(writer.submit([intent(1, 'a')], now))).toMatchObject({ message: 'no network' });
    remote.before = () => undefined;
    await writer.submit([intent(2, 'a')], now);
    expect([...state().intents.keys()]).toEqual([identity(2)]);
  });

  it('keeps the position of the lines while the run goes on, and after it only when it was interrupted', async () => {
    const { begun, state } = scope();
    const { writer } = await begun('a', { snapshot: position });
    await writer.submit([intent(1, 'a')], now);
    expect(state().snapshot).toEqual(position);
    await writer.finish(endingOf('a'));
    expect(state().snapshot).toBeNull();

    const next = await begun('b', { snapshot: position });
    await next.writer.finish(endingOf('b', { snapshot: position }));
    expect(state().snapshot).toEqual(position);
  });
});

describe('two runs at once', () => {
  it('refuses the intents of the one that came second, until the first one is done', async () => {
    const { clock, begun, state } = scope();
    const [a, b] = [await begun('a'), await begun('b')];
    await a.writer.submit([intent(1, 'a')], now);
    const second = b.writer.submit([intent(1, 'b')], now);
    expect(await outcome(second)).toBe('open');
    await a.writer.submit([record(1, 'a')], now);
    await a.writer.finish(endingOf('a'));
    await clock.advance(5_000);
    expect(await outcome(second)).toBeInstanceOf(LedgerMoved);
    expect(b.writer.state.records.get(identity(1))?.run).toBe('a');
    expect(state().intents.size).toBe(0);
    expect(b.waits[0]).toContain('run a of host-a');
  });

  it('refuses the lease to a line whose look is older than the other run’s write', async () => {
    const { clock, begun } = scope();
    const [a, b] = [await begun('a'), await begun('b')];
    await a.writer.ensureLease();
    await a.writer.finish(endingOf('a'));
    const asked = b.writer.ensureLease();
    await clock.advance(5_000);
    expect(await outcome(asked)).toBeInstanceOf(LedgerMoved);
    await b.writer.ensureLease();
    expect(b.writer.holdsLease).toBe(true);
  });

  it('replays no fact of a run without a lease, because its look may be older', async () => {
    const { begun, state } = scope();
    const [a, b] = [await begun('a'), await begun('b')];
    const theirs = [b.writer.submit([record(1, 'b')], later), b.writer.submit([record(2, 'b')], later)];
    void a.writer.submit([record(1, 'a')], later);
    await a.writer.finish(endingOf('a'));
    expect(await b.writer.finish(endingOf('b'))).toBe('moved');
    for (const one of theirs) expect(await outcome(one)).toBeInstanceOf(LedgerMoved);
    expect(await b.writer.finish(endingOf('b'))).toBe('stored');
    expect([...state().records.values()].map((one) => one.run)).toEqual(['a']);
    expect(state().history.map((entry) => entry.run)).toEqual(['a', 'b']);
  });

  it('writes no fact about an object under the lease of another run, and its receipt alone at once', async () => {
    const { clock, begun, state, commits } = scope();
    const [a, b, c] = [await begun('a'), await begun('b'), await begun('c')];
    await a.writer.submit([intent(1, 'a')], now);
    expect(await c.writer.finish(endingOf('c'))).toBe('stored');
    expect(state().lease).toMatchObject({ run: 'a', released: null });
    const recorded = b.writer.submit([record(2, 'b')], later);
    const finished = b.writer.finish(endingOf('b'));
    expect(await outcome(finished)).toBe('open');
    await a.writer.submit([record(1, 'a')], now);
    await a.writer.finish(endingOf('a'));
    await clock.advance(20_000);
    expect(await outcome(recorded)).toBeInstanceOf(LedgerMoved);
    expect(await finished).toBe('moved');
    expect(await b.writer.finish(endingOf('b'))).toBe('stored');
    expect(state().history.map((entry) => entry.run)).toEqual(['c', 'a', 'b']);
    expect(commits()).toHaveLength(5);
  });
});

describe('a run that only looks', () => {
  it('reads once, waits for nobody and writes nothing', async () => {
    const { begun, run, commits } = scope();
    await (await begun('a')).writer.submit([intent(1, 'a')], now);
    const plan = run('plan');
    await plan.writer.look();
    expect(plan.writer.state.intents.size).toBe(1);
    expect(commits()).toHaveLength(1);
  });
});

describe('a run that found nothing to write', () => {
  it('is stale when another run changed records before its receipt was stored, because its report is out of date', async () => {
    const { begun, state } = scope();
    const [a, b] = [await begun('a'), await begun('b')];
    await a.writer.submit([intent(1, 'a')], now);
    void a.writer.submit([record(1, 'a')], later);
    await a.writer.finish(endingOf('a'));
    await expect(b.writer.finish(endingOf('b'))).rejects.toMatchObject({ code: 'LEASE_LOST' });
    expect(b.writer.isStale).toBe(true);
    expect(state().history.map((entry) => entry.run)).toEqual(['a']);
  });

  it('is not stale when another run wrote only its receipt', async () => {
    const { begun, state } = scope();
    const [a, b] = [await begun('a'), await begun('b')];
    await a.writer.finish(endingOf('a'));
    expect(await b.writer.finish(endingOf('b'))).toBe('stored');
    expect(state().history.map((entry) => entry.run)).toEqual(['a', 'b']);
  });

  it('ends beside a run that took the lease later and has changed no record yet, because its report is of the time before', async () => {
    const { begun, state } = scope();
    const [a, b] = [await begun('a'), await begun('b')];
    await a.writer.submit([intent(1, 'a')], now);
    expect(await b.writer.finish(endingOf('b'))).toBe('stored');
    expect(state()).toMatchObject({ lease: { run: 'a', released: null }, intents: { size: 1 } });
    expect(state().history.map((entry) => entry.run)).toEqual(['b']);
  });
});

describe('a damaged ledger', () => {
  it('is refused before anything is written', async () => {
    const { remote, run } = scope();
    await remote.open().append(branch, new Map([[paths.record(identity(1)), '{"v":1}']]), null, 'damage');
    await expect(run('a').writer.begin()).rejects.toMatchObject({ code: 'LEDGER_CORRUPT' });
    expect(remote.on(branch)).toHaveLength(1);
  });
});
