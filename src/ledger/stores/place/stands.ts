import { movedTo } from '../../model/moved.ts';
import { parseState } from '../../model/state.ts';
import type { Tree } from '../store.ts';

/** Whether a ledger names objects, or may name some. One that cannot be read may; one that was moved names none of its own. */
export function stands(tree: Tree, branch: string): boolean {
  if (movedTo(tree.files) !== null) return false;
  try {
    const { records, intents } = parseState(tree.files, branch);
    return records.size + intents.size > 0;
  } catch {
    return true;
  }
}
