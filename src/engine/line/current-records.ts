import type { LedgerRecord } from '../../ledger/model/facts.ts';
import type { Session } from '../session.ts';

/** Records as they will stand after the last push. */
export function currentRecords(session: Session): Map<string, LedgerRecord> {
  const records = new Map(session.writer.state.records);
  for (const work of session.works.values()) if (work.identity && work.record) records.set(work.identity, work.record);
  return records;
}
