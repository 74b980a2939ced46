import { canonicalJson, hashJson } from '../../core/canonical.ts';
import type { Printer } from '../../core/fingerprint.ts';
import { isMap, type Json, mapValues } from '../../core/json.ts';
import { Sealed, type SecretSource, Unrevealed } from '../../core/sealed.ts';
import type { Body } from '../../http/types.ts';
import type { Intent, LedgerRecord } from '../../ledger/model/facts.ts';
import { isAsPlanned } from '../../remote/compare.ts';
import { isMask, isOtherForm } from '../../remote/forms.ts';
import { type Live, type LiveValue, Unread, unchanged, unreadable } from '../../remote/live-object.ts';
import type { Value } from '../../remote/value.ts';
import { findLeaf, hasPending, hasSealed, Kept } from '../../remote/value.ts';

export interface Comparison {
  readonly changed: readonly string[];
  /** Changed fields that have the planned value that was recorded, so somebody else changed the live object. */
  readonly drifted: readonly string[];
  /** Changed fields whose planned value was written before and not kept. The value that stands there stood there then, too. */
  readonly unkept: readonly string[];
}

export interface CompareOptions {
  readonly fields: { readonly [field: string]: Value };
  readonly writeOnly: readonly string[];
  readonly live: Live;
  readonly record: LedgerRecord | null;
  readonly printer: Printer;
  /** The announcement of the object, when a dead run or an unclear create made it. */
  readonly intent?: Intent | null;
  /** Whether the edge to this sensitive output is the one recorded. */
  readonly isSameEdge: (source: SecretSource) => boolean;
}

/** Finds the declared fields that differ from the live object. Kept and write-only fields are never compared; a pending one differs. */
export async function compareFields(o: CompareOptions): Promise<Comparison> {
  const changed: string[] = [];
  const unkept: string[] = [];
  const drifted: string[] = [];
  for (const [field, want] of comparable(o.fields, o.writeOnly)) {
    const live = o.live.values[field];
    if (hasPending(want)) {
      changed.push(field);
      continue;
    }
    if (hasSealed(want)) {
      const verdict = await compareSealed(field, want, live, o);
      if (verdict === 'same') continue;
      changed.push(field);
      if (await isSecretUnkept(field, want, live, o)) unkept.push(field);
      else if (verdict === 'drifted') drifted.push(field);
      continue;
    }
    const isKept = isUnseen(live) ? (o.record?.fields ?? o.intent?.fixed)?.[field] === shortHash(want) : isLive(want, live);
    if (isKept) continue;
    const isAsBefore = o.record?.fields[field] === shortHash(want);
    if (!isUnseen(live) && (isAsBefore || announces(o)) && isKeptAs(field, want as Json, live, o)) continue;
    changed.push(field);
    if (!isAsBefore || o.live.worn?.includes(field)) continue;
    if (o.record?.unkept?.[field] === shortHash(plainOf(live))) unkept.push(field);
    else drifted.push(field);
  }
  return { changed, drifted, unkept };
}

/** Whether the provider did not keep a secret that was sent twice, still shows the same text, and the plan still has the same secret. */
async function isSecretUnkept(field: string, want: Value, live: LiveValue, { record, printer }: CompareOptions): Promise<boolean> {
  const [print, unkept] = [record?.fingerprints[field], record?.unkept?.[field]];
  if (isUnseen(live) || print === undefined || unkept === undefined || hasUnrevealed(want)) return false;
  return (await printer.matches(unkept, shownText(live))) && (await printer.matches(print, secretText(want)));
}

const hasUnrevealed = (value: Value): boolean => findLeaf(value, (leaf) => leaf instanceof Unrevealed) !== null;

/** All sensitive outputs in a value that were not read. */
function unreadIn(value: Value): readonly SecretSource[] {
  const found: SecretSource[] = [];
  findLeaf(value, (leaf) => {
    if (leaf instanceof Unrevealed) found.push(...leaf.sources);
    return false;
  });
  return found;
}

/** Only its announcement names the object, so its values were sent and no record says how they are kept. */
const announces = ({ record, intent }: CompareOptions): boolean => record === null && intent != null;

/** Whether the provider keeps the planned value in another form: one that the record remembers, or one that means the same anywhere. */
const isKeptAs = (field: string, want: Json, live: Exclude<LiveValue, Unseen>, { record }: CompareOptions): boolean =>
  record?.kept?.[field] === shortHash(plainOf(live)) || isOtherForm(want, plainOf(live));

/** A value that can be seen, as JSON. */
export const plainOf = (live: LiveValue): Json =>
  live instanceof Sealed ? live.reveal() : live === undefined || isUnseen(live) ? null : live;

/** Declared fields that are compared and hashed. */
export function comparable(fields: { readonly [field: string]: Value }, writeOnly: readonly string[] = []): [string, Value][] {
  return Object.entries(fields).filter(([field, value]) => !(value instanceof Kept) && !writeOnly.includes(field));
}

async function compareSealed(field: string, want: Value, live: LiveValue, o: CompareOptions): Promise<'same' | 'changed' | 'drifted'> {
  const print = o.record?.fingerprints[field];
  const { printer } = o;
  const isAsKept = await isShownAsKept(o, field, live);
  const unread = unreadIn(want);
  if (unread.length > 0) {
    const around = o.record?.around?.[field];
    if (print === undefined || !unread.every(o.isSameEdge) || (around !== undefined && around !== aroundOf(want))) return 'changed';
    if (isUnseen(live) || isAsKept || isMask(live)) return 'same';
    return live !== undefined && (await printer.matches(print, textOf(live))) ? 'same' : 'drifted';
  }
  const wanted = secretText(want);
  if (!isUnseen(live)) {
    if (live !== undefined && textOf(live) === wanted) return 'same';
    if (print === undefined || !(await printer.matches(print, wanted))) return 'changed';
    return isAsKept || isMask(live) || (live !== undefined && isOtherForm(wanted, textOf(live))) ? 'same' : 'drifted';
  }
  return print !== undefined && (await printer.matches(print, wanted)) ? 'same' : 'changed';
}

/** Whether the provider shows a secret in the form that it showed after the write. */
async function isShownAsKept({ record, printer }: CompareOptions, field: string, live: LiveValue): Promise<boolean> {
  const kept = record?.kept?.[field];
  return kept !== undefined && !isUnseen(live) && (await printer.matches(kept, shownText(live)));
}

/** The text in the place of a secret. An absent value counts as an empty text. */
export const shownText = (live: Exclude<LiveValue, Unseen>): string => (live === undefined ? '' : textOf(live));

export const isLive = (want: Value, live: LiveValue): boolean =>
  live !== undefined && !isUnseen(live) && isAsPlanned(want as Body, live instanceof Sealed ? live.reveal() : live);

/** A value that nobody can read, or that nobody needs to: the record tells it. */
export type Unseen = typeof unreadable | typeof unchanged | Unread;
export const isUnseen = (live: LiveValue): live is Unseen => live === unreadable || live === unchanged || live instanceof Unread;

export const textOf = (live: Exclude<LiveValue, undefined | Unseen>): string =>
  live instanceof Sealed ? live.reveal() : typeof live === 'string' ? live : canonicalJson(live);

/** The text a fingerprint is made from: a secret as it is, a composed value as canonical JSON with its secrets revealed. */
export function secretText(value: Value): string {
  if (value instanceof Sealed) return value.reveal();
  const open = (v: Value): unknown => {
    if (v instanceof Sealed) return v.reveal();
    if (Array.isArray(v)) return (v as readonly Value[]).map(open);
    if (isMap(v)) return Object.fromEntries(Object.entries(v as { readonly [n: string]: Value }).map(([n, i]) => [n, open(i)]));
    return v;
  };
  return canonicalJson(open(value));
}

/** The short hash of what a secret field holds beside its secrets; `null` where it holds nothing else. */
function aroundOf(value: Value): string | null {
  if (value instanceof Sealed && value.form === null) return null;
  const open = (v: Value): unknown => {
    if (v instanceof Sealed) return v.form ?? v.source;
    if (Array.isArray(v)) return (v as readonly Value[]).map(open);
    return isMap(v) ? mapValues(v as { readonly [n: string]: Value }, open) : v;
  };
  return shortHash(open(value));
}

export const shortHash = (value: unknown): string => hashJson(value).slice(0, 16);

export interface Hashes {
  readonly hash: string;
  readonly fields: { readonly [field: string]: string };
  readonly fingerprints: { readonly [field: string]: string };
  readonly around?: { readonly [field: string]: string };
}

/**
 * The hash of the declared fields, secrets as fingerprints. A sensitive value that was not read keeps the fingerprint of the
 * record, whose edge is unchanged; a fingerprint is never renewed for an unchanged value.
 */
export async function hashFields(
  fields: { readonly [field: string]: Value },
  writeOnly: readonly string[],
  o: HashOptions,
): Promise<Hashes> {
  const { whole, plain, prints, arounds } = await hashable(fields, writeOnly, o);
  return {
    hash: hashJson(whole),
    fields: Object.fromEntries(plain.map(([field, value]) => [field, shortHash(value)])),
    fingerprints: prints,
    ...(Object.keys(arounds).length > 0 && { around: arounds }),
  };
}

/** The hash alone, for a caller that only compares it with the recorded one. */
export async function hashOf(fields: { readonly [field: string]: Value }, writeOnly: readonly string[], o: HashOptions): Promise<string> {
  return hashJson((await hashable(fields, writeOnly, o)).whole);
}

interface HashOptions {
  readonly printer: Printer;
  readonly record: LedgerRecord | null;
  /** A print that this run cannot check counts as that of the present value: an action that is sent once must not be sent again for it. */
  readonly keepsUnknown?: true;
}

/** The values that are hashed together, and those of them that are no secret. */
async function hashable(
  fields: { readonly [field: string]: Value },
  writeOnly: readonly string[],
  { printer, record, keepsUnknown }: HashOptions,
) {
  const plain: [string, Value][] = [];
  const prints: { [field: string]: string } = {};
  const arounds: { [field: string]: string } = {};
  const whole: { [field: string]: unknown } = {};
  for (const [field, value] of comparable(fields, writeOnly)) {
    if (!hasSealed(value)) {
      plain.push([field, value]);
      whole[field] = value;
      continue;
    }
    const before = record?.fingerprints[field];
    const unread = hasUnrevealed(value);
    const around = aroundOf(value);
    if (around !== null) arounds[field] = around;
    const isKnown = !unread && before !== undefined && printer.isOwn(before) && (await printer.matches(before, secretText(value)));
    const isUnknown = keepsUnknown === true && before !== undefined && !printer.isOwn(before);
    const print = unread || isKnown || isUnknown ? before : await printer.print(secretText(value), referenceOf(value), before);
    if (print === undefined) continue;
    prints[field] = print;
    whole[field] = print;
  }
  return { whole, plain, prints, arounds };
}

/** The reference of a secret value, which salts its prints. */
export function referenceOf(value: Value): string {
  const leaf = findLeaf(value, (v) => v instanceof Sealed)?.leaf;
  return leaf instanceof Sealed ? leaf.origin : '';
}
