import { Failure } from '../../core/errors.ts';
import type { Fact } from '../../ledger/model/change.ts';
import type { Intent, LedgerRecord } from '../../ledger/model/facts.ts';
import { readParent } from '../../remote/parent.ts';
import { formsOf, namesIn } from '../../remote/spelled-entries.ts';
import { isStillSeen } from '../line/going.ts';
import { httpOf } from '../line/ledger-lines.ts';
import type { Session } from '../session.ts';
import type { Stored } from './trust.ts';

/**
 * Brings back facts that keys of this run sealed and that somebody took out of the ledger, or changed. Where their object is gone, another
 * holder of a credential destroyed it, and the seal lists are put right. Gives the facts that were brought back.
 */
export async function takeBack(session: Session): Promise<readonly Stored[]> {
  const { trust, writer } = session;
  const back: Stored[] = [];
  for (const one of await trust.missing()) {
    // Another holder is replacing it: its record names both, and the older one must not take its place.
    const now = writer.state.records.get(one.fact.identity);
    if (isRecord(one.fact) && now?.superseded.some(({ objectId }) => isRecord(one.fact) && objectId === one.fact.objectId)) continue;
    trust.believe(one.fact);
    if (await stands(session, one)) back.push(one);
    else trust.gone(one.path);
  }
  if (trust.hasLostLists) {
    session.warnings.push(
      `Somebody took seal lists out of ${session.receiptsBranch}: this run goes by the last commit that had them, and seals anew.`,
    );
  }
  if (back.length === 0) return back;
  await writer.ensureLease();
  await writer.submit(
    back.map(({ fact }): Fact => (isRecord(fact) ? { kind: 'record', record: fact } : { kind: 'intent', intent: fact })),
    { urgent: true },
  );
  return back;
}

const isRecord = (fact: LedgerRecord | Intent): fact is LedgerRecord => 'objectId' in fact;

/** Whether the object of a lost fact may still be there. A look that fails proves nothing, so the fact comes back. */
async function stands(session: Session, { fact }: Stored): Promise<boolean> {
  if (!isRecord(fact) || fact.reach.kind === 'none') return true;
  try {
    const http = await httpOf(session, fact, fact.line);
    const { reach, objectId: id } = fact;
    if (reach.kind === 'object') {
      return await isStillSeen(http, { record: fact, reach, id }, { signal: session.stopping, share: false });
    }
    const names = namesIn(await readParent(http, reach.parent, { signal: session.stopping, share: false }));
    return names.has(reach.item) || names.has(id) || formsOf(names, reach.item).length > 0;
  } catch (error) {
    if (!(error instanceof Failure) || session.stopping.aborted) throw error;
    return true;
  }
}

/** The end of a run that found the ledger without facts of its own: it did its work, and fails all the same. */
export function lossOf({ receiptsBranch }: Pick<Session, 'receiptsBranch'>, back: readonly Stored[]): Failure {
  const names = [...new Set(back.map(({ fact }) => `${fact.line} (${fact.key})`))];
  const shown =
    names.length > mostShown ? `${names.slice(0, mostShown).join(', ')} and ${names.length - mostShown} more` : names.join(', ');
  return new Failure('LEDGER_CORRUPT', {
    detail: `Facts that this scope's runs had sealed were taken out of ${receiptsBranch}, or changed there, and their objects stand: ${shown}. This run brought them back from an older commit and went on with them.`,
    fix: 'Look who pushed to that branch, and restrict who may. Then run again: the ledger is whole.',
  });
}

const mostShown = 10;
