import { Failure } from '../core/errors.ts';
import { getAt } from '../core/pointer.ts';
import type { Collection } from './collection.ts';
import { isAsPlanned } from './compare.ts';
import type { ParentSpec } from './parent-spec.ts';

/**
 * The refusal of a parent that is not of the kind that its line is for, as a flag with texts is not for a rule that serves true or
 * false; `null` for one that is, and for one that is not there yet.
 */
export function otherKind({ raw, missing }: Pick<Collection, 'raw' | 'missing'>, spec: ParentSpec): Failure | null {
  if (missing || !spec.require) return null;
  const { match, fix } = spec.require;
  const misfit = Object.entries(match).find(([pointer, wanted]) => !isAsPlanned(wanted, getAt(raw, pointer) ?? null));
  if (!misfit) return null;
  const [pointer, wanted] = misfit;
  return new Failure('PARAM_INVALID', {
    detail: `${spec.read_path ?? spec.path} is not of the kind that this line is for: ${pointer} is ${shown(getAt(raw, pointer))} and has to be ${shown(wanted)}. Nothing was written.`,
    fix,
  });
}

/** Lists and maps can be long, and texts too. */
function shown(value: unknown): string {
  if (value === undefined || value === null) return 'absent';
  if (typeof value === 'object') return Array.isArray(value) ? `a list of ${value.length}` : 'a map';
  return JSON.stringify(value).slice(0, 60);
}
