import { canonicalJson } from '../../core/canonical.ts';
import { Failure } from '../../core/errors.ts';
import { patience } from '../../core/look-until.ts';
import type { SecretSource } from '../../core/sealed.ts';
import type { ProviderBlock } from '../../http/types.ts';
import type { Intent, LedgerRecord, LeftObject } from '../../ledger/model/facts.ts';
import { decide, type Situation, type Verdict } from '../../machines/line/decide.ts';
import type { Bound, ItemBound, ObjectBound } from '../../ops/bound.ts';
import { identityOf } from '../../ops/provider.ts';
import { isReborn } from '../../remote/birth.ts';
import { recordIdOf } from '../../remote/find.ts';
import { type Live, withValues } from '../../remote/live-object.ts';
import { hasPending, Pending } from '../../remote/value.ts';
import { keep, type Session } from '../session.ts';
import { addressOf, momentNow } from '../timing/host-time.ts';
import { storedRecord } from '../trust/trust.ts';
import { unsealed } from '../trust/unsealed.ts';
import { vouch } from '../trust/vouch.ts';
import type { PreparedLine } from '../types.ts';
import { bindLine, isAdoption } from './binding.ts';
import { contradictionOf, foreign, recordedElsewhere } from './claim.ts';
import { type CompareOptions, type Comparison, compareFields, hashOf, plainOf, shortHash } from './compare.ts';
import { conclude, goneOutput, refuse, unseen } from './conclude.ts';
import { isDoubted } from './doubt.ts';
import { leavesDrift, reportsDrift, unleavable } from './drift.ts';
import { observeAction, observeWait } from './judge-without-object.ts';
import { knownOf } from './known.ts';
import { isUnknown, settleOf } from './lag.ts';
import { isLeftOut } from './line-entry.ts';
import { type FoundLive, findItem, findObject, isParentToCome } from './look.ts';
import { withoutParent } from './lost-parent.ts';
import type { Findings, Judged, LinePhase, Ready, Unjudged, Unseen, Written } from './phases.ts';
import { isOf } from './phases.ts';
import { printerOf } from './printer.ts';
import { afterOf, templateOf } from './record.ts';
import { recordChanges } from './record-changes.ts';
import { resolveLine } from './resolve.ts';
import { subjectOfLine } from './subject.ts';

/** Looks at the live object and judges the line. The same for plan and apply: a plan stops after it. */
export async function observe(session: Session, before: LinePhase, prepared: PreparedLine): Promise<Judged | Written | Unseen> {
  // Another run wrote before this run held its lease, so an earlier look no longer counts.
  const startedAt = before.startedAt ?? session.clock.now();
  let line: Unjudged = keep(session, { ...before, phase: 'unjudged', live: null, startedAt, epoch: session.writer.epoch });
  const resolved = await resolveLine(prepared, 'judge', session);
  line = keep(session, { ...line, resolved });
  const { block, bound } = bindLine(session, prepared, resolved.params);
  const subject = prepared.whole === null ? subjectOfLine(prepared, { params: resolved.params, bound }) : line.subject;
  line = keep(session, { ...line, block, bound, subject });
  if (prepared.whole === null) session.hosts.noteLine(prepared, { block, elsewhere: bound?.elsewhere ?? [] });
  if (!bound) return unseen(session, line, 'waits for what it depends on');
  const facts = identify(session, line.id, prepared, { block, bound });
  line = keep(session, { ...line, ...facts });
  if (resolved.credential instanceof Pending) return unseen(session, line, 'waits for its credential');
  const known = await knownOf(session, prepared);
  const http = session.client.api(block, { credential: resolved.credential, line: line.id, known });
  const ready = keep(session, { ...line, ...facts, prepared, resolved, block, bound, http });
  if (isOf(ready, 'wait')) return await observeWait(session, ready);
  if (isOf(ready, 'action')) return await observeAction(session, ready);
  try {
    const isItem = isOf(ready, 'item');
    if (!isItem && !isOf(ready, 'object')) throw new Failure('INTERNAL', { detail: `${line.id} cannot be looked at.` });
    const { doubted, ...vouched } = await vouch(session, ready);
    const sure = keep(session, { ...ready, ...vouched });
    const finding = findFor(session, sure).catch((error: unknown) => withoutParent(session, sure, error));
    const [found, byPlan] = await Promise.all([finding, judgeByPlan(session, sure)]);
    if (doubted && sure.record === null && found.live) throw unsealed(session, doubted, 'An object of that name stands.');
    return await judge(session, keep(session, { ...sure, unmanaged: found.unmanaged }), found, byPlan);
  } catch (error) {
    if (!isParentToCome(session, ready, error)) throw error;
    return unseen(session, ready, 'stands in an object that this plan makes');
  }
}

/** Uses the look that the line took before its turn, where that still counts. Otherwise looks now. */
async function findFor(session: Session, line: Observable): Promise<FoundLive> {
  const find = (one: Observable): Promise<FoundLive> =>
    isOf(one, 'item') ? findItem(session, one) : findObject(session, one as Ready<ObjectBound>);
  const early = session.early.take(line.id);
  if (early?.isGood(line.epoch)) {
    const { id, block, resolved, prepared } = line;
    const credential = resolved.credential instanceof Pending ? null : resolved.credential;
    const http = session.client.api(block, { credential, line: id, known: await knownOf(session, prepared), kept: early.reads });
    const found = await find({ ...line, http }).catch(() => null);
    if (found && early.isGood(line.epoch) && early.mayShow(found)) return found;
  }
  return await find(line);
}

interface Identified {
  readonly identity: string;
  readonly record: LedgerRecord | null;
  readonly intent: Intent | null;
  readonly left: LeftObject | null;
}

function identify(
  { identities, writer }: Session,
  id: string,
  { whole, adapter }: PreparedLine,
  { block, bound }: { readonly block: ProviderBlock; readonly bound: Bound },
): Identified {
  const identity = whole?.identity ?? identityOf(adapter, block, bound.key);
  const other = identities.get(identity);
  if (other !== undefined && other !== id) {
    throw new Failure('PARAM_INVALID', {
      detail: `It is the same object as line ${other} (${bound.key}).`,
      fix: `Remove one of the two lines, or give them different names.`,
    });
  }
  identities.set(identity, id);
  const { records, intents, left } = writer.state;
  return {
    identity,
    record: records.get(identity) ?? null,
    intent: intents.get(identity) ?? null,
    left: left.get(identity) ?? null,
  };
}

type Observable = Ready<ObjectBound | ItemBound>;

/** Seconds to wait for another look, when every field that differs shows the value from which it was put back before. */
function lagOfStood({ prepared, record }: Ready, live: Live | null, changed: readonly string[]): number {
  const isStood = (field: string): boolean => record?.stood?.[field] === shortHash(plainOf(live?.values[field]));
  return isUnknown(prepared) && changed.every(isStood) ? patience : 0;
}

/** Whether it is the object that the fact names. Another one of that name may have taken the place of ours. */
const isObjectOf = ({ objectId, birth }: Pick<LedgerRecord, 'objectId' | 'birth'>, { bound }: Ready, live: Live): boolean =>
  live.id === objectId && !isReborn(birth, bound.reach, live);

const unchanged: Comparison = { changed: [], drifted: [], unkept: [] };

async function comparisonOf(
  session: Session,
  ready: Observable,
  o: Pick<CompareOptions, 'live' | 'record' | 'intent'>,
): Promise<Comparison> {
  const { fields } = ready.bound;
  const writeOnly = ready.bound.kind === 'object' ? (ready.bound.writeOnly ?? []) : [];
  const isSameEdge = (source: SecretSource): boolean => sameEdge(ready, source);
  return await compareFields({ fields, writeOnly, printer: await printerOf(session, ready), isSameEdge, ...o });
}

async function judge(session: Session, ready: Observable, found: FoundLive, byPlan: ByPlan, isSettled = false): Promise<Judged | Written> {
  const { isOutdated, removal } = byPlan;
  const { record, intent, bound } = ready;
  const isRecorded = found.live !== null && record !== null && (bound.kind === 'item' || isObjectOf(record, ready, found.live));
  // A record tells the unreadable fields of its own object alone, and not of one that a dead run may have written since.
  const said = isRecorded && intent === null ? record : null;
  // The object under the recorded id is the recorded one, unless its revision tells that it was made anew since.
  const announced = isRecorded && record?.revision === found.live?.revision ? null : intent;
  const live = found.live && (await withValues(found.live, said));
  const line = keep(session, { ...ready, live, recordChanges: recordChanges(session, ready, record) });
  const { changed, drifted, unkept } =
    live && found.count === 'one' ? await comparisonOf(session, ready, { live, record: said, intent: announced }) : unchanged;
  // Within its `settle` a provider may show the state before the last write. An unknown provider may show a value that was just replaced.
  const lag = drifted.length > 0 && !isSettled && isOf(ready, 'object') ? settleOf(ready.bound) || lagOfStood(ready, live, changed) : 0;
  if (lag > 0 && isOf(ready, 'object')) {
    await session.clock.sleep(lag * 1000, ready.stopping);
    return judge(session, ready, await findObject(session, ready, true), byPlan, true);
  }
  const differing = { changed, drifted, unkept };
  const verdict = decide({
    ...situationOf(session, line, found, differing),
    isLeftOut: isOf(ready, 'item') && live === null && (await isLeftOut(session, ready)),
    record: record && { owned: record.owned, sameRemoval: removal === record.recordId },
    isRecorded,
  });
  const { going, goingOf, replaced, alikes } = found;
  const rest = { going, goingOf, replaced, alikes, isPassed: false };
  // An object that took the place of a missing one does not belong to this line.
  const look: Findings = verdict.leaves && !isRecorded ? { ...rest, live: null, changed: [] } : { ...rest, live, changed };
  if (verdict.verdict === 'refused') return refuse(session, line, look, verdict);
  // An object that no record names is ours only through the intent, even when the line replaces it at once.
  const isThroughIntent = verdict.verdict === 'claim' || (verdict.verdict === 'replace' && !isRecorded);
  if (isThroughIntent && intent && found.live) {
    const contradiction = await contradictionOf(session, intent, found.live);
    if (contradiction !== null) throw foreign(contradiction);
  } else if (verdict.verdict === 'claim' && line.left) {
    const elsewhere = await recordedElsewhere(session, { ...line.left, baseUrl: line.block.base_url });
    if (elsewhere !== null) throw foreign(elsewhere);
  }
  // An earlier run wrote the object and could not record when. So this write counts as later than any deployment until now.
  const isWrittenNow = verdict.verdict === 'claim' || isDoubted(record);
  const seen = isWrittenNow ? { ...line, wrote: momentNow(session, line) } : line;
  return conclude(session, seen, look, verdict, needsRecord(session, seen, { live: look.live, verdict, isOutdated }));
}

/** Gives the facts of a look, except those that the record tells. */
function situationOf(
  session: Session,
  line: Observable,
  { going, count }: FoundLive,
  { changed, drifted, unkept }: Comparison,
): Omit<Situation, 'record' | 'isRecorded'> {
  const { id, bound, record, intent, live, left, prepared, resolved } = line;
  const isObject = isOf(line, 'object');
  return {
    purpose: 'apply',
    kind: bound.kind,
    hasIntent: intent !== null,
    wasLeft: live !== null && left !== null && isObjectOf(left, line, live),
    isGoing: going.length > 0 || (count === 'none' && (record?.removing === true || record?.mayBeGone === true)),
    found: count,
    changed,
    drifted,
    unkept,
    worn: live?.worn ?? [],
    hasEnded: count === 'none' && hasEnded(line),
    immutable: isObject ? changed.filter((field) => line.bound.immutable?.includes(field)) : [],
    leavesDrift: leavesDrift(session, line),
    unleavable: isObject ? unleavable(line, { changed, drifted }) : [],
    recordChanges: line.recordChanges.map(({ field }) => field),
    canUpdate: bound.kind === 'item' || bound.update !== undefined,
    isAdoption: isAdoption(bound),
    recreate: session.recreate.has(id),
    reconcile: session.reconcile,
    destroy: prepared.destroy,
    missingOutput: goneOutput(resolved),
  };
}

/** Whether the provider was to end the recorded object by itself before now, by its own clock. */
function hasEnded({ bound, block, record, http }: Observable): boolean {
  const address = addressOf(block.base_url);
  const written = address === null ? undefined : record?.writtenAtHosts?.[address];
  const now = http.time?.() ?? null;
  if (bound.kind !== 'object' || bound.lives === undefined || written === undefined || now === null) return false;
  return Date.parse(written) + bound.lives <= now;
}

function sameEdge({ resolved, record }: Ready, { line, output }: SecretSource): boolean {
  const now = resolved.edges.find((edge) => edge.line === line && edge.output === output);
  return (
    now !== undefined &&
    (record?.edges.some(
      (was) =>
        was.output === now.output && was.producer === now.producer && was.recordId === now.recordId && was.generation === now.generation,
    ) ??
      false)
  );
}

/** Whether the record must change although the object needs no write. */
function needsRecord(
  session: Session,
  { record }: Ready,
  {
    live,
    verdict: { verdict, leaves },
    isOutdated,
  }: { readonly live: Live | null; readonly verdict: Verdict; readonly isOutdated: boolean },
): boolean {
  if (verdict !== 'none') return ['claim', 'adopt', 'reconcile', 'rename', 'record', 'keep'].includes(verdict);
  if (!record || !live || session.purpose === 'plan') return false;
  return isOutdated || (!leaves && record.revision !== live.revision);
}

/** The plan held against the record, while the look at the object is under way. */
interface ByPlan {
  /** The plan alone asks for another record. */
  readonly isOutdated: boolean;
  /** The plan's request to remove the recorded object, as text. */
  readonly removal: string | null;
}

async function judgeByPlan(session: Session, line: Observable): Promise<ByPlan> {
  const removal = line.record && recordIdOf(line.bound.reach, line.record.objectId);
  return { isOutdated: await isRecordOutdated(session, line), removal };
}

async function isRecordOutdated(session: Session, line: Observable): Promise<boolean> {
  const { prepared, bound, record, intent } = line;
  if (!record || session.purpose === 'plan' || hasPending(Object.values(bound.fields))) return false;
  const writeOnly = bound.kind === 'object' ? (bound.writeOnly ?? []) : [];
  const hash = await hashOf(bound.fields, writeOnly, { printer: await printerOf(session, line), record });
  return (
    (record.owned && hash !== record.hash) ||
    record.unready ||
    record.mayBeGone === true ||
    (record.reportsDrift === true) !== reportsDrift(line) ||
    record.template !== templateOf(prepared) ||
    canonicalJson(record.reach) !== canonicalJson(bound.reach) ||
    record.after.join() !== afterOf(session, prepared).join() ||
    intent !== null ||
    // This run's seal is missing: an older pilotfish or another credential wrote it.
    ((await session.trust.couldSeal(record)) && !(await session.trust.isSealed(storedRecord(record))))
  );
}
