import { assign, fromPromise, setup } from 'xstate';
import type { ErrorData } from '../../core/errors.ts';
import type { Verdict, VerdictName } from './decide.ts';

/** Raised whenever states or their meaning change: a snapshot of another version is dropped. */
export const lineMachineVersion = 2;

/** What a line's actors answer with. Plain data: it reaches traces and snapshots, so no value and no secret is in it. */
export interface Judgement extends Verdict {
  /** The verdict is followed by a write that brings the declared fields in line. */
  readonly needsUpdate: boolean;
  /** The record in the ledger is to be written anew although nothing was sent. */
  readonly needsRecord: boolean;
  /** It stands as planned, and an earlier run left before it was ready: it is waited for as after its create. */
  readonly needsReady?: boolean;
  /** Set when refused. */
  readonly error?: ErrorData;
}

export type CreateOutcome =
  | { readonly outcome: 'made' }
  /** The provider says it exists, or the answer was lost: look before anything else. */
  | { readonly outcome: 'unclear' };

export type RelocateOutcome = { readonly outcome: 'claimed'; readonly needsUpdate: boolean } | { readonly outcome: 'absent' };

export type ReadyOutcome = { readonly outcome: 'ready' } | { readonly outcome: 'waiting' };

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
type Id = { readonly line: string };

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

const unwired = <T>(name: string) => fromPromise<T, Id>(() => Promise.reject(new Error(`the actor ${name} is not wired`)));

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
 * All actors take the line's id and nothing else: values and secrets stay with whoever provides the actors.
 */
export const lineMachine = setup({
  types: {} as { context: LineContext; input: LineInput; events: LineEvent; tags: 'available' | 'final' | 'idle' | 'polling' },
  actors: {
    observe: unwired<Judgement>('observe'),
    recordIntent: unwired<void>('recordIntent'),
    create: unwired<CreateOutcome>('create'),
    relocate: unwired<RelocateOutcome>('relocate'),
    update: unwired<void>('update'),
    removeFirst: unwired<void>('removeFirst'),
    send: unwired<void>('send'),
    awaitReady: unwired<ReadyOutcome>('awaitReady'),
    record: unwired<void>('record'),
    recordUnready: unwired<void>('recordUnready'),
    remove: unwired<void>('remove'),
    recordRemoval: unwired<void>('recordRemoval'),
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
      on: { 'line.interrupt': 'interrupted' },
      invoke: {
        id: 'observe',
        src: 'observe',
        input: ({ context }) => ({ line: context.line }),
        onDone: { target: 'judged', actions: { type: 'judge', params: ({ event }) => ({ judgement: event.output }) } },
        // What is told of a line that will not be written rests on the ledger, too.
        onError: [{ ...lookAgain[0], reenter: true }, ...endBadly],
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
      invoke: {
        id: 'removeFirst',
        src: 'removeFirst',
        input: ({ context }) => ({ line: context.line }),
        onDone: 'recordingIntent',
        onError: [...lookAgain, ...endBadly],
      },
    },
    recordingIntent: {
      invoke: {
        id: 'recordIntent',
        src: 'recordIntent',
        input: ({ context }) => ({ line: context.line }),
        onDone: 'creating',
        onError: [...lookAgain, ...endBadly],
      },
    },
    creating: {
      entry: 'countCreate',
      invoke: {
        id: 'create',
        src: 'create',
        input: ({ context }) => ({ line: context.line }),
        onDone: [
          { guard: { type: 'isUnclear', params: ({ event }) => ({ outcome: event.output.outcome }) }, target: 'relocating' },
          { target: 'awaiting' },
        ],
        onError: [...endBadly],
      },
    },
    relocating: {
      invoke: {
        id: 'relocate',
        src: 'relocate',
        input: ({ context }) => ({ line: context.line }),
        onDone: [
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
        onError: [...endBadly],
      },
    },
    claimed: {
      always: [{ guard: 'needsUpdate', target: 'updating' }, { target: 'awaiting' }],
    },
    updating: {
      invoke: {
        id: 'update',
        src: 'update',
        input: ({ context }) => ({ line: context.line }),
        onDone: 'awaiting',
        onError: [...lookAgain, ...endBadly],
      },
    },
    sending: {
      invoke: {
        id: 'send',
        src: 'send',
        input: ({ context }) => ({ line: context.line }),
        onDone: 'recording',
        onError: [...lookAgain, ...endBadly],
      },
    },
    awaiting: {
      tags: 'polling',
      invoke: {
        id: 'awaitReady',
        src: 'awaitReady',
        input: ({ context }) => ({ line: context.line }),
        onDone: [
          { guard: { type: 'isWaiting', params: ({ event }) => ({ outcome: event.output.outcome }) }, target: 'paused' },
          { target: 'recording' },
        ],
        onError: [
          { guard: { type: 'isInterruption', params: errorOf }, target: 'recordingInterrupted' },
          { target: 'recordingUnready', actions: { type: 'keepError', params: errorOf } },
        ],
      },
    },
    recordingInterrupted: {
      invoke: {
        id: 'recordInterrupted',
        src: 'recordUnready',
        input: ({ context }) => ({ line: context.line }),
        onDone: 'interrupted',
        onError: 'interrupted',
      },
    },
    /** The object exists and is not ready: its record must not be lost with the error. */
    recordingUnready: {
      invoke: {
        id: 'recordUnready',
        src: 'recordUnready',
        input: ({ context }) => ({ line: context.line }),
        onDone: 'failed',
        onError: 'failed',
      },
    },
    recording: {
      tags: 'available',
      invoke: {
        id: 'record',
        src: 'record',
        input: ({ context }) => ({ line: context.line }),
        onDone: 'settled',
        onError: [...lookAgain, ...endBadly],
      },
    },
    removing: {
      invoke: {
        id: 'remove',
        src: 'remove',
        input: ({ context }) => ({ line: context.line }),
        onDone: 'recordingRemoval',
        onError: [...lookAgain, ...endBadly],
      },
    },
    recordingRemoval: {
      tags: 'available',
      invoke: {
        id: 'recordRemoval',
        src: 'recordRemoval',
        input: ({ context }) => ({ line: context.line }),
        onDone: 'settled',
        onError: [...lookAgain, ...endBadly],
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

/** An error as data; whoever provides the actors rejects with an object that carries `data`, already redacted. */
function asErrorData(error: unknown): ErrorData {
  if (typeof error === 'object' && error !== null && 'data' in error) return error.data as ErrorData;
  return {
    code: 'INTERNAL',
    summary: 'pilotfish failed',
    detail: error instanceof Error ? error.message : String(error),
    fix: 'Please report it with the command that you ran.',
  };
}
