import type { Intent, LedgerRecord } from '../../ledger/model/facts.ts';
import type { Session } from '../session.ts';
import { storedIntent, storedRecord } from './trust.ts';

/** The ledger's facts of a line of a destroy. */
interface Facts {
  readonly record: LedgerRecord | null;
  readonly intent: Intent | null;
  /** The plan's own look shows that the recorded object is gone: nothing is sent for it. */
  readonly isGone?: boolean;
}

/**
 * The facts of a destroy as far as it may act on them. An unsealed record that the plan at hand confirms is removed by the requests that
 * the plan builds. Anything else that is unsealed stays as it is, and is refused where a request would be sent on its word.
 */
export async function vouchForRemoval(session: Session, { record, intent }: Facts): Promise<Facts> {
  const { trust, isSealedOnly } = session;
  const isSealed = record !== null && (await trust.isSealed(storedRecord(record)));
  const confirmed = record && !isSealed && !isSealedOnly ? await trust.confirmed(record.identity) : null;
  if (confirmed === 'gone') return { record, intent: null, isGone: true };
  const known = confirmed ?? record;
  if (!known || !intent || (await trust.isSealed(storedIntent(intent)))) return { record: known, intent };
  const warning = `${intent.line}: the ledger also names an unfinished create of ${intent.key} that no credential of this run sealed; nothing was looked for on its word.`;
  if (!session.warnings.includes(warning)) session.warnings.push(warning);
  return { record: known, intent: null };
}
