import { type ErrorData, showPlace } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { Sealed } from '../../core/sealed.ts';
import type { Receipt, ReceiptLine } from '../../ledger/model/facts.ts';
import { hasTag } from '../../machines/line/line.machine.ts';
import type { Reach } from '../../remote/reach.ts';
import { putBackCommand } from '../command-again.ts';
import type {
  ApplyDoc,
  ApplyLineDoc,
  HostDoc,
  KeptLine,
  Orphan,
  PlanDoc,
  PlanLineDoc,
  PreviewDoc,
  RunStatus,
  Verdict,
} from '../document.ts';
import { judgementOf, type LinePhase, type PhaseFacts } from '../line/phases.ts';
import { inputsOf } from '../line/sides.ts';
import { digestOf } from '../prepare/digest.ts';
import type { LinePosition } from '../schedule/lines.ts';
import { type Session, workOf } from '../session.ts';
import { documentShape } from '../shapes.ts';
import { type EndPosition, withCauses } from './causes.ts';

type Named = Pick<PlanLineDoc, 'adapter' | 'op' | 'recipe' | 'subject'>;

export function named({ prepared, record, intent, subject }: PhaseFacts): Named {
  const told = subject === '' ? {} : { subject };
  if (prepared)
    return { adapter: prepared.adapter, op: prepared.opName, ...(prepared.recipe !== null && { recipe: prepared.recipe }), ...told };
  const fact = record ?? intent;
  return { adapter: fact?.adapter ?? '', op: fact?.op ?? '', ...(fact?.recipe && { recipe: fact.recipe }), ...told };
}

const placeOf = ({ prepared }: PhaseFacts): Pick<PlanLineDoc, 'place'> => (prepared ? { place: showPlace(prepared.line.place) } : {});

/** A line of an apply whose outputs can be used settles with the last push. */
const settles = (state: string): boolean => state !== 'planned' && hasTag(state, 'available');

/** The verdict as reports say it. A line that never came to a verdict failed. */
function verdictOf({ state, context }: LinePosition, work: LinePhase): Verdict {
  if (state === 'refused') return 'refused';
  if (judgementOf(work)?.verdict === 'redeploy') return 'redeploy';
  // The line waited, and its object is there now.
  if (context.verdict === 'pending' && settles(state)) return 'none';
  return context.verdict ?? (context.error ? 'failed' : 'pending');
}

export function planDoc(
  session: Session,
  ended: readonly LinePosition[],
  { orphans, stays, hosts }: { readonly orphans: readonly Orphan[]; readonly stays: readonly string[]; readonly hosts: readonly HostDoc[] },
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
  for (const line of lines) summary[line.verdict] = (summary[line.verdict] ?? 0) + 1;
  const error = firstError(positions);
  const document: PlanDoc = {
    schema: 1,
    ok: error === null,
    command: 'plan',
    environment: session.environment,
    scope: session.scope,
    digest: digestOf(session, positions),
    lines,
    ...(hosts.length > 0 && { hosts }),
    orphans,
    ...putBackOf(session, lines),
    ...(stays.length > 0 && { stays }),
    warnings: session.warnings,
    summary,
    ...(error && { error }),
  };
  return session.redactor.document(document, documentShape);
}

const driftLeft = (work: LinePhase): Pick<PlanLineDoc, 'driftLeft'> => (judgementOf(work)?.leaves ? { driftLeft: true } : {});

/** Gives the command that writes back what lines leave. */
const putBackOf = (session: Session, lines: readonly { readonly driftLeft?: unknown }[]): Pick<PlanDoc, 'putBack'> =>
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

/** The state that a line has once the last push stands. */
export const endState = (state: string): string => {
  if (settles(state)) return 'settled';
  if (state === 'recordingUnready') return 'failed';
  if (state === 'recordingInterrupted') return 'interrupted';
  return state === 'paused' ? 'waiting' : state;
};

export function statusOf(positions: readonly LinePosition[], isInterrupted: boolean): RunStatus {
  const states = positions.map(({ state }) => endState(state));
  if (isInterrupted && states.some((state) => state === 'interrupted')) return 'interrupted';
  if (states.some((state) => state === 'failed' || state === 'refused' || state === 'skipped')) return 'failed';
  if (states.some((state) => state === 'waiting')) return 'partial';
  return isInterrupted ? 'interrupted' : 'complete';
}

export interface ApplyFacts {
  readonly positions: readonly EndPosition[];
  readonly status: RunStatus;
  readonly orphans: readonly Orphan[];
  readonly stays: readonly string[];
  readonly hosts: readonly HostDoc[];
  readonly commit: string | null;
  readonly ms: number;
  readonly error: ErrorData | null;
  /** The digest of these lines, where a receipt has it already. */
  readonly digest: string | null;
}

export function applyDoc(session: Session, facts: ApplyFacts): ApplyDoc {
  const { positions, status, orphans, stays, hosts, commit, ms } = facts;
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
  const error = facts.error ?? (status === 'failed' ? firstError(positions) : null);
  const outputs = outputsOf(session);
  const { stats } = session.store;
  const locks = session.lockStore === session.store ? 0 : session.lockStore.stats.lockPushes;
  const document: ApplyDoc = {
    schema: 1,
    ok: ['complete', 'partial', 'stale'].includes(status) && error === null,
    command: 'apply',
    status,
    environment: session.environment,
    scope: session.scope,
    runId: session.runId,
    digest: facts.digest ?? digestOf(session, positions),
    lines,
    ...(hosts.length > 0 && { hosts }),
    outputs,
    ...previewsOf(session, outputs),
    receipt: { branch: session.receiptsBranch, commit },
    stats: { ...session.client.stats, fetches: stats.fetches, pushes: stats.pushes, lockPushes: stats.lockPushes + locks, ms },
    warnings: session.warnings,
    orphans,
    ...putBackOf(session, lines),
    ...(stays.length > 0 && { stays }),
    ...(error && { error }),
  };
  return session.redactor.document(document, documentShape);
}

const msOf = (session: Session, work: PhaseFacts): number =>
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

export function receiptOf(
  session: Session,
  o: {
    positions: readonly EndPosition[];
    status: RunStatus;
    startedAt: number;
    ms: number;
    approvedBy: string | null;
    pr: number | null;
    hosts: readonly HostDoc[];
    /** The digest that was asked for and found; `null` when none was. */
    expected: string | null;
  },
): Receipt {
  const lines: ReceiptLine[] = o.positions.map((position) => {
    const work = workOf(session, position.id);
    const { error } = position.context;
    return {
      id: position.id,
      verdict: verdictOf(position, work),
      state: endState(position.state),
      ms: msOf(session, work),
      requests: session.client.requestsOf(position.id),
      ...(error ? { code: error.code } : position.because.length > 0 && { code: 'DEPENDENCY_FAILED' }),
      ...(judgementOf(work)?.leaves && { driftLeft: work.drift }),
    };
  });
  const { requests, writes } = session.client.stats;
  return {
    v: 1,
    run: session.runId,
    command: session.purpose === 'destroy' ? 'destroy' : 'apply',
    environment: session.environment,
    scope: session.scope,
    plan: session.planName,
    commit: session.sha,
    branch: session.branch,
    pr: o.pr,
    status: o.status,
    digest: o.expected ?? digestOf(session, o.positions),
    approvedBy: o.approvedBy,
    startedAt: new Date(o.startedAt).toISOString(),
    ms: o.ms,
    lines,
    ...putBackOf(session, lines),
    ...(o.hosts.length > 0 && { hosts: o.hosts.map(({ origin }) => origin) }),
    stats: { requests, writes },
  };
}
