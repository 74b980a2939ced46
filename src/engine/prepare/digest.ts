import { hashJson } from '../../core/canonical.ts';
import { isMap, mapValues } from '../../core/json.ts';
import { Sealed } from '../../core/sealed.ts';
import { version as program } from '../../core/version.ts';
import { addressVariables } from '../../http/auth/variables.ts';
import type { ProviderBlock } from '../../http/types.ts';
import type { LedgerRecord, Superseded } from '../../ledger/model/facts.ts';
import type { Judgement } from '../../machines/line/steps.ts';
import { Kept, Pending, type Value } from '../../remote/value.ts';
import { schemeOf } from '../../secrets/reference.ts';
import type { FieldChange, Side } from '../document.ts';
import { leavesDrift } from '../line/drift.ts';
import type { LinePart, LinePhase, PhaseFacts, Resolved } from '../line/phases.ts';
import { credentialSource, templateOf } from '../line/record.ts';
import type { LinePosition } from '../schedule/lines.ts';
import { type Session, workOf } from '../session.ts';
import type { PreparedLine } from '../types.ts';
import { secretsOf } from './access.ts';
import { blockFacts, intentPart, recordPart } from './digest-facts.ts';

/**
 * All judgements as one short text. Equal digests mean that the same is sent to the same hosts under the same names of credentials, by the
 * same code. A digest holds verdicts, ids, params as resolved, templates, field changes, and the version of pilotfish and of its plugins,
 * which make requests of them. It holds no secret, no hash of one, no path of a machine, no id of a run and no time, so it is the same in
 * every checkout. A value that does not exist yet is in it as pending, beside the template that it will fill.
 */
export function digestOf(session: Session, positions: readonly LinePosition[]): string {
  const lines = positions.map((position): [string, LinePart] => [position.id, linePart(session, workOf(session, position.id), position)]);
  const code = [version, program, session.registry.pluginCode?.() ?? ''];
  const run = [session.environment, session.scope, session.planName, session.reconcile, session.leftovers.hash];
  return short([...code, ...run, lines.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** Raise this when other facts go into the digest. An older digest then matches nothing. */
const version = 4;

const short = (value: unknown): string => hashJson(value).slice(0, 16);

/** The part of a line. When the line came to no verdict, its plan and its error are all that is known. */
function linePart(session: Session, work: LinePhase, { state, context }: LinePosition): LinePart {
  const part = work.phase === 'unjudged' ? null : work.part;
  return part ?? [plannedPart(session, work), `${state} ${context.error?.code ?? ''}`];
}

/** The part of one line as it was judged. Call this in the turn of its look, because a settled line drops what it looked with. */
export function judgedPart(
  session: Session,
  work: PhaseFacts & { readonly replaced: Superseded | null },
  { verdict, drift, leaves }: Pick<Judgement, 'verdict' | 'drift' | 'leaves'>,
): LinePart {
  const { prepared, record, intent, live, bound, block, resolved, changes, replaced } = work;
  // Only the apply of a destroy looks for what an unfinished create made. That object is taken away whether it stands or not.
  if (prepared === null) {
    // Only a digest that somebody compares needs the stored requests, which are most of a record.
    const facts = work.isAhead ? [record && recordPart(record), intent && intentPart(intent)] : [];
    return [`${intent ? 'settle' : verdict} ${work.identity} ${record?.objectId}`, ...facts];
  }
  // A deployment may appear between a plan and its apply, and nothing else is sent for that.
  const asked = verdict === 'redeploy' ? 'pending' : verdict;
  const part: unknown[] = [plannedPart(session, work), `${asked} ${drift}${leaves ? ' left' : ''}`];
  // Its requests follow from the code, the templates, the block, the params and what the op made of them.
  if (resolved && prepared.whole === null) part.push(mapValues(resolved.params, asResolved));
  if (bound) part.push(bound.key);
  // Which deployment is waited for, and started again, may follow from the commit and the branch alone.
  if (bound?.kind === 'wait') part.push([session.sha, session.branch]);
  if (block && block !== prepared.block) part.push(blockPart(session, block));
  if (live) part.push({ live: live.id });
  if (record) part.push(`${record.owned} ${record.recordId} ${record.objectId}`);
  if (intent) part.push(intentPart(intent));
  if (replaced) part.push({ replaced, record: record && recordPart(record) });
  if (changes.length > 0) part.push(changes.map((change) => changePart(record, change)));
  return part;
}

function changePart(record: LedgerRecord | null, { field, before, after, left, worn }: FieldChange): unknown {
  // The text of the rest of a span changes each day, and the run sends the same value.
  if (worn) return [field, 'worn', sidePart(after, false)];
  // The live value may be a secret, and a pending value will replace it.
  return [field, sidePart(before, isSecret(record, field) || after.state === 'pending'), sidePart(after, false), ...(left ? ['left'] : [])];
}

/** A param as a request takes it. A placeholder stands for itself under a name that no value has. */
function asResolved(value: Value): unknown {
  if (value instanceof Sealed) return ['secret', value.form ?? value.origin];
  if (value instanceof Pending) return ['pending', value.line, value.output];
  if (value instanceof Kept) return ['kept'];
  if (Array.isArray(value)) return ['list', value.map(asResolved)];
  return isMap(value) ? mapValues(value as { readonly [name: string]: Value }, asResolved) : value;
}

/** The plan's part of a line, and the addresses of its requests. Only the last part may hold a space. */
function plannedPart(session: Session, work: PhaseFacts): string {
  const { prepared } = work;
  if (prepared === null) return '';
  const { line, op, block, api, destroy, after } = prepared;
  const source = credentialSource(prepared);
  const credential = typeof source === 'string' ? source : 'from' in source ? `from ${source.from}` : `secret ${source.secret}`;
  const template = op.template ? hashed(op.template) : '';
  const secrets = secretServers(session, prepared);
  return [
    templateOf(prepared),
    template,
    blockPart(session, block),
    api ?? '',
    destroy,
    [line.drift, leavesDrift(session, work)].join(),
    after.join(),
    secrets,
    credential,
  ].join(' ');
}

/** The block as resolved. Settings of the environment that say where a credential is sent stand in it with their values. */
function blockPart({ env }: Session, block: ProviderBlock): string {
  const addresses = addressVariables(block).map((name) => [name, env[name] ?? null]);
  const facts = hashed(block, blockFacts);
  return addresses.length === 0 ? facts : short([facts, addresses]);
}

/** The servers of the line's secrets, where variables name them. The token of a server goes there. */
function secretServers({ env, registry }: Session, prepared: PreparedLine): string {
  const names = secretsOf(prepared).flatMap(({ reference }) => registry.secretSource(schemeOf(reference))?.addressEnv ?? []);
  return names.length === 0 ? '' : short(names.map((name) => [name, env[name] ?? null]));
}

const hashes = new WeakMap<object, string>();

/** Thousands of lines use one block and one recipe. */
function hashed<T extends object>(shared: T, factsOf: (shared: T) => unknown = (all) => all): string {
  const known = hashes.get(shared) ?? short(factsOf(shared));
  hashes.set(shared, known);
  return known;
}

/** Whether the live value of a field is a secret: it was written as one, even if the plan says something else by now. */
const isSecret = (record: LedgerRecord | null, field: string): boolean => record !== null && Object.hasOwn(record.fingerprints, field);

const sidePart = (side: Side, isHidden: boolean): unknown =>
  isHidden ? 'secret' : 'value' in side ? [side.state, side.value] : side.state;

/**
 * The work of a run after its lines, from the ledger as it begins: it removes replaced objects, settles creates of lines that are gone, and
 * removes the objects that lines had under an earlier key.
 */
export function leftoversOf({ writer, planName }: Session, lines: readonly PreparedLine[]): string {
  const inPlan = new Set(lines.map(({ line }) => line.id));
  const moving = new Set(lines.flatMap(({ line, edges }) => (edges.length > 0 ? [line.id] : [])));
  const records = [...writer.state.records.values()]
    .filter(({ plan, superseded, line }) => plan === planName && (superseded.length > 0 || moving.has(line)))
    .map((record) => [record.identity, record.template, recordPart(record)]);
  const strays = [...writer.state.intents.values()].filter(({ plan, line }) => plan === planName && !inPlan.has(line)).map(intentPart);
  return short([records, strays].map((all) => all.map((one) => short(one)).sort()));
}

/** Whether the changes are those that a person saw. Values that did not exist yet may have become known since. */
export function isWithin(now: readonly FieldChange[], then: readonly FieldChange[]): boolean {
  const seen = new Map(then.map((change) => [change.field, change]));
  return now.every(({ field, before, after, worn }) => {
    const known = seen.get(field);
    if (!known) return false;
    const isFilled = known.after.state === 'pending' || short(sidePart(after, false)) === short(sidePart(known.after, false));
    if (worn && known.worn) return isFilled;
    return isFilled && short(sidePart(before, false)) === short(sidePart(known.before, false));
  });
}

/** Whether the params are those that a person saw. A param that did not exist yet may be known since. */
export const areParamsWithin = (now: Resolved | null, then: Resolved | null): boolean =>
  now === null || then === null || isParamWithin(now.params, then.params);

function isParamWithin(now: Value | undefined, then: Value | undefined): boolean {
  if (then instanceof Pending) return true;
  if (isList(now) && isList(then)) return now.length === then.length && now.every((one, i) => isParamWithin(one, then[i]));
  if (isValueMap(now) && isValueMap(then)) {
    const names = Object.keys({ ...now, ...then });
    return names.every((name) => isParamWithin(now[name], then[name]));
  }
  if (now === undefined || then === undefined) return now === then;
  return short(asResolved(now)) === short(asResolved(then));
}

const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value);
const isValueMap = (value: Value | undefined): value is { readonly [name: string]: Value } => isMap(value);
