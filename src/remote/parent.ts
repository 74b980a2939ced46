import { canonicalJson } from '../core/canonical.ts';
import { Failure } from '../core/errors.ts';
import { isMap, type Json } from '../core/json.ts';
import { getAt, splitPointer } from '../core/pointer.ts';
import { isXml } from '../http/encodings/decode.ts';
import { HttpFailure } from '../http/failure.ts';
import type { Answer, Body, Http, ProviderBlock, RequestSpec, SendOptions, StoredRequest } from '../http/types.ts';
import { alike } from './alike.ts';
import { applyChoices, chosenEntries } from './choices.ts';
import type { Applied, Collection, Entry, EntryChange } from './collection.ts';
import { isAsPlanned, merged } from './compare.ts';
import { graphqlCall } from './graphql.ts';
import { isHidden, shownPart } from './hidden.ts';
import { parentBody } from './parent-body.ts';
import type { ParentSpec } from './parent-spec.ts';
import { members, type ReadOptions, readOptions, showRequest } from './read.ts';
import { says } from './says.ts';
import { asBody, asJson } from './stored-json.ts';
import { elementAt, typedLike } from './typed.ts';
import { hasSealed } from './value.ts';

export async function readParent(http: Http, spec: ParentSpec, o: ReadOptions): Promise<Collection> {
  const request = readRequest(spec);
  const missing = spec.if_missing === 'empty' && spec.missing_match === undefined ? [404] : [];
  let answer: Answer;
  try {
    answer = await http.send(request, readOptions(request, o, missing));
  } catch (thrown) {
    if (!saysMissing(spec, thrown)) throw thrown;
    if (spec.if_missing !== 'empty') throw noParent(thrown);
    return { raw: null, entries: [], missing: true };
  }
  if (missing.includes(answer.status)) return { raw: null, entries: [], missing: true };
  const fromXml = isXml(answer.headers['content-type']);
  const at = spec.item_path === undefined ? answer.body : getAt(answer.body, spec.item_path);
  // An element without content is read as an empty text.
  const raw = fromXml && at === '' ? {} : at;
  if (raw === undefined) throw unexpected(request, `nothing at item_path "${spec.item_path ?? ''}"`, answer.body);
  // A list that was never set is often left out of its object. An answer without any object is different: if it counted as an empty
  // list, the next write would lose everybody else's entries.
  if (raw === null || (spec.list_path !== '' && typeof raw !== 'object')) throw unexpected(request, 'no object', raw);
  return {
    raw,
    entries: spec.choices
      ? chosenEntries(raw, spec, spec.choices)
      : entriesOf(listOf(raw, fromXml, spec, request), fromXml, spec, request, raw),
    missing: false,
    ...(fromXml && { isXml: true }),
    ...(spec.alike && { alike: spec.alike }),
    ...(spec.version && { version: versionOf(spec.version.from, answer, raw, request) }),
  };
}

/**
 * The collection with each change made. Every other item stays as it is and where it is, a changed item keeps its place, and
 * a new item goes to the end. A change that already holds changes nothing, so the result may be applied again. For a hidden item nobody can
 * tell, so it is written each time.
 */
export function applyEntries<V extends Body>(collection: Collection<V>, spec: ParentSpec, changes: readonly EntryChange[]): Applied {
  if (spec.choices) return applyChoices(collection, spec, spec.choices, changes);
  let entries: readonly Entry<Body>[] = collection.entries;
  const touched = new Map<string, Body | null>();
  for (const { item, entry } of changes) {
    const after = entry === null ? without(entries, item) : put(collection, entries, spec, item, entry);
    if (after === entries) continue;
    entries = after;
    const { spelling = item } = [...entries, ...collection.entries].find((e) => e.name === item) ?? {};
    touched.set(spelling, entry === null ? null : (entries.find((e) => e.name === item)?.value ?? entry));
  }
  const next: Collection<Body> = { ...collection, entries };
  return { next, body: parentBody(next, spec, touched), changed: touched.size > 0 };
}

export interface WriteOptions extends Pick<SendOptions, 'lock' | 'onFailure'> {
  readonly signal: AbortSignal;
  /** The version of the read that the body was made from. */
  readonly version?: string | number | undefined;
}

/** Writes a collection whole or as a merge patch. Two sends of either have the effect of one. Gives the collection that the answer shows. */
export async function writeParent(http: Http, spec: ParentSpec, body: Body | null, o: WriteOptions): Promise<Collection | null> {
  // Only the delete of a collection accepts a 404: the collection is empty either way.
  const options: SendOptions = {
    purpose: 'write',
    signal: o.signal,
    // The write carries the whole collection or its changes, so a mutation may be repeated, unless the line forbids it.
    idempotent: spec.graphql?.write.idempotent !== false,
    ...(o.lock && { lock: o.lock }),
    ...(o.onFailure && { onFailure: o.onFailure }),
    ...(body === null && { accept: [404] }),
  };
  try {
    return shownIn(await http.send(writeRequest(spec, body, o.version), options), spec);
  } catch (thrown) {
    throw inOtherWords(spec, thrown);
  }
}

/** The collection in the answer to a write; `null` where the answer does not show it. */
function shownIn(answer: Answer, spec: ParentSpec): Collection | null {
  const fromXml = isXml(answer.headers['content-type']);
  const raw = spec.item_path === undefined ? answer.body : getAt(answer.body, spec.item_path);
  if (!isMap(raw) || spec.choices || getAt(raw, spec.list_path) === undefined) return null;
  try {
    const request = readRequest(spec);
    return {
      raw,
      entries: entriesOf(listOf(raw, fromXml, spec, request), fromXml, spec, request, raw),
      missing: false,
      ...(fromXml && { isXml: true }),
    };
  } catch {
    // The answer shows the collection in another form. The next read tells.
    return null;
  }
}

function inOtherWords({ refusals = [] }: ParentSpec, thrown: unknown): unknown {
  const known = thrown instanceof HttpFailure ? refusals.find(({ status }) => status === thrown.status) : undefined;
  if (!known || !(thrown instanceof HttpFailure)) return thrown;
  const { code, detail, status, body, unanswered, repeatable, retryAfter, repeat, headers } = thrown;
  const said = { detail: `${known.detail} ${detail}`, fix: known.fix, cause: thrown };
  return new HttpFailure(code, said, { status, body, unanswered, repeatable, retryAfter, repeat, headers });
}

/** Whether somebody else wrote since the read and the provider refused to overwrite that. The caller must read and try again. */
export const isOutdated = (spec: ParentSpec, thrown: unknown): boolean =>
  (spec.version !== undefined || spec.choices !== undefined) &&
  thrown instanceof HttpFailure &&
  (thrown.status === 412 || thrown.status === 409);

/** Whether the item stands in the collection as planned, as far as the provider shows it. Members that the plan does not name do not count. */
export function hasEntry(collection: Collection, spec: ParentSpec, item: string, entry: Body): boolean {
  const live = entryOf(collection, item, entry);
  return live !== undefined && (holdsNamesOnly(spec) || isAsPlanned(asBody(shownPart(spec, entry)), live));
}

/** Whether the collection holds only names: a plain list or a delimited text. There every name that exists is as planned. */
export const holdsNamesOnly = (spec: ParentSpec): boolean =>
  spec.shape === 'delimited' || (spec.shape === 'array' && spec.key_field === undefined);

/** The item's live value, in the types of `planned` where that is given; `undefined` when the item is not there. */
export function entryOf(collection: Collection, item: string, planned?: unknown): Json | undefined {
  const live = collection.entries.find((e) => e.name === item)?.value;
  return live === undefined || planned === undefined ? live : seen(collection, planned, live);
}

const seen = (collection: Pick<Collection, 'isXml' | 'alike'>, planned: unknown, live: Json): Json =>
  asJson(alike(planned, collection.isXml ? typedLike(planned, live) : live, collection.alike));

/**
 * Whether two entries carry the name, such as two rules with one description: nobody can tell which of them is a line's own. A name
 * that stands twice in a plain list is no such case.
 */
export const isTwice = (collection: Collection, spec: ParentSpec, item: string): boolean =>
  spec.shape === 'array' && spec.key_field !== undefined && collection.entries.filter((e) => e.name === item).length > 1;

/** Names of the entries that no line manages, in their order. */
export function unmanaged(collection: Collection, managed: Iterable<string>): string[] {
  const ours = new Set(managed);
  return [...new Set(collection.entries.map((e) => e.name))].filter((name) => !ours.has(name));
}

/** Equal for all items whose writes touch the same object, in whatever list of the object, and whoever writes. */
export const lockNameOf = (block: Pick<ProviderBlock, 'base_url'>, spec: Pick<ParentSpec, 'path' | 'graphql'>): string =>
  spec.graphql ? `${addressOf(block)}#${graphqlCall(spec.graphql.read)}` : `${addressOf(block)}${spec.path.split('?', 1)[0] ?? ''}`;

/** The address in one spelling: two API blocks may write one address in two ways. */
const addressOf = ({ base_url: given }: Pick<ProviderBlock, 'base_url'>): string => (URL.parse(given)?.href ?? given).replace(/\/+$/, '');

function readRequest(spec: ParentSpec): StoredRequest {
  if (spec.graphql) return { method: 'POST', path: '', graphql: spec.graphql.read };
  return {
    method: spec.read_method ?? 'GET',
    path: spec.read_path ?? spec.path,
    ...(spec.query && { query: spec.query }),
    ...(spec.headers && { headers: spec.headers }),
    ...(spec.encoding && { encoding: spec.encoding }),
  };
}

function writeRequest(spec: ParentSpec, body: Body | null, version: string | number | undefined): RequestSpec {
  if (spec.graphql) {
    const { variables, ...rest } = spec.graphql.write;
    const filled = merged(variables ?? {}, body);
    return { method: 'POST', path: '', graphql: { ...rest, variables: isBodyMap(filled) ? filled : {} } };
  }
  const header = version === undefined ? undefined : spec.version?.header;
  const parameter = version === undefined ? undefined : spec.version?.query;
  const query = { ...spec.query, ...(version !== undefined && parameter !== undefined && { [parameter]: String(version) }) };
  const headers = { ...spec.headers, ...(version !== undefined && header !== undefined && { [header]: String(version) }) };
  return {
    method: body === null ? 'DELETE' : spec.method,
    path: spec.path,
    ...(Object.keys(query).length > 0 && { query }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(spec.encoding && { encoding: spec.encoding }),
    ...(body !== null && { body }),
  };
}

const isBodyMap = (body: Body): body is { readonly [name: string]: Body } => isMap(body);

/** Whether a refusal means "not there". One status may mean two things, and the body says which: a bucket without rules, or no bucket. */
function saysMissing(spec: ParentSpec, thrown: unknown): thrown is HttpFailure {
  if (spec.missing_match === undefined || !(thrown instanceof HttpFailure) || thrown.status === null) return false;
  // A credential that may not look proves nothing about the parent, and neither does a busy provider.
  const isRefusal = thrown.status >= 400 && thrown.status < 500 && ![401, 403, 423, 429].includes(thrown.status);
  return isRefusal && says(thrown.body, spec.missing_match);
}

const noParent = (refusal: HttpFailure): Failure =>
  new Failure('PROVIDER_NOT_FOUND', {
    detail: `The object that holds this entry is not there, or the credential may not see it. ${refusal.detail}`,
    fix: 'Correct the name that the line gives for the object, or make the object at the provider.',
    ...(refusal.status !== null && { status: refusal.status }),
    cause: refusal,
  });

function versionOf(from: string, answer: Answer, raw: unknown, request: StoredRequest): string | number {
  const version = from.startsWith('/') ? getAt(raw, from) : answer.headers[from.toLowerCase()];
  if ((typeof version === 'string' && version !== '') || typeof version === 'number') return version;
  throw new Failure('PROVIDER_RESPONSE', {
    detail: `${showRequest(request)} answered without a version at ${from}, so the provider could not refuse a write that overwrites newer changes.`,
    fixByHand: 'Correct parent.version.from, or remove parent.version.',
  });
}

/** The list in a parent. In XML a list of one is its entry, and an empty list is absent, but the document must be the declared one. */
function listOf(raw: unknown, fromXml: boolean, spec: ParentSpec, request: StoredRequest): unknown {
  const stands = getAt(raw, spec.list_path);
  const isEmpty = stands === undefined || stands === null || (Array.isArray(stands) && stands.length === 0);
  const value = isEmpty && spec.absent_as !== undefined ? spec.absent_as : stands;
  if (!fromXml || spec.shape !== 'array') return fromXml && value === '' ? undefined : value;
  const [root] = splitPointer(spec.list_path);
  if (value === undefined && spec.item_path === undefined && isMap(raw) && root !== undefined && !Object.hasOwn(raw, root)) {
    throw unexpected(request, `no element ${root}, where list_path "${spec.list_path}" begins`, raw);
  }
  if (value === undefined || value === '') return [];
  return Array.isArray(value) ? value : [value];
}

/** The entries of a collection. An absent list is an empty one. Any value of another shape means a wrong pointer, and the error says so. */
function entriesOf(value: unknown, fromXml: boolean, spec: ParentSpec, request: StoredRequest, raw: unknown): Entry[] {
  if (value === undefined || value === null) return [];
  if (spec.shape === 'map' && isMap(value)) {
    // A member of null exists, but nobody can read its value.
    return Object.entries(value).map(([name, one]) => ({ name, value: asJson(one) }));
  }
  if (spec.shape === 'delimited' && typeof value === 'string') {
    return value.split(',').flatMap((part) => (part.trim() === '' ? [] : [{ name: part.trim(), value: part }]));
  }
  if (spec.shape === 'array' && Array.isArray(value)) {
    return value.map((item) => ({ name: nameOf(item, spec.key_field, fromXml), value: asJson(item) }));
  }
  const wanted = { array: 'a list', map: 'a map', delimited: 'a text' }[spec.shape];
  throw unexpected(request, `no ${wanted.slice(2)} at list_path "${spec.list_path}"`, raw);
}

function nameOf(item: unknown, keyField: string | undefined, fromXml: boolean): string {
  const name = keyField === undefined ? item : fromXml ? elementAt(item, keyField) : getAt(item, keyField);
  if (typeof name === 'string') return name;
  // No line can manage an item without a usable name. Its own text tells it from other items.
  return typeof name === 'number' || typeof name === 'boolean' ? String(name) : canonicalJson(asJson(item));
}

function without(entries: readonly Entry<Body>[], item: string): readonly Entry<Body>[] {
  return entries.some((e) => e.name === item) ? entries.filter((e) => e.name !== item) : entries;
}

function put(
  collection: Pick<Collection, 'isXml' | 'alike'>,
  entries: readonly Entry<Body>[],
  spec: ParentSpec,
  item: string,
  entry: Body,
): readonly Entry<Body>[] {
  const at = entries.findIndex((e) => e.name === item);
  const live = entries[at];
  if (live === undefined) return [...entries, { name: item, value: entry }];
  // A value from the read holds nothing sealed. A value that this batch put there stays as it is.
  const value = hasSealed(live.value) ? live.value : seen(collection, entry, asJson(live.value));
  if (holdsNamesOnly(spec) || (isAsPlanned(entry, value) && !isHidden(spec, entry))) return entries;
  return entries.with(at, { ...live, value: merged(live.value, entry) });
}

function unexpected(request: StoredRequest, what: string, value: unknown): Failure {
  return new Failure('PROVIDER_RESPONSE', {
    detail: `${showRequest(request)} answered with ${what}${members(value)}.`,
    fixByHand: 'Correct list_path, item_path or shape of the line.',
  });
}

/**
 * The refusal of a parent that has the wrong kind for its line, such as a flag with texts for a rule that serves true or
 * false; `null` for a parent of the right kind, and for a parent that does not exist yet.
 */
export function otherKind({ raw, missing }: Pick<Collection, 'raw' | 'missing'>, spec: ParentSpec): Failure | null {
  if (missing || !spec.require) return null;
  const { match, fix } = spec.require;
  const misfit = Object.entries(match).find(([pointer, wanted]) => !isAsPlanned(wanted, getAt(raw, pointer) ?? null));
  if (!misfit) return null;
  const [pointer, wanted] = misfit;
  return new Failure('PARAM_INVALID', {
    detail: `${spec.read_path ?? spec.path} has the wrong kind for this line: ${pointer} is ${shown(getAt(raw, pointer))} and must be ${shown(wanted)}. Nothing was written.`,
    fix,
  });
}

/** A short text for a value: lists, maps and texts can be long. */
function shown(value: unknown): string {
  if (value === undefined || value === null) return 'absent';
  if (typeof value === 'object') return Array.isArray(value) ? `a list of ${value.length}` : 'a map';
  return JSON.stringify(value).slice(0, 60);
}
