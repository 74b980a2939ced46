import { type ErrorData, Failure, toErrorData } from '../core/errors.ts';
import { repositoryFacts } from '../ledger/repository.ts';
import type { ApplyDoc, Orphan, PlanDoc } from '../report/document.ts';
import { destroyTarget } from './destroy-target.ts';
import { applyDoc, endState, planDoc, receiptOf, statusOf, withWaiting } from './documents.ts';
import { type Drive, driveLines } from './drive.ts';
import { ledgerLines } from './ledger-lines.ts';
import { type OpenSession, openSession } from './open-session.ts';
import { Parents } from './parents.ts';
import { prepare } from './prepare.ts';
import { openRegistry } from './registry.ts';
import { restoredLines } from './resume.ts';
import { maskSecretVariables } from './secret-variables.ts';
import type { Session } from './session.ts';
import { finishTail } from './tail.ts';
import type { Prepared, RunRequest, RunWorld } from './types.ts';
import { newWork } from './work.ts';

export type { RunRequest, RunWorld } from './types.ts';

/**
 * What an apply (or, with `destroy`, a destroy) would do. Sends reads only and writes nothing anywhere.
 * Throws `Failure` or `Failures` for what is wrong before the first request.
 */
export async function runPlan(request: RunRequest, world: RunWorld = {}): Promise<PlanDoc> {
  const opened = await open(request, world, 'plan');
  const { session } = opened;
  try {
    await session.writer.look();
    const { drive } = begin(opened, 'plan');
    const { positions } = await drive.done;
    const orphans = request.destroy
      ? []
      : await finishTail(session, new Parents(), 'look', { prepared: opened.prepared, unsettled: new Set() });
    return planDoc(session, positions(), orphans);
  } finally {
    await opened.close();
  }
}

/**
 * Makes the services hold what the plan says, or, with `destroy`, removes what the ledger says that pilotfish made.
 * Throws `Failure` or `Failures` for what is wrong before the first request; a run that began always gives a document.
 */
export async function runApply(request: RunRequest, world: RunWorld = {}): Promise<ApplyDoc> {
  if (request.expect !== null) await mustBeAsExpected(request, request.expect, world);
  const opened = await open(request, world, 'apply');
  const { session } = opened;
  const startedAt = session.clock.now();
  const startedMono = session.clock.mono();
  const ms = (): number => Math.round(session.clock.mono() - startedMono);
  try {
    await beginLedger(session);
    const { drive, parents, destroyed } = begin(opened, request.destroy ? 'destroy' : 'apply');
    const { orphans, error } = await finishRun(opened, { drive, parents, destroyed, request, startedAt, ms });
    await drive.done;
    const positions = withWaiting(session, drive.positions());
    const end = error ? 'failed' : session.writer.isStale ? 'stale' : statusOf(positions, session.stopping.aborted);
    return applyDoc(session, { positions, status: end, orphans, commit: session.writer.head, ms: ms(), error });
  } finally {
    await opened.close();
  }
}

interface Finishing {
  readonly drive: Drive;
  readonly parents: Parents;
  readonly destroyed: boolean;
  readonly request: RunRequest;
  readonly startedAt: number;
  readonly ms: () => number;
}

/** What is left when every line has ended, and the last push. Where another run wrote meanwhile, lines look again and end anew. */
async function finishRun(opened: Opened, o: Finishing): Promise<{ orphans: readonly Orphan[]; error: ErrorData | null }> {
  const { session, context, prepared } = opened;
  const { drive, destroyed } = o;
  for (;;) {
    await drive.ending();
    const unsettled = new Set(drive.positions().flatMap(({ id, state }) => (endState(state) === 'settled' ? [] : [id])));
    const orphans = destroyed ? [] : await finishTail(session, o.parents, 'finish', { prepared, unsettled });
    const positions = withWaiting(session, drive.positions());
    const status = statusOf(positions, session.stopping.aborted);
    const pr = context.pr.number;
    try {
      const outcome = await session.writer.finish({
        receipt: receiptOf(session, { positions, status, startedAt: o.startedAt, ms: o.ms(), approvedBy: o.request.approvedBy, pr }),
        history: {
          run: session.runId,
          at: new Date(session.clock.now()).toISOString(),
          commit: session.sha,
          pr,
          repository: session.repository,
          event: o.request.env.GITHUB_EVENT_NAME ?? null,
          outcome: destroyed ? `destroyed: ${status}` : status,
        },
        quietForMs: Math.max(0, session.gate.unansweredUntil() - session.clock.mono()),
        snapshot: status === 'interrupted' && !destroyed ? drive.snapshot() : null,
      });
      if (outcome === 'stored') return { orphans, error: null };
    } catch (thrown) {
      // A later run of this scope has taken over: what it records is the truth.
      return { orphans, error: session.writer.isStale ? null : session.redactor.json(toErrorData(thrown)) };
    }
  }
}

/** Another run may hold the scope for a while: an interruption meanwhile is no defect. */
async function beginLedger(session: Session): Promise<void> {
  try {
    await session.writer.begin();
  } catch (thrown) {
    if (!session.stopping.aborted || thrown instanceof Failure) throw thrown;
    throw new Failure('INTERRUPTED', {
      detail: 'The run was interrupted while it waited for another run of this scope. Nothing was written.',
    });
  }
}

/** `--expect <digest>`: what is applied is what was looked at. */
async function mustBeAsExpected(request: RunRequest, expect: string, world: RunWorld): Promise<void> {
  const { digest } = await runPlan({ ...request, expect: null }, world);
  if (digest === expect) return;
  throw new Failure('USAGE', {
    detail: `The plan's digest is now ${digest}, and --expect names ${expect}: what would be done changed since it was looked at. Nothing was written.`,
    fix: 'Run `pilotfish plan` again and look at what changed.',
  });
}

interface Opened extends OpenSession {
  readonly prepared: Prepared | null;
  readonly context: Prepared['context'];
}

async function open(request: RunRequest, world: RunWorld, command: 'plan' | 'apply'): Promise<Opened> {
  const facts = world.repository === undefined ? await repositoryFacts(request.cwd, request.env) : world.repository;
  const registry = await openRegistry({ env: request.env, cwd: request.cwd });
  if (request.destroy) {
    const { context, plan } = await destroyTarget(request, world, facts);
    const opened = await openSession({ request, world, registry, facts, purpose: command === 'plan' ? 'plan' : 'destroy', context, plan });
    maskSecretVariables(opened.session.redactor, request.env);
    return { ...opened, prepared: null, context };
  }
  const prepared = await prepare({ request, registry, facts, purpose: command });
  const { context, plan } = prepared;
  const opened = await openSession({ request, world, registry, facts, purpose: command, context, plan });
  opened.session.warnings.push(...prepared.warnings);
  return { ...opened, prepared, context };
}

function begin(opened: Opened, purpose: 'plan' | 'apply' | 'destroy') {
  const { session, prepared } = opened;
  const parents = new Parents();
  for (const line of prepared?.lines ?? []) session.works.set(line.line.id, newWork(line.line.id, line));
  const nodes = prepared ? prepared.lines.map(({ line, after }) => ({ id: line.id, after })) : ledgerLines(session);
  const restored = prepared && purpose === 'apply' ? restoredLines(session, prepared) : new Map();
  const drive = driveLines({ opened, nodes, purpose, parents, restored, prepared });
  return { drive, parents, destroyed: prepared === null };
}
