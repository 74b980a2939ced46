import { Failure } from '../../core/errors.ts';
import type { Fact } from '../../ledger/model/change.ts';
import type { Intent, LedgerRecord } from '../../ledger/model/facts.ts';
import { readParent } from '../../remote/parent.ts';
import { formsOf, namesIn } from '../../remote/spelled-entries.ts';
import { isStillSeen } from '../line/going.ts';
import { httpOf } from '../line/ledger-lines.ts';
import type { Session } from '../session.ts';
import type { Stored } from './trust.ts';
import { trustAgain } from './unsealed.ts';

/**
 * Brings back facts that keys of this run sealed and that somebody took out of the ledger, or changed. Where their object is gone, another
 * holder of a credential destroyed it, and the seal lists are put right. Gives the facts that were brought back.
 */
export async function takeBack(session: Session): Promise<readonly Stored[]> {
  const back = await lostFacts(session);
  if (back.length === 0) return back;
  await session.writer.ensureLease();
  await session.writer.submit(back.map(factOf), { urgent: true });
  return back;
}

/** The same for a plan, which writes nothing. The plan goes on as if the facts were back, because an apply brings them back first. */
export async function seeBack(session: Session): Promise<void> {
  const back = await lostFacts(session);
  if (back.length === 0) return;
  session.writer.assume(back.map(factOf));
  session.warnings.push(`${lossOf(session, back)} An apply brings them back first, and fails after its work.`);
}

const factOf = ({ fact }: Stored): Fact => (isRecord(fact) ? { kind: 'record', record: fact } : { kind: 'intent', intent: fact });

async function lostFacts(session: Session): Promise<readonly Stored[]> {
  const { trust, writer } = session;
  const back: Stored[] = [];
  for (const one of await trust.missing()) {
    // Another holder is replacing the object. Its record names both objects, and the older record must not take its place.
    const now = writer.state.records.get(one.fact.identity);
    if (isRecord(one.fact) && now?.superseded.some(({ objectId }) => isRecord(one.fact) && objectId === one.fact.objectId)) continue;
    trust.believe(one.fact);
    if (await stands(session, one)) back.push(one);
    else trust.gone(one.path);
  }
  const { lists } = trust;
  if (lists.isRolledBack) {
    session.warnings.push(
      `Somebody took seal lists out of ${session.receiptsBranch}, or put older ones in their place. This run goes by the last lists, which an older commit holds, and seals anew.`,
    );
  }
  if (trust.isUnsure) session.warnings.push(unsureText(session));
  return back;
}

const unsureText = ({ receiptsBranch, trust }: Pick<Session, 'receiptsBranch' | 'trust'>): string =>
  trust.unfound.length > 0
    ? `${receiptsBranch} lacks facts that a seal names, and no commit that this run searched has them: ${shownOf(trust.unfound)}.`
    : `None of the last 1,000 commits of ${receiptsBranch} made one of its seal lists, so this run believes nothing on the word of that list.`;

const isRecord = (fact: LedgerRecord | Intent): fact is LedgerRecord => 'objectId' in fact;

/** Whether the object of a lost fact may still be there. A look that fails proves nothing, so the fact comes back. */
async function stands(session: Session, { fact }: Stored): Promise<boolean> {
  if (!isRecord(fact) || fact.reach.kind === 'none') return true;
  try {
    const http = await httpOf(session, fact, fact.line);
    const { reach, objectId: id } = fact;
    if (reach.kind === 'object') {
      return await isStillSeen(http, { record: fact, one: fact }, { signal: session.stopping, share: false });
    }
    const names = namesIn(await readParent(http, reach.parent, { signal: session.stopping, share: false }));
    return names.has(reach.item) || names.has(id) || formsOf(names, reach.item).length > 0;
  } catch (error) {
    if (!(error instanceof Failure) || session.stopping.aborted) throw error;
    return true;
  }
}

/** The failure at the end of a run that found the ledger without facts of its own. The run did its work, and fails all the same. */
export function lossFailure(session: Session, back: readonly Stored[]): Failure {
  if (back.length === 0) {
    return new Failure('LEDGER_CORRUPT', {
      detail: `${unsureText(session)} Objects that it names may still stand.`,
      fix: `Look at the providers. If nothing of this scope is left, run ${trustAgain(session)}.`,
    });
  }
  return new Failure('LEDGER_CORRUPT', {
    detail: `${lossOf(session, back)} This run brought them back from an older commit and went on with them.`,
    fix: 'Find out who pushed to that branch, and restrict pushes to it. Then run again: the ledger is whole.',
  });
}

export function lossOf({ receiptsBranch }: Pick<Session, 'receiptsBranch'>, back: readonly Stored[]): string {
  const names = [...new Set(back.map(({ fact }) => `${fact.line} (${fact.key})`))];
  return `Facts that this scope's runs had sealed were taken out of ${receiptsBranch}, or changed there, and their objects stand: ${shownOf(names)}.`;
}

const shownOf = (names: readonly string[]): string =>
  names.length > mostShown ? `${names.slice(0, mostShown).join(', ')} and ${names.length - mostShown} more` : names.join(', ');

const mostShown = 10;
