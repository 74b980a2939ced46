import { describe, expect, it } from 'vitest';
import { MemoryRemote } from '../../test/support/memory-store.ts';
import { rest, VirtualClock } from '../../test/support/virtual-clock.ts';
import type { Intent, LedgerRecord, Snapshot } from './facts.ts';
import type { LeaseTerms } from './lease.ts';
import { parseState, paths } from './state.ts';
import { type Ending, LedgerMoved, Writer } from './writer.ts';

const branch = 'pilotfish-receipts/preview/pr-12';
const identity = (n: number): string => n.toString(16).padStart(64, '0');
const shared = {
  v: 1 as const,
  adapter: 'http',
  op: 'hook',
  recipe: null,
  provider: { api: 'acme', base_url: 'https://api.acme.example', auth: null },
  line: 'hook',
  plan: null,
  reach: { kind: 'object' as const, find: null, remove: { method: 'DELETE' as const, path: '/hooks/{id}' } },
  lock: null,
  destroy: 'delete' as const,
  kind: 'object' as const,
  after: [],
  credential: 'block' as const,
};
const intentOf = (n: number, run: string, generation = 1): Intent => ({
  ...shared,
  identity: identity(n),
  key: `/hooks[${n}]`,
  generation,
  idempotencyKey: null,
  not: [],
  at: '2026-11-21T00:00:00.000Z',
  run,
});
const recordOf = (n: number, run: string, generation = 1): LedgerRecord => ({
  ...shared,
  identity: identity(n),
  key: `/hooks[${n}]`,
  template: 't',
  recordId: `DELETE /hooks/${n}`,
  objectId: String(n),
  owned: true,
  hash: 'h',
  fields: {},
  unready: false,
  fingerprints: {},
  outputs: {},
  edges: [],
  generation,
  superseded: [],
  writtenAt: '2026-11-21T00:00:00.000Z',
  run,
});
const endingOf = (run: string, change: Partial<Ending> = {}): Ending => ({
  receipt: {
    v: 1,
    run,
    command: 'apply',
    environment: 'preview',
    scope: 'pr-12',
    plan: null,
    commit: null,
    branch: null,
    pr: null,
    status: 'complete',
    digest: '',
    approvedBy: null,
    startedAt: '2026-11-21T00:00:00.000Z',
    ms: 0,
    lines: [],
    stats: { requests: 0, writes: 0 },
  },
  history: { run, at: '2026-11-21T00:00:00.000Z', commit: null, pr: null, repository: null, event: null, outcome: 'complete' },
  quietForMs: 0,
  snapshot: null,
  ...change,
});
const position: Snapshot = { v: 1, run: 'a', digest: 'd', commit: null, machine: 1, lines: [] };

/** A writer whose promises a test may look at as late as it wants. */
class PatientWriter extends Writer {
  override submit = (...given: Parameters<Writer['submit']>): Promise<void> => patiently(super.submit(...given));
  override ensureLease = (): Promise<void> => patiently(super.ensureLease());
  override begin = (): Promise<void> => patiently(super.begin());
  override finish = (ending: Ending): ReturnType<Writer['finish']> => patiently(super.finish(ending));
}

function patiently<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Some runs of one scope, each on a machine of its own, over one remote and one clock. */
function scope() {
  const remote = new MemoryRemote();
  const clock = new VirtualClock();
  const run = (name: string, o: { snapshot?: Snapshot; leaseTimeoutMs?: number; durationMs?: number; deadlineMs?: number } = {}) => {
    const terms: LeaseTerms = {
      holder: `host-${name}`,
      run: name,
      durationMs: o.durationMs ?? 120_000,
      deadlineMs: o.deadlineMs ?? 30_000,
    };
    const stop = new AbortController();
    const waits: string[] = [];
    const writer = new PatientWriter({
      store: remote.open(),
      branch,
      clock,
      terms,
      leaseTimeoutMs: o.leaseTimeoutMs ?? 600_000,
      signal: stop.signal,
      message: (kinds) => kinds.join(' '),
      onWait: (detail) => void waits.push(detail),
      snapshot: () => o.snapshot ?? null,
    });
    return { writer, stop, waits };
  };
  const begun = async (name: string, o?: Parameters<typeof run>[1]) => {
    const one = run(name, o);
    await one.writer.begin();
    return one;
  };
  const state = () => parseState(remote.filesOf(branch), branch);
  return { remote, clock, run, begun, state, commits: () => remote.on(branch) };
}

const intent = (n: number, run: string) => ({ kind: 'intent' as const, intent: intentOf(n, run) });
const record = (n: number, run: string, generation = 1) => ({ kind: 'record' as const, record: recordOf(n, run, generation) });
const now = { urgent: true };
const later = { urgent: false };
/** How a promise ended, or that it did not. */
async function outcome(promise: Promise<unknown>): Promise<unknown> {
  const open = Symbol('open');
  const end = promise.then(
    () => 'done',
    (error: unknown) => error,
  );
  await rest();
  const seen = await Promise.race([end, Promise.resolve(open)]);
  return seen === open ? 'open' : seen;
}

describe('group commit', () => {
  it('puts the intents of a wave and the records of the wave before into one push, with the lease', async () => {
    const { begun, commits, state } = scope();
    const { writer } = await begun('a');
    let isQuiet = false;
    writer.isQuiet = () => isQuiet;
    const facts = Promise.all([
      writer.submit([record(1, 'a')], later),
      writer.submit([intent(2, 'a')], now),
      writer.submit([intent(3, 'a')], now),
    ]);
    expect(await outcome(facts)).toBe('open');
    isQuiet = true;
    writer.nudge();
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

  it('refuses the lease of a line whose look the other run made old', async () => {
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

  it('replays the facts of a run without a lease while their identities are unchanged', async () => {
    const { begun, state } = scope();
    const [a, b] = [await begun('a'), await begun('b')];
    const theirs = b.writer.submit([record(2, 'b')], later);
    const ours = a.writer.submit([record(1, 'a')], later);
    await a.writer.finish(endingOf('a'));
    expect(await b.writer.finish(endingOf('b'))).toBe('stored');
    await Promise.all([ours, theirs]);
    expect([...state().records.values()].map((one) => one.run)).toEqual(['a', 'b']);
    expect(state().history.map((entry) => entry.run)).toEqual(['a', 'b']);
  });

  it('sends a line to look again when the other run recorded its identity, and finishes anew with the rest', async () => {
    const { begun, state } = scope();
    const [a, b] = [await begun('a'), await begun('b')];
    const same = b.writer.submit([record(1, 'b')], later);
    const other = b.writer.submit([record(2, 'b')], later);
    void a.writer.submit([record(1, 'a')], later);
    await a.writer.finish(endingOf('a'));
    expect(await b.writer.finish(endingOf('b'))).toBe('moved');
    expect(await outcome(same)).toBeInstanceOf(LedgerMoved);
    expect(await outcome(other)).toBe('open');
    expect(state().records.get(identity(2))).toBeUndefined();
    expect(await b.writer.finish(endingOf('b'))).toBe('stored');
    await other;
    expect([...state().records.values()].map((one) => one.run)).toEqual(['a', 'b']);
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
    await recorded;
    expect(await finished).toBe('stored');
    expect(state().history.map((entry) => entry.run)).toEqual(['c', 'a', 'b']);
    expect(commits()).toHaveLength(5);
  });
});

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
    const a = await begun('a', { durationMs: 60_000, deadlineMs: 20_000 });
    await a.writer.ensureLease();
    a.writer.close(); // the process died: nothing renews any more
    const b = run('b');
    const waiting = b.writer.begin();
    await clock.advance(59_000);
    expect(await outcome(waiting)).toBe('open');
    await clock.advance(1_000);
    await waiting;
    expect(state().lease).toMatchObject({ run: 'b', released: null });
    const quiet = b.writer.quietMoment(b.stop.signal);
    await clock.advance(29_999);
    expect(await outcome(quiet)).toBe('open');
    await clock.advance(1);
    await quiet;
  });

  it('is released with the last push, together with how long writes may still land', async () => {
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

  it('that was never got does not keep an interrupted run from its receipt', async () => {
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

describe('a damaged ledger', () => {
  it('is refused before anything is written', async () => {
    const { remote, run } = scope();
    await remote.open().append(branch, new Map([[paths.record(identity(1)), '{"v":1}']]), null, 'damage');
    await expect(run('a').writer.begin()).rejects.toMatchObject({ code: 'LEDGER_CORRUPT' });
    expect(remote.on(branch)).toHaveLength(1);
  });
});
