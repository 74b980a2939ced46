import { Failure } from '../../../core/errors.ts';
import { toText } from '../../model/file-text.ts';
import { placeBranch } from '../../model/names.ts';
import { tooNew } from '../../model/version.ts';
import type { Change, Tree } from '../store.ts';

/** The place of a repository's ledger, as the branch `pilotfish-receipts/_place` names it. */
export interface NamedPlace {
  readonly v: 1;
  /** Without user info: `git-branch`, `plugin:<name>`, or an address. */
  readonly place: string;
  /** The ledger is being moved there. No run writes until that is done. */
  readonly moving?: string;
  readonly at: string;
}

const path = 'place.json';

/** Reads the branch. Throws `LEDGER_CORRUPT` and `LEDGER_VERSION`: a place that cannot be read is no reason to look elsewhere. */
export function placeIn(tree: Tree | null, location: string): NamedPlace | null {
  if (tree === null) return null;
  const refuse = (why: string): Failure =>
    new Failure('LEDGER_CORRUPT', {
      detail: `${path} on ${placeBranch} of ${location} names the place of the ledger, and ${why}.`,
      fix: `Restore an earlier commit of ${placeBranch}.`,
    });
  const text = tree.files.get(path);
  if (text === undefined) throw refuse('the branch lacks it');
  let value: Partial<NamedPlace> | null;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('it is not JSON');
  }
  const why = tooNew(value);
  if (why !== null) throw new Failure('LEDGER_VERSION', { detail: `${path} on ${placeBranch} ${why}.` });
  const { place, moving } = value ?? {};
  if (!isPlace(place) || (moving !== undefined && !isPlace(moving))) throw refuse('it holds no place');
  return value as NamedPlace;
}

/** Anybody who may push can write the file, and its words are shown. */
const isPlace = (text: unknown): text is string => typeof text === 'string' && /^[\x21-\x7e]{1,500}$/.test(text);

export const placeChange = (named: NamedPlace): Change => new Map([[path, toText(named)]]);
