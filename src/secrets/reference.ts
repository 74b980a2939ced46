import { Failure } from '../core/errors.ts';

/** The source that a reference names: `vault` of `vault://…`; empty where it names none. */
export const schemeOf = (reference: string): string => /^([a-z][a-z0-9+.-]*):\/\//.exec(reference)?.[1] ?? '';

/** A reference taken apart: `<scheme>://<segment>/<segment>?<query>#<key>`, each part percent-decoded. */
export interface ReferenceParts {
  readonly segments: readonly string[];
  readonly query: string | null;
  readonly key: string | null;
}

/** `null` for a reference whose percent-encoding is broken. */
export function partsOf(reference: string): ReferenceParts | null {
  const match = /^[^:]*:\/\/([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/su.exec(reference);
  if (!match) return null;
  const [, path = '', query, key] = match;
  try {
    return {
      segments: path.split('/').map(decodeURIComponent),
      query: query === undefined ? null : decodeURIComponent(query),
      key: key === undefined ? null : decodeURIComponent(key),
    };
  } catch {
    return null;
  }
}

/**
 * The mistake in a part of a reference that no source may take: a part that starts with `-`, which a program would take for a flag, or a
 * part with a control character. `null` where there is none.
 */
export function unsafePart(reference: string): Failure | null {
  const parts = reference.slice(reference.indexOf('://') + 3).split(/[/?#]/);
  for (const part of parts.flatMap((one) => [one, decoded(one)])) {
    if (part.startsWith('-')) {
      return new Failure('SECRET_UNRESOLVED', {
        detail: `The reference ${reference} has a part that starts with "-", which a program could take for one of its flags.`,
        fix: 'Use a name that starts with another character.',
      });
    }
    if (/\p{Cc}/u.test(part)) {
      return new Failure('SECRET_UNRESOLVED', {
        detail: `The reference ${JSON.stringify(reference)} holds a control character, such as a line break.`,
        fix: 'Write the reference on one line, without that character.',
      });
    }
  }
  return null;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The error for a reference that gave no value. `why` never holds a value. */
export const unresolved = (reference: string, why: string, fix?: string): Failure =>
  new Failure('SECRET_UNRESOLVED', { detail: `${reference} was not read: ${why}`, ...(fix !== undefined && { fix }) });
