import { systemClock } from '../../core/clock.ts';
import type { Redactor } from '../../core/redact.ts';
import { withoutSecrets } from '../../core/redact-error.ts';
import type { Shape } from '../../core/shape.ts';
import type { LedgerRecord } from '../../ledger/model/facts.ts';
import { receiptsBranch, receiptsOf, scopeOf } from '../../ledger/model/names.ts';
import { emptyState, parseState } from '../../ledger/model/state.ts';
import { openStore } from '../../ledger/stores/open-store.ts';
import { readSound, type Store } from '../../ledger/stores/store.ts';
import { resolveContext } from '../../plan/context.ts';
import type { PlanHead } from '../../plan/load.ts';
import { type RepositoryFacts, repositoryFacts } from '../../platform/checkout.ts';
import { factsOf, readFacts } from '../prepare/destroy-target.ts';
import { maskRemote, redactorOf } from '../prepare/secret-variables.ts';
import type { ReceiptDoc, ScopesDoc, StandingDoc } from '../receipt-document.ts';
import { documentShape } from '../shapes.ts';
import { readCodeHostEvent } from '../timing/event.ts';
import { lifetimeOf } from '../timing/renewal.ts';
import type { RunRequest, RunWorld } from '../types.ts';

export type ReceiptRequest = Pick<RunRequest, 'cwd' | 'env' | 'plan' | 'environment' | 'scope' | 'pr'> & {
  /** The request is about the whole environment, also in a job of one pull request. */
  readonly isWhole?: true;
  /** How long trouble at the ledger is waited out. */
  readonly patienceMs?: number;
};

/**
 * Tells what the ledger says, without a look at any provider: the objects and the last report of one scope, or without a scope the list of
 * scopes. It reads the receipts branches and nothing else, and needs no credential of a provider.
 */
export function readReceipts(request: ReceiptRequest, world: RunWorld = {}): Promise<ReceiptDoc | ScopesDoc> {
  return withLedger<ReceiptDoc | ScopesDoc>(request, world, ({ store, environment, scope, planName }) =>
    scope === null ? scopesIn(store, environment) : receiptOf(store, environment, scope, planName),
  );
}

/** The ledger that a request is about; `scope` is `null` where the request names none. */
export interface OpenLedger {
  readonly store: Store;
  readonly environment: string;
  readonly scope: string | null;
  readonly planName: string | null;
  /** Whether a plan at hand says so. */
  readonly hasPlan: boolean;
  readonly plan: PlanHead | null;
  readonly repository: RepositoryFacts | null;
  readonly redactor: Redactor;
}

/** Opens the ledger for `ask`, hides every secret in what it gives, and closes it. */
export async function withLedger<T extends object>(
  request: ReceiptRequest,
  world: RunWorld,
  ask: (ledger: OpenLedger) => Promise<T>,
  shape: Shape = documentShape,
): Promise<T> {
  const redactor = redactorOf(request.env, world);
  return await withoutSecrets(redactor, async () => redactor.document(await asked(request, { world, redactor }, ask), shape));
}

async function asked<T>(
  request: ReceiptRequest,
  { world, redactor }: { readonly world: RunWorld; readonly redactor: Redactor },
  ask: (ledger: OpenLedger) => Promise<T>,
): Promise<T> {
  const { cwd, env, environment } = request;
  const repository = world.repository === undefined ? await repositoryFacts(cwd, env) : world.repository;
  maskRemote(redactor, repository);
  const flags = { ...request, branch: null, sha: null };
  const context = resolveContext({ flags, event: () => readCodeHostEvent(env), git: repository });
  const scope = request.isWhole ? null : context.scope;
  const plan =
    scope === null ? await readFacts(request, context) : await factsOf(request, { ...world, redactor }, repository, { ...context, scope });
  const store =
    world.store ??
    (await openStore({
      receipts: plan?.receipts ?? null,
      facts: repository,
      cwd,
      env,
      clock: world.clock ?? systemClock,
      redactor,
      ...(request.patienceMs !== undefined && { patienceMs: request.patienceMs }),
      ...(world.dispatcher && { dispatcher: world.dispatcher }),
      ...(world.signal && { signal: world.signal }),
    }));
  try {
    return await ask({ store, environment, scope, planName: plan?.name ?? null, hasPlan: plan !== null, plan, repository, redactor });
  } finally {
    if (!world.store) await store.close();
  }
}

async function scopesIn(store: Store, environment: string): Promise<ScopesDoc> {
  const branches = (await store.list(receiptsOf(environment))).map(({ branch }) => branch).sort();
  const scopes = branches.flatMap((branch) => {
    const name = scopeOf(branch);
    return name ? [{ scope: name.scope, plan: name.plan, branch }] : [];
  });
  return { schema: 1, ok: true, command: 'receipt', environment, scopes };
}

async function receiptOf(store: Store, environment: string, scope: string, planName: string | null): Promise<ReceiptDoc> {
  const branch = receiptsBranch(environment, scope, planName);
  const tree = await readSound(store, branch);
  const state = tree ? parseState(tree.files, branch) : emptyState;
  const lifetime = state.records.size > 0 ? lifetimeOf(state.history) : null;
  return {
    schema: 1,
    ok: true,
    command: 'receipt',
    environment,
    scope,
    branch,
    commit: tree?.head ?? null,
    receipt: state.receipt,
    stands: [...state.records.values()].map(standing).sort((a, b) => (a.line < b.line ? -1 : 1)),
    announced: [...state.intents.values()].map(({ line }) => line).sort(),
    ...(lifetime && { lifetime }),
    held: state.lease !== null && state.lease.released === null,
    history: state.history.slice(-shownRuns).reverse(),
  };
}

const shownRuns = 20;

const standing = (record: LedgerRecord): StandingDoc => ({
  line: record.line,
  adapter: record.adapter,
  op: record.op,
  ...(record.recipe !== null && { recipe: record.recipe }),
  ...(record.subject !== undefined && { subject: record.subject }),
  key: record.key,
  destroy: record.destroy,
  outputs: record.outputs,
  writtenAt: record.writtenAt,
  run: record.run,
});
