import type { Clock } from '../core/clock.ts';
import { type ErrorData, toErrorData } from '../core/errors.ts';
import type { Redactor } from '../core/redact.ts';
import type { CodeHost } from '../host/code-host.ts';
import { askPullRequest, type PullAnswer } from '../host/pull-request.ts';
import type { Client } from '../http/client.ts';
import { type Belonging, belongingOf } from '../ledger/model/belongs.ts';
import type { HistoryEntry, LedgerState } from '../ledger/model/facts.ts';
import { receiptsBranch, type ScopeName, scopeOf } from '../ledger/model/names.ts';
import { noteRemoved } from '../ledger/model/removed.ts';
import { parseState } from '../ledger/model/state.ts';
import { HeadMoved, type Store, type Tree } from '../ledger/stores/store.ts';
import type { Registry } from '../ops/registry.ts';
import type { PlanHead } from '../plan/load.ts';
import { applyOpened } from './apply.ts';
import type { ApplyDoc, ClosedOutcome, ClosedScopeDoc, RunEvent } from './document.ts';
import { lookByPlan } from './look-by-plan.ts';
import { noPlan } from './prepare/destroy-target.ts';
import { openSession } from './prepare/open-session.ts';
import { wantedBy } from './prepare/recorded-lines.ts';
import type { Session } from './session.ts';
import type { Freshness } from './timing/freshness.ts';
import { destroyedBy } from './timing/staleness.ts';
import { trustInTree } from './trust/open-trust.ts';
import type { ClosedRequest, RunRequest, RunWorld } from './types.ts';

/** All scopes of one `--closed` share these. */
export interface ClosedWork {
  readonly request: ClosedRequest;
  readonly world: RunWorld & { readonly store: Store };
  readonly host: CodeHost;
  readonly registry: Registry;
  /** One for all scopes, so that none tells a secret of another. */
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly store: Store;
  readonly client: Client;
  /** The head of the plan file, where one can be read. A run sees only the scopes of its own plan. */
  readonly plan: PlanHead | null;
  readonly readSecret: Session['readSecret'];
}

/** The cost of all destroys of a `--closed` together. */
export interface Cost {
  requests: number;
  writes: number;
  lockPushes: number;
}

interface Scope extends ScopeName {
  readonly branch: string;
  readonly head: string;
  readonly state: LedgerState;
  readonly pulls: readonly number[];
}

/** Ends one scope if all pull requests that its history names are closed. `null`: it belongs to another plan. */
export async function endScope(
  work: ClosedWork,
  branch: string,
  reading: Promise<Tree | null>,
  cost: Cost,
): Promise<ClosedScopeDoc | null> {
  const tree = work.signal.aborted ? null : await reading;
  if (!tree) return work.signal.aborted ? notReached(branch) : null;
  const state = parseState(tree.files, branch);
  const name = nameOf(branch, state, work.request.environment);
  if (name && work.plan && name.plan !== work.plan.name) return null;
  const { missing, pulls, repositories, isDoubtful } = await sealedOf(work, branch, tree, state);
  const say = (outcome: ClosedOutcome, why: string, more: Partial<ClosedScopeDoc> = {}): ClosedScopeDoc => ({
    scope: name?.scope ?? null,
    plan: name?.plan ?? null,
    branch,
    pullRequests: pulls,
    outcome,
    why,
    ...more,
  });
  if (!name) return say('kept', 'its ledger does not name its scope');
  if (pulls.length === 0) return say('kept', 'its ledger names no pull request');
  if (isDoubtful) return say('kept', 'its seals name no pull request, so nothing else in its ledger may name one');
  if (!isOurs(work, repositories)) return say('kept', `its ledger is of another repository than ${work.host.repository}`);
  const scope: Scope = { ...name, branch, head: tree.head, state, pulls };
  const end = state.records.size + state.intents.size + missing === 0 ? destroyedBy(state.history) : null;
  if (end && !isLongAgo(work, end)) return say('gone', `it was destroyed at ${end.at}`);
  const changed: string[] = [];
  const open = await whyNotClosed(scope.pulls, async (pr) => {
    const answer = await askPullRequest(work.client, work.host, pr, work.signal);
    if (answer.state !== 'unknown') changed.push(answer.at);
    return answer;
  });
  if (end && !open && !isLongAgoThere(work, changed)) return say('gone', `it was destroyed at ${end.at}`);
  if (open) return say(open.outcome, open.why, open.error && { error: open.error });
  return end ? await removeBranch(work, scope, end, say) : await destroy(work, scope, cost, say);
}

/**
 * Reads the seals of a scope: how many facts of this run's keys its ledger lacks, as far as anybody can tell, and which pull requests the
 * seals and the history name. Anybody with the right to push could take facts out, write that the scope was destroyed, or name a closed
 * pull request.
 */
async function sealedOf({ request, world, redactor, plan, store, readSecret }: ClosedWork, branch: string, tree: Tree, state: LedgerState) {
  const facts = world.repository ?? null;
  const trust = trustInTree({ env: request.env, redactor, facts, plan: plan ?? noPlan, branch, store, readSecret }, tree, state);
  const missing = (await trust.missing()).length + (trust.isUnsure ? 1 : 0);
  const lists = [...trust.lists.now().values()];
  const belonging = belongingOf(state, lists);
  // A run for a pull request names it in each list of its keys. So another hand wrote a number that none of these lists has.
  const isDoubtful = belonging.pulls.length > 0 && lists.length > 0 && lists.every(({ pulls }) => pulls.length === 0);
  return { missing, ...belonging, isDoubtful };
}

type Say = (outcome: ClosedOutcome, why: string, more?: Partial<ClosedScopeDoc>) => ClosedScopeDoc;

const notReached = (branch: string): ClosedScopeDoc => {
  const name = scopeOf(branch);
  const facts = { scope: name?.scope ?? null, plan: name?.plan ?? null, branch, pullRequests: [] };
  return { ...facts, outcome: 'interrupted', why: 'the run was interrupted before its turn' };
};

/** A name that is too long for a branch stands only in the receipt. */
function nameOf(branch: string, { receipt }: LedgerState, environment: string): ScopeName | null {
  const name = scopeOf(branch);
  if (name || !receipt) return name;
  const { scope, plan } = receipt;
  return typeof scope === 'string' && receiptsBranch(environment, scope, plan) === branch ? { environment, scope, plan } : null;
}

/** The receipts of a fork's parent come with the fork; their numbers are of other pull requests. */
function isOurs({ host, store, world }: ClosedWork, repositories: Belonging['repositories']): boolean {
  const ours = new Set(
    [host.repository, world.repository?.slug, world.repository?.remoteUrl, store.location].map((one) => one?.toLowerCase()),
  );
  return repositories.every((one) => ours.has(one.toLowerCase()));
}

/** This goes by the clock of the machine, which may be wrong. So it only spares the host a question. */
function isLongAgo({ clock, request }: ClosedWork, { at, outcome }: HistoryEntry): boolean {
  return outcome === 'destroyed: complete' && clock.now() - Date.parse(at) > request.keepReceiptsDays * 86_400_000;
}

/** Whether nobody touched the pull requests for that many days, by the host's own clock. True for a host that does not tell its time. */
function isLongAgoThere({ client, host, request }: ClosedWork, changed: readonly string[]): boolean {
  const now = client.api(host.block).time?.() ?? null;
  return now === null || changed.every((at) => !(now - Date.parse(at) <= request.keepReceiptsDays * 86_400_000));
}

/** The reason why a scope stays; `null` when all its pull requests are closed. One that the host does not show may be open. */
async function whyNotClosed(
  pulls: readonly number[],
  ask: (pr: number) => Promise<PullAnswer>,
): Promise<{ readonly outcome: 'kept' | 'failed'; readonly why: string; readonly error?: ErrorData } | null> {
  for (const pr of pulls) {
    const answer = await ask(pr);
    if (answer.state === 'unknown') {
      const { why, isMissing, error } = answer;
      return isMissing ? { outcome: 'kept', why } : { outcome: 'failed', why, error: error.toData() };
    }
    if (answer.state === 'open') return { outcome: 'kept', why: `the pull request ${pr} is open` };
  }
  return null;
}

async function destroy(work: ClosedWork, scope: Scope, cost: Cost, say: Say): Promise<ClosedScopeDoc> {
  try {
    const doc = await runDestroy(work, scope, cost);
    const { runId, lines, hosts, warnings } = doc;
    const more = { runId, lines, ...(hosts && { hosts }), ...(warnings.length > 0 && { warnings }) };
    switch (doc.status) {
      case 'complete':
        return say('destroyed', `${numbers(scope.pulls)} closed`, more);
      case 'stale':
        return say('kept', doc.warnings[0] ?? 'another run took the scope over', more);
      case 'interrupted':
        return say('interrupted', 'the run was interrupted during its destroy', more);
      case 'partial':
      case 'failed':
        return say('failed', 'its destroy failed; the next one goes on from there', { ...more, ...(doc.error && { error: doc.error }) });
    }
  } catch (thrown) {
    if (work.signal.aborted) return say('interrupted', 'the run was interrupted during its destroy');
    const error = toErrorData(thrown);
    return say('failed', error.summary, { error });
  }
}

const numbers = (pulls: readonly number[]): string =>
  pulls.length === 1 ? `the pull request ${pulls[0]} is` : `the pull requests ${pulls.join(', ')} are`;

async function runDestroy(work: ClosedWork, scope: Scope, cost: Cost): Promise<ApplyDoc> {
  const { environment, keepReceiptsDays: _days, ...shared } = work.request;
  const { world, registry, store } = work;
  const history = scope.state.history;
  const pr = scope.pulls.at(-1) ?? null;
  const commit = history.findLast((entry) => entry.commit !== null)?.commit ?? null;
  const context = { environment, scope: scope.scope, git: { sha: commit, branch: null }, pr: { number: pr } };
  const none = { branch: null, sha: null, only: [], recreate: [], reconcile: false, expect: null, approvedBy: null };
  const run: RunRequest = { ...shared, ...none, environment, scope: scope.scope, pr, destroy: true };
  const options = {
    request: run,
    world: { ...world, ...(world.listen && { listen: named(scope.scope, world.listen) }) },
    registry,
    redactor: work.redactor,
    facts: world.repository ?? null,
    purpose: 'destroy' as const,
    context,
    plan: { ...(work.plan ?? noPlan), name: scope.plan },
    freshness: (session: Session) => onlyClosed(session, work.host, scope.pulls),
  };
  const opened = await openSession(options);
  lookByPlan(opened, options);
  try {
    const target = { ...opened, prepared: null, context, repository: world.repository ?? null, wanted: wantedBy([]) };
    const doc = await applyOpened(target, run);
    cost.requests += doc.stats.requests;
    cost.writes += doc.stats.writes;
    cost.lockPushes += doc.stats.lockPushes - store.stats.lockPushes;
    return doc;
  } finally {
    await opened.close();
  }
}

/** Lines of several scopes have the same names. */
const named =
  (scope: string, listen: (event: RunEvent) => void) =>
  (event: RunEvent): void =>
    listen(inScope(event, (name) => `${scope}: ${name}`));

function inScope(event: RunEvent, name: (own: string) => string): RunEvent {
  if (event.type === 'lines')
    return { ...event, lines: event.lines.map((line) => ({ ...line, id: name(line.id), after: line.after.map(name) })) };
  if (event.type === 'machine') return { ...event, actor: name(event.actor) };
  if (event.type === 'verdict') return { ...event, line: name(event.line), lock: event.lock === null ? null : name(event.lock) };
  return 'line' in event && event.line !== null ? { ...event, line: name(event.line) } : event;
}

/** Asks the host again in each scope's own run, and once more under its lease. The run goes on only while all are closed. */
function onlyClosed(session: Session, host: CodeHost, pulls: readonly number[]): Freshness {
  let after: string | null = null;
  return {
    judge: async () => {
      after = session.writer.state.history.at(-1)?.run ?? null;
      const open = await whyNotClosed(pulls, (pr) => askPullRequest(session.client, host, pr, session.stopping));
      return open ? `${open.why}.` : null;
    },
    facts: () => ({ pull: 'closed', after }),
  };
}

/** Removes a branch. Its last line goes to `_history` first: a late event must never meet a scope whose end nobody remembers. */
async function removeBranch(work: ClosedWork, scope: Scope, last: HistoryEntry, say: Say): Promise<ClosedScopeDoc> {
  const { store, clock, request } = work;
  const { branch, head, plan, state } = scope;
  if (state.lease !== null && state.lease.released === null) return say('kept', 'a run holds it');
  const removedAt = new Date(clock.now()).toISOString();
  await noteRemoved(store, request.environment, { v: 1, scope: scope.scope, plan, branch, head, removedAt, last });
  try {
    await store.remove(branch, head);
  } catch (error) {
    if (!(error instanceof HeadMoved)) throw error;
    if ((await store.head(branch)) !== null) return say('kept', 'another run wrote to it meanwhile');
  }
  return say('removed', `it was destroyed at ${last.at}, more than ${request.keepReceiptsDays} days ago`);
}
