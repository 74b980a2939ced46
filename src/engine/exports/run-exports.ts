import { Failure, Failures } from '../../core/errors.ts';
import type { Redactor } from '../../core/redact.ts';
import { withoutSecrets } from '../../core/redact-error.ts';
import { isHeldByAnother } from '../../ledger/writer/lease.ts';
import { hasTag } from '../../machines/line/line.machine.ts';
import type { Opened } from '../apply.ts';
import { begin } from '../begin.ts';
import { applyAgain } from '../command-again.ts';
import { lookAt } from '../ledger-damage.ts';
import { lookMeanwhile } from '../line/look-early.ts';
import { judgementOf, type LinePhase } from '../line/phases.ts';
import { mustBeTexts, openRun } from '../open-run.ts';
import { redactorOf } from '../prepare/secret-variables.ts';
import type { LinePosition } from '../schedule/lines.ts';
import { type Session, workOf } from '../session.ts';
import { Parents } from '../shared/parents.ts';
import { tellScopes } from '../stands/scopes-hint.ts';
import { seeBack } from '../trust/take-back.ts';
import type { RunRequest, RunWorld } from '../types.ts';
import { linesOfExports, textOf } from './exported.ts';
import type { ExportsDoc } from './exports-document.ts';
import { type ExportedValue, valuesOf } from './values.ts';

export interface Exports {
  readonly document: ExportsDoc;
  /** The values, which are for the environment of one command and for nothing else. */
  readonly values: readonly ExportedValue[];
}

/**
 * Reads the variables of the plan for one scope: those of `exports`, or those that its lines give to a host. Sends reads only. Throws
 * `NOT_APPLIED` where the scope lacks what they need, `LEASE_HELD` while another run changes that, and `OUTPUT_UNAVAILABLE` for an output
 * that existed once.
 */
export async function runExports(request: RunRequest, world: RunWorld = {}): Promise<Exports> {
  const redactor = redactorOf(request.env, world);
  return await withoutSecrets(redactor, () => read(request, world, redactor));
}

/** How often a scope is read anew because another run changed it meanwhile. */
const mostReads = 3;

async function read(request: RunRequest, world: RunWorld, redactor: Redactor): Promise<Exports> {
  mustBeTexts(request);
  for (let tries = 1; ; tries += 1) {
    const exports = await readOnce(request, world, { redactor, isLast: tries === mostReads });
    if (exports !== null) return exports;
  }
}

/** Returns `null` where another run changed the lines while this read them. The last read throws `LEASE_HELD` in its place. */
async function readOnce(
  request: RunRequest,
  world: RunWorld,
  { redactor, isLast }: { readonly redactor: Redactor; readonly isLast: boolean },
): Promise<Exports | null> {
  const opened = await openRun(request, world, { command: 'plan', redactor, wantsExports: true }).catch(async (thrown: unknown) => {
    throw await tellScopes(thrown, request, world, redactor);
  });
  try {
    return await readOpened(opened, isLast);
  } finally {
    await opened.close();
  }
}

async function readOpened(opened: Opened, isLast: boolean): Promise<Exports | null> {
  const { session, prepared } = opened;
  const exported = prepared?.exports ?? [];
  const wanted = prepared ? linesOfExports(exported, prepared.plan) : [];
  const lines = prepared?.lines.map(({ line }) => line.id) ?? [];
  await lookAt(session);
  mustBeFree(session, lines);
  const before = factsOf(session, lines);
  session.approved.check(session, prepared);
  await lookMeanwhile(session, prepared?.lines ?? [], async () => {
    await seeBack(session);
    await session.trust.examine();
  });
  // Only outputs of lines that others wait for are kept.
  for (const id of wanted) session.awaited.add(id);
  const { drive } = begin(opened, 'plan', { parents: new Parents(session), wanted: opened.wanted });
  const { positions } = await drive.done;
  if (positions().some(({ state }) => state === 'interrupted')) session.stopping.throwIfAborted();
  mustStand(session, positions(), wanted);
  const values = await valuesOf(session, exported);
  // A run that began meanwhile may have replaced an object that was read before, and may have ended as well.
  await session.writer.look();
  mustBeFree(session, lines);
  if (factsOf(session, lines) !== before) {
    if (isLast) throw everChanging(session);
    return null;
  }
  return {
    document: {
      schema: 1,
      ok: true,
      command: 'run',
      environment: session.environment,
      scope: session.scope,
      variables: values.map(({ name, isSensitive }, i) => {
        const value = exported[i]?.value;
        return { name, from: value === undefined ? '' : textOf(value), sensitive: isSensitive };
      }),
      needs: wanted,
      warnings: session.warnings,
    },
    values,
  };
}

/** A run that is changing these lines could take away what the command uses. Lines that this run has settled stay as they are. */
function mustBeFree(session: Session, lines: readonly string[]): void {
  const { lease } = session.writer.state;
  if (!isHeldByAnother(lease, session.runId)) return;
  const { position } = session.writer;
  const settled = new Set(
    position?.run === lease.run ? position.lines.flatMap(({ id, state }) => (hasTag(state, 'final') ? [id] : [])) : [],
  );
  const changing = lines.filter((id) => !settled.has(id));
  if (changing.length === 0) return;
  throw new Failure('LEASE_HELD', {
    detail: `Run ${lease.run} of ${lease.holder} holds this scope and has not settled ${listed(changing)}. The command would use what that run changes.`,
    fix: `Wait for the other run, then run the command again. If that run is dead, run ${applyAgain(session)} first: it goes on from there.`,
  });
}

/** Gives the ledger's facts of these lines as one text to compare. */
function factsOf({ writer }: Session, lines: readonly string[]): string {
  const { records, intents } = writer.state;
  const ofLines = ({ line }: { readonly line: string }): boolean => lines.includes(line);
  return JSON.stringify([records, intents].map((facts) => [...facts.values()].filter(ofLines)));
}

const everChanging = (session: Session): Failure =>
  new Failure('LEASE_HELD', {
    detail: `Other runs changed the lines of this scope each of the ${mostReads} times that pilotfish read them. The command would use what they replaced.`,
    fix: `Wait for the other runs, then run the command again. ${applyAgain(session)} shows whether they have ended.`,
  });

/** Verdicts after which the object is there, is ours, and is the one that its consumers use. */
const standing: ReadonlySet<string> = new Set(['none', 'rename', 'record', 'keep', 'update', 'redeploy']);

function mustStand(session: Session, positions: readonly LinePosition[], wanted: readonly string[]): void {
  const failures = positions.flatMap((position) => failureOf(session, position, wanted.includes(position.id)));
  const [first, ...rest] = failures;
  if (first) throw rest.length === 0 ? first : new Failures([first, ...rest]);
}

function failureOf(session: Session, { id, context }: LinePosition, isWanted: boolean): readonly Failure[] {
  const work = workOf(session, id);
  const { error } = context;
  if (error) return isWanted || !('because' in error) ? [asFailure(error, work)] : [];
  if (!isWanted) return [];
  const why = whyNot(work);
  if (why === null) {
    tellDifference(session, work);
    return [];
  }
  const detail = `The command needs ${id}, and ${why}.`;
  return [new Failure('NOT_APPLIED', { detail, fix: `Run ${applyAgain(session)} first.`, ...placeOf(work) })];
}

/** Why the line's outputs are not those of its object; `null` where they are. */
function whyNot(work: LinePhase): string | null {
  const judgement = judgementOf(work);
  if (judgement === null) return 'pilotfish could not look at it';
  const { verdict } = judgement;
  if (verdict === 'pending') return `it is not ready: ${judgement.why}`;
  if (!standing.has(verdict)) return `this scope does not have it: apply would ${words[verdict] ?? verdict} it`;
  if (work.record?.unready || work.intent !== null) return 'a run has not finished it';
  return null;
}

const words: { readonly [verdict: string]: string } = { replace: 'replace', trigger: 'send', claim: 'finish' };

function tellDifference(session: Session, { id, changes }: LinePhase): void {
  if (changes.length === 0) return;
  const fields = changes.map(({ field }) => field).join(', ');
  session.warnings.push(`${id} differs from the plan in ${fields}. The command gets the values of what stands.`);
}

const asFailure = (error: NonNullable<LinePosition['context']['error']>, work: LinePhase): Failure =>
  new Failure(error.code, { detail: error.detail, fix: error.fix, kind: error.kind, ...placeOf(work) });

const listed = (words: readonly string[]): string => new Intl.ListFormat('en-GB').format(words);

const placeOf = ({ place }: LinePhase) => (place === null ? {} : { place });
