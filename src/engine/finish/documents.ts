import { type ErrorData, showPlace } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { Sealed } from '../../core/sealed.ts';
import type { Renewal } from '../../ledger/model/facts.ts';
import type { Reach } from '../../remote/reach.ts';
import { putBackCommand } from '../command-again.ts';
import type { ApplyDoc, ApplyLineDoc, HostDoc, KeptLine, PlanDoc, PlanLineDoc, PreviewDoc, RunStatus, Verdict } from '../document.ts';
import { judgementOf, type LinePhase, type PhaseFacts } from '../line/phases.ts';
import { inputsOf } from '../line/sides.ts';
import type { Orphan } from '../orphan-document.ts';
import { digestOf } from '../prepare/digest.ts';
import type { LinePosition } from '../schedule/lines.ts';
import { type Session, workOf } from '../session.ts';
import { documentShape } from '../shapes.ts';
import { lifetimeDoc } from '../timing/renewal.ts';
import { type EndPosition, withCauses } from './causes.ts';
import { endState, settles } from './end-state.ts';

type Named = Pick<PlanLineDoc, 'adapter' | 'op' | 'recipe' | 'subject'>;

export function named({ prepared, record, intent, subject }: PhaseFacts): Named {
  const told = subject === '' ? {} : { subject };
  if (prepared)
    return { adapter: prepared.adapter, op: prepared.opName, ...(prepared.recipe !== null && { recipe: prepared.recipe }), ...told };
  const fact = record ?? intent;
  return { adapter: fact?.adapter ?? '', op: fact?.op ?? '', ...(fact?.recipe && { recipe: fact.recipe }), ...told };
}

const placeOf = ({ prepared }: PhaseFacts): Pick<PlanLineDoc, 'place'> => (prepared ? { place: showPlace(prepared.line.place) } : {});

/** The verdict as reports say it. A line that never came to a verdict failed. */
export function verdictOf({ state, context }: LinePosition, work: LinePhase): Verdict {
  if (state === 'refused') return 'refused';
  if (judgementOf(work)?.verdict === 'redeploy') return 'redeploy';
  // The line waited, and its object is there now.
  if (context.verdict === 'pending' && settles(state)) return 'none';
  return context.verdict ?? (context.error ? 'failed' : 'pending');
}

/** The parts of a plan beside its lines. */
interface PlanFacts {
  readonly orphans: readonly Orphan[];
  /** The lines of the orphans, where the plan prunes. */
  readonly pruned: readonly LinePosition[];
  readonly stays: readonly string[];
  readonly orphansOnly: boolean;
  readonly hosts: readonly HostDoc[];
}

export function planDoc(
  session: Session,
  ended: readonly LinePosition[],
  { orphans, pruned, stays, hosts, orphansOnly }: PlanFacts,
): PlanDoc {
  const positions = withCauses(session, ended);
  const entries = managedEntries(session);
  const lines: PlanLineDoc[] = positions.map((position) => {
    const work = workOf(session, position.id);
    const verdict = position.state === 'failed' ? 'failed' : verdictOf(position, work);
    const waitingOn = work.resolved?.waitingOn ?? [];
    return {
      id: position.id,
      ...placeOf(work),
      ...named(work),
      verdict,
      ...(position.context.why !== '' && { why: position.context.why }),
      ...afterOf(session, work),
      ...keptFrom(position),
      drift: work.drift,
      ...driftLeft(work),
      changes: work.changes,
      ...(work.recordChanges.length > 0 && { recordChanges: work.recordChanges }),
      inputs: inputsOf(work),
      ...(waitingOn.length > 0 && { waitingOn }),
      ...(work.unmanaged.length > 0 && { unmanaged: unmanagedOf(work, entries) }),
      ...(position.context.error && { error: position.context.error }),
    };
  });
  const summary: { [verdict in Verdict]?: number } = {};
  const pruning = orphans.filter(({ verdict, becomes }) => becomes !== undefined && verdict !== 'none');
  for (const { verdict } of [...lines, ...pruning]) summary[verdict] = (summary[verdict] ?? 0) + 1;
  const error = firstError([...positions, ...pruned]);
  const document: PlanDoc = {
    schema: 1,
    ok: error === null,
    command: 'plan',
    environment: session.environment,
    scope: session.scope,
    digest: digestOf(session, [...positions, ...pruned]),
    lines,
    ...(hosts.length > 0 && { hosts }),
    orphans,
    ...putBackOf(session, lines),
    ...(stays.length > 0 && { stays }),
    ...(orphansOnly && { orphansOnly }),
    warnings: session.warnings,
    summary,
    ...(error && { error }),
  };
  return session.redactor.document(document, documentShape);
}

const driftLeft = (work: LinePhase): Pick<PlanLineDoc, 'driftLeft'> => (judgementOf(work)?.leaves ? { driftLeft: true } : {});

/** Gives the command that writes back what lines leave. */
export const putBackOf = (session: Session, lines: readonly { readonly driftLeft?: unknown }[]): Pick<PlanDoc, 'putBack'> =>
  lines.some(({ driftLeft: left }) => left !== undefined) ? { putBack: putBackCommand(session) } : {};

/** Names only lines of this run, because `--only` leaves some out. */
function afterOf(session: Session, { after }: PhaseFacts): Pick<PlanLineDoc, 'after'> {
  const shown = after.filter((id) => session.works.has(id));
  return shown.length > 0 ? { after: shown } : {};
}

/** The entries of each list that lines of this run manage. */
function managedEntries(session: Session): ReadonlyMap<string, ReadonlySet<string>> {
  const entries = new Map<string, Set<string>>();
  for (const { bound } of session.works.values()) {
    if (bound?.reach.kind !== 'item') continue;
    const list = listOf(bound.reach);
    entries.set(list, (entries.get(list) ?? new Set()).add(bound.reach.item));
  }
  return entries;
}

const listOf = ({ parent }: Extract<Reach, { kind: 'item' }>): string => JSON.stringify([parent.path, parent.list_path]);

/** Entries that other lines of this run manage are not unmanaged. */
function unmanagedOf(work: PhaseFacts, entries: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const reach = work.bound?.reach;
  if (reach?.kind !== 'item') return work.unmanaged;
  const ours = entries.get(listOf(reach));
  return work.unmanaged.filter((name) => !ours?.has(name));
}

const firstError = (positions: readonly LinePosition[]): ErrorData | null =>
  positions.find(({ context }) => context.error)?.context.error ?? null;

/** A line that failed ones kept from its turn has no error of its own. */
const keptFrom = ({ because }: EndPosition): KeptLine => (because.length > 0 ? { code: 'DEPENDENCY_FAILED', because } : {});

export interface ApplyFacts {
  readonly positions: readonly EndPosition[];
  /** The lines of the orphans, where the run prunes. */
  readonly pruned: readonly EndPosition[];
  readonly status: RunStatus;
  readonly orphans: readonly Orphan[];
  readonly stays: readonly string[];
  readonly orphansOnly: boolean;
  readonly hosts: readonly HostDoc[];
  readonly commit: string | null;
  readonly ms: number;
  readonly error: ErrorData | null;
  /** The digest of these lines, where a receipt has it already. */
  readonly digest: string | null;
  /** The end of the scope, as the run stored it. */
  readonly renewed: Renewal | null;
}

export function applyDoc(session: Session, facts: ApplyFacts): ApplyDoc {
  const { positions, pruned, status, orphans, stays, orphansOnly, hosts, commit, ms } = facts;
  const lines: ApplyLineDoc[] = positions.map((position) => {
    const work = workOf(session, position.id);
    return {
      id: position.id,
      ...placeOf(work),
      ...named(work),
      state: endState(position.state),
      verdict: verdictOf(position, work),
      ...(position.context.why !== '' && { why: position.context.why }),
      ...afterOf(session, work),
      ...keptFrom(position),
      drift: work.drift,
      ...driftLeft(work),
      changes: work.changes,
      ...(work.recordChanges.length > 0 && { recordChanges: work.recordChanges }),
      ms: msOf(session, work),
      requests: session.client.requestsOf(position.id),
      ...(work.notes.length > 0 && { notes: work.notes }),
      ...(position.context.error && { error: position.context.error }),
    };
  });
  const error = facts.error ?? (status === 'failed' ? firstError([...positions, ...pruned]) : null);
  const outputs = outputsOf(session);
  const { stats } = session.store;
  const lifetime = facts.renewed && lifetimeDoc(facts.renewed);
  const locks = session.lockStore === session.store ? 0 : session.lockStore.stats.lockPushes;
  const document: ApplyDoc = {
    schema: 1,
    ok: ['complete', 'partial', 'stale'].includes(status) && error === null,
    command: 'apply',
    status,
    environment: session.environment,
    scope: session.scope,
    runId: session.runId,
    digest: facts.digest ?? digestOf(session, [...positions, ...pruned]),
    lines,
    ...(hosts.length > 0 && { hosts }),
    outputs,
    ...previewsOf(session, outputs),
    ...(lifetime && { lifetime }),
    receipt: { branch: session.receiptsBranch, commit },
    stats: { ...session.client.stats, fetches: stats.fetches, pushes: stats.pushes, lockPushes: stats.lockPushes + locks, ms },
    warnings: session.warnings,
    orphans,
    ...putBackOf(session, lines),
    ...(stays.length > 0 && { stays }),
    ...(orphansOnly && { orphansOnly }),
    ...(error && { error }),
  };
  return session.redactor.document(document, documentShape);
}

export const msOf = (session: Session, work: PhaseFacts): number =>
  work.startedAt === null ? 0 : Math.max(0, Math.round((work.endedAt ?? session.clock.now()) - work.startedAt));

/** Outputs that may be shown. */
function outputsOf(session: Session): ApplyDoc['outputs'] {
  const all: [string, { [output: string]: Json }][] = [];
  for (const work of session.works.values()) {
    const shown: [string, Json][] = [];
    // Anybody with the right to push may have written an unsealed record.
    const recorded = work.record && !session.trust.isDoubtful(work.record.identity) ? work.record.outputs : {};
    for (const [name, value] of Object.entries(work.live?.outputs ?? recorded)) {
      const spec = work.prepared?.outputs[name];
      if (spec && !spec.sensitive && !spec.once && !(value instanceof Sealed)) shown.push([name, value]);
    }
    if (shown.length > 0) all.push([work.id, Object.fromEntries(shown)]);
  }
  return Object.fromEntries(all);
}

/** The output `url` of each line that waits for a deployment. */
function previewsOf(session: Session, outputs: ApplyDoc['outputs']): Pick<ApplyDoc, 'previews'> {
  const previews = [...session.works.values()].flatMap(({ id, prepared }): PreviewDoc[] => {
    const url = prepared?.op.kind === 'wait' ? outputs[id]?.url : undefined;
    return typeof url === 'string' && /^https?:\/\//.test(url) ? [{ line: id, url }] : [];
  });
  return previews.length > 0 ? { previews } : {};
}
