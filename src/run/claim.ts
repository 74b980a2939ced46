import { recordIdOf } from '../adapters/http/find.ts';
import { Failure } from '../core/errors.ts';
import type { Intent } from '../ledger/facts.ts';
import { parseState } from '../ledger/state.ts';
import type { Session } from './session.ts';

/** Clocks of provider and runner may differ by this much. */
const skewMs = 60_000;

/**
 * Why an object that an intent finds is not what the intent announced: it was made before, or another scope's record or intent
 * names it. `null` when nothing says so. Rare, so other scopes' ledgers are read.
 */
export async function contradictionOf(
  session: Session,
  intent: Intent,
  live: { readonly id: string; readonly createdAt?: string | undefined },
): Promise<string | null> {
  if (live.createdAt !== undefined && Date.parse(live.createdAt) < Date.parse(intent.at) - skewMs) {
    return `${intent.key} was made at ${live.createdAt}, before this scope announced it`;
  }
  const recordId = recordIdOf(intent.reach, live.id);
  const prefix = `${session.receiptsBranch.split('/').slice(0, -2).join('/')}/`;
  for (const { branch } of await session.store.list(prefix)) {
    if (branch === session.receiptsBranch || branch.endsWith('/_history')) continue;
    const tree = await session.store.read(branch);
    if (!tree) continue;
    const other = parseState(tree.files, branch);
    for (const record of other.records.values()) {
      if (record.owned && record.recordId === recordId && record.provider.base_url === intent.provider.base_url)
        return `${intent.key} is recorded on ${branch}`;
    }
    if (other.intents.has(intent.identity)) return `${intent.key} is announced on ${branch} as well`;
  }
  return null;
}

export const foreign = (contradiction: string): Failure =>
  new Failure('RESOURCE_FOREIGN', {
    detail: `${contradiction}, so it is not this scope's.`,
    fix: 'Give the line another name, so that each scope has its own object.',
  });
