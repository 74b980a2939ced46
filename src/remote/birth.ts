import { areApart, shownInstant } from './instant.ts';
import type { Reach } from './reach.ts';
import { partsOf, textsIn } from './request-parts.ts';
import type { Signs } from './signs.ts';
import { isSameId } from './spelling.ts';
import { hasId } from './template.ts';

/**
 * The provider's own signs of which object stands under a name. An object that somebody makes anew under the same name has others. Both are
 * kept as the provider spells them, so no clock of ours has a part in it.
 */
export interface Birth {
  readonly uid?: string;
  readonly at?: string;
}

type ObjectReach = Extract<Reach, { kind: 'object' }>;

/** The signs of an object that another one could follow under the same id; none where the provider gives the id, or shows no signs. */
export function birthOf(reach: Reach, { id, uid, createdAt }: Signs & { readonly id: string }): Birth | undefined {
  const at = isFixed(reach) ? createdAt : undefined;
  const isKnown = uid !== undefined || at !== undefined;
  if (!isKnown || reach.kind !== 'object' || !goesByName(reach, id)) return undefined;
  return { ...(uid !== undefined && { uid }), ...(at !== undefined && { at }) };
}

/** Whether the shown object is the one of this birth; `undefined` where nothing tells. A sign that one of them lacks tells nothing. */
export function isOfBirth(birth: Birth | null | undefined, reach: Reach, { uid, createdAt }: Signs): boolean | undefined {
  if (birth?.uid !== undefined && uid !== undefined) return isSameId(birth.uid, uid);
  if (birth?.at === undefined || createdAt === undefined || !isFixed(reach)) return undefined;
  return !areApart(birth.at, createdAt);
}

/** Whether it is surely another one: somebody made it under the name of the first. */
export const isReborn = (...given: Parameters<typeof isOfBirth>): boolean => isOfBirth(...given) === false;

/** How people read the difference between the two; `null` where nothing tells one. */
export function shownBirths(birth: Birth, reach: Reach, shown: Signs): string | null {
  if (!isReborn(birth, reach, shown)) return null;
  const { uid, at = '' } = birth;
  if (uid !== undefined && shown.uid !== undefined) return `the provider's own id of it is ${shown.uid}, and that of ours was ${uid}`;
  return `it was made at ${shownInstant(shown.createdAt ?? '')}, and ours at ${shownInstant(at)}`;
}

/** Some providers give an object another time of its making with each write, as where a write makes the object anew. */
const isFixed = (reach: Reach): boolean => reach.kind === 'object' && reach.find?.created_at_moves !== true;

/**
 * Whether an object's id is a name that was known before the object: the find asks for it, or the delete takes no id. A provider's own id
 * is nowhere in them, and no later object gets it.
 */
function goesByName({ find, remove }: ObjectReach, id: string): boolean {
  if (find?.chosen_id !== undefined) return true;
  const asked = find ? [...partsOf(find.request), ...textsIn(find.match)] : [];
  return asked.some((part) => isSameId(part, id)) || (remove !== null && !hasId(remove));
}
