import { errorTable } from '../../core/error-table.ts';
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
 * What a receipt says of its run, as events: which lines there were and how each ended. When in between a line did what is not in it,
 * so everything about lines is of the moment at which the run ended. What a line was and came after is in the record of its object, and
 * is not known of an object that no longer stood.
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
        const { adapter, op, recipe, after } = record;
        return { id, after: after.flatMap((identity) => lineOf.get(identity) ?? []), adapter, op, ...(recipe !== null && { recipe }) };
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
    drift === null
      ? ({ why: '', drift: 'none' } as const)
      : ({ why: 'left so; `--put-back` writes it back', drift, driftLeft: true } as const);
  return [
    ...(isVerdict(verdict) ? [{ type: 'verdict', line: id, verdict, ...told, changes: [], lock, at } as const] : []),
    { type: 'line', line: id, from: '', to: state, event: '', at },
    { type: 'note', line: id, text: `It took ${showTime(ms)} and ${counted(requests, 'request')}.`, at },
    ...(code === undefined ? [] : [{ type: 'failure', line: id, error: errorOf(code), at } as const]),
  ];
}

/** Its words were of that run, and the receipt keeps none of them. */
function errorOf(code: string): ErrorData {
  const known = isCode(code) ? code : 'INTERNAL';
  const { summary, fix } = errorTable[known];
  const detail = known === code ? 'The receipt keeps the code alone.' : `The receipt says ${code}, which this version does not know.`;
  return { code: known, summary, detail, fix };
}

const isCode = (code: string): code is keyof typeof errorTable => Object.hasOwn(errorTable, code);
const isVerdict = (word: string): word is VerdictName => Object.hasOwn(verdictSigns, word);
