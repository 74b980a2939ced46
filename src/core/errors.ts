import { type ErrorKind, errorKinds } from './error-kinds.ts';
import { type ErrorCode, wordsOf } from './error-table.ts';

export type { ErrorCode } from './error-table.ts';

/** Where a mistake stands: `release.plan.yaml:14:5`. Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** An error as data: what JSON documents, receipts and the terminal show. It never holds a secret. */
export interface ErrorData {
  readonly code: ErrorCode;
  /** The case of the code, where it has a title of its own. */
  readonly kind?: ErrorKind;
  /** Constant text per code or kind, so that readers come to know it. */
  readonly summary: string;
  /** What happened, to what, and why it matters, in full sentences. */
  readonly detail: string;
  /** One thing to do. */
  readonly fix: string;
  /** `file:line:column`. */
  readonly place?: string;
}

export interface FailureOptions {
  readonly detail: string;
  readonly kind?: ErrorKind | undefined;
  /** Overrides the table's general fix with one for this case. */
  readonly fix?: string;
  /** The fix for a line that writes its operation out. It names keys that the lines of a recipe or an adapter do not have. */
  readonly fixByHand?: string;
  readonly place?: Place;
  /** The part of the line at fault: its keys, from the line down. Whoever has the plan turns them into a place. */
  readonly at?: readonly (string | number)[];
  readonly cause?: unknown;
  /** HTTP facts for receipts: never a body. `null` where a request got no answer. */
  readonly status?: number | null;
}

/** The one exception type of pilotfish. Everything else that is thrown is a bug and becomes `INTERNAL`. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly kind: ErrorKind | undefined;
  readonly detail: string;
  readonly fix: string;
  readonly fixByHand: string | undefined;
  /** The fix is for this case, and not the general one of the table. */
  readonly hasOwnFix: boolean;
  readonly place: Place | undefined;
  readonly at: FailureOptions['at'];
  readonly status: number | null | undefined;

  constructor(code: ErrorCode, options: FailureOptions) {
    super(`${code}: ${options.detail}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.kind = options.kind;
    this.detail = options.detail;
    this.fix = options.fix ?? wordsOf(code).fix;
    this.fixByHand = options.fixByHand;
    this.hasOwnFix = options.fix !== undefined;
    this.place = options.place;
    this.at = options.at;
    this.status = options.status;
  }

  toData(): ErrorData {
    return {
      code: this.code,
      ...(this.kind && { kind: this.kind }),
      summary: (this.kind ? errorKinds[this.kind] : wordsOf(this.code)).summary,
      detail: this.detail,
      fix: this.fix,
      ...(this.place && { place: showPlace(this.place) }),
    };
  }
}

/** Several failures found before the first request; they are reported together. */
export class Failures extends Error {
  readonly failures: readonly [Failure, ...Failure[]];

  constructor(failures: readonly [Failure, ...Failure[]]) {
    super(failures.map((f) => f.message).join('\n'));
    this.name = 'Failures';
    this.failures = failures;
  }
}

export const showPlace = (place: Place): string => `${place.file}:${place.line}:${place.column}`;

/** Anything thrown, as error data. An unknown exception is a bug of ours: its data says so, without the stack. */
export function toErrorData(thrown: unknown): ErrorData {
  if (thrown instanceof Failure) return thrown.toData();
  if (thrown instanceof Failures) return thrown.failures[0].toData();
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  const { summary, fix } = wordsOf('INTERNAL');
  return { code: 'INTERNAL', summary, detail: text, fix };
}

/** The run was asked to stop before this step was sent, so nothing of the step happened. */
export class Interrupted extends Error {
  constructor() {
    super('the run was interrupted');
    this.name = 'Interrupted';
  }
}
