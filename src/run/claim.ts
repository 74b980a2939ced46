import { recordIdOf } from '../adapters/http/find.ts';
import type { Live } from '../adapters/op.ts';
import { Failure } from '../core/errors.ts';
import { parseState } from '../ledger/state.ts';
import type { Session } from './session.ts';
import type { LineWork } from './work.ts';

/** Clocks of provider and runner may differ by this much. */
const skewMs = 60_000;

/**
 * An object that was found after an unclear create is ours only if nothing contradicts it: it was not made before the intent,
 * and no other scope's record or intent names it. Otherwise `RESOURCE_FOREIGN`. Rare, so other scopes' ledgers are read.
 */
export async function checkClaim(session: Session, work: LineWork, live: Live): Promise<void> {
  const { bound, intent } = work;
  if (!bound || !intent) return;
  if (live.createdAt !== undefined && Date.parse(live.createdAt) < Date.parse(intent.at) - skewMs) {
    throw foreign(`${bound.key} was made at ${live.createdAt}, before this scope announced it`);
  }
  const recordId = recordIdOf(bound.reach, live.id);
  const prefix = `${session.receiptsBranch.split('/').slice(0, -2).join('/')}/`;
  for (const { branch } of await session.store.list(prefix)) {
    if (branch === session.receiptsBranch || branch.endsWith('/_history')) continue;
    const tree = await session.store.read(branch);
    if (!tree) continue;
    const other = parseState(tree.files, branch);
    for (const record of other.records.values()) {
      if (record.owned && record.recordId === recordId && record.provider.base_url === work.block?.base_url)
        throw foreign(`${bound.key} is recorded on ${branch}`);
    }
    if (work.identity !== null && other.intents.has(work.identity)) throw foreign(`${bound.key} is announced on ${branch} as well`);
  }
}

const foreign = (detail: string): Failure =>
  new Failure('RESOURCE_FOREIGN', {
    detail: `${detail}, so it is not this scope's.`,
    fix: 'Give the line another name, so that each scope has its own object.',
  });
