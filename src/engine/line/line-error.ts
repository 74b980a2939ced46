import { type ErrorData, Failure, Interrupted, type Place, toErrorData } from '../../core/errors.ts';
import type { Redactor } from '../../core/redact.ts';
import { errorShape } from '../shapes.ts';
import type { PreparedLine } from '../types.ts';

/** The error of an actor: plain data that may reach a snapshot or a trace, already redacted. */
export class LineError extends Error {
  readonly data: ErrorData;
  constructor(data: ErrorData) {
    super(data.detail);
    this.name = 'LineError';
    this.data = data;
  }
}

interface Of {
  readonly line: string;
  readonly place: Place | null;
  /** `null` for a line of the ledger alone. */
  readonly prepared: Pick<PreparedLine, 'adapter' | 'recipe'> | null;
  readonly redactor: Redactor;
}

/** Turns any thrown value into an error that the machines may see. Adds the line and its place where the error lacks them. */
export function asLineError(thrown: unknown, o: Of): Error {
  if (thrown instanceof Interrupted || thrown instanceof LineError) return thrown;
  if (thrown instanceof Error && thrown.name === 'LedgerMoved') return thrown;
  const failure = thrown instanceof Failure ? thrown : null;
  const isByHand = o.prepared?.adapter === 'http' && o.prepared.recipe === null;
  const data = { ...toErrorData(thrown), ...(isByHand && failure?.fixByHand !== undefined && { fix: failure.fixByHand }) };
  const place = data.place ?? (o.place && failure ? `${o.place.file}:${o.place.line}:${o.place.column}` : undefined);
  const told = o.redactor.document(data, errorShape);
  return new LineError({ ...told, detail: `${o.line}: ${told.detail}`, ...(place !== undefined && { place }) });
}

const codes: ReadonlySet<string> = new Set(['PROVIDER_RESPONSE', 'PLUGIN_FAILED', 'SECRET_UNRESOLVED', 'INTERNAL']);

/** Whether the answer is wrong, and not the request: the provider did what was asked for all the same. */
export const isUnusable = (thrown: unknown): boolean => !(thrown instanceof Failure) || codes.has(thrown.code);
