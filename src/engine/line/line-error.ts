import { type ErrorData, Failure, Interrupted, type Place, toErrorData } from '../../core/errors.ts';
import type { Redactor } from '../../core/redact.ts';
import { errorShape } from '../shapes.ts';

/** The error of an actor: plain data that may reach a snapshot or a trace, already redacted. */
export class LineError extends Error {
  readonly data: ErrorData;
  constructor(data: ErrorData) {
    super(data.detail);
    this.name = 'LineError';
    this.data = data;
  }
}

/** Any thrown value as what the machines may see. The line and its place are added where the error does not have them. */
export function asLineError(thrown: unknown, o: { line: string; place: Place | null; redactor: Redactor }): Error {
  if (thrown instanceof Interrupted || thrown instanceof LineError) return thrown;
  if (thrown instanceof Error && thrown.name === 'LedgerMoved') return thrown;
  const failure = thrown instanceof Failure ? thrown : null;
  const data = toErrorData(thrown);
  const place = data.place ?? (o.place && failure ? `${o.place.file}:${o.place.line}:${o.place.column}` : undefined);
  const told = o.redactor.document(data, errorShape);
  return new LineError({ ...told, detail: `${o.line}: ${told.detail}`, ...(place !== undefined && { place }) });
}

const codes: ReadonlySet<string> = new Set(['PROVIDER_RESPONSE', 'PLUGIN_FAILED', 'SECRET_UNRESOLVED', 'INTERNAL']);

/** Whether it is the answer that is wrong, and not the request: what was asked for was done all the same. */
export const isUnusable = (thrown: unknown): boolean => !(thrown instanceof Failure) || codes.has(thrown.code);
