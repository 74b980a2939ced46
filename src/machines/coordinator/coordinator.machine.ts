import { assign, setup } from 'xstate';

export interface CoordinatorContext {
  readonly lines: number;
  readonly ended: number;
  readonly failed: number;
}

export type CoordinatorEvent =
  /** A line's outputs can be used by the lines after it. */
  | { readonly type: 'line.available'; readonly line: string }
  | { readonly type: 'line.ended'; readonly line: string; readonly ok: boolean }
  | { readonly type: 'run.interrupt' };

/**
 * The run as one machine: starts lines when their producers are available, drains on an interrupt, ends when every line has.
 * Lines are root actors beside it; which of them may start is `Schedule`'s business (`startReady` is provided by `startLines`).
 */
export const coordinatorMachine = setup({
  types: {} as { context: CoordinatorContext; input: { readonly lines: number }; events: CoordinatorEvent },
  actions: {
    startReady: () => undefined,
    release: (_, _params: { line: string }) => undefined,
    close: (_, _params: { line: string; ok: boolean }) => undefined,
    interruptLines: () => undefined,
    count: assign(({ context }, params: { ok: boolean }) => ({ ended: context.ended + 1, failed: context.failed + (params.ok ? 0 : 1) })),
  },
  guards: { isDone: ({ context }) => context.ended >= context.lines },
}).createMachine({
  id: 'coordinator',
  context: ({ input }) => ({ lines: input.lines, ended: 0, failed: 0 }),
  initial: 'running',
  states: {
    running: {
      entry: 'startReady',
      always: { guard: 'isDone', target: 'finished' },
      on: {
        'line.available': { actions: [{ type: 'release', params: ({ event }) => ({ line: event.line }) }, 'startReady'] },
        'line.ended': {
          actions: [
            { type: 'close', params: ({ event }) => ({ line: event.line, ok: event.ok }) },
            { type: 'count', params: ({ event }) => ({ ok: event.ok }) },
            'startReady',
          ],
        },
        'run.interrupt': 'draining',
      },
    },
    /** No line starts any more; lines that write come to their next durable point. */
    draining: {
      entry: 'interruptLines',
      always: { guard: 'isDone', target: 'interrupted' },
      on: {
        'line.ended': {
          actions: [
            { type: 'close', params: ({ event }) => ({ line: event.line, ok: event.ok }) },
            { type: 'count', params: ({ event }) => ({ ok: event.ok }) },
          ],
        },
      },
    },
    finished: { type: 'final' },
    interrupted: { type: 'final' },
  },
});
