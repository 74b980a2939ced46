import { assign, fromPromise, setup } from 'xstate';

/** One look at the object that a line waits for. `failed` never becomes ready by itself; `stale` is older than the state that it needs. */
export type Look = { readonly state: 'ready' | 'wait' | 'failed' | 'stale'; readonly detail: string };

export interface ReadinessContext {
  readonly line: string;
  readonly polls: number;
  readonly kicked: boolean;
  readonly detail: string;
}

const unwired = <T>(name: string) =>
  fromPromise<T, { readonly line: string; readonly polls: number }>(() => Promise.reject(new Error(`the actor ${name} is not wired`)));

/**
 * Waits for a deployment, or for an object that becomes ready by itself: looks, pauses, looks again. A build that is older than the state
 * that it needs is started again once. Polling stands in actors, because xstate timers do not survive a restore.
 */
export const readinessMachine = setup({
  types: {} as { context: ReadinessContext; input: { readonly line: string } },
  actors: { look: unwired<Look>('look'), pause: unwired<void>('pause'), kick: unwired<void>('kick') },
  guards: {
    lookIs: (_, params: { look: Look; want: Look['state'] }) => params.look.state === params.want,
    isFirstStale: ({ context }, params: { look: Look }) => params.look.state === 'stale' && !context.kicked,
  },
  actions: {
    countPoll: assign({ polls: ({ context }) => context.polls + 1 }),
    noteDetail: assign((_, params: { detail: string }) => ({ detail: params.detail })),
    noteKick: assign({ kicked: true }),
    keepError: assign((_, params: { error: unknown }) => ({
      detail: params.error instanceof Error ? params.error.message : String(params.error),
    })),
  },
}).createMachine({
  id: 'readiness',
  context: ({ input }) => ({ line: input.line, polls: 0, kicked: false, detail: '' }),
  initial: 'looking',
  states: {
    looking: {
      description: 'The run asks the provider how the object stands.',
      entry: 'countPoll',
      invoke: {
        id: 'look',
        src: 'look',
        input: ({ context }) => ({ line: context.line, polls: context.polls }),
        onDone: [
          { guard: { type: 'lookIs', params: ({ event }) => ({ look: event.output, want: 'ready' as const }) }, target: 'ready' },
          {
            guard: { type: 'lookIs', params: ({ event }) => ({ look: event.output, want: 'failed' as const }) },
            target: 'failed',
            actions: { type: 'noteDetail', params: ({ event }) => ({ detail: event.output.detail }) },
          },
          { guard: { type: 'isFirstStale', params: ({ event }) => ({ look: event.output }) }, target: 'kicking' },
          { target: 'pausing', actions: { type: 'noteDetail', params: ({ event }) => ({ detail: event.output.detail }) } },
        ],
        onError: { target: 'broken', actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    kicking: {
      description: 'The run starts a build again, once, when it is older than the state that it needs.',
      entry: 'noteKick',
      invoke: {
        id: 'kick',
        src: 'kick',
        input: ({ context }) => ({ line: context.line, polls: context.polls }),
        onDone: 'pausing',
        onError: { target: 'broken', actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    pausing: {
      description: 'Time passes, and more of it after each look. A run with only such lines left gives its lease back meanwhile.',
      invoke: {
        id: 'pause',
        src: 'pause',
        input: ({ context }) => ({ line: context.line, polls: context.polls }),
        onDone: 'looking',
        onError: { target: 'broken', actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    ready: { description: 'The object is ready.', type: 'final' },
    failed: { description: 'The object failed at the provider and will not become ready by itself.', type: 'final' },
    /** A look could not be made. The cause stays with the code that provides the actors. */
    broken: {
      description: 'The looks end without an answer: a request failed, the time is over, or the code host will report the deployment.',
      type: 'final',
    },
  },
});
