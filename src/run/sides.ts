import { type LiveValue, unreadable, type Value } from '../adapters/op.ts';
import { Unread, unchanged } from '../adapters/unread.ts';
import { findLeaf, Kept, Pending } from '../adapters/value.ts';
import { canonicalJson } from '../core/canonical.ts';
import type { Json } from '../core/json.ts';
import { Sealed } from '../core/sealed.ts';
import { FromRef } from '../plan/types.ts';
import type { FieldChange, Side } from '../report/document.ts';
import { comparable } from './compare.ts';
import type { LineWork } from './work.ts';

/** A value as a report may show it. Texts that came by a reference say `resolved`. */
export function sideOf(value: Value | undefined, resolved: ReadonlySet<string> = new Set()): Side {
  if (value === undefined) return { state: 'absent' };
  const special = findLeaf(value, (leaf) => leaf instanceof Pending || leaf instanceof Kept || leaf instanceof Sealed)?.leaf;
  if (special instanceof Pending) return { state: 'pending' };
  if (special instanceof Kept) return { state: 'kept' };
  if (special instanceof Sealed) return { state: special.origin.includes('://') ? 'secret' : 'sensitive' };
  const json = value as Json;
  return { state: resolved.size > 0 && resolved.has(canonicalJson(json)) ? 'resolved' : 'literal', value: json };
}

function liveSide(value: LiveValue, desired: Value | undefined): Side {
  if (value === undefined) return { state: 'absent' };
  if (value === unreadable || value === unchanged || value instanceof Unread || value instanceof Sealed) return { state: 'secret' };
  const hidden = desired !== undefined && findLeaf(desired, (leaf) => leaf instanceof Sealed) !== null;
  return hidden ? { state: 'secret' } : { state: 'literal', value };
}

/** What a plan shows of the line: its params, and what would change. A create shows every field, a delete none. */
export function describeWork(work: LineWork, verdict: string): void {
  const { prepared, bound, resolved } = work;
  if (!prepared || !resolved) return;
  const referenced = new Set<string>();
  for (const [name, expr] of Object.entries(prepared.params)) {
    const value = resolved.params[name];
    if (expr instanceof FromRef && value !== undefined && sideOf(value).state === 'literal') referenced.add(canonicalJson(value));
  }
  work.inputs = Object.fromEntries(Object.entries(resolved.params).map(([name, value]) => [name, sideOf(value, referenced)]));
  if (!bound) return;
  const all = ['create', 'replace', 'send', 'pending'].includes(verdict);
  const changes: FieldChange[] = [];
  for (const [field, want] of comparable(bound.fields)) {
    if (!all && !work.changed.includes(field)) continue;
    changes.push({ field, before: liveSide(work.live?.values[field], want), after: sideOf(want, referenced) });
  }
  work.changes = changes;
}
