import type { Http } from '../../http/types.ts';
import type { Intent, Superseded } from '../../ledger/model/facts.ts';
import { type Birth, shownBirths } from '../../remote/birth.ts';
import { findAll, isRefusal } from '../../remote/find.ts';
import type { FindSpec, Reach } from '../../remote/reach.ts';
import { signsOf } from '../../remote/signs.ts';
import { isSameId } from '../../remote/spelling.ts';
import { fillId } from '../../remote/template.ts';
import type { Session } from '../session.ts';
import { announced, type Located } from './claim.ts';
import type { Removal } from './until-gone.ts';

type ObjectReach = Extract<Reach, { kind: 'object' }>;

/** An object of ours that must go, and what is known of it. */
export interface Ours extends Removal {
  /** The line of which warnings speak. */
  readonly line: string;
  readonly birth?: Birth | null | undefined;
  /** An unfinished create may have made the object anew under the same id. */
  readonly intent?: Intent | null;
}

/** The facts of an object of this line that a removal needs. */
export const oursOf = ({ objectId, birth }: Pick<Superseded, 'objectId' | 'birth'>, line: string): Omit<Ours, 'stopping'> => ({
  id: objectId,
  line,
  birth,
});

/**
 * Whether the object under a name of ours is surely somebody else's: ours is gone, and another was made of that name. Then the run leaves
 * it and says so. Sends a read where the record knows the birth of the object, and only then: no other object gets an id of a provider's own.
 */
export async function isSomebodyElses(session: Session, http: Http, reach: ObjectReach, ours: Ours): Promise<boolean> {
  const { id, birth, intent, line, stopping } = ours;
  if (!birth) return false;
  const shown = await shownNow(http, reach, id, stopping);
  const told = shown && shownBirths(birth, reach, shown);
  if (!told) return false;
  if (intent && (await announced(session, intent, [shown])).length > 0) return false;
  const text = `${line}: the object that is now called ${id} is not the one that this scope made: ${told}. It stays as it is, and ours counts as gone.`;
  if (!session.warnings.includes(text)) session.warnings.push(text);
  return true;
}

/** The object under this id as its provider shows it now; `null` where it shows nothing. */
async function shownNow(http: Http, { find, read }: ObjectReach, id: string, signal: AbortSignal): Promise<Located | null> {
  const spec: FindSpec | null = read ? { ...read, request: fillId(read.request, id), chosen_id: id } : find;
  if (!spec) return null;
  try {
    const found = await findAll(http, spec, { signal, ids: [id] });
    const one = found.find((other) => other.id === id) ?? found.find((other) => isSameId(other.id, id));
    return one ? { id, ...signsOf(spec, one.item) } : null;
  } catch (thrown) {
    // Some providers answer so once the place of the object is gone. The delete tells.
    if (isRefusal(thrown) && thrown.code !== 'PROVIDER_AUTH') return null;
    throw thrown;
  }
}
