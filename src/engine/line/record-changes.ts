import { isDeepStrictEqual } from 'node:util';
import { canonicalJson } from '../../core/canonical.ts';
import type { Json } from '../../core/json.ts';
import type { LedgerRecord } from '../../ledger/model/facts.ts';
import type { Reach } from '../../remote/reach.ts';
import type { FieldChange, Side } from '../document.ts';
import type { Session } from '../session.ts';
import type { Ready } from './phases.ts';
import { afterOf, credentialSource, templateOf } from './record.ts';

/**
 * The keys of a line that its record takes over although the object stands as planned: its id, and all that decides what a destroy does. A
 * destroy has nothing but the record, so a plan that changes one of them changes something.
 */
export function recordChanges(session: Session, line: Ready, record: LedgerRecord | null): readonly FieldChange[] {
  if (!record) return [];
  const { id, prepared, bound } = line;
  const ofDestroy = bound.kind === 'action' ? [] : destroyChanges(session, line, record);
  return [...changed('id', record.line, id), ...(record.owned ? changed('destroy', record.destroy, prepared.destroy) : []), ...ofDestroy];
}

function destroyChanges(session: Session, { prepared, bound }: Ready, record: LedgerRecord): readonly FieldChange[] {
  const order = orderChange(session, prepared, record);
  if (!record.owned || record.destroy !== 'delete' || prepared.destroy !== 'delete') return order;
  return [
    ...changed('credential', sourceOf(record.credential), sourceOf(credentialSource(prepared))),
    ...changed('delete', removalOf(record.reach), removalOf(bound.reach)),
    ...order,
  ];
}

/** A destroy goes through the lines in the reverse of this order. A line without an identity yet says nothing about it. */
function orderChange(session: Session, prepared: Ready['prepared'], record: LedgerRecord): readonly FieldChange[] {
  const now = afterOf(session, prepared);
  // Changed params decide the order too, and the report shows the params already.
  if (now.length < prepared.after.length || record.template !== templateOf(prepared)) return [];
  if (isSame(now, record.after)) return [];
  const nameOf = (identity: string): readonly string[] =>
    [session.identities.get(identity) ?? session.writer.state.records.get(identity)?.line ?? ''].filter((name) => name !== '');
  return changed('after', record.after.flatMap(nameOf).sort(), now.flatMap(nameOf).sort());
}

/** The parts of a reach that a delete is made of. */
function removalOf(reach: Reach): Json {
  if (reach.kind !== 'object') return reach as unknown as Json;
  const { find: _find, witness: _witness, remove_fix: _fix, ...removal } = reach;
  return removal as unknown as Json;
}

const sourceOf = (source: LedgerRecord['credential']): Json | null => (source === 'block' ? null : source);

const changed = (field: string, before: Json | null, after: Json | null): readonly FieldChange[] =>
  isSame(before, after) ? [] : [{ field, before: sideOf(before), after: sideOf(after) }];

/** Nearly always the two are alike to the letter, and every line of a plan is compared. */
const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b) || canonicalJson(a) === canonicalJson(b);

const sideOf = (value: Json | null): Side => (value === null ? { state: 'absent' } : { state: 'literal', value });
