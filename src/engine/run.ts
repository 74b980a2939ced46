import { Failures } from '../core/errors.ts';
import type { Redactor } from '../core/redact.ts';
import { withoutSecrets } from '../core/redact-error.ts';
import type { Client } from '../http/client.ts';
import type { ProviderBlock } from '../http/types.ts';
import { textFailures } from '../plan/given-text.ts';
import { togetherFailures } from '../plan/given-together.ts';
import type { Context } from '../plan/types.ts';
import { type RepositoryFacts, repositoryFacts } from '../platform/checkout.ts';
import { askExtraHeader, type GitAnswer } from '../platform/git-system.ts';
import { isWebUrl } from '../platform/git-url.ts';
import { applyOpened, type Opened } from './apply.ts';
import { begin } from './begin.ts';
import type { ApplyDoc, PlanDoc } from './document.ts';
import { planDoc } from './finish/documents.ts';
import { findUnpushed } from './finish/unpushed.ts';
import { lookAt } from './ledger-damage.ts';
import { lookMeanwhile } from './line/look-early.ts';
import { lookBack } from './line/past.ts';
import { lookByPlan } from './look-by-plan.ts';
import { whyNeverThere } from './never-there.ts';
import { onlyOfBase, openBase } from './prepare/base-tree.ts';
import { destroyTarget } from './prepare/destroy-target.ts';
import { openSession } from './prepare/open-session.ts';
import { orphansOfPlan } from './prepare/orphans-of-plan.ts';
import { prepare } from './prepare/prepare.ts';
import { mustBeRecorded, wantedBy } from './prepare/recorded-lines.ts';
import { openRegistry } from './prepare/registry.ts';
import { maskRemote, redactorOf } from './prepare/secret-variables.ts';
import { asTrusted, mustBeTrusted } from './prepare/trusted.ts';
import type { Drive } from './schedule/drive.ts';
import { orphanDocs, orphansNow } from './schedule/orphans.ts';
import { judgeOrphans, prunedDocs } from './schedule/prune.ts';
import type { Session } from './session.ts';
import { Parents } from './shared/parents.ts';
import { tellScopes } from './stands/scopes-hint.ts';
import { freshnessOf } from './timing/freshness.ts';
import { seeBack } from './trust/take-back.ts';
import type { PreparedLine, RunRequest, RunWorld } from './types.ts';

export { runClosed } from './closed.ts';
export { plansToDestroy } from './plans-to-destroy.ts';
export { standingPreviews } from './standing-previews.ts';
export type { ClosedRequest, RunRequest, RunWorld } from './types.ts';

/**
 * Tells the actions of an apply (or, with `destroy`, of a destroy). Sends reads only and writes nothing anywhere.
 * Throws `Failure` or `Failures` for what is wrong before the first request.
 */
export async function runPlan(request: RunRequest, world: RunWorld = {}): Promise<PlanDoc> {
  const redactor = redactorOf(request.env, world);
  return await withoutSecrets(redactor, () => plan(request, world, redactor));
}

async function plan(request: RunRequest, world: RunWorld, redactor: Redactor): Promise<PlanDoc> {
  mustBeTexts(request);
  const opened = await open(request, world, { command: 'plan', redactor }).catch(async (thrown: unknown) => {
    throw await tellScopes(thrown, request, world, redactor);
  });
  const { session } = opened;
  try {
    await lookAt(session);
    const unpushed = await findUnpushed(session);
    const late = await opened.freshness.judge();
    if (late !== null) session.warnings.push(`A run would be stale now, and write nothing: ${late}`);
    const notice = request.destroy
      ? await whyNeverThere(session, { pr: opened.context.pr.number, freshness: opened.freshness, unpushed })
      : null;
    if (notice !== null) session.warnings.push(notice);
    session.approved.check(session, opened.prepared);
    await lookMeanwhile(session, opened.prepared?.lines ?? [], async () => {
      await seeBack(session);
      await session.trust.examine();
    });
    if (request.destroy) await lookBack(session);
    if (request.destroy) mustBeRecorded(session, request.only);
    const parents = new Parents(session);
    const { drive, stays } = begin(opened, 'plan', { parents, wanted: opened.wanted });
    const { positions } = await drive.done;
    // Half a plan would read like a whole one, with a digest to apply.
    if (positions().some(({ state }) => state === 'interrupted')) session.stopping.throwIfAborted();
    const told = await orphansOf(opened, request, { parents, main: drive });
    return planDoc(session, positions(), { ...told, stays, orphansOnly: request.orphans === true, hosts: await session.hosts.foreign() });
  } finally {
    await opened.close();
  }
}

/** The orphans of a plan, and their lines where it prunes. */
async function orphansOf(
  { session, prepared }: Opened,
  { destroy, prune }: RunRequest,
  o: { readonly parents: Parents; readonly main: Drive },
) {
  if (destroy) return { orphans: [], pruned: [] };
  if (!prune) return { orphans: await orphanDocs(session, await orphansNow(session, prepared)), pruned: [] };
  const { pruning, positions: pruned } = await judgeOrphans(session, { prepared, ...o });
  session.stopping.throwIfAborted();
  return { orphans: prunedDocs(pruning, pruned), pruned };
}

/**
 * Makes the services hold what the plan says, or, with `destroy`, removes what the ledger says that pilotfish made.
 * Throws `Failure` or `Failures` for what is wrong before the first request, and `DIGEST_MISMATCH` before the first write; a run that
 * writes always gives a document.
 */
export async function runApply(request: RunRequest, world: RunWorld = {}): Promise<ApplyDoc> {
  const redactor = redactorOf(request.env, world);
  return await withoutSecrets(redactor, async () => {
    mustBeTexts(request);
    const opened = await open(request, world, { command: 'apply', redactor });
    try {
      return await applyOpened(opened, request);
    } finally {
      await opened.close();
    }
  });
}

/** Asks git for the header while the plan is read, which takes as long as the process. In CI the tokens of the job come first. */
function headerAhead(facts: RepositoryFacts | null, { cwd, env }: RunRequest): Promise<GitAnswer> | undefined {
  const url = facts?.remoteUrl ?? '';
  if (env.CI || !isWebUrl(url)) return undefined;
  const asked = askExtraHeader(url, { cwd, env });
  // The request that signs in gets the failure.
  asked.catch(() => undefined);
  return asked;
}

/** Lines that come after none ask their provider as soon as they have begun. */
function expectRequests(client: Client, lines: readonly PreparedLine[]): void {
  const blocks = new Map<string, ProviderBlock>();
  for (const { after, block } of lines) if (after.length === 0) blocks.set(block.base_url, block);
  for (const block of blocks.values()) client.expect(block, 1);
}

/** Checks the texts of a request. The command line has checked its own before, but others call the run as well. */
function mustBeTexts(request: RunRequest): void {
  const [first, ...rest] = [...textFailures(request), ...togetherFailures(request)];
  if (first) throw rest.length === 0 ? first : new Failures([first, ...rest]);
}

async function factsOf({ cwd, env }: RunRequest, world: RunWorld, redactor: Redactor): Promise<RepositoryFacts | null> {
  const facts = world.repository === undefined ? await repositoryFacts(cwd, env) : world.repository;
  maskRemote(redactor, facts);
  return facts;
}

async function open(
  request: RunRequest,
  world: RunWorld,
  { command, redactor }: { readonly command: 'plan' | 'apply'; readonly redactor: Redactor },
): Promise<Opened> {
  const { cwd, env } = request;
  const reading = factsOf(request, world, redactor);
  // Plugins may print while they load, so the masks for their output come first.
  const isFirst = env.PILOTFISH_PLUGINS ? reading : null;
  const { planFrom = null } = request;
  const base = planFrom === null ? null : await openBase(planFrom, { facts: await reading, env, redactor });
  const seen = base && onlyOfBase(base);
  const [facts, registry] = await Promise.all([reading, Promise.resolve(isFirst).then(() => openRegistry({ env, cwd, seen }))]);
  const extraHeader = world.store ? undefined : headerAhead(facts, request);
  const common = { request, world, registry, redactor, facts, extraHeader };
  const freshnessFor = (context: Context) => (session: Session) =>
    freshnessOf(session, { request, repository: facts, pr: context.pr.number });
  if (request.destroy) {
    const { context, plan: named, warnings } = await destroyTarget(request, { ...world, redactor }, facts, command);
    const plan = base ? await asTrusted(named, base, request, context) : named;
    const purpose = command === 'plan' ? 'plan' : 'destroy';
    const options = { ...common, purpose, context, plan, freshness: freshnessFor(context) } as const;
    const opened = await openSession(options);
    lookByPlan(opened, options);
    opened.session.warnings.push(...warnings);
    const wanted = request.orphans ? await orphansOfPlan(request, { registry, facts, base }) : wantedBy(request.only);
    return { ...opened, prepared: null, context, repository: facts, wanted };
  }
  const prepared = await prepare({ request, registry, facts, purpose: command });
  if (base) await mustBeTrusted(prepared, base, { registry, env });
  const { context, plan } = prepared;
  const opened = await openSession({
    ...common,
    registry: prepared.registry,
    purpose: command,
    context,
    plan,
    freshness: freshnessFor(context),
  });
  opened.session.warnings.push(...prepared.warnings);
  expectRequests(opened.session.client, prepared.lines);
  opened.session.trust.expect(prepared.lines.flatMap(({ block, credential }) => (credential === null ? block : [])));
  return { ...opened, prepared, context, repository: facts, wanted: wantedBy([]) };
}
