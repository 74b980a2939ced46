import { assign, fromPromise, setup } from 'xstate';

export interface ParentContext {
  readonly parent: string;
  /** Writes of the present batch: an item that a concurrent writer dropped is written again, up to three times. */
  readonly writes: number;
  /** A line asked while the batch was being answered, too late for `more`. */
  readonly isAsked: boolean;
  /** The message of the error that ended the batch; `null` without one. */
  readonly error: unknown;
}

export type ReadUnderLock = { readonly mustWrite: boolean };
export type Verified = { readonly dropped: number };

export type ParentEvent = { readonly type: 'parent.ask' };

/** One write, and three more when a concurrent writer dropped our item. */
export const maxWrites = 4;

const unwired = <T>(name: string) =>
  fromPromise<T, { readonly parent: string }>(() => Promise.reject(new Error(`the actor ${name} is not wired`)));

/**
 * One shared parent object: every list item of a run that lives in it goes through this actor. Per batch it takes the lock,
 * reads once, writes all items' changes at once (what the provider refuses in parts), reads to verify, and answers. Asks that arrive
 * meanwhile, and those of another credential, are the next batch.
 */
export const parentMachine = setup({
  types: {} as { context: ParentContext; input: { readonly parent: string }; events: ParentEvent },
  actors: {
    gather: unwired<void>('gather'),
    lock: unwired<void>('lock'),
    read: unwired<ReadUnderLock>('read'),
    write: unwired<void>('write'),
    verify: unwired<Verified>('verify'),
    unlock: unwired<void>('unlock'),
    answer: unwired<{ readonly more: boolean }>('answer'),
  },
  guards: {
    mustWrite: (_, params: { mustWrite: boolean }) => params.mustWrite,
    isDropped: ({ context }, params: { dropped: number }) => params.dropped > 0 && context.writes < maxWrites,
    hasMore: ({ context }, params: { more: boolean }) => params.more || context.isAsked,
    isAsked: ({ context }) => context.isAsked,
  },
  actions: {
    countWrite: assign({ writes: ({ context }) => context.writes + 1 }),
    startBatch: assign({ writes: 0, error: null }),
    startAnswer: assign({ isAsked: false }),
    noteAsk: assign({ isAsked: true }),
    /** A line that asked during the gathering is in the batch. */
    takeAsks: assign({ isAsked: false }),
    keepError: assign((_, params: { error: unknown }) => ({ error: messageOf(params.error) })),
  },
}).createMachine({
  id: 'parent',
  context: ({ input }) => ({ parent: input.parent, writes: 0, isAsked: false, error: null }),
  initial: 'idle',
  states: {
    idle: { description: 'No line asks for a change.', on: { 'parent.ask': 'gathering' } },
    gathering: {
      description: 'The lines that ask at this moment become one batch.',
      entry: 'startBatch',
      invoke: {
        id: 'gather',
        src: 'gather',
        input: ({ context }) => ({ parent: context.parent }),
        onDone: { target: 'locking', actions: 'takeAsks' },
        onError: 'answering',
      },
    },
    locking: {
      description: 'The run takes the lock of the shared object. Runs of other scopes take the same lock.',
      invoke: {
        id: 'lock',
        src: 'lock',
        input: ({ context }) => ({ parent: context.parent }),
        onDone: 'reading',
        onError: { target: 'answering', actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    reading: {
      description: 'The run reads the object under the lock, and judges each change again.',
      invoke: {
        id: 'read',
        src: 'read',
        input: ({ context }) => ({ parent: context.parent }),
        onDone: [
          { guard: { type: 'mustWrite', params: ({ event }) => ({ mustWrite: event.output.mustWrite }) }, target: 'writing' },
          { target: 'unlocking' },
        ],
        onError: { target: 'unlocking', actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    writing: {
      description: 'The run writes all changes of the batch at once. Other entries go back as they were read.',
      entry: 'countWrite',
      invoke: {
        id: 'write',
        src: 'write',
        input: ({ context }) => ({ parent: context.parent }),
        onDone: 'verifying',
        onError: { target: 'unlocking', actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    verifying: {
      description: 'The run reads the object again: a write counts only when its entries are seen.',
      invoke: {
        id: 'verify',
        src: 'verify',
        input: ({ context }) => ({ parent: context.parent }),
        onDone: [
          { guard: { type: 'isDropped', params: ({ event }) => ({ dropped: event.output.dropped }) }, target: 'reading' },
          { target: 'unlocking' },
        ],
        onError: { target: 'unlocking', actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    unlocking: {
      description: 'The run gives the lock back, once no unanswered write under it can still land.',
      invoke: {
        id: 'unlock',
        src: 'unlock',
        input: ({ context }) => ({ parent: context.parent }),
        onDone: 'answering',
        onError: 'answering',
      },
    },
    answering: {
      description: 'The run tells each line of the batch how its entry stands.',
      entry: 'startAnswer',
      on: { 'parent.ask': { actions: 'noteAsk' } },
      invoke: {
        id: 'answer',
        src: 'answer',
        input: ({ context }) => ({ parent: context.parent }),
        onDone: [
          { guard: { type: 'hasMore', params: ({ event }) => ({ more: event.output.more }) }, target: 'gathering' },
          { target: 'idle' },
        ],
        onError: [{ guard: 'isAsked', target: 'gathering' }, { target: 'idle' }],
      },
    },
  },
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
