import { getAt } from '../core/pointer.ts';
import { isAsPlanned } from './compare.ts';
import { instantOf } from './instant.ts';
import type { FindSpec } from './reach.ts';

/** What an answer tells of an object's origin. */
export interface Signs {
  /** When it was made, as its provider spells that: ISO 8601, another date, or a number of seconds or milliseconds. */
  readonly createdAt?: string;
  /** An id of the provider's own, beside the name that its paths take. No edit changes it. */
  readonly uid?: string;
  /** Whether the object bears the mark of this environment and scope, where the create leaves one. */
  readonly isMarked?: boolean;
}

/** The signs of an object alone. An answer to a later request may lack them. */
export const signsIn = ({ createdAt, uid, isMarked }: { readonly [Name in keyof Signs]: Signs[Name] | undefined }): Signs => ({
  ...(createdAt !== undefined && { createdAt }),
  ...(uid !== undefined && { uid }),
  ...(isMarked !== undefined && { isMarked }),
});

type Places = Pick<FindSpec, 'created_at' | 'uid' | 'mark'>;

/** The signs at the places that the spec names. An answer need not show all of them. */
export function signsOf(spec: Places, item: unknown): Signs {
  return signsIn({ createdAt: createdAtOf(spec, item), uid: textAt(item, spec.uid), isMarked: isMarked(spec, item) });
}

/** When the item was made, where the spec names the place of that time and a time stands there. */
function createdAtOf(spec: Pick<FindSpec, 'created_at'>, item: unknown): string | undefined {
  const text = textAt(item, spec.created_at);
  return text === undefined || instantOf(text) === null ? undefined : text;
}

const isMarked = ({ mark }: Places, item: unknown): boolean | undefined => mark && isAsPlanned(mark.text, getAt(item, mark.at));

function textAt(item: unknown, pointer: string | undefined): string | undefined {
  const value = pointer === undefined ? undefined : getAt(item, pointer);
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;
}
