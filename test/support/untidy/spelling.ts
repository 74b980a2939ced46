import { type Forms, formsIn, type Show } from 'pilotfish-sandbox/untidy/spelling';
import type { Subject } from '../suite/subject.ts';
import { namesOf, plannedOf } from './ours.ts';

/** The other forms of a subject's values, `null` where none has one. `isOf` picks the values. */
export function formsOf(
  subject: Pick<Subject, 'stands' | 'params'>,
  show: Show,
  isOf: (value: unknown) => boolean = () => true,
): Forms | null {
  const planned = plannedOf(subject).filter(isOf);
  return formsIn(planned, namesOf(subject), show);
}
