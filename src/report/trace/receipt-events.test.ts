import { describe, expect, it } from 'vitest';
import { failedReceipt } from '../../../test/support/failed-receipt.ts';
import type { Receipt } from '../../ledger/model/facts.ts';
import { machineSources } from '../../machines/sources.ts';
import { chartOf } from './page/charts.ts';
import { traceOf } from './page/model.ts';
import { receiptEvents } from './receipt-events.ts';

const [db, dns] = failedReceipt.lines;
/** With a line of a version to come. */
const receipt: Receipt = {
  ...failedReceipt,
  lines: [db, dns, { id: 'flag', verdict: 'of tomorrow', state: 'skipped', ms: 0, requests: 0, code: 'NOT_YET_INVENTED' }].flatMap(
    (line) => line ?? [],
  ),
};
const charts = machineSources.map(chartOf);

describe('the events of a receipt', () => {
  it('tell how each line ended, all of them at the end of the run', () => {
    const events = receiptEvents({ receipt, records: [] });
    const trace = traceOf(events, charts);
    expect([trace.startedAt, trace.ms, trace.ending]).toEqual([Date.parse(receipt.startedAt), 2_500, 'finished']);
    expect(trace.lines.map(({ name, begunAt, steps, verdicts }) => [name, begunAt, steps.at(-1)?.to, verdicts[0]?.verdict])).toEqual([
      ['db', 2_500, 'settled', 'create'],
      ['dns', 2_500, 'refused', 'refused'],
      ['flag', 2_500, 'skipped', undefined],
    ]);
    expect(trace.lines[0]?.notes[0]?.text).toBe('It took 1.2 s and 3 requests.');
    expect(trace.lines.map(({ kind }) => kind)).toEqual(['no record any more', 'no record any more', 'no record any more']);
  });

  it('name the error of a known code, and say that another code is unknown', () => {
    const { lines } = traceOf(receiptEvents({ receipt, records: [] }), charts);
    expect(lines[1]?.failures[0]?.error).toMatchObject({
      code: 'RESOURCE_FOREIGN',
      detail: 'The receipt keeps only the code of this error.',
    });
    expect(lines[2]?.failures[0]?.error).toMatchObject({ code: 'INTERNAL', detail: expect.stringContaining('NOT_YET_INVENTED') });
  });
});
