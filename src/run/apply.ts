import { type ErrorData, Failure, toErrorData } from '../core/errors.ts';
import type { Ending } from '../ledger/change.ts';
import type { RepositoryFacts } from '../ledger/repository.ts';
import type { LinePosition } from '../machines/coordinator/run-lines.ts';
import type { ApplyDoc, Orphan } from '../report/document.ts';
import { applyDoc, endState, receiptOf, statusOf, withWaiting } from './documents.ts';
import { type Drive, driveLines } from './drive.ts';
import type { Freshness } from './freshness.ts';
import { lookAt, restore } from './ledger-damage.ts';
import { ledgerLines } from './ledger-lines.ts';
import type { OpenSession } from './open-session.ts';
import { Parents } from './parents.ts';
import { secretsOf } from './prepare-access.ts';
import { restoredLines } from './resume.ts';
import type { Session } from './session.ts';
import { errorShape } from './shapes.ts';
import { finishTail } from './tail.ts';
import type { Prepared, PreparedLine, RunRequest } from './types.ts';
import { findUnpushed, forgetUnpushed, keepUnpushed } from './unpushed.ts';
import { newWork } from './work.ts';

export interface Opened extends OpenSession {
  readonly prepared: Prepared | null;
  readonly context: Prepared['context'];
  /** The checkout, or `null` outside of one. */
  readonly repository: RepositoryFacts | null;
}

/** One apply or destroy of one scope, from the first look at its ledger to the last push. */
export async function applyOpened(opened: Opened, request: RunRequest, freshness: Freshness): Promise<ApplyDoc> {
  const { session } = opened;
  const startedAt = session.clock.now();
  const startedMono = session.clock.mono();
  const ms = (): number => Math.round(session.clock.mono() - startedMono);
  const unpushed = await findUnpushed(session);
  const late = await comeToTurn(session, request, freshness);
  if (late !== null) {
    session.endAsStale(late);
    await session.writer.release(0);
    return staleDoc(session, [], ms());
  }
  opened.beforeFirstWrite(freshness.judge);
  const { drive, orphans, error, digest } = await finishRun(opened, { request, freshness, startedAt, ms });
  await drive.done;
  const positions = withWaiting(session, drive.positions());
  if (session.staleWhy !== null) return staleDoc(session, positions, ms());
  if (!error && session.writer.isStale)
    session.warnings.unshift(
      'This run is stale: another run of this scope wrote while this one held no lease, and what that one recorded holds.',
    );
  const end = error ? 'failed' : session.writer.isStale ? 'stale' : statusOf(positions, session.stopping.aborted);
  if (end === 'complete' || end === 'partial') await forgetUnpushed(session, unpushed);
  // The head is somebody's; a receipt of this run is there only when its last push stands.
  const commit = error ? null : session.writer.head;
  return applyDoc(session, { positions, status: end, orphans, commit, ms: ms(), error, digest });
}

/** Starts the lines: those of the plan, or for a destroy those of the ledger. */
export function begin(opened: Opened, purpose: 'plan' | 'apply' | 'destroy') {
  const { session, prepared } = opened;
  const parents = new Parents();
  // Each line that needs the lease hears for itself why it cannot be had.
  if (purpose === 'destroy' && isSureToWrite(session)) session.writer.ensureLease().catch(() => undefined);
  session.identities.clear();
  for (const line of prepared?.lines ?? []) {
    session.works.set(line.line.id, newWork(line.line.id, line));
    for (const id of line.after) session.awaited.add(id);
  }
  const nodes = prepared ? prepared.lines.map(({ line, after }) => ({ id: line.id, after })) : ledgerLines(session);
  const restored = prepared && purpose === 'apply' ? restoredLines(session, prepared) : new Map();
  readAhead(session, prepared?.lines.filter(({ line }) => !restored.has(line.id)) ?? []);
  const drive = driveLines({ opened, nodes, purpose, parents, restored, prepared });
  return { drive, parents };
}

/**
 * Whether a destroy removes something before any of its lines has looked: then it takes the lease while they are being started. What an
 * unfinished create made is recorded in the same push as the lease, and entries of one list go together: those wait for all lines.
 */
function isSureToWrite({ writer, planName }: Session): boolean {
  const records = [...writer.state.records.values()].filter(({ plan }) => plan === planName);
  const isAlone = writer.state.intents.size === 0 && records.every(({ reach }) => reach.kind !== 'item');
  return isAlone && records.some(({ owned, destroy }) => owned && destroy === 'delete');
}

/** All secrets are asked for at once. A line waits for its own when it comes to them, and only that line hears what failed. */
function readAhead(session: Session, lines: readonly PreparedLine[]): void {
  for (const ref of lines.flatMap(secretsOf)) void session.secret(ref).catch(() => undefined);
}

interface Finishing {
  readonly request: RunRequest;
  readonly freshness: Freshness;
  readonly startedAt: number;
  readonly ms: () => number;
}

interface Finished {
  readonly drive: Drive;
  readonly orphans: readonly Orphan[];
  readonly error: ErrorData | null;
  /** As the receipt says it; `null` where there is none. */
  readonly digest: string | null;
}

/**
 * All lines, what is left when they have ended, and the last push. What a run looked at before it held the lease, another run may have
 * changed since, also one that died before it could record it: where another one wrote, all lines begin anew.
 */
async function finishRun(opened: Opened, o: Finishing): Promise<Finished> {
  const { session, context, prepared } = opened;
  const destroyed = prepared === null;
  const purpose = destroyed ? 'destroy' : 'apply';
  let { drive, parents } = begin(opened, purpose);
  for (;;) {
    await drive.ending();
    if (drive.isOutdated) {
      await drive.done;
      ({ drive, parents } = begin(opened, purpose));
      continue;
    }
    const unsettled = new Set(drive.positions().flatMap(({ id, state }) => (endState(state) === 'settled' ? [] : [id])));
    const orphans = destroyed ? [] : await finishTail(session, parents, 'finish', { prepared, unsettled });
    if (drive.isOutdated) continue;
    const quietForMs = Math.max(0, session.gate.unansweredUntil() - session.clock.mono());
    if (session.staleWhy !== null) {
      // Neither receipt nor history: what was announced is withdrawn, and the scope is as if this run had not been.
      await session.writer.release(quietForMs);
      return { drive, orphans: [], error: null, digest: null };
    }
    const positions = withWaiting(session, drive.positions());
    const status = statusOf(positions, session.stopping.aborted);
    const pr = context.pr.number;
    const receipt = receiptOf(session, { positions, status, startedAt: o.startedAt, ms: o.ms(), approvedBy: o.request.approvedBy, pr });
    const { digest } = receipt;
    const ending: Ending = {
      receipt,
      history: {
        run: session.runId,
        at: new Date(session.clock.now()).toISOString(),
        commit: session.sha,
        pr,
        repository: session.repository,
        event: o.request.env.GITHUB_EVENT_NAME ?? null,
        outcome: destroyed ? `destroyed: ${status}` : status,
        ...o.freshness.facts(),
      },
      quietForMs,
      snapshot: status === 'interrupted' && !destroyed ? drive.snapshot() : null,
    };
    try {
      if ((await session.writer.finish(ending)) === 'stored') return { drive, orphans, error: null, digest };
    } catch (thrown) {
      // A later run of this scope has taken over: what it records is the truth.
      if (session.writer.isStale) return { drive, orphans, error: null, digest };
      return {
        drive,
        orphans,
        digest,
        error: session.redactor.document(await keepUnpushed(session, ending, toErrorData(thrown)), errorShape),
      };
    }
  }
}

/** What a late run reports: nothing was sent, and nothing is left of it. */
function staleDoc(session: Session, positions: readonly LinePosition[], ms: number): ApplyDoc {
  session.warnings.unshift(`This run is stale: ${session.staleWhy}`);
  return applyDoc(session, { positions, status: 'stale', orphans: [], commit: null, ms, error: null, digest: null });
}

/**
 * The run's turn with its scope, or why it is too late: before it waits for another run, and again when it had to. That may take a
 * while, and an interruption meanwhile is no defect.
 */
async function comeToTurn(session: Session, { restoreLedger }: RunRequest, freshness: Freshness): Promise<string | null> {
  const { writer, stopping } = session;
  try {
    if (typeof restoreLedger === 'string') await restore(session, restoreLedger);
    await lookAt(session);
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
