import type { LedgerRecord } from '../../ledger/model/facts.ts';
import type { Fact } from '../../ledger/writer/writer.ts';
import { unreadable } from '../../remote/live-object.ts';
import type { Session } from '../session.ts';
import { ownChanges, reportsDrift } from './drift.ts';
import type { Judged, PhaseFacts, Written } from './phases.ts';

/**
 * Stores "in doubt" before a write whose trace only a record keeps. The record forgets when the object was written, and the written fields
 * that nobody can read back. Of a line that leaves what others change it forgets all written fields. If the run dies before it records its
 * write, the next one writes those fields again, whatever its plan says, and deploys again what was deployed before.
 */
export function doubts(session: Session, work: Judged | Written): readonly Fact[] {
  const { record, bound, live } = work;
  const changed = ownChanges(work);
  if (!record) return [];
  if (bound.kind === 'action') return [{ kind: 'record', record: { ...record, hash: doubted } }];
  if (!live || live.id !== record.objectId) return [];
  // Where the changes of others stay, the next run must not take a field of this write for one of them, even if it can read the field.
  const unsure = reportsDrift(work) ? changed : changed.filter((field) => live.values[field] === unreadable);
  if (unsure.length === 0 && !isAwaited(session, work)) return [];
  const without = (known: { readonly [field: string]: string }) =>
    Object.fromEntries(Object.entries(known).filter(([field]) => !unsure.includes(field)));
  const { fields, fingerprints } = record;
  return [{ kind: 'record', record: { ...record, hash: doubted, fields: without(fields), fingerprints: without(fingerprints) } }];
}

/** The hash of nothing: no declared fields have it. */
const doubted = '';

/** Whether a run wrote the object, or was about to, and never recorded it. A deployment that must come after that write must come after now. */
export const isDoubted = (record: LedgerRecord | null): boolean => record?.hash === doubted;

/** Whether a line waits for a deployment that has what this line writes. */
function isAwaited(session: Session, { id }: Pick<PhaseFacts, 'id'>): boolean {
  let lines = awaited.get(session);
  if (!lines) {
    lines = new Set([...session.works.values()].flatMap(({ prepared }) => (prepared?.op.kind === 'wait' ? prepared.after : [])));
    awaited.set(session, lines);
  }
  return lines.has(id);
}

/** Looked up once a run: plans may have thousands of lines. */
const awaited = new WeakMap<Session, ReadonlySet<string>>();
