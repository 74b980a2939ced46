import { assign, setup } from 'xstate';
import type { ErrorData } from '../../core/errors.ts';
import type { VerdictName } from './decide.ts';
import type { CreateOutcome, Judgement, ReadyOutcome, RelocateOutcome, Step, StepEvent } from './steps.ts';

export interface LineContext {
  readonly line: string;
  readonly purpose: 'plan' | 'apply' | 'destroy';
  readonly verdict: VerdictName | null;
  readonly why: string;
  readonly needsUpdate: boolean;
  readonly needsRecord: boolean;
  readonly needsReady: boolean;
  readonly creates: number;
  readonly error: ErrorData | null;
}

export type LineInput = { readonly line: string; readonly purpose: LineContext['purpose']; readonly restored?: VerdictName };

/** A line that has not begun. */
export const newLine = ({ line, purpose, restored }: LineInput): LineContext => ({
  line,
  purpose,
  verdict: restored ?? null,
  why: '',
  needsUpdate: false,
  needsRecord: false,
  needsReady: false,
  creates: 0,
  error: null,
});

export type LineEvent =
  | { readonly type: 'line.start' }
  | { readonly type: 'line.interrupt' }
  | { readonly type: 'line.skip' }
  | { readonly type: 'line.pause' };

/**
 * A state says of its line: `available`, its outputs can be used; `final`, it has ended; `idle`, it has not begun; `polling`, it waits for a
 * provider. A final state that is not `available` is a bad end.
 */
export type LineTag = 'available' | 'final' | 'idle' | 'polling';

/** The guards and actions of a line's chart. */
export const lineSetup = setup({
  types: {} as {
    context: LineContext;
    input: LineInput;
    events: LineEvent | StepEvent;
    tags: LineTag;
  },
  guards: {
    isPlanning: ({ context }) => context.purpose === 'plan',
    isRestored: ({ context }) => context.verdict !== null,
    verdictIs: ({ context }, params: { want: readonly VerdictName[] }) => context.verdict !== null && params.want.includes(context.verdict),
    needsUpdate: ({ context }) => context.needsUpdate,
    needsRecord: ({ context }) => context.needsRecord,
    needsReady: ({ context }) => context.needsReady,
    isMoved: (_, params: { error: unknown }) => params.error instanceof Error && params.error.name === 'LedgerMoved',
    isInterruption: (_, params: { error: unknown }) => params.error instanceof Error && params.error.name === 'Interrupted',
    isWaiting: (_, params: { outcome: ReadyOutcome['outcome'] }) => params.outcome === 'waiting',
    isUnclear: (_, params: { outcome: CreateOutcome['outcome'] }) => params.outcome === 'unclear',
    isAbsent: (_, params: { outcome: RelocateOutcome['outcome'] }) => params.outcome === 'absent',
  },
  actions: {
    begin: (_, params: { step: Step }): void => {
      throw new Error(`the step ${params.step} is not wired`);
    },
    judge: assign((_, params: { judgement: Judgement }) => ({
      verdict: params.judgement.verdict,
      why: params.judgement.why,
      needsUpdate: params.judgement.needsUpdate,
      needsRecord: params.judgement.needsRecord,
      needsReady: params.judgement.needsReady ?? false,
      error: params.judgement.error ?? null,
    })),
    countCreate: assign({ creates: ({ context }) => context.creates + 1 }),
    noteClaim: assign((_, params: { needsUpdate: boolean }) => ({ verdict: 'claim' as const, needsUpdate: params.needsUpdate })),
    keepError: assign((_, params: { error: unknown }) => ({ error: asErrorData(params.error) })),
  },
});

/** Turns an error into data. Steps reject with an object that carries `data`, already redacted. */
function asErrorData(error: unknown): ErrorData {
  if (typeof error === 'object' && error !== null && 'data' in error) return error.data as ErrorData;
  return {
    code: 'INTERNAL',
    summary: 'pilotfish failed',
    detail: error instanceof Error ? error.message : String(error),
    fix: 'Please report it with the command that you ran.',
  };
}
