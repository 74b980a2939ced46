import { hashJson } from '../core/canonical.ts';
import { addressVariables } from '../http/auth/variables.ts';
import type { ProviderBlock } from '../http/types.ts';
import type { Intent, LedgerRecord } from '../ledger/facts.ts';
import type { LinePosition } from '../machines/coordinator/run-lines.ts';
import type { Judgement } from '../machines/line/steps.ts';
import type { FieldChange, Side } from '../report/document.ts';
import { credentialSource } from './facts.ts';
import { templateOf } from './observe.ts';
import { type Session, workOf } from './session.ts';
import type { PreparedLine } from './types.ts';
import type { LineWork } from './work.ts';

/**
 * What was judged, as one short text. Equal digests mean that the same is sent to the same hosts under the same names of credentials. It
 * holds verdicts, ids, requests, templates and field changes. It holds no secret, no hash of one, no path of a machine, no id of a run and
 * no time, so that it is the same in every checkout. A value that does not exist yet is in it as pending, beside the template that it
 * will fill.
 */
export function digestOf(session: Session, positions: readonly LinePosition[]): string {
  const lines = positions.map((position) => [position.id, lineDigest(session, workOf(session, position.id), position)]);
  const run = [session.environment, session.scope, session.planName, session.reconcile, session.leftovers.hash];
  return short([version, ...run, lines.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))]);
}

/** Raised when other facts go into it: a digest of before then matches nothing. */
const version = 2;

const short = (value: unknown): string => hashJson(value).slice(0, 16);

/** Of a line that came to no verdict, its plan and its error are all that is known. */
function lineDigest(session: Session, work: LineWork, { state, context }: LinePosition): string {
  return work.judged?.digest ?? short([plannedPart(session, work), state, context.error?.code ?? null]);
}

/** Of one line as it was judged. Called in the turn of its look: a settled line drops what it looked with. */
export function judgedDigest(session: Session, work: LineWork, { verdict, drift }: Judgement): string {
  const { record, intent, live, bound, block, changes } = work;
  return short([
    plannedPart(session, work),
    // A destroy asks only an apply what an unfinished create made: whether that stands or not, it is taken away.
    work.prepared === null && intent !== null ? 'settle' : verdict,
    drift,
    block && blockPart(session, block),
    bound && [bound.key, bound.reach, bound.kind === 'item' ? bound.lockOn : null],
    changes.map(({ field, before, after }) => [
      field,
      // What stands where a value is still to come may be the secret that it replaces.
      sidePart(before, isSecret(record, field) || after.state === 'pending'),
      sidePart(after, false),
    ]),
    work.prepared === null ? null : (live?.id ?? null),
    record && recordPart(record),
    intent && intentPart(intent),
    work.replaced?.recordId ?? null,
  ]);
}

/** What the plan says of a line, and where its requests go. A line of a destroy has no plan; its facts say it. */
function plannedPart(session: Session, { prepared }: LineWork): unknown {
  if (prepared === null) return null;
  const { op, block, api, destroy, after } = prepared;
  return [
    templateOf(prepared),
    op.template ? hashed(op.template) : null,
    blockPart(session, block),
    api,
    destroy,
    credentialSource(prepared),
    after,
  ];
}

/** The block as resolved. Settings of the environment that say where a credential is sent stand in it with their values. */
function blockPart({ env }: Session, block: ProviderBlock): unknown {
  return [hashed(block), addressVariables(block).map((name) => [name, env[name] ?? null])];
}

const hashes = new WeakMap<object, string>();

/** Thousands of lines use one block and one recipe. */
function hashed(shared: object): string {
  const known = hashes.get(shared) ?? short(shared);
  hashes.set(shared, known);
  return known;
}

const recordPart = (record: LedgerRecord): unknown => [
  record.identity,
  record.recordId,
  record.objectId,
  record.owned,
  record.destroy,
  record.provider,
  record.credential,
  record.reach,
  record.superseded,
];

const intentPart = ({ identity, provider, credential, reach, destroy, generation, not }: Intent): unknown => [
  identity,
  provider,
  credential,
  reach,
  destroy,
  generation,
  not,
];

/** The live value of a field that was written as a secret is one, also where the plan says something else by now. */
const isSecret = (record: LedgerRecord | null, field: string): boolean => record !== null && Object.hasOwn(record.fingerprints, field);

const sidePart = (side: Side, isHidden: boolean): unknown =>
  isHidden ? 'secret' : 'value' in side ? [side.state, side.value] : side.state;

/**
 * What a run does after its lines, from the ledger as it begins: replaced objects go, creates of lines that are gone are settled, and what
 * a line had under an earlier key is removed.
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

/** The same changes as a person saw them. Values that did not exist yet may have become known since. */
export function isWithin(now: readonly FieldChange[], then: readonly FieldChange[]): boolean {
  const seen = new Map(then.map((change) => [change.field, change]));
  return now.every(({ field, before, after }) => {
    const known = seen.get(field);
    if (!known) return false;
    const isFilled = known.after.state === 'pending' || short(sidePart(after, false)) === short(sidePart(known.after, false));
    return isFilled && short(sidePart(before, false)) === short(sidePart(known.before, false));
  });
}
