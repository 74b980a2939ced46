import { assign, setup } from 'xstate';
import type { ErrorData } from '../../core/errors.ts';
import type { VerdictName } from './decide.ts';
import {
  type CreateOutcome,
  type Judgement,
  type ReadyOutcome,
  type RelocateOutcome,
  type Step,
  type StepEvent,
  type Steps,
  stepRunner,
} from './steps.ts';

/** Raised whenever states or their meaning change: a snapshot of another version is dropped. */
export const lineMachineVersion = 2;

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
  | { readonly type: 'line.skip'; readonly error: ErrorData };

/**
 * A state says of its line: `available`, its outputs can be used; `final`, it has ended; `idle`, it has not begun; `polling`, it waits for a
 * provider. A final state that is not `available` is a bad end.
 */
export type LineTag = 'available' | 'final' | 'idle' | 'polling';

/** The entry of a state in which a step is under way; `<step>.done` or `<step>.error` tells how it ended. */
const begin = <S extends Step>(step: S) => ({ type: 'begin', params: { step } }) as const;

type Rejection = { readonly event: { readonly error: unknown } };
const errorOf = ({ event }: Rejection): { error: unknown } => ({ error: event.error });

/** The ledger moved before this run's lease: what was seen may be out of date. */
const lookAgain = [{ guard: { type: 'isMoved', params: errorOf }, target: 'observing' }] as const;
/** A step that was not begun because the run stops, or one that failed. */
const endBadly = [
  { guard: { type: 'isInterruption', params: errorOf }, target: 'interrupted' },
  { target: 'failed', actions: { type: 'keepError', params: errorOf } },
] as const;

/**
 * One line of the plan: looks, is judged, and, when applying, walks intent → create → ready → record.
 * `creating` is entered only from `recordingIntent` (or after a look that found nothing under that same intent).
 * A step that learns that the ledger moved before this run held its lease sends nothing: the line looks again. So does a refusal. In an
 * apply all lines are made anew then, so only a plan's look again.
 * Steps are begun on entry and not invoked: an invoked promise is an actor of its own, and takes as long again as the line's.
 */
export const lineMachine = setup({
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
    skip: assign((_, params: { error: ErrorData }) => ({ error: params.error })),
  },
}).createMachine({
  id: 'line',
  context: ({ input }) => newLine(input),
  initial: 'waiting',
  states: {
    waiting: {
      tags: 'idle',
      on: {
        'line.start': [{ guard: 'isRestored', target: 'settled' }, { target: 'observing' }],
        'line.skip': { target: 'skipped', actions: { type: 'skip', params: ({ event }) => ({ error: event.error }) } },
        'line.interrupt': 'interrupted',
      },
    },
    observing: {
      entry: begin('observe'),
      on: {
        'line.interrupt': 'interrupted',
        'observe.done': { target: 'judged', actions: { type: 'judge', params: ({ event }) => ({ judgement: event.output }) } },
        // The report of a line that will not be written rests on the ledger, too.
        'observe.error': [{ ...lookAgain[0], reenter: true }, ...endBadly],
      },
    },
    judged: {
      always: [
        { guard: { type: 'verdictIs', params: { want: ['refused'] } }, target: 'refused' },
        { guard: 'isPlanning', target: 'planned' },
        { guard: { type: 'verdictIs', params: { want: ['create'] } }, target: 'recordingIntent' },
        { guard: { type: 'verdictIs', params: { want: ['replace'] } }, target: 'removingFirst' },
        { guard: { type: 'verdictIs', params: { want: ['send'] } }, target: 'sending' },
        { guard: { type: 'verdictIs', params: { want: ['delete'] } }, target: 'removing' },
        { guard: { type: 'verdictIs', params: { want: ['forget'] } }, target: 'recordingRemoval' },
        { guard: { type: 'verdictIs', params: { want: ['pending'] } }, target: 'awaiting' },
        { guard: 'needsUpdate', target: 'updating' },
        { guard: { type: 'verdictIs', params: { want: ['claim'] } }, target: 'awaiting' },
        { guard: 'needsReady', target: 'awaiting' },
        { guard: 'needsRecord', target: 'recording' },
        { target: 'settled' },
      ],
    },
    /** Ends at once where old and new may stand side by side: then the old one goes after the dependents took the new one. */
    removingFirst: {
      entry: begin('removeFirst'),
      on: {
        'removeFirst.done': 'recordingIntent',
        'removeFirst.error': [...lookAgain, ...endBadly],
      },
    },
    recordingIntent: {
      entry: begin('recordIntent'),
      on: {
        'recordIntent.done': 'creating',
        'recordIntent.error': [...lookAgain, ...endBadly],
      },
    },
    creating: {
      entry: ['countCreate', begin('create')],
      on: {
        'create.done': [
          { guard: { type: 'isUnclear', params: ({ event }) => ({ outcome: event.output.outcome }) }, target: 'relocating' },
          { target: 'awaiting' },
        ],
        'create.error': [...endBadly],
      },
    },
    relocating: {
      entry: begin('relocate'),
      on: {
        'relocate.done': [
          {
            guard: { type: 'isAbsent', params: ({ event }) => ({ outcome: event.output.outcome }) },
            target: 'creating',
          },
          {
            target: 'claimed',
            actions: {
              type: 'noteClaim',
              params: ({ event }) => ({ needsUpdate: event.output.outcome === 'claimed' && event.output.needsUpdate }),
            },
          },
        ],
        'relocate.error': [...endBadly],
      },
    },
    claimed: {
      always: [{ guard: 'needsUpdate', target: 'updating' }, { target: 'awaiting' }],
    },
    updating: {
      entry: begin('update'),
      on: {
        'update.done': 'awaiting',
        'update.error': [...lookAgain, ...endBadly],
      },
    },
    sending: {
      entry: begin('send'),
      on: {
        'send.done': 'recording',
        'send.error': [...lookAgain, ...endBadly],
      },
    },
    awaiting: {
      tags: 'polling',
      entry: begin('awaitReady'),
      on: {
        'awaitReady.done': [
          { guard: { type: 'isWaiting', params: ({ event }) => ({ outcome: event.output.outcome }) }, target: 'paused' },
          { target: 'recording' },
        ],
        'awaitReady.error': [
          { guard: { type: 'isInterruption', params: errorOf }, target: 'recordingInterrupted' },
          { target: 'recordingUnready', actions: { type: 'keepError', params: errorOf } },
        ],
      },
    },
    recordingInterrupted: {
      entry: begin('recordUnready'),
      on: {
        'recordUnready.done': 'interrupted',
        'recordUnready.error': 'interrupted',
      },
    },
    /** The object exists and is not ready: its record must not be lost with the error. */
    recordingUnready: {
      entry: begin('recordUnready'),
      on: {
        'recordUnready.done': 'failed',
        'recordUnready.error': 'failed',
      },
    },
    recording: {
      tags: 'available',
      entry: begin('record'),
      on: {
        'record.done': 'settled',
        'record.error': [...lookAgain, ...endBadly],
      },
    },
    removing: {
      entry: begin('remove'),
      on: {
        'remove.done': 'recordingRemoval',
        'remove.error': [...lookAgain, ...endBadly],
      },
    },
    recordingRemoval: {
      tags: 'available',
      entry: begin('recordRemoval'),
      on: {
        'recordRemoval.done': 'settled',
        'recordRemoval.error': [...lookAgain, ...endBadly],
      },
    },
    planned: { type: 'final', tags: ['final', 'available'] },
    settled: { type: 'final', tags: ['final', 'available'] },
    refused: { type: 'final', tags: 'final' },
    failed: { type: 'final', tags: 'final' },
    skipped: { type: 'final', tags: 'final' },
    interrupted: { type: 'final', tags: 'final' },
    /** A deployment that somebody else reports: a later run goes on from here. */
    paused: { type: 'final', tags: 'final' },
  },
});

/** Whether the chart gives the state this tag. */
export const hasTag = (state: string, tag: LineTag): boolean =>
  (lineMachine.states as { readonly [state: string]: { readonly tags: readonly string[] } })[state]?.tags.includes(tag) ?? false;

/** The line machine with what its steps do. */
export const withSteps = (steps: Steps): typeof lineMachine => lineMachine.provide({ actions: { begin: stepRunner(steps) } });

/** An error as data; whoever provides the steps rejects with an object that carries `data`, already redacted. */
function asErrorData(error: unknown): ErrorData {
  if (typeof error === 'object' && error !== null && 'data' in error) return error.data as ErrorData;
  return {
    code: 'INTERNAL',
    summary: 'pilotfish failed',
    detail: error instanceof Error ? error.message : String(error),
    fix: 'Please report it with the command that you ran.',
  };
}
