import PQueue from 'p-queue';
import { systemClock } from '../core/clock.ts';
import { door } from '../core/door.ts';
import { Failure, toErrorData } from '../core/errors.ts';
import type { Redactor } from '../core/redact.ts';
import { withoutSecrets } from '../core/redact-error.ts';
import { type CodeHost, codeHostOf, isCodeHost } from '../host/code-host.ts';
import { createClient } from '../http/client.ts';
import { historyBranch, receiptsOf } from '../ledger/model/names.ts';
import { openStore } from '../ledger/stores/open-store.ts';
import { readAll } from '../ledger/stores/read-all.ts';
import { type ReadBranch, readSound, type Store, type Tree } from '../ledger/stores/store.ts';
import type { Registry } from '../ops/registry.ts';
import { isProduction } from '../plan/context.ts';
import { type RepositoryFacts, repositoryFacts } from '../platform/checkout.ts';
import { SweepPulls } from './closed-pulls.ts';
import { judgeScope } from './closed-scope.ts';
import type { ClosedWork } from './closed-work.ts';
import type { ClosedDoc, ClosedOutcome, ClosedScopeDoc } from './document.ts';
import { ApprovedCommands } from './prepare/approved-commands.ts';
import { type Base, onlyOfBase, openBase } from './prepare/base-tree.ts';
import { commandRunner } from './prepare/commands.ts';
import { readFacts } from './prepare/destroy-target.ts';
import { openRegistry } from './prepare/registry.ts';
import { secretAccess, secretReader } from './prepare/secret-access.ts';
import { maskRemote, redactorOf } from './prepare/secret-variables.ts';
import { asTrusted } from './prepare/trusted.ts';
import { documentShape, eventShape } from './shapes.ts';
import type { ClosedRequest, RunWorld } from './types.ts';

/**
 * Destroys every scope of the environment whose pull requests are all closed, and removes the branches of scopes that were destroyed long
 * ago. A scope that fails keeps no other from its turn. Throws `Failure` for what is wrong before the first request.
 */
export async function runClosed(request: ClosedRequest, world: RunWorld = {}): Promise<ClosedDoc> {
  const redactor = redactorOf(request.env, world);
  return await withoutSecrets(redactor, () => closed(request, world, redactor));
}

async function closed(request: ClosedRequest, world: RunWorld, redactor: Redactor): Promise<ClosedDoc> {
  const { cwd, env, environment } = request;
  if (isProduction(environment)) {
    throw new Failure('USAGE', {
      detail: `${environment} belongs to no pull request, so ${door.named('closed')} cannot tell what of it is over.`,
      fix: `Leave ${door.named('closed')} out, or name another environment.`,
    });
  }
  const repository = world.repository === undefined ? await repositoryFacts(cwd, env) : world.repository;
  maskRemote(redactor, repository);
  const host = mustBeAskable(env, repository);
  const base = request.planFrom ? await openBase(request.planFrom, { facts: repository, env, redactor }) : null;
  const registry = await openRegistry({ env, cwd, seen: base && onlyOfBase(base) });
  return await withTools(request, { world, redactor, repository, host, registry, base }, async (work) => await endScopes(work));
}

interface Setting {
  readonly world: RunWorld;
  readonly redactor: Redactor;
  readonly repository: RepositoryFacts | null;
  readonly host: CodeHost;
  readonly registry: Registry;
  readonly base: Base | null;
}

/** Without an answer about its pull request no scope could be touched. */
function mustBeAskable(env: NodeJS.ProcessEnv, repository: RepositoryFacts | null): CodeHost {
  const host = codeHostOf(env, repository);
  if (isCodeHost(host)) return host;
  throw new Failure(host.lacks === 'token' ? 'CREDENTIAL_MISSING' : 'USAGE', {
    detail: `${door.named('closed')} asks the code host which pull requests are closed, and ${host.why}. Nothing was destroyed.`,
    fix: host.fix,
  });
}

/** One store and one client for all scopes; each destroy is a run of its own over the same store. */
async function withTools(
  request: ClosedRequest,
  { world, redactor, repository, host, registry, base }: Setting,
  act: (work: ClosedWork) => Promise<ClosedDoc>,
): Promise<ClosedDoc> {
  const { cwd, env, environment } = request;
  const clock = world.clock ?? systemClock;
  const signal = world.signal ?? new AbortController().signal;
  const known = { environment, scope: null, git: { sha: null, branch: null }, pr: { number: null } };
  const named = await readFacts(request, known);
  const plan = named && base ? await asTrusted(named, base, request, known) : named;
  const dispatcher = world.dispatcher && { dispatcher: world.dispatcher };
  const store =
    world.store ??
    (await openStore({
      receipts: plan?.receipts ?? null,
      facts: repository,
      cwd,
      env,
      clock,
      redactor,
      patienceMs: request.leaseTimeoutMs,
      signal,
      ...dispatcher,
    }));
  const client = createClient({
    env,
    redactor,
    signal,
    clock,
    onRequest: (facts) => world.listen?.(redactor.document({ type: 'request', ...facts, at: clock.now() }, eventShape)),
    ...dispatcher,
  });
  const run = new ApprovedCommands(world.commandGate).guard(commandRunner({ env, signal, clock, redactor }));
  try {
    const document = await act({
      request,
      world: { ...world, store, repository },
      redactor,
      host,
      registry,
      clock,
      signal,
      store,
      client,
      pulls: new SweepPulls(client, host, signal),
      plan,
      readSecret: secretReader({ sources: registry, access: secretAccess({ env, signal, client, run }), redactor, clock }),
    });
    return redactor.document(document, documentShape);
  } finally {
    client.close();
    if (!world.store) await store.close();
  }
}

/** At most this many scopes end at the same time. */
const endAtOnce = 4;
/** At most this many scopes wait for the lease of another run at the same time. */
const waitAtOnce = 16;

/**
 * Judges the scopes in the order of their branches, and ends them meanwhile, several side by side. A scope whose lease another run holds, or
 * took to its grave, may have to wait for minutes. Such scopes come last and wait together. If the ledgers come to no end, the sweep still
 * ends what it has judged, and fails.
 */
async function endScopes(work: ClosedWork): Promise<ClosedDoc> {
  const { store, client, signal, clock, host } = work;
  const { environment, branches: confirmed } = work.request;
  const started = clock.mono();
  const cost = { requests: 0, writes: 0, lockPushes: 0 };
  const ends = new Map<string, ClosedScopeDoc>();
  const attempt = async <T>(branch: string, act: Promise<T>): Promise<T | ClosedScopeDoc> =>
    await act.catch((thrown: unknown) => failed(branch, thrown, signal));
  const [ending, waiting] = [new PQueue({ concurrency: endAtOnce }), new PQueue({ concurrency: waitAtOnce, autoStart: false })];
  const judgeAll = async (): Promise<void> => {
    for await (const ledger of readAll(store, receiptsOf(environment))) {
      const { branch } = ledger;
      if (branch === historyBranch(environment) || confirmed?.includes(branch) === false) continue;
      const found = await attempt(branch, judgeScope(work, branch, soundTree(store, ledger)));
      if (found === null) continue;
      if (!('act' in found)) ends.set(branch, found);
      else void (found.isHeld ? waiting : ending).add(async () => void ends.set(branch, await attempt(branch, found.act(cost))));
    }
  };
  const unread = await judgeAll().then(() => null, toErrorData);
  await ending.onIdle();
  waiting.start();
  await waiting.onIdle();
  const scopes = [...ends].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, end]) => end);
  const summary: { [outcome in ClosedOutcome]?: number } = {};
  for (const { outcome } of scopes) summary[outcome] = (summary[outcome] ?? 0) + 1;
  const isCut = signal.aborted && unread !== null;
  const status = summary.interrupted || isCut ? 'interrupted' : summary.failed || unread ? 'failed' : 'complete';
  const error = unread ?? scopes.find((scope) => scope.error)?.error;
  return {
    schema: 1,
    ok: status === 'complete',
    command: work.request.isPlan ? 'plan' : 'apply',
    mode: 'closed',
    status,
    environment,
    repository: host.repository,
    scopes,
    summary,
    stats: {
      requests: client.stats.requests + cost.requests,
      writes: cost.writes,
      fetches: store.stats.fetches,
      pushes: store.stats.pushes,
      lockPushes: store.stats.lockPushes + cost.lockPushes,
      ms: Math.round(clock.mono() - started),
    },
    ...(status !== 'complete' && error && { error }),
  };
}

/**
 * The files of a branch that was read with all others. Such a read does not tell of a lost history, so a branch that this machine knows at
 * another commit is read once more.
 */
async function soundTree(store: Store, ledger: ReadBranch): Promise<Tree | null> {
  if ('error' in ledger) throw ledger.error;
  const known = await store.remembered?.(ledger.branch);
  return known == null || known.head === ledger.tree.head ? ledger.tree : await readSound(store, ledger.branch);
}

/** The outcome of a scope whose ledger cannot be read, or that another run holds. The other scopes still have their turn. */
function failed(branch: string, thrown: unknown, signal: AbortSignal): ClosedScopeDoc {
  const unknown = { scope: null, plan: null, branch, pullRequests: [] };
  if (signal.aborted) return { ...unknown, outcome: 'interrupted', why: 'the run was interrupted during its destroy' };
  const error = toErrorData(thrown);
  return { ...unknown, outcome: 'failed', why: error.summary, error };
}
