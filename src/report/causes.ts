import type { ErrorData } from '../core/errors.ts';
import type { ApplyDoc, ClosedDoc, FailureDoc, KeptLine, PlanDoc } from '../engine/document.ts';
import { nameOf } from './closed-text.ts';
import { oneLine } from './text.ts';

/** One error, as people see it. Every report shows the errors of a document by these. */
export interface Cause {
  /** The line or scope that failed; absent for an error of the whole run. */
  readonly of?: string;
  readonly error: ErrorData;
  /** The lines that wait for its correction. */
  readonly waiting: readonly string[];
}

interface Line extends KeptLine {
  readonly id: string;
  readonly error?: ErrorData;
}

/** The errors of a document, each once, in its order. */
export function causesOf(document: PlanDoc | ApplyDoc | ClosedDoc | FailureDoc): readonly Cause[] {
  const causes = allOf(document).map((cause) => [JSON.stringify([cause.of, cause.error.code, cause.error.detail]), cause] as const);
  return [...new Map(causes).values()];
}

function allOf(document: PlanDoc | ApplyDoc | ClosedDoc | FailureDoc): readonly Cause[] {
  if ('scopes' in document) return document.scopes.flatMap((scope) => (scope.error ? [alone(scope.error, nameOf(scope))] : []));
  if (!('lines' in document)) return (document.errors?.length ? document.errors : [document.error]).map((error) => alone(error));
  const causes = ofLines(document.lines);
  const { error } = document;
  return error && !isOfALine(error, document.lines) ? [...causes, alone(error)] : causes;
}

const alone = (error: ErrorData, of?: string): Cause => ({ ...(of !== undefined && { of }), error, waiting: [] });

function ofLines(lines: readonly Line[]): readonly Cause[] {
  const waits = waitingOf(lines);
  return lines.flatMap(({ id, error }) => (error ? [{ of: id, error, waiting: waits.get(id) ?? [] }] : []));
}

/** The lines that wait for each failed line. */
export function waitingOf(lines: readonly Line[]): ReadonlyMap<string, readonly string[]> {
  const waits = new Map<string, string[]>();
  for (const { id, because = [] } of lines) {
    for (const cause of because) {
      const known = waits.get(cause);
      if (known) known.push(id);
      else waits.set(cause, [id]);
    }
  }
  return waits;
}

/** Tells whether the run's error is the error of one of its lines, which the report shows at that line. */
export const isOfALine = ({ code, detail }: ErrorData, lines: readonly { readonly error?: ErrorData }[]): boolean =>
  lines.some(({ error }) => error?.code === code && error.detail === detail);

/** `4 more wait for it: payments-secret, preview, stripe-hook, …`, in the names as a report shows them; empty where none waits. A sentence. */
export function waitingText(waiting: readonly string[], show: (line: string) => string = oneLine): string {
  if (waiting.length === 0) return '';
  const shown = waiting.slice(0, mostNamed).map(show).join(', ');
  return `${waiting.length} more ${waiting.length === 1 ? 'waits' : 'wait'} for it: ${shown}${waiting.length > mostNamed ? ', …' : '.'}`;
}

const mostNamed = 3;

/** The failed lines that a line waits for, in the words of every report. */
export const becauseText = ({ because = [] }: KeptLine): string[] => (because.length === 0 ? [] : [`waits for ${because.join(', ')}`]);
