import { Sealed } from '../../core/sealed.ts';
import type { Desired, Io, ObjectBound } from '../../ops/bound.ts';
import type { Live } from '../../remote/live-object.ts';
import { hasSealed } from '../../remote/value.ts';
import type { Session } from '../session.ts';
import { desiredOf } from './binding.ts';
import { isUnseen } from './compare.ts';
import { ioOf, type Judged, type PhaseFacts, type Ready, type Written } from './phases.ts';

/** Whether the line says that what others change of its object is told and stays. */
export const reportsDrift = ({ prepared }: Pick<PhaseFacts, 'prepared'>): boolean => prepared?.line.drift === 'report';

/** Whether this run leaves it so. */
export const leavesDrift = ({ isPutBack }: Pick<Session, 'isPutBack'>, line: Pick<PhaseFacts, 'id' | 'prepared'>): boolean =>
  reportsDrift(line) && !isPutBack(line.id);

/** Fields that others changed and that this run leaves as they stand. */
export const leftFields = ({ judgement }: Pick<Judged | Written, 'judgement'>): readonly string[] => judgement.leaves ?? [];

/** Fields that differ and that this run writes. */
export const ownChanges = (line: Pick<Judged | Written, 'judgement' | 'changed'>): readonly string[] =>
  line.changed.filter((field) => !leftFields(line).includes(field));

/** The client of an update, which tells the op what it must leave. */
export const updatingIo = (session: Pick<Session, 'ending' | 'isPutBack'>, line: Judged | Written): Io =>
  ioOf(line, session.ending, leavesDrift(session, line) ? { leaves: leftFields(line) } : {});

/** The fields of an update as it sends them: those that others changed go back as they stand, and an absent one stays absent. */
export function desiredBeside(
  { redactor }: Pick<Session, 'redactor'>,
  line: Pick<Written, 'judgement'> & { readonly bound: ObjectBound },
  { values }: Live,
): Desired {
  const left = leftFields(line);
  const own = Object.entries(desiredOf(line.bound)).filter(([field]) => !left.includes(field));
  const standing = left.flatMap((field): [string, Desired[string]][] => {
    const value = values[field];
    if (value === undefined || isUnseen(value)) return [];
    if (value instanceof Sealed) redactor.add(value);
    return [[field, value]];
  });
  return Object.fromEntries([...own, ...standing]);
}

/** Those fields that others changed and that an update of all other changed ones could not leave as they stand. */
export function unleavable(
  { bound, record }: Ready<ObjectBound>,
  { changed, drifted }: { readonly changed: readonly string[]; readonly drifted: readonly string[] },
): readonly string[] {
  const own = changed.filter((field) => !drifted.includes(field));
  // A secret that its provider shows otherwise than it was sent: nobody can send back what stands there.
  const isShown = (field: string): boolean => !hasSealed(bound.fields[field]) || record?.kept?.[field] === undefined;
  return drifted.filter((field) => {
    const how = bound.leaving?.(field, own) ?? 'as read';
    return how === 'as planned' || (how === 'as read' && !isShown(field));
  });
}
