import type { ErrorData } from '../core/errors.ts';
import { type Shape, shapeOf } from '../core/shape.ts';
import type { RequestForm } from './form.ts';
import type { Spelling } from './spelt.ts';

/** What a proof does, in its order. */
export const stepNames = [
  'look',
  'create',
  'again',
  'edit',
  'drift',
  'put back',
  'destroy',
  'compare',
  'look again',
  'lose the answer',
  'unchanged',
  'destroy again',
  'compare again',
] as const;
export type StepName = (typeof stepNames)[number];

export interface StepDoc {
  readonly step: StepName;
  /** `left out` where the operation has no such step. */
  readonly result: 'held' | 'not held' | 'left out';
  /** What was seen, in a sentence. */
  readonly finding: string;
  /** The code of the error that a run ended with. */
  readonly code?: ErrorData['code'];
  readonly requests: readonly RequestForm[];
}

/** The report of a proof. It holds no value but those of `spelling`, and no secret. */
export interface LiveReport {
  readonly schema: 1;
  readonly operation: string;
  readonly title: string;
  /** The day, UTC: `2026-11-27`. */
  readonly date: string;
  readonly pilotfish: string;
  readonly service: {
    /** The address that the provider documents, `this machine`, or `an address of its own`. */
    readonly at: string;
    /** The server in the words of the owner, where it is not the provider's own service. */
    readonly server?: string;
    /** Headers and parts of paths that name a version. */
    readonly versions: { readonly [name: string]: string };
  };
  /** The keys of the line. */
  readonly line: readonly string[];
  readonly held: boolean;
  readonly steps: readonly StepDoc[];
  readonly spelling: Spelling;
}

/** The one document of `pilotfish live`. */
export interface LiveDoc {
  readonly schema: 1;
  readonly ok: boolean;
  readonly command: 'live';
  readonly report: LiveReport;
  /** The file that holds the report. */
  readonly file: string | null;
  /** Objects that still stand, for people: their scopes. */
  readonly stands: readonly string[];
  /** Scopes of an earlier process that was killed, which this one destroyed first. */
  readonly cleaned: readonly string[];
  /** The error of the first step that did not hold. */
  readonly error?: ErrorData;
}

const step: Shape = shapeOf<StepDoc>({ step: 'own', result: 'own', finding: 'said', code: 'own', requests: 'said' });

export const liveShape: Shape = shapeOf<LiveDoc>({
  schema: 'own',
  ok: 'own',
  command: 'own',
  report: shapeOf<LiveReport>({
    schema: 'own',
    operation: 'own',
    title: 'own',
    date: 'own',
    pilotfish: 'own',
    service: shapeOf<LiveReport['service']>({ at: 'said', server: 'said', versions: 'said' }),
    line: 'said',
    held: 'own',
    steps: { list: step },
    spelling: 'said',
  }),
  file: 'said',
  stands: 'said',
  cleaned: 'said',
  error: shapeOf<ErrorData>({ code: 'own', kind: 'own', summary: 'own', detail: 'said', fix: 'said', place: 'own' }),
});
