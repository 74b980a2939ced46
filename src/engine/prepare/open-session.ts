import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { systemClock } from '../../core/clock.ts';
import type { Redactor } from '../../core/redact.ts';
import { createClient } from '../../http/client.ts';
import type { Snapshot } from '../../ledger/model/facts.ts';
import { receiptsBranch } from '../../ledger/model/names.ts';
import { mustNotBeMissing } from '../../ledger/recovery/missing.ts';
import { openStore } from '../../ledger/stores/open-store.ts';
import { leaseTerms } from '../../ledger/writer/lease.ts';
import { LedgerMoved } from '../../ledger/writer/ledger-moved.ts';
import { Writer } from '../../ledger/writer/writer.ts';
import type { Registry } from '../../ops/registry.ts';
import type { Context, Plan, SecretRef } from '../../plan/types.ts';
import type { RepositoryFacts } from '../../platform/checkout.ts';
import { commandDeadline } from '../../platform/command-deadline.ts';
import type { GitAnswer } from '../../platform/git-system.ts';
import { applyAgain } from '../command-again.ts';
import { createGate } from '../gate.ts';
import type { LineWork } from '../line/work.ts';
import { stopBy } from '../schedule/stop.ts';
import { Upcoming } from '../schedule/upcoming.ts';
import type { Session } from '../session.ts';
import { eventShape } from '../shapes.ts';
import { toldReceipt } from '../timing/told-receipt.ts';
import type { RunRequest, RunWorld } from '../types.ts';
import { commandRunner } from './commands.ts';
import { secretAccess, secretReader } from './secret-access.ts';
import { commandsOf } from './stored-command.ts';
import { Vault } from './vault.ts';

/** How long the facts of other lines wait for a line that waits for a secret: as long as a run counts as a short one. */
const secretPatienceMs = 40_000;

export interface SessionOptions {
  readonly request: RunRequest;
  readonly world: RunWorld;
  readonly registry: Registry;
  /** Knows what the environment and the remote's address hold. */
  readonly redactor: Redactor;
  readonly facts: RepositoryFacts | null;
  readonly purpose: Session['purpose'];
  readonly context: Context & { readonly scope: string };
  readonly plan: Pick<Plan, 'name' | 'receipts' | 'apis' | 'providers'>;
  /** The header that git's configuration has for the repository's remote, where it was asked for while the plan was read. */
  readonly extraHeader?: Promise<GitAnswer> | undefined;
}

/** A session with what the run still has to connect: its lines. */
export interface OpenSession {
  readonly session: Session;
  /** Called once the lines exist. */
  connect(o: {
    hold: (line: string, o: { isLast: boolean }) => void;
    resume: (line: string) => void;
    snapshot: () => Snapshot | null;
    onlyPolls: () => boolean;
    /** Another run wrote before this one held the lease. */
    moved: () => void;
  }): void;
  /** What is asked once under the lease, before the first write: why the run is stale by now, or `null`. */
  beforeFirstWrite(judge: () => Promise<string | null>): void;
  close(): Promise<void>;
}

export async function openSession(o: SessionOptions): Promise<OpenSession> {
  const { request, world, registry, redactor, facts, purpose, context, plan } = o;
  const { env } = request;
  const clock = world.clock ?? systemClock;
  const runId = randomUUID().replaceAll('-', '').slice(0, 12);
  const terms = leaseTerms(env, `${os.hostname()}/${process.pid}`, runId);
  // Read here for its mistakes: they are told before anything is asked.
  commandDeadline(env);
  const stop = stopBy(world.signal, clock);
  const stale: { why: string | null } = { why: null };

  const tell: Session['tell'] = (event) => world.listen?.(redactor.document(event, eventShape));
  const storeOptions = {
    facts,
    cwd: request.cwd,
    env,
    clock,
    redactor,
    isForWriting: purpose !== 'plan',
    patienceMs: request.leaseTimeoutMs,
    signal: stop.stopping,
    ...(world.dispatcher && { dispatcher: world.dispatcher }),
  };
  const { extraHeader } = o;
  const store = world.store ?? (await openStore({ ...storeOptions, receipts: plan.receipts, ...(extraHeader && { extraHeader }) }));
  const lockStore = await openLockStore(store, storeOptions);
  const branch = receiptsBranch(context.environment, context.scope, plan.name);
  const hooks = {
    hold: (_line: string, _o: { isLast: boolean }): void => undefined,
    resume: (_line: string): void => undefined,
    snapshot: (): Snapshot | null => null,
    onlyPolls: (): boolean => false,
    moved: (): void => undefined,
    beforeFirst: (): Promise<string | null> => Promise.resolve(null),
  };
  const writer = new Writer({
    store,
    branch,
    clock,
    terms,
    leaseTimeoutMs: request.leaseTimeoutMs,
    signal: stop.stopping,
    message: (kinds, hasReceipt) => messageOf(context, kinds, hasReceipt),
    onWait: (detail) => tell({ type: 'run', state: 'waiting', detail, at: clock.now() }),
    onMissing: () =>
      mustNotBeMissing(store, context.environment, branch, {
        restore: (commit) => applyAgain({ ...context, planFile: request.plan }, '--restore-ledger', commit),
        told: () =>
          toldReceipt({ client, clock, env, repository: facts, ...context, pr: context.pr.number, branch, signal: stop.stopping }),
      }),
    onMoved: () => {
      client.forgetReads();
      hooks.moved();
    },
    isDestroy: purpose === 'destroy',
    onPush: (ms) => tell({ type: 'ledger', what: 'push', ms: Math.round(ms), at: clock.now() }),
    onFetch: (ms) => tell({ type: 'ledger', what: 'fetch', ms: Math.round(ms), at: clock.now() }),
    // A position ends with its run, and a stale one leaves nothing behind.
    snapshot: () => (stale.why === null ? hooks.snapshot() : null),
  });
  const gate = createGate({
    writer,
    clock,
    deadlineMs: terms.deadlineMs,
    stopping: stop.stopping,
    beforeFirst: async () => {
      const why = await hooks.beforeFirst();
      if (why !== null) session.endAsStale(why);
    },
  });
  const client = createClient({
    env,
    redactor,
    signal: stop.stopping,
    clock,
    gate,
    deadlineMs: terms.deadlineMs,
    onRequest: (facts) => tell({ type: 'request', ...facts, at: clock.now() }),
    ...(world.dispatcher && { dispatcher: world.dispatcher }),
  });
  const run = commandRunner({ env, signal: stop.stopping, clock, redactor });
  const access = secretAccess({ env, signal: stop.stopping, client, run });
  const readSecret = secretReader({ sources: registry, access, redactor, clock });
  /** A line that looked before another run wrote looks again, whether or not this run holds the lease by now. */
  const mustBeCurrent = (work: LineWork): void => {
    if (work.epoch !== writer.epoch) throw new LedgerMoved();
  };
  const upcoming = new Upcoming(client);
  /** Thousands of lines wait here at once: an async function would keep a frame for each. */
  const untilStored = (work: LineWork, stored: Promise<void>): Promise<void> =>
    upcoming.during(work, stored).then(() => hooks.resume(work.id));
  const session: Session = {
    runId,
    purpose,
    environment: context.environment,
    scope: context.scope,
    planName: plan.name,
    planFile: request.plan,
    sha: context.git.sha,
    branch: context.git.branch,
    repository: facts?.slug ?? facts?.remoteUrl ?? store.location,
    receiptsBranch: branch,
    home: facts?.top ?? request.cwd,
    env,
    commands: commandsOf(plan),
    clock,
    registry,
    redactor,
    client,
    store,
    lockStore,
    writer,
    gate,
    terms,
    vault: new Vault(redactor, { ...context, planFile: request.plan }),
    works: new Map(),
    awaited: new Set(),
    identities: new Map(),
    recreate: new Set(request.recreate),
    reconcile: request.reconcile,
    stopping: stop.stopping,
    ending: stop.ending,
    waitUntil: clock.mono() + request.waitTimeoutMs,
    waitTimeoutMs: request.waitTimeoutMs,
    leaseTimeoutMs: request.leaseTimeoutMs,
    isReported: env.GITHUB_ACTIONS === 'true',
    warnings: [],
    leftovers: { hash: '' },
    get staleWhy() {
      return stale.why;
    },
    endAsStale: (why) => {
      stale.why ??= why;
      stop.begin();
    },
    secret: async (ref: SecretRef, line?: string) => {
      const reading = readSecret(ref.reference);
      if (line === undefined) return await reading;
      const waiting = new AbortController();
      clock.sleep(secretPatienceMs, waiting.signal).then(
        () => hooks.hold(line, { isLast: false }),
        () => undefined,
      );
      try {
        return await reading;
      } finally {
        waiting.abort('over');
        hooks.resume(line);
      }
    },
    lease: async (work: LineWork, facts = []) => {
      mustBeCurrent(work);
      if (writer.holdsLease && facts.length === 0) return;
      const held = Promise.all([writer.ensureLease(), writer.submit(facts, { urgent: true })]);
      hooks.hold(work.id, { isLast: false });
      try {
        await (writesAlone(work) ? upcoming.during(work, held) : held);
      } finally {
        hooks.resume(work.id);
      }
    },
    aside: async (work, wait) => {
      hooks.hold(work.id, { isLast: false });
      try {
        return await wait();
      } finally {
        hooks.resume(work.id);
      }
    },
    durable: (work, facts) => {
      mustBeCurrent(work);
      const isIntent = facts.some((fact) => fact.kind === 'intent');
      // Lines after one that did not become ready end only when it has, so its record cannot ride with the last push of the run.
      const isAwaited = work.unready && session.awaited.has(work.id);
      const stored = writer.submit(facts, { urgent: isIntent || isAwaited });
      hooks.hold(work.id, { isLast: !isIntent });
      return isIntent && writesAlone(work) ? untilStored(work, stored) : stored;
    },
    restIfOnlyPollers: () => {
      if (hooks.onlyPolls()) writer.rest(Math.max(0, gate.unansweredUntil() - clock.mono()));
    },
    tell,
  };
  return {
    session,
    connect: (connected) => Object.assign(hooks, connected),
    beforeFirstWrite: (judge) => {
      hooks.beforeFirst = judge;
    },
    close: async () => {
      stop.close();
      writer.close();
      client.close();
      if (lockStore !== store) await lockStore.close();
      if (!world.store) await store.close();
    },
  };
}

/** Its write is a request of its own, of which nobody else makes use: entries of a list and what a provider makes in bulk come together. */
function writesAlone({ bound, record, intent }: LineWork): boolean {
  if (bound?.kind === 'object') return bound.bulk === undefined;
  return bound === null && (record ?? intent)?.reach.kind === 'object';
}

/** Two repositories on one provider project share their locks through `PILOTFISH_LOCK_REMOTE`. */
async function openLockStore(store: Session['store'], o: Omit<Parameters<typeof openStore>[0], 'receipts'>): Promise<Session['store']> {
  const url = o.env.PILOTFISH_LOCK_REMOTE;
  if (url === undefined || url === '') return store;
  const { openGitStore } = await import('../../ledger/stores/git/git-store.ts');
  const { facts: _facts, ...rest } = o;
  return openGitStore({ url, ...rest });
}

function messageOf(context: Context, kinds: readonly string[], hasReceipt: boolean): string {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const what = [...[...counts].map(([kind, n]) => `${n} ${kind}${n === 1 ? '' : 's'}`), ...(hasReceipt ? ['receipt'] : [])];
  return `${context.environment}/${context.scope}: ${what.join(', ') || 'lease'}`;
}
