import { canonicalJson } from '../../core/canonical.ts';
import { type Json, mapValues } from '../../core/json.ts';
import { Sealed } from '../../core/sealed.ts';
import type { Verdict } from '../../machines/line/decide.ts';
import { Composed, FromRef } from '../../plan/types.ts';
import { type LiveValue, Unread, unchanged, unreadable } from '../../remote/live-object.ts';
import type { Value } from '../../remote/value.ts';
import { findLeaf, Kept, Pending } from '../../remote/value.ts';
import type { FieldChange, Side } from '../document.ts';
import type { PreparedLine } from '../types.ts';
import { comparable } from './compare.ts';
import type { Findings, PhaseFacts, Resolved } from './phases.ts';

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

/** The line's params as a plan shows them; empty where they were not resolved. */
export function inputsOf({ prepared, resolved }: PhaseFacts): { readonly [param: string]: Side } {
  if (!prepared || !resolved) return {};
  const referenced = referencedIn(prepared, resolved);
  return mapValues(resolved.params, (value) => sideOf(value, referenced));
}

/** The changes of a verdict. A create shows every field, a delete none. */
export function changesOf(
  { prepared, bound, resolved, changed, live }: PhaseFacts & Pick<Findings, 'changed'>,
  { verdict, leaves = [] }: Pick<Verdict, 'verdict' | 'leaves'>,
): readonly FieldChange[] {
  if (!prepared || !resolved || !bound) return [];
  const all = ['create', 'replace', 'send', 'pending', 'redeploy'].includes(verdict);
  if (!all && changed.length === 0) return [];
  const referenced = referencedIn(prepared, resolved);
  return comparable(bound.fields)
    .filter(([field]) => all || changed.includes(field))
    .map(([field, want]) => ({
      field,
      before: liveSide(live?.values[field], want),
      after: sideOf(want, referenced),
      ...(leaves.includes(field) && { left: true as const }),
      ...(live?.worn?.includes(field) && { worn: true as const }),
    }));
}

/** Texts that came by a reference, in their canonical form. */
function referencedIn({ params }: PreparedLine, resolved: Resolved): ReadonlySet<string> {
  const referenced = new Set<string>();
  for (const name in params) {
    const value = resolved.params[name];
    const isGiven = params[name] instanceof FromRef || params[name] instanceof Composed;
    if (isGiven && value !== undefined && sideOf(value).state === 'literal') referenced.add(canonicalJson(value));
  }
  return referenced;
}
