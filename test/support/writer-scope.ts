import type { Intent, LedgerRecord, Snapshot } from '../../src/ledger/model/facts.ts';
import { parseState } from '../../src/ledger/model/state.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import type { LeaseTerms } from '../../src/ledger/writer/lease.ts';
import { type Ending, Writer } from '../../src/ledger/writer/writer.ts';
import type { Workers } from '../../src/ledger/writer/writer-options.ts';
import { MemoryRemote } from './memory-store.ts';
import { rest, VirtualClock } from './virtual-clock.ts';

export const branch = 'pilotfish-receipts/preview/pr-12';
export const identity = (n: number): string => n.toString(16).padStart(64, '0');
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
export const endingOf = (run: string, change: Partial<Ending> = {}): Ending => ({
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
export const position: Snapshot = { v: 1, run: 'a', digest: 'd', commit: null, machine: 1, lines: [] };

/** A writer whose promises a test may look at as late as it wants. */
class PatientWriter extends Writer {
  override submit = (...given: Parameters<Writer['submit']>): Promise<void> => patiently(super.submit(...given));
  override ensureLease = (): Promise<void> => patiently(super.ensureLease());
  override begin = (): Promise<void> => patiently(super.begin());
  override confirm = (...given: Parameters<Writer['confirm']>): Promise<void> => patiently(super.confirm(...given));
  override finish = (ending: Ending): ReturnType<Writer['finish']> => patiently(super.finish(ending));
}

function patiently<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

interface RunOptions {
  snapshot?: Snapshot;
  leaseTimeoutMs?: number;
  durationMs?: number;
  deadlineMs?: number;
  isDestroy?: boolean;
  /** Of its store, as the writer sees it. */
  kind?: Store['kind'];
  /** Always quiet where they are left out. */
  workers?: Workers;
}

/** Nobody is at work. */
export const idle: Workers = { isQuiet: () => true, watch: () => undefined };

/** Some runs of one scope, each on a machine of its own, over one remote and one clock. */
export function scope() {
  const remote = new MemoryRemote();
  const clock = new VirtualClock();
  const run = (name: string, o: RunOptions = {}) => {
    const terms: LeaseTerms = {
      holder: `host-${name}`,
      run: name,
      durationMs: o.durationMs ?? 120_000,
      deadlineMs: o.deadlineMs ?? 30_000,
    };
    const stop = new AbortController();
    const waits: string[] = [];
    const writer = new PatientWriter({
      workers: o.workers ?? idle,
      store: { ...remote.open(), ...(o.kind && { kind: o.kind }) },
      branch,
      clock,
      terms,
      leaseTimeoutMs: o.leaseTimeoutMs ?? 600_000,
      signal: stop.signal,
      message: (kinds, hasReceipt) => [...kinds, ...(hasReceipt ? ['receipt'] : [])].join(' '),
      onWait: (detail) => void waits.push(detail),
      snapshot: () => o.snapshot ?? null,
      ...(o.isDestroy && { isDestroy: true }),
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

export const intent = (n: number, run: string) => ({ kind: 'intent' as const, intent: intentOf(n, run) });
export const record = (n: number, run: string, generation = 1) => ({ kind: 'record' as const, record: recordOf(n, run, generation) });
export const now = { urgent: true };
export const later = { urgent: false };
/** How a promise ended, or that it did not. */
export async function outcome(promise: Promise<unknown>): Promise<unknown> {
  const open = Symbol('open');
  const end = promise.then(
    () => 'done',
    (error: unknown) => error,
  );
  await rest();
  const seen = await Promise.race([end, Promise.resolve(open)]);
  return seen === open ? 'open' : seen;
}
