import { assign, setup } from 'xstate';

export interface CoordinatorContext {
  readonly lines: number;
  readonly ended: number;
  readonly failed: number;
}

export interface EndedLine {
  readonly line: string;
  readonly ok: boolean;
}

/** One event names all lines that come to the same point in one turn of the process. An event for each of thousands would take seconds. */
export type CoordinatorEvent =
  /** The outputs of these lines can be used by those after them. */
  | { readonly type: 'lines.available'; readonly lines: readonly string[] }
  | { readonly type: 'lines.ended'; readonly lines: readonly EndedLine[] }
  | { readonly type: 'run.interrupt' };

const linesOf = <T>({ event }: { readonly event: { readonly lines: readonly T[] } }): { lines: readonly T[] } => ({ lines: event.lines });

/**
 * The run as one machine: starts lines when their producers are available, drains on an interrupt, ends when every line has ended.
 * Lines are root actors beside it. `Schedule` decides which of them may start (`runLines` provides `startReady`).
 */
export const coordinatorMachine = setup({
  types: {} as { context: CoordinatorContext; input: { readonly lines: number }; events: CoordinatorEvent },
  actions: {
    startReady: () => undefined,
    release: (_, _params: { lines: readonly string[] }) => undefined,
    close: (_, _params: { lines: readonly EndedLine[] }) => undefined,
    interruptLines: () => undefined,
    count: assign(({ context }, { lines }: { lines: readonly EndedLine[] }) => ({
      ended: context.ended + lines.length,
      failed: context.failed + lines.filter(({ ok }) => !ok).length,
    })),
  },
  guards: { isDone: ({ context }) => context.ended >= context.lines },
}).createMachine({
  id: 'coordinator',
  context: ({ input }) => ({ lines: input.lines, ended: 0, failed: 0 }),
  initial: 'running',
  states: {
    running: {
      description: 'Lines start as soon as every line that they need is available.',
      entry: 'startReady',
      always: { guard: 'isDone', target: 'finished' },
      on: {
        'lines.available': { actions: [{ type: 'release', params: linesOf }, 'startReady'] },
        'lines.ended': { actions: [{ type: 'close', params: linesOf }, { type: 'count', params: linesOf }, 'startReady'] },
        'run.interrupt': 'draining',
      },
    },
    /** No line starts any more; lines that write come to their next durable point. */
    draining: {
      description: 'No line starts any more. Lines that write come to their next durable point.',
      entry: 'interruptLines',
      always: { guard: 'isDone', target: 'interrupted' },
      on: {
        'lines.ended': {
          actions: [
            { type: 'close', params: linesOf },
            { type: 'count', params: linesOf },
          ],
        },
      },
    },
    finished: { description: 'Every line has ended.', type: 'final' },
    interrupted: { description: 'Every line has ended after the run was told to stop.', type: 'final' },
  },
});
