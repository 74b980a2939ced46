import { canonicalJson } from '../../core/canonical.ts';
import { Failure } from '../../core/errors.ts';
import { isMap, type Json } from '../../core/json.ts';
import { getAt, removeAt, setAt } from '../../core/pointer.ts';
import type { Body, Http, ProviderBlock, RequestSpec, StoredRequest } from '../../http/types.ts';
import type { ParentSpec } from '../op.ts';
import { asBody, asJson } from './as-json.ts';
import { isAsPlanned, merged } from './compare.ts';
import { members, type ReadOptions, readOptions, showRequest } from './find.ts';

export interface Entry<V = Json> {
  readonly name: string;
  readonly value: V;
}

/** A parent's collection as read. Values that are still to be written (`Collection<Body>`) may hold sealed leaves. */
export interface Collection<V = Json> {
  /** The parent object as answered (below `item_path`); `null` when it is missing. */
  readonly raw: unknown;
  readonly entries: readonly Entry<V>[];
  /** A 404 that `if_missing: empty` reads as an empty collection. */
  readonly missing: boolean;
}

export interface EntryChange {
  readonly item: string;
  /** What is to stand there; `null` removes the item. */
  readonly entry: Body | null;
}

export interface Applied {
  readonly next: Collection<Body>;
  /** What to write; `null` deletes the collection (`when_empty: delete`). Without meaning when nothing changed. */
  readonly body: Body | null;
  readonly changed: boolean;
}

export async function readParent(http: Http, spec: ParentSpec, o: ReadOptions): Promise<Collection> {
  const request = readRequest(spec);
  const maybeMissing = spec.if_missing === 'empty';
  const answer = await http.send(request, readOptions(request, o, maybeMissing ? [404] : []));
  if (maybeMissing && answer.status === 404) return { raw: null, entries: [], missing: true };
  const raw = spec.item_path === undefined ? answer.body : getAt(answer.body, spec.item_path);
  if (raw === undefined) throw unexpected(request, `nothing at item_path "${spec.item_path ?? ''}"`, answer.body);
  // A list that was never set is often left out of its object. No object at all is another thing: who took it for an empty list
  // would write the list without everybody else's entries.
  if (raw === null || (spec.list_path !== '' && typeof raw !== 'object')) throw unexpected(request, 'no object', raw);
  return { raw, entries: entriesOf(getAt(raw, spec.list_path), spec, request, raw), missing: false };
}

/**
 * The collection with each change made: every other item stays as it is and where it is, a changed item keeps its place,
 * a new one goes to the end. A change that already holds changes nothing, so the result may be applied again.
 */
export function applyEntries<V extends Body>(collection: Collection<V>, spec: ParentSpec, changes: readonly EntryChange[]): Applied {
  let entries: readonly Entry<Body>[] = collection.entries;
  const touched = new Map<string, Body | null>();
  for (const { item, entry } of changes) {
    const after = entry === null ? without(entries, item) : put(entries, spec, item, entry);
    if (after === entries) continue;
    entries = after;
    touched.set(item, entry === null ? null : (entries.find((e) => e.name === item)?.value ?? entry));
  }
  const next: Collection<Body> = { raw: collection.raw, entries, missing: collection.missing };
  return { next, body: bodyOf(next, spec, touched), changed: touched.size > 0 };
}

/** Writes a collection whole or as a merge patch. Either may be sent twice with the effect of once. */
export async function writeParent(
  http: Http,
  spec: ParentSpec,
  body: Body | null,
  signal: AbortSignal,
  mayWrite?: () => void,
): Promise<void> {
  const request: RequestSpec = {
    method: body === null ? 'DELETE' : spec.method,
    path: spec.path,
    ...(spec.query && { query: spec.query }),
    ...(spec.headers && { headers: spec.headers }),
    ...(body !== null && { body }),
  };
  // A 404 is an answer only to the delete of a collection: it is empty either way.
  await http.send(request, {
    purpose: 'write',
    signal,
    idempotent: true,
    ...(mayWrite && { mayWrite }),
    ...(body === null && { accept: [404] }),
  });
}

/** Whether the item stands in the collection as planned. Members that the plan does not name are not compared. */
export function hasEntry(collection: Collection, spec: ParentSpec, item: string, entry: Body): boolean {
  const live = entryOf(collection, item);
  return live !== undefined && (holdsNamesOnly(spec) || isAsPlanned(entry, live));
}

/** A plain list or a delimited text holds nothing but names, so a name that is there is as planned, however it is written. */
const holdsNamesOnly = (spec: ParentSpec): boolean =>
  spec.shape === 'delimited' || (spec.shape === 'array' && spec.key_field === undefined);

/** The item's live value, `undefined` when it is not there. */
export const entryOf = (collection: Collection, item: string): Json | undefined => collection.entries.find((e) => e.name === item)?.value;

/** Names of the entries that no line manages, in their order. */
export function unmanaged(collection: Collection, managed: Iterable<string>): string[] {
  const ours = new Set(managed);
  return [...new Set(collection.entries.map((e) => e.name))].filter((name) => !ours.has(name));
}

/** Equal for all items whose writes touch the same object, whatever list of it they stand in. */
export const lockNameOf = (block: Pick<ProviderBlock, 'base_url'>, spec: Pick<ParentSpec, 'path'>): string =>
  `${block.base_url}${spec.path.split('?', 1)[0] ?? ''}`;

function readRequest(spec: ParentSpec): StoredRequest {
  return {
    method: spec.read_method ?? 'GET',
    path: spec.read_path ?? spec.path,
    ...(spec.query && { query: spec.query }),
    ...(spec.headers && { headers: spec.headers }),
  };
}

/** An absent list is an empty one; anything else than the declared shape is a wrong pointer and says so. */
function entriesOf(value: unknown, spec: ParentSpec, request: StoredRequest, raw: unknown): Entry[] {
  if (value === undefined || value === null) return [];
  if (spec.shape === 'map' && isMap(value)) {
    // A member that is null is what a merge patch leaves of a removed one at some providers.
    return Object.entries(value).flatMap(([name, one]) => (one === null ? [] : [{ name, value: asJson(one) }]));
  }
  if (spec.shape === 'delimited' && typeof value === 'string') {
    return value.split(',').flatMap((part) => (part.trim() === '' ? [] : [{ name: part.trim(), value: part }]));
  }
  if (spec.shape === 'array' && Array.isArray(value)) {
    return value.map((item) => ({ name: nameOf(item, spec.key_field), value: asJson(item) }));
  }
  const wanted = { array: 'a list', map: 'a map', delimited: 'a text' }[spec.shape];
  throw unexpected(request, `no ${wanted.slice(2)} at list_path "${spec.list_path}"`, raw);
}

function nameOf(item: unknown, keyField: string | undefined): string {
  const name = keyField === undefined ? item : getAt(item, keyField);
  if (typeof name === 'string') return name;
  // An item without a usable name is nobody's to manage; its own text tells it from the others.
  return typeof name === 'number' || typeof name === 'boolean' ? String(name) : canonicalJson(asJson(item));
}

function without(entries: readonly Entry<Body>[], item: string): readonly Entry<Body>[] {
  return entries.some((e) => e.name === item) ? entries.filter((e) => e.name !== item) : entries;
}

function put(entries: readonly Entry<Body>[], spec: ParentSpec, item: string, entry: Body): readonly Entry<Body>[] {
  const at = entries.findIndex((e) => e.name === item);
  const live = entries[at];
  if (live === undefined) return [...entries, { name: item, value: entry }];
  if (holdsNamesOnly(spec) || isAsPlanned(entry, live.value)) return entries;
  return entries.with(at, { name: item, value: merged(live.value, entry) });
}

function bodyOf(next: Collection<Body>, spec: ParentSpec, touched: ReadonlyMap<string, Body | null>): Body | null {
  if (spec.when_empty === 'delete' && next.entries.length === 0) return null;
  const at = spec.write_list_path ?? spec.list_path;
  const isPatch = spec.shape === 'map' && spec.method === 'PATCH';
  if (spec.send === undefined) return asBody(setAt({}, at, isPatch ? Object.fromEntries(touched) : whole(next, spec)));
  if (spec.send === 'collection') return asBody(isPatch ? Object.fromEntries(touched) : whole(next, spec));
  // The rest of the parent goes back as read; in a merge patch a removed member is null, since leaving it out would keep it.
  const removed = isPatch ? [...touched].filter(([, entry]) => entry === null) : [];
  const collection = isPatch
    ? { ...Object.fromEntries(next.entries.map((e) => [e.name, e.value])), ...Object.fromEntries(removed) }
    : whole(next, spec);
  const parent = at === spec.list_path ? next.raw : removeAt(next.raw, spec.list_path);
  return asBody(setAt(spec.send === 'parent' ? (parent ?? {}) : picked(parent, spec.send), at, collection));
}

function whole(collection: Collection<Body>, spec: ParentSpec): Body {
  if (spec.shape === 'map') return Object.fromEntries(collection.entries.map((e) => [e.name, e.value]));
  if (spec.shape === 'delimited') return collection.entries.map((e) => String(e.value)).join(',');
  return collection.entries.map((e) => e.value);
}

function picked(parent: unknown, names: readonly string[]): { [name: string]: unknown } {
  if (!isMap(parent)) return {};
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(parent, name) ? [[name, parent[name]]] : [])));
}

function unexpected(request: StoredRequest, what: string, value: unknown): Failure {
  return new Failure('PROVIDER_RESPONSE', {
    detail: `${showRequest(request)} answered with ${what}${members(value)}.`,
    fix: 'Correct list_path, item_path or shape of the line.',
  });
}
