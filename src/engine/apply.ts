import type { Given } from '../core/door.ts';
import { type ErrorData, Failure, toErrorData } from '../core/errors.ts';
import { lastPullOf } from '../ledger/model/belongs.ts';
import type { Ending } from '../ledger/model/change.ts';
import type { Renewal } from '../ledger/model/facts.ts';
import type { RepositoryFacts } from '../platform/checkout.ts';
import { begin, type Common } from './begin.ts';
import type { ApplyDoc, RunStatus } from './document.ts';
import { type EndPosition, withCauses } from './finish/causes.ts';
import { type ApplyFacts, applyDoc } from './finish/documents.ts';
import { endState, statusOf } from './finish/end-state.ts';
import { receiptOf } from './finish/receipt.ts';
import { findUnpushed, forgetUnpushed, keepUnpushed } from './finish/unpushed.ts';
import { lookAt, restore } from './ledger-damage.ts';
import { lookMeanwhile } from './line/look-early.ts';
import { endLookBack, lookBack } from './line/past.ts';
import { whyNeverThere } from './never-there.ts';
import { digestOf } from './prepare/digest.ts';
import { mismatch } from './prepare/expected.ts';
import type { OpenSession } from './prepare/open-session.ts';
import { mustBeRecorded, type Wanted } from './prepare/recorded-lines.ts';
import type { Drive } from './schedule/drive.ts';
import { endLines, noTail, type Tail } from './schedule/end-lines.ts';
import { judgeOrphans, prunedDocs } from './schedule/prune.ts';
import { endAsStale, type Session } from './session.ts';
import { errorShape } from './shapes.ts';
import { Parents } from './shared/parents.ts';
import type { Freshness } from './timing/freshness.ts';
import { renewalOf } from './timing/renewal.ts';
import { partly } from './timing/staleness.ts';
import { lossFailure, lossOf, takeBack } from './trust/take-back.ts';
import type { Stored } from './trust/trust.ts';
import { trustHead } from './trust/trust-head.ts';
import type { Prepared, RunRequest } from './types.ts';

export interface Opened extends OpenSession {
  readonly prepared: Prepared | null;
  readonly context: Prepared['context'];
  /** The checkout, or `null` outside of one. */
  readonly repository: RepositoryFacts | null;
  /** Chooses the recorded lines of a destroy. */
  readonly wanted: Wanted;
}

/** One apply or destroy of one scope, from the first look at its ledger to the last push. */
export async function applyOpened(opened: Opened, request: RunRequest): Promise<ApplyDoc> {
  const { session, prepared, freshness } = opened;
  const startedAt = session.clock.now();
  const startedMono = session.clock.mono();
  const ms = (): number => Math.round(session.clock.mono() - startedMono);
  const unpushed = await findUnpushed(session);
  const late = await comeToTurn(session, request, freshness);
  if (late !== null) {
    endAsStale(session, late);
    await session.writer.release(0);
    return staleDoc(session, { positions: [], hosts: [] }, ms());
  }
  const notice = prepared === null ? await whyNeverThere(session, { pr: opened.context.pr.number, freshness, unpushed }) : null;
  if (notice !== null) return absentDoc(session, notice, ms());
  session.approved.check(session, prepared);
  const back = await lookMeanwhile(session, prepared?.lines ?? [], () => takeBack(session));
  if (typeof request.trustLedger === 'string') session.trust.settle();
  if (prepared === null) await lookBack(session);
  if (prepared === null) mustBeRecorded(session, request.only);
  const { drive, tail, stays, digest, renewed, ...finished } = await finishRun(opened, {
    request,
    startedAt,
    ms,
    hasLost: back.length > 0,
  });
  await drive.done;
  await tail.pruning?.drive?.done;
  const error = finished.error ?? lossError(session, request, back);
  const positions = withCauses(session, drive.positions());
  const pruned = prunedOf(session, tail);
  const hosts = await session.hosts.foreign();
  if (session.stale.why !== null) return staleDoc(session, { positions, hosts }, ms());
  if (!error && session.writer.isStale)
    session.warnings.unshift(
      'This run is stale: another run of this scope wrote while this one held no lease, and the records of that run hold.',
    );
  const end = error ? 'failed' : session.writer.isStale ? 'stale' : statusOf([...positions, ...pruned], session.stopping.aborted);
  if (end === 'complete' || end === 'partial') await forgetUnpushed(session, unpushed);
  // The head may be another run's. A receipt of this run is there only when its last push stands.
  const commit = finished.error ? null : session.writer.head;
  const orphans = tail.pruning ? prunedDocs(tail.pruning, pruned) : tail.orphans;
  const orphansOnly = request.orphans === true;
  return applyDoc(session, {
    positions,
    pruned,
    status: end,
    orphans,
    stays,
    orphansOnly,
    hosts,
    commit,
    ms: ms(),
    error,
    digest,
    renewed,
  });
}

/** Lost facts end the run as failed. After a restore the loss is no error, because a person asked for an older commit. */
function lossError(session: Session, { restoreLedger }: RunRequest, back: readonly Stored[]): ErrorData | null {
  // An apply finds the objects by their names. After a destroy no run looks any more, so a person must.
  const isUnsure = session.purpose === 'destroy' && session.trust.isUnsure;
  if (back.length === 0 && !isUnsure) return null;
  if (typeof restoreLedger !== 'string' || back.length === 0)
    return session.redactor.document(toErrorData(lossFailure(session, back)), errorShape);
  session.warnings.push(`${lossOf(session, back)} They were brought back from a newer commit than the one that was restored.`);
  return null;
}

/**
 * `--expect`: judges every line as a plan does, compares the digest, and only then starts the lines that write. No line looks twice
 * in between. Throws `DIGEST_MISMATCH` before anything was written.
 */
async function beginExpected(opened: Opened, purpose: 'apply' | 'destroy', expected: string, common: Common, request: RunRequest) {
  const { session, prepared } = opened;
  for (;;) {
    const { drive } = begin(opened, 'plan', common);
    await drive.ending();
    const { positions } = await drive.done;
    // Another run wrote meanwhile, so these lines were judged by an old ledger.
    if (drive.isOutdated) continue;
    const ahead = new Map(session.works);
    const judged = request.prune ? await judgeOrphans(session, { prepared, parents: common.parents, main: drive }) : null;
    if (drive.isOutdated) continue;
    // A run that was told to stop writes nothing more, and its receipt says so.
    const isCompared = !session.stopping.aborted;
    if (isCompared) {
      const now = digestOf(session, [...positions(), ...(judged?.positions ?? [])]);
      if (now !== expected) {
        const quietForMs = Math.max(0, session.gate.unansweredUntil() - session.clock.mono());
        await session.writer.release(quietForMs);
        throw mismatch(session, { expected, now, inputs: asked(request) });
      }
    }
    const named = judged && new Set(judged.pruning.taken.keys());
    return { ...begin(opened, purpose, { ...common, ahead }), expected: isCompared ? expected : null, named };
  }
}

/** The inputs by which the plan of this run is asked for. */
const asked = ({ destroy, orphans, prune, only }: RunRequest): readonly Given[] => [
  ...(destroy ? [['destroy'] as const] : []),
  ...(orphans ? [['orphans'] as const] : []),
  ...(prune ? [['prune'] as const] : []),
  ...only.map((line) => ['only', line] as const),
];

interface Finishing {
  readonly request: RunRequest;
  readonly startedAt: number;
  readonly ms: () => number;
  /** The ledger had lost facts, and the run brought them back. */
  readonly hasLost: boolean;
}

interface Finished {
  readonly drive: Drive;
  readonly tail: Tail;
  /** The recorded lines that a destroy leaves. */
  readonly stays: readonly string[];
  readonly error: ErrorData | null;
  /** The digest of the receipt; `null` without a receipt. */
  readonly digest: string | null;
  /** The renewal that the receipt's push holds; `null` where the scope does not expire. */
  readonly renewed: Renewal | null;
}

/**
 * Runs all lines, then their leftovers and the last push. Another run, even one that died before it could record, may have written after this
 * run's looks and before its lease. Then all lines begin anew.
 */
async function finishRun(opened: Opened, o: Finishing): Promise<Finished> {
  const { session, prepared, wanted } = opened;
  const destroyed = prepared === null;
  const purpose = destroyed ? 'destroy' : 'apply';
  const { expect } = o.request;
  const parents = new Parents(session);
  const common = { parents, wanted };
  const start = async () => {
    if (!destroyed) await session.trust.examine();
    if (expect !== null) return await beginExpected(opened, purpose, expect, common, o.request);
    return { ...begin(opened, purpose, common), expected: null, named: null };
  };
  let { drive, stays, expected, named } = await start();
  for (;;) {
    await drive.ending();
    if (drive.isOutdated) {
      await drive.done;
      ({ drive, stays, expected, named } = await start());
      continue;
    }
    const unsettled = new Set(drive.positions().flatMap(({ id, state }) => (endState(state) === 'settled' ? [] : [id])));
    const tail = destroyed ? noTail : await endLines(session, { ...o, prepared, parents, main: drive, unsettled, named });
    if (drive.isOutdated) continue;
    if (destroyed && unsettled.size === 0 && stays.length === 0 && !o.request.orphans) endLookBack(session);
    const quietForMs = Math.max(0, session.gate.unansweredUntil() - session.clock.mono());
    if (session.stale.why !== null) {
      // This end leaves neither receipt nor history. Announcements are withdrawn, and the scope is as if this run had not been.
      await session.writer.release(quietForMs);
      return { drive, tail, stays, error: null, digest: null, renewed: null };
    }
    const renewed = await renewalIn(opened);
    const ending = endingOf(opened, o, { drive, tail, stays, hosts: await session.hosts.foreign(), expected, quietForMs, renewed });
    const { digest } = ending.receipt;
    try {
      if ((await session.writer.finish(ending)) === 'stored') return { drive, tail, stays, error: null, digest, renewed };
    } catch (thrown) {
      // A later run of this scope has taken over, and its records are the truth.
      if (session.writer.isStale) return { drive, tail, stays, error: null, digest, renewed: null };
      const error = session.redactor.document(await keepUnpushed(session, ending, toErrorData(thrown)), errorShape);
      return { drive, tail, stays, digest, error, renewed: null };
    }
  }
}

/** A destroy renews nothing. A person who names the scope of a pull request need not name the pull request. */
async function renewalIn({ session, prepared, context, repository }: Opened): Promise<Renewal | null> {
  const lifetime = prepared?.plan.lifetime;
  if (!lifetime) return null;
  const pr = context.pr.number ?? lastPullOf(session.writer.state, session.repository);
  return await renewalOf(session, { lifetime, repository, pr });
}

interface Ended extends Pick<Finished, 'drive' | 'tail' | 'stays' | 'renewed'>, Pick<ApplyFacts, 'hosts'> {
  /** The digest that `--expect` named and the run found; `null` where none was asked for. */
  readonly expected: string | null;
  readonly quietForMs: number;
}

/** Gives what the last push holds beside the facts of the lines: receipt, line of history, and the position of an interrupted run. */
function endingOf(
  { session, context, prepared, freshness }: Opened,
  o: Finishing,
  { drive, tail, stays, hosts, expected, quietForMs, renewed }: Ended,
): Ending {
  const positions = [...withCauses(session, drive.positions()), ...prunedOf(session, tail)];
  const status = statusOf(positions, session.stopping.aborted);
  const pr = context.pr.number;
  const { approvedBy, env, orphans: isNarrowed } = o.request;
  return {
    receipt: receiptOf(session, { positions, status, startedAt: o.startedAt, ms: o.ms(), approvedBy, pr, hosts, expected }),
    history: {
      run: session.runId,
      at: new Date(session.clock.now()).toISOString(),
      commit: session.sha,
      pr,
      repository: session.repository,
      event: env.GITHUB_EVENT_NAME ?? null,
      outcome: outcomeOf(status, { destroyed: prepared === null, isPart: stays.length > 0 || isNarrowed === true }),
      ...freshness.facts(),
      ...(renewed && { renewed }),
    },
    quietForMs,
    snapshot: status === 'interrupted' ? drive.position() : null,
  };
}

/** The outcome in a run's line of history. A scope is not destroyed while recorded lines of it stay. */
const outcomeOf = (status: RunStatus, { destroyed, isPart }: { readonly destroyed: boolean; readonly isPart: boolean }): string =>
  destroyed ? `${isPart ? partly : ''}destroyed: ${status}` : status;

const prunedOf = (session: Session, { pruning }: Tail): readonly EndPosition[] => withCauses(session, pruning?.drive?.positions() ?? []);

/** The document of a late run: it sent nothing, and leaves nothing. */
function staleDoc(session: Session, seen: Pick<ApplyFacts, 'positions' | 'hosts'>, ms: number): ApplyDoc {
  session.warnings.unshift(`This run is stale: ${session.stale.why}`);
  return unwrittenDoc(session, { ...seen, status: 'stale' }, ms);
}

/** The document of a destroy that has nothing to remove. It wrote nothing. */
function absentDoc(session: Session, notice: string, ms: number): ApplyDoc {
  session.warnings.unshift(notice);
  return unwrittenDoc(session, { positions: [], hosts: [], status: 'complete' }, ms);
}

const unwrittenDoc = (session: Session, seen: Pick<ApplyFacts, 'positions' | 'hosts' | 'status'>, ms: number): ApplyDoc =>
  applyDoc(session, {
    ...seen,
    ...{ pruned: [], orphans: [], stays: [], orphansOnly: false, commit: null, error: null, digest: null, renewed: null },
    ms,
  });

/**
 * Waits for the run's turn with its scope, and gives the reason when the run is too late. It asks before it waits for another run, and again
 * after such a wait. The wait may be long, so an interruption of it is no defect.
 */
async function comeToTurn(session: Session, { restoreLedger, trustLedger }: RunRequest, freshness: Freshness): Promise<string | null> {
  const { writer, stopping } = session;
  try {
    if (typeof restoreLedger === 'string') await restore(session, restoreLedger);
    await lookAt(session);
    if (typeof trustLedger === 'string') await trustHead(session, trustLedger);
    const late = await freshness.judge();
    if (late !== null) return late;
    const seen = writer.head;
    await writer.awaitOthers();
    return writer.head === seen ? null : await freshness.judge();
  } catch (thrown) {
    if (!stopping.aborted || thrown !== stopping.reason) throw thrown;
    throw new Failure('INTERRUPTED', {
      detail: 'The run was interrupted while it waited for another run of this scope. Nothing was written.',
    });
  }
}
