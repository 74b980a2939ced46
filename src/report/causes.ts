import type { ErrorData } from '../core/errors.ts';
import type { ApplyDoc, ClosedDoc, FailureDoc, KeptLine, PlanDoc } from '../engine/document.ts';
import { nameOf } from './closed-text.ts';
import { waitingOf } from './waiting.ts';

/** One error, as people see it. Every report shows the errors of a document by these. */
export interface Cause {
  /** The line or scope that failed; absent for an error of the whole run. */
  readonly of?: string;
  readonly error: ErrorData;
  /** The lines that wait for its correction. */
  readonly waiting: readonly string[];
}

/** The errors of a document, each once, in its order. */
export function causesOf(document: PlanDoc | ApplyDoc | ClosedDoc | FailureDoc): readonly Cause[] {
  const causes = allOf(document).map((cause) => [JSON.stringify([cause.of, cause.error.code, cause.error.detail]), cause] as const);
  return [...new Map(causes).values()];
}

function allOf(document: PlanDoc | ApplyDoc | ClosedDoc | FailureDoc): readonly Cause[] {
  if ('scopes' in document) return document.scopes.flatMap((scope) => (scope.error ? [alone(scope.error, nameOf(scope))] : []));
  if (!('lines' in document)) return (document.errors?.length ? document.errors : [document.error]).map((error) => alone(error));
  const ends = [...document.lines, ...document.orphans.map(({ line, id = line, error }) => ({ id, ...(error && { error }) }))];
  const causes = ofLines(ends);
  const { error } = document;
  return error && !isOfALine(error, ends) ? [...causes, alone(error)] : causes;
}

const alone = (error: ErrorData, of?: string): Cause => ({ ...(of !== undefined && { of }), error, waiting: [] });

function ofLines(lines: readonly (KeptLine & { readonly id: string; readonly error?: ErrorData })[]): readonly Cause[] {
  const waits = waitingOf(lines);
  return lines.flatMap(({ id, error }) => (error ? [{ of: id, error, waiting: waits.get(id) ?? [] }] : []));
}

/** Tells whether the run's error is the error of one of its lines, which the report shows at that line. */
export const isOfALine = ({ code, detail }: ErrorData, lines: readonly { readonly error?: ErrorData }[]): boolean =>
  lines.some(({ error }) => error?.code === code && error.detail === detail);
