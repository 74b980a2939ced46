import { mapValues } from '../../core/json.ts';
import { Sealed } from '../../core/sealed.ts';
import type { Bound, Params } from '../../ops/bound.ts';
import { subjectOf } from '../../ops/subject.ts';
import { findLeaf, Pending } from '../../remote/value.ts';
import type { PreparedLine } from '../types.ts';

/**
 * Names the object of a line for people: by the params of its operation's template, or by its key where the operation has no template. A
 * value that is secret or not known yet is shown as the plan has it, by its reference.
 */
export function subjectOfLine(
  { op, params, whole }: PreparedLine,
  known: { readonly params?: Params; readonly bound?: Bound | null } = {},
): string {
  if (op.subject === undefined) return (known.bound ?? whole?.bound)?.key ?? '';
  const resolved = known.params ?? {};
  return subjectOf(
    op.subject,
    mapValues(params, (written, name) => {
      const value = resolved[name];
      return value === undefined || findLeaf(value, isReferred) !== null ? written : value;
    }),
  );
}

const isReferred = (leaf: unknown): boolean => leaf instanceof Pending || leaf instanceof Sealed;
