import { Sealed } from '../../core/sealed.ts';
import type { Desired, Io, ObjectBound } from '../../ops/bound.ts';
import type { Live } from '../../remote/live-object.ts';
import { hasSealed } from '../../remote/value.ts';
import type { Session } from '../session.ts';
import { desiredOf } from './binding.ts';
import { isUnseen } from './compare.ts';
import { ioOf, type Judged, type PhaseFacts, type Ready, type Written } from './phases.ts';

/** Whether the line says that a run tells what others change of its object, and leaves it. */
export const reportsDrift = ({ prepared }: Pick<PhaseFacts, 'prepared'>): boolean => prepared?.line.drift === 'report';

/** Whether this run leaves what others changed. */
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

/** Gives the fields that an update sends. Those that others changed go back as they stand, and an absent one stays absent. */
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

/** Gives the fields that others changed and that an update of the other changed fields could not leave as they stand. */
export function unleavable(
  { bound, record }: Ready<ObjectBound>,
  { changed, drifted }: { readonly changed: readonly string[]; readonly drifted: readonly string[] },
): readonly string[] {
  const own = changed.filter((field) => !drifted.includes(field));
  // Nobody can send back a secret that its provider shows in another form than it was sent.
  const isShown = (field: string): boolean => !hasSealed(bound.fields[field]) || record?.kept?.[field] === undefined;
  return drifted.filter((field) => {
    const how = bound.leaving?.(field, own) ?? 'as read';
    return how === 'as planned' || (how === 'as read' && !isShown(field));
  });
}
