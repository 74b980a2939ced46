import { type Show, spelled } from 'pilotfish-sandbox/untidy/spelling';
import type { Subject } from '../../suite/subject.ts';
import type { Kind } from '../kinds.ts';
import { fieldsOf } from '../ours.ts';
import { formsOf } from '../spelling.ts';
import type { Meeting, World } from '../world.ts';

export const neverAlone = 'no answer shows such a value by itself';

interface ByValue {
  /** Why a subject has no such value. */
  readonly none: string;
  readonly show: Show;
  readonly isOf?: (value: unknown, subject: Subject) => boolean;
  /** The form says nothing of what was meant: it is learned from the answer to the write, or told. */
  readonly isStrange?: boolean;
}

/** A world in which every value that has another form is shown in that one. */
export const byValue = (kind: Kind, name: string, { none, show, isOf = () => true, isStrange = false }: ByValue): World => ({
  kind,
  name,
  meet: (subject): Meeting | string => {
    const forms = formsOf(subject, show, (value) => isOf(value, subject));
    if (forms === null) return none;
    return { wire: spelled(forms), never: neverAlone, ...(isStrange && { mayTell: Object.keys(subject.edits ?? {}) }) };
  },
});

export const text =
  (change: (value: string) => string | undefined): Show =>
  (value) =>
    typeof value === 'string' ? change(value) : undefined;

/** The value of a field that somebody could change, and no name or place. */
export const isField = (value: unknown, subject: Subject): boolean =>
  fieldsOf(subject).some((field) => JSON.stringify(field.value) === JSON.stringify(value));
