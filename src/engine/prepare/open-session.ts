import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { type Clock, systemClock } from '../../core/clock.ts';
import { receiptsPlace } from '../../core/receipts-place.ts';
import type { Redactor } from '../../core/redact.ts';
import { createClient } from '../../http/client.ts';
import type { PullOf } from '../../ledger/model/facts.ts';
import { receiptsBranch, scopeOf } from '../../ledger/model/names.ts';
import { mustNotBeMissing } from '../../ledger/recovery/missing.ts';
import type { Sealing } from '../../ledger/seals/sealing.ts';
import { openStore } from '../../ledger/stores/open-store.ts';
import { leaseTerms } from '../../ledger/writer/lease.ts';
import { Writer } from '../../ledger/writer/writer.ts';
import type { Registry } from '../../ops/registry.ts';
import type { Context, Plan } from '../../plan/types.ts';
import type { RepositoryFacts } from '../../platform/checkout.ts';
import { commandDeadline } from '../../platform/command-deadline.ts';
import type { GitAnswer } from '../../platform/git-system.ts';
import { Barrier } from '../barrier.ts';
import { applyAgain } from '../command-again.ts';
import { createGate } from '../gate.ts';
import { EarlyLooks } from '../line/early-looks.ts';
import { type Stop, stopBy } from '../schedule/stop.ts';
import { Upcoming } from '../schedule/upcoming.ts';
import { endAsStale, type Session } from '../session.ts';
import { eventShape } from '../shapes.ts';
import type { Freshness } from '../timing/freshness.ts';
import { toldReceipt } from '../timing/told-receipt.ts';
import { lostTrees } from '../trust/lost-trees.ts';
import { openSeals } from '../trust/open-trust.ts';
import type { RunRequest, RunWorld } from '../types.ts';
import { ApprovedCommands } from './approved-commands.ts';
import { commandRunner, commandsOf } from './commands.ts';
import { Hosts } from './hosts.ts';
import { secretAccess, secretReader } from './secret-access.ts';
import { Vault } from './vault.ts';

export interface SessionOptions {
  readonly request: RunRequest;
  readonly world: RunWorld;
  readonly registry: Registry;
  /** Knows what the environment and the remote's address hold. */
  readonly redactor: Redactor;
  readonly facts: RepositoryFacts | null;
  readonly purpose: Session['purpose'];
  readonly context: Context & { readonly scope: string };
  readonly plan: Pick<Plan, 'name' | 'receipts' | 'ledger' | 'apis' | 'providers' | 'familyBlocks'>;
  /** The header that git's configuration has for the repository's remote, where it was asked for while the plan was read. */
  readonly extraHeader?: Promise<GitAnswer> | undefined;
  /** Whether the run is in time: asked before its lines start, and once more under the lease before its first write. */
  readonly freshness: (session: Session) => Freshness;
}

export interface OpenSession {
  readonly session: Session;
  readonly freshness: Freshness;
  close(): Promise<void>;
}

/** Opens the ledger and makes what the parts of a run share. */
export async function openSession(o: SessionOptions): Promise<OpenSession> {
  const { request, world, redactor, context } = o;
  const clock = world.clock ?? systemClock;
  const runId = randomUUID().replaceAll('-', '').slice(0, 12);
  const terms = leaseTerms(request.env, `${os.hostname()}/${process.pid}`, runId);
  // Called for its mistakes, which must be told before any request.
  commandDeadline(request.env);
  const stop = stopBy(world.signal, clock);
  const tell: Session['tell'] = (event) => world.listen?.(redactor.document(event, eventShape));
  const base: Base = {
    approved: new ApprovedCommands(world.commandGate),
    clock,
    terms,
    stop,
    stale: { why: null },
    tell,
    barrier: new Barrier(clock),
    ...(await openStores(o, clock, stop)),
  };
  const branch = receiptsBranch(context.environment, context.scope, o.plan.name);
  const readSecret = (reference: string) => session.readSecret(reference);
  const { sealing, trustIn } = openSeals({
    env: request.env,
    redactor,
    facts: o.facts,
    plan: o.plan,
    branch,
    pull: context.pr.number,
    readSecret,
  });
  const parts = connect(o, base, {
    branch,
    sealing,
    judge: () => freshness.judge(),
    warn: (text) => void (session.warnings.includes(text) || session.warnings.push(text)),
  });
  const { store } = base;
  // A destroy is the last run that could miss what the ledger lacks.
  const lost = o.purpose === 'destroy' ? () => lostTrees({ ...o, ...context, env: request.env, ...parts, store, branch, stop }) : undefined;
  const trust = trustIn({ repository: repositoryOf(o.facts, store), store, writer: parts.writer, ...(lost && { lost }) });
  const session: Session = sessionOf(o, base, { ...parts, trust, runId, branch });
  const freshness = o.freshness(session);
  const { lockStore } = base;
  return {
    session,
    freshness,
    close: async () => {
      stop.close();
      session.writer.close();
      session.client.close();
      if (lockStore !== store) await lockStore.close();
      if (!world.store) await store.close();
    },
  };
}

/** These parts are made before anything that writes. */
type Base = Pick<Session, 'approved' | 'clock' | 'terms' | 'stop' | 'stale' | 'tell' | 'barrier' | 'store' | 'lockStore'>;

async function openStores({ request, world, redactor, facts, purpose, plan, extraHeader }: SessionOptions, clock: Clock, stop: Stop) {
  const options = {
    facts,
    cwd: request.cwd,
    env: request.env,
    clock,
    redactor,
    isForWriting: purpose !== 'plan',
    patienceMs: request.leaseTimeoutMs,
    signal: stop.stopping,
    ...(world.dispatcher && { dispatcher: world.dispatcher }),
  };
  const store = world.store ?? (await openStore({ ...options, receipts: plan.receipts, ...(extraHeader && { extraHeader }) }));
  return { store, lockStore: await openLockStore(store, options) };
}

interface Links {
  readonly branch: string;
  readonly sealing: Sealing;
  readonly judge: () => Promise<string | null>;
  readonly warn: (text: string) => void;
}

/** Makes the writer, the gate before each write, and the client, which know each other. */
function connect(o: SessionOptions, base: Base, { branch, sealing, judge, warn }: Links) {
  const { request, world, redactor, context } = o;
  const { env } = request;
  const { clock, terms, stop, stale, tell, barrier, store } = base;
  const writer = new Writer({
    workers: barrier,
    store,
    branch,
    sealing,
    clock,
    terms,
    pull: pullOf(o, store),
    ...(scopeOf(branch) === null && { of: { scope: context.scope, plan: o.plan.name } }),
    leaseTimeoutMs: request.leaseTimeoutMs,
    signal: stop.stopping,
    message: (kinds, hasReceipt) => messageOf(context, kinds, hasReceipt),
    onWait: (detail) => tell({ type: 'run', state: 'waiting', detail, at: clock.now() }),
    onMissing: () =>
      mustNotBeMissing(store, branch, {
        warn,
        begins: beginOf(context),
        restore: (commit) => applyAgain({ ...context, planFile: request.plan }, ['restore-ledger', commit]),
        told: () =>
          toldReceipt({ client, clock, env, repository: o.facts, ...context, pr: context.pr.number, branch, signal: stop.stopping }),
      }),
    onMoved: () => {
      client.forgetReads();
      barrier.outdate();
    },
    isDestroy: o.purpose === 'destroy',
    onPush: (ms) => tell({ type: 'ledger', what: 'push', ms: Math.round(ms), at: clock.now() }),
    onFetch: (ms) => tell({ type: 'ledger', what: 'fetch', ms: Math.round(ms), at: clock.now() }),
    // A position ends with its run, and a stale one leaves nothing behind.
    snapshot: () => (stale.why === null ? barrier.position() : null),
  });
  const beforeFirst = async (): Promise<void> => {
    const why = await judge();
    if (why !== null) endAsStale(base, why);
  };
  const gate = createGate({ writer, clock, deadlineMs: terms.deadlineMs, stopping: stop.stopping, beforeFirst });
  const client = createClient({
    env,
    redactor,
    signal: stop.stopping,
    clock,
    gate,
    guard: (run) => base.approved.guard(run),
    deadlineMs: terms.deadlineMs,
    onRequest: (facts) => tell({ type: 'request', ...facts, at: clock.now() }),
    ...(world.dispatcher && { dispatcher: world.dispatcher }),
  });
  return { writer, gate, client };
}

interface Parts extends Pick<Session, 'writer' | 'gate' | 'client' | 'trust' | 'runId'> {
  readonly branch: string;
}

function sessionOf(o: SessionOptions, base: Base, { branch, client, ...parts }: Parts): Session {
  const { request, registry, redactor, facts, context, plan } = o;
  const { env } = request;
  const { clock, stop, store, terms } = base;
  const run = base.approved.guard(commandRunner({ env, signal: stop.stopping, clock, redactor }));
  const access = secretAccess({ env, signal: stop.stopping, client, run });
  return {
    ...base,
    ...parts,
    client,
    purpose: o.purpose,
    environment: context.environment,
    scope: context.scope,
    planName: plan.name,
    isSealedOnly: plan.ledger === 'sealed',
    planFile: request.plan,
    sha: context.git.sha,
    branch: context.git.branch,
    repository: repositoryOf(facts, store),
    pull: pullOf(o, store),
    receiptsBranch: branch,
    home: facts?.top ?? request.cwd,
    env,
    commands: commandsOf(plan),
    registry,
    redactor,
    upcoming: new Upcoming(client),
    readSecret: secretReader({ sources: registry, access, redactor, clock }),
    vault: new Vault(redactor, { ...context, planFile: request.plan }),
    hosts: new Hosts(env, registry),
    works: new Map(),
    awaited: new Set(),
    early: new EarlyLooks({
      ...{ clock, deadlineMs: terms.deadlineMs },
      writes: () => client.stats.writes,
      isWriting: () => parts.gate.unansweredUntil() > clock.mono(),
    }),
    identities: new Map(),
    recreate: new Set(request.recreate),
    reconcile: request.reconcile,
    putBack: request.putBack === true,
    isPutBack: (line) => request.putBack === true && (request.only.length === 0 || request.only.includes(line)),
    stopping: stop.stopping,
    ending: stop.ending,
    waitUntil: clock.mono() + request.waitTimeoutMs,
    waitTimeoutMs: request.waitTimeoutMs,
    leaseTimeoutMs: request.leaseTimeoutMs,
    isReported: env.GITHUB_ACTIONS === 'true',
    warnings: [],
    leftovers: { hash: '' },
  };
}

const repositoryOf = (facts: RepositoryFacts | null, store: Session['store']): string => facts?.slug ?? facts?.remoteUrl ?? store.location;

function pullOf({ facts, context }: SessionOptions, store: Session['store']): PullOf | null {
  const { number } = context.pr;
  return number === null ? null : { repository: repositoryOf(facts, store), number };
}

/** Two repositories on one provider project share their locks through `PILOTFISH_LOCK_REMOTE`. */
async function openLockStore(store: Session['store'], o: Omit<Parameters<typeof openStore>[0], 'receipts'>): Promise<Session['store']> {
  const url = o.env.PILOTFISH_LOCK_REMOTE;
  if (url === undefined || url === '') return store;
  const { facts: _facts, ...rest } = o;
  const place = receiptsPlace(url);
  if (place?.startsWith('postgres:')) {
    const { openPostgresStore } = await import('../../ledger/stores/postgres/postgres-store.ts');
    // Its locks are those of all who share it.
    return openPostgresStore({ url: place, repository: null, ...rest });
  }
  if (place?.startsWith('s3:')) {
    const { openS3Store } = await import('../../ledger/stores/s3/s3-store.ts');
    return openS3Store({ url: place, repository: null, ...rest });
  }
  const { openGitStore } = await import('../../ledger/stores/git/git-store.ts');
  return openGitStore({ url, ...rest });
}

function messageOf(context: Context, kinds: readonly string[], hasReceipt: boolean): string {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const what = [...[...counts].map(([kind, n]) => `${n} ${kind}${n === 1 ? '' : 's'}`), ...(hasReceipt ? ['receipt'] : [])];
  return `${beginOf(context)}${what.join(', ') || 'lease'}`;
}

const beginOf = ({ environment, scope }: Context): string => `${environment}/${scope}: `;
