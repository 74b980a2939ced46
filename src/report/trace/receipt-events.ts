import { errorTable, wordsOf } from '../../core/error-table.ts';
import type { ErrorData } from '../../core/errors.ts';
import type { VerdictName } from '../../core/verdict.ts';
import type { RunEvent } from '../../engine/document.ts';
import type { LedgerRecord, Receipt, ReceiptLine } from '../../engine/receipt-document.ts';
import { counted, showTime } from '../text.ts';
import { verdictSigns } from '../verdicts.ts';

/** A receipt with the objects that stood when it was written. */
export interface ReceiptOfRun {
  readonly receipt: Receipt;
  readonly records: readonly LedgerRecord[];
}

/**
 * Turns a receipt into events: the lines of the run and the end of each. A receipt does not say when a line did what, so all events of
 * lines have the moment at which the run ended. The record of an object says what its line was and which lines came before it. An object
 * that no longer stood has no record, so these facts are unknown.
 */
export function receiptEvents({ receipt, records }: ReceiptOfRun): readonly RunEvent[] {
  const begun = Date.parse(receipt.startedAt);
  const at = begun + receipt.ms;
  const known = new Map(records.map((record) => [record.line, record]));
  const lineOf = new Map(records.map(({ identity, line }) => [identity, line]));
  return [
    { type: 'run', state: 'begun', run: receipt.run, lines: receipt.lines.length, at: begun },
    {
      type: 'lines',
      lines: receipt.lines.map(({ id }) => {
        const record = known.get(id);
        if (!record) return { id, after: [], adapter: '', op: '' };
        const { adapter, op, recipe, subject, after } = record;
        const about = { adapter, op, ...(recipe !== null && { recipe }), ...(subject !== undefined && { subject }) };
        return { id, after: after.flatMap((identity) => lineOf.get(identity) ?? []), ...about };
      }),
      at,
    },
    ...receipt.lines.flatMap((line) => lineEvents(line, known.get(line.id)?.lock ?? null, at)),
    { type: 'run', state: 'ended', at },
  ];
}

function lineEvents({ id, verdict, state, ms, requests, code, driftLeft }: ReceiptLine, lock: string | null, at: number): RunEvent[] {
  const drift = driftLeft === 'changed' || driftLeft === 'missing' ? driftLeft : null;
  const told =
    drift === null ? ({ why: '', drift: 'none' } as const) : ({ why: 'left so until it is put back', drift, driftLeft: true } as const);
  return [
    ...(isVerdict(verdict) ? [{ type: 'verdict', line: id, verdict, ...told, changes: [], lock, at } as const] : []),
    { type: 'line', line: id, from: '', to: state, event: '', at },
    { type: 'note', line: id, text: `It took ${showTime(ms)} and ${counted(requests, 'request')}.`, at },
    // Such a line has no failure of its own.
    ...(code === undefined || code === 'DEPENDENCY_FAILED' ? [] : [{ type: 'failure', line: id, error: errorOf(code), at } as const]),
  ];
}

/** The receipt keeps only the code of an error, so the words of that run are lost. */
function errorOf(code: string): ErrorData {
  const known = isCode(code) ? code : 'INTERNAL';
  const { summary, fix } = wordsOf(known);
  const detail =
    known === code
      ? 'The receipt keeps only the code of this error.'
      : `The receipt names the code ${code}, and this version does not know it.`;
  return { code: known, summary, detail, fix };
}

const isCode = (code: string): code is keyof typeof errorTable => Object.hasOwn(errorTable, code);
const isVerdict = (word: string): word is VerdictName => Object.hasOwn(verdictSigns, word);
