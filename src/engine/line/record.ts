import { hashJson } from '../../core/canonical.ts';
import { isMap, type Json } from '../../core/json.ts';
import { Sealed } from '../../core/sealed.ts';
import type { Intent, LedgerRecord, Superseded } from '../../ledger/model/facts.ts';
import { asSuperseded } from '../../ledger/model/superseded.ts';
import { features } from '../../ledger/model/version.ts';
import type { Bound } from '../../ops/bound.ts';
import { FromRef, isReference } from '../../plan/types.ts';
import { birthOf, isReborn } from '../../remote/birth.ts';
import { recordIdOf } from '../../remote/find.ts';
import { formsOf } from '../../remote/spelled-entries.ts';
import { hasSealed } from '../../remote/value.ts';
import { keep, type Session } from '../session.ts';
import { momentsOf } from '../timing/host-time.ts';
import type { PreparedLine } from '../types.ts';
import type { Located } from './claim.ts';
import { comparable, type Hashes, hashFields, shortHash } from './compare.ts';
import { leftFields, reportsDrift } from './drift.ts';
import { durable } from './durable.ts';
import { hasChosenId, notToClaim } from './going.ts';
import { type Judged, type Moment, settled, type Written } from './phases.ts';

/** The source of a line's credential, by name. */
export const credentialSource = ({ credential }: PreparedLine): LedgerRecord['credential'] =>
  credential === null
    ? 'block'
    : credential instanceof FromRef
      ? { from: `${credential.line}.${credential.output}` }
      : { secret: credential.reference };

const templates = new WeakMap<PreparedLine, string>();

/** The line as written, with its recipe where that is written by hand: equal with another key means that only resolved values moved the key. Asked for at each record and each push. */
export function templateOf(prepared: PreparedLine): string {
  const known = templates.get(prepared);
  if (known !== undefined) return known;
  const { adapter, opName, recipe, params, op } = prepared;
  const byHand = op.isByHand ? [op.template] : [];
  const template = hashJson([adapter, opName, recipe, JSON.stringify(params, dropPlaces), ...byHand]).slice(0, 16);
  templates.set(prepared, template);
  return template;
}

/** References keep their names and lose their places, so that moving a line in the file changes nothing. A param may be called `place`, too. */
function dropPlaces(this: unknown, key: string, value: unknown): unknown {
  return key === 'place' && isReference(this) ? undefined : value;
}

/** Identities of the lines this one comes after, as far as they have one. */
export const afterOf = (session: Session, prepared: PreparedLine): string[] =>
  prepared.after.flatMap((id) => session.works.get(id)?.identity ?? []).sort();

/** The members that every intent and record has of its line. */
function common(
  session: Session,
  work: Judged | Written,
): Omit<Intent, 'generation' | 'idempotencyKey' | 'not' | 'fixed' | 'pull' | 'at' | 'atHost'> {
  const { prepared, bound, identity, block } = work;
  return {
    v: 2,
    identity,
    adapter: prepared.adapter,
    op: prepared.opName,
    recipe: prepared.recipe,
    key: bound.key,
    ...(work.subject !== '' && { subject: session.redactor.text(work.subject) }),
    provider: block,
    line: work.id,
    plan: session.planName,
    reach: bound.reach,
    lock: bound.kind === 'item' ? bound.lockOn : null,
    destroy: prepared.destroy,
    kind: bound.kind,
    after: afterOf(session, prepared),
    credential: credentialSource(prepared),
    run: session.runId,
  };
}

function fixedOf(bound: Bound): Pick<Intent, 'fixed'> {
  if (bound.kind !== 'object' || !bound.immutable) return {};
  const plain = comparable(bound.fields, bound.writeOnly).filter(([field, value]) => bound.immutable?.includes(field) && !hasSealed(value));
  return plain.length === 0 ? {} : { fixed: Object.fromEntries(plain.map(([field, value]) => [field, shortHash(value)])) };
}

/**
 * The announcement of a create. Each announcement raises the generation of its identity, and the idempotency key holds that generation. The
 * key holds the run too: generations end with a destroy, and a provider that remembers the key of a removed object would answer with it.
 */
export function intentOf(session: Session, work: Judged): Intent {
  const { bound } = work;
  const generation = Math.max(work.record?.generation ?? 0, work.intent?.generation ?? 0) + 1;
  const atHost = work.http.time?.() ?? null;
  const ids = [
    ...notToClaim(work),
    ...work.alikes,
    // An object from before an earlier announcement of the same identity is not the announced one either.
    ...(hasChosenId(bound.reach) ? [] : (work.intent?.not ?? [])),
    // An entry of somebody else whose name is a form of ours stood there before the create.
    ...(bound.kind === 'item' ? formsOf(work.unmanaged, bound.reach.item) : []),
    work.record?.objectId,
    work.replaced?.objectId,
    ...(work.record?.superseded.map((old) => old.objectId) ?? []),
  ];
  return {
    ...common(session, work),
    generation,
    idempotencyKey:
      bound.kind === 'object' && bound.idempotency === true
        ? `pilotfish-${hashJson([bound.key, session.sha, work.identity, session.scope, generation, session.runId]).slice(0, 40)}`
        : null,
    not: [...new Set(ids.flatMap((id) => (id === undefined || id === '' ? [] : [id])))],
    ...fixedOf(bound),
    ...(session.pull && { pull: session.pull }),
    at: new Date(session.clock.now()).toISOString(),
    ...(atHost !== null && { atHost: new Date(atHost).toISOString() }),
  };
}

/** An object that only an earlier run's intent names, as a record: nothing is known of how its fields were applied. */
export function claimedRecord(session: Session, intent: Intent, found: Located, superseded: readonly Superseded[]): LedgerRecord {
  const { id: objectId } = found;
  const birth = birthOf(intent.reach, found);
  const { not: _not, idempotencyKey: _key, at, atHost: _there, pull: _pull, ...common } = intent;
  return {
    ...common,
    template: '',
    recordId: intent.reach.kind === 'none' ? '' : recordIdOf(intent.reach, objectId),
    objectId,
    ...(birth && { birth }),
    owned: true,
    hash: '',
    fields: {},
    fingerprints: {},
    outputs: {},
    edges: [],
    superseded,
    unready: true,
    writtenAt: at,
    run: session.runId,
  };
}

/** The objects of ours that another one replaces. They must go. */
export function supersededBy(objectId: string, record: LedgerRecord | null, replaced: Superseded | null = null): readonly Superseded[] {
  const own = record?.owned && record.objectId !== '' ? [asSuperseded(record)] : [];
  const all = [...(record?.superseded ?? []), ...own, ...(replaced ? [replaced] : [])];
  const old = new Map(all.filter((one) => one.objectId !== objectId).map((one) => [one.objectId, one]));
  return [...old.values()];
}

/** Records the object that stands. A line that only waits owns nothing, so it has no record. */
export async function record(session: Session, work: Written, isUnready = false): Promise<void> {
  if (work.bound.kind === 'wait') return;
  const seen = isFound(work) ? work : { ...work, wrote: { ...work.wrote, there: momentsOf(session, work) } };
  const next = await recordOf(session, seen, isUnready);
  const line = keep(session, { ...settled(seen), record: next });
  // Returned, not awaited: with thousands of lines waiting for the last push, what each step holds would be most of the memory.
  return durable(session, line, [{ kind: 'record', record: next }], isUnready);
}

/** Whether this run only found the object and did not write it. */
const isFound = ({ wrote, record: before }: Written): boolean => wrote.at === null && before !== null;

/** The object as it stands now, as the next run on any machine needs it. */
async function recordOf(session: Session, work: Written, unready: boolean): Promise<LedgerRecord> {
  const { prepared, bound, live, made, record: before, replaced, generation, wrote } = work;
  const writeOnly = bound.kind === 'object' ? (bound.writeOnly ?? []) : [];
  const hashes = await hashFields(bound.fields, writeOnly, {
    printer: await session.trust.printer({ provider: work.block, credential: credentialSource(prepared) }),
    record: before,
  });
  const there = isFound(work) ? before?.writtenAtHosts : asDates(wrote.there);
  const owned = before && made !== 'created' && made !== 'claimed' ? before.owned : made !== 'found' || before !== null;
  return {
    ...common(session, work),
    template: templateOf(prepared),
    recordId: bound.reach.kind === 'none' ? '' : recordIdOf(bound.reach, live.id),
    objectId: live.id,
    ...(owned && bornAs(work)),
    owned,
    ...hashes,
    outputs: storable(work),
    ...keptOf(work, hashes),
    ...(needsKept(work, hashes) && { needs: { kept: features.kept } }),
    edges: work.resolved.edges,
    generation,
    // A claimed object may hide the recorded one, where what finds them can be held by one at a time.
    superseded:
      made === 'claimed' ? supersededBy(live.id, before, replaced) : [...(before?.superseded ?? []), ...(replaced ? [replaced] : [])],
    unready,
    ...(reportsDrift(work) && { reportsDrift: true }),
    ...revisionOf(work),
    writtenAt: isFound(work) && before ? before.writtenAt : new Date(wrote.at ?? session.clock.now()).toISOString(),
    ...(there && { writtenAtHosts: there }),
  };
}

/**
 * Gives the birth of an object of ours. A record of an earlier run knows it, or the provider told nothing then. An update of ours that
 * changed the signs shows that they tell nothing.
 */
function bornAs({ bound, live, made, sent, record: before }: Written): Pick<LedgerRecord, 'birth'> {
  const isNew = made === 'created' || made === 'claimed' || before?.objectId !== live.id;
  const earlier = isNew ? undefined : before.birth;
  const then = sent?.before && birthOf(bound.reach, sent.before);
  if (earlier === null || (made === 'updated' && isReborn(then, bound.reach, live))) return { birth: null };
  const birth = { ...birthOf(bound.reach, live), ...earlier };
  return Object.keys(birth).length > 0 ? { birth } : {};
}

/**
 * Gives the revision that the record vouches for. Where the line leaves what others changed, that is the earlier one. A record of the
 * present revision would say that nobody changed a value that only a read of its own shows.
 */
function revisionOf(work: Written): Pick<LedgerRecord, 'revision'> {
  const revision = leftFields(work).length > 0 ? work.record?.revision : work.live.revision;
  return revision === undefined ? {} : { revision };
}

/** Takes the forms of written fields from this run, and those of other fields from the record, where the plan still says the same. */
function keptOf({ record: before, keeps }: Written, { fields, fingerprints }: Hashes): Pick<LedgerRecord, 'kept' | 'unkept' | 'stood'> {
  const isSame = (field: string): boolean =>
    (fields[field] !== undefined && fields[field] === before?.fields[field]) ||
    (fingerprints[field] !== undefined && fingerprints[field] === before?.fingerprints[field]);
  const all = (name: 'kept' | 'unkept' | 'stood') => {
    const stays = Object.entries(before?.[name] ?? {}).filter(([field]) => isSame(field) && !keeps?.fields.includes(field));
    const known = { ...Object.fromEntries(stays), ...keeps?.[name] };
    return Object.keys(known).length > 0 && { [name]: known };
  };
  return { ...all('kept'), ...all('unkept'), ...all('stood') };
}

/** A reader that does not know the provider's spelling of a name, or its forms of values, would write them anew and miss what is ours. */
function needsKept(work: Written, hashes: Hashes): boolean {
  const { bound, live } = work;
  const { kept, unkept } = keptOf(work, hashes);
  return kept !== undefined || unkept !== undefined || (bound.kind === 'item' && live.id !== bound.reach.item);
}

function asDates(moments: Moment['there']): LedgerRecord['writtenAtHosts'] {
  const all = Object.entries(moments);
  return all.length === 0 ? undefined : Object.fromEntries(all.map(([address, at]) => [address, new Date(at).toISOString()]));
}

/** Outputs that may be stored: declared, neither sensitive nor once-only, and nothing sealed. */
function storable({ live, prepared }: Written): { readonly [name: string]: Json } {
  const out: [string, Json][] = [];
  for (const [name, value] of Object.entries(live.outputs)) {
    const spec = prepared.outputs[name];
    if (!spec || spec.sensitive || spec.once || value instanceof Sealed || isSealedInside(value)) continue;
    out.push([name, value]);
  }
  return Object.fromEntries(out);
}

function isSealedInside(value: unknown): boolean {
  if (value instanceof Sealed) return true;
  if (Array.isArray(value)) return value.some(isSealedInside);
  return isMap(value) && Object.values(value).some(isSealedInside);
}
