import type { Redactor } from '../core/redact.ts';
import { withoutSecrets } from '../core/redact-error.ts';
import { applyOpened, type Opened } from './apply.ts';
import { begin } from './begin.ts';
import type { ApplyDoc, PlanDoc } from './document.ts';
import { planDoc } from './finish/documents.ts';
import { findUnpushed } from './finish/unpushed.ts';
import { lookAt } from './ledger-damage.ts';
import { lookMeanwhile } from './line/look-early.ts';
import { lookBack } from './line/past.ts';
import { whyNeverThere } from './never-there.ts';
import { mustBeTexts, openRun } from './open-run.ts';
import { mustBeRecorded } from './prepare/recorded-lines.ts';
import { redactorOf } from './prepare/secret-variables.ts';
import type { Drive } from './schedule/drive.ts';
import { orphanDocs, orphansNow } from './schedule/orphans.ts';
import { judgeOrphans, prunedDocs } from './schedule/prune.ts';
import { Parents } from './shared/parents.ts';
import { tellScopes } from './stands/scopes-hint.ts';
import { seeBack } from './trust/take-back.ts';
import type { RunRequest, RunWorld } from './types.ts';

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
  const opened = await openRun(request, world, { command: 'plan', redactor }).catch(async (thrown: unknown) => {
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
    const opened = await openRun(request, world, { command: 'apply', redactor });
    try {
      return await applyOpened(opened, request);
    } finally {
      await opened.close();
    }
  });
}
