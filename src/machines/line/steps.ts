import type { ErrorData } from '../../core/errors.ts';
import type { Verdict } from './decide.ts';

/** The answers of a line's steps. Plain data: it reaches traces and snapshots, so no value and no secret is in it. */
export interface Judgement extends Verdict {
  /** The verdict is followed by a write that brings the declared fields in line. */
  readonly needsUpdate: boolean;
  /** The record in the ledger must be written anew although nothing was sent. */
  readonly needsRecord: boolean;
  /** The object stands as planned, but an earlier run left before it was ready. The line waits for it as after its create. */
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

/**
 * The steps of a line in their order (`engine/line/steps.ts` says what each does). Each takes the line's id and nothing else. Values and
 * secrets stay with the provider of the steps.
 */
export interface Steps {
  readonly observe: (line: string) => Promise<Judgement>;
  readonly removeFirst: (line: string) => Promise<void>;
  readonly recordIntent: (line: string) => Promise<void>;
  readonly create: (line: string) => Promise<CreateOutcome>;
  readonly relocate: (line: string) => Promise<RelocateOutcome>;
  readonly update: (line: string) => Promise<void>;
  readonly verify: (line: string) => Promise<void>;
  readonly send: (line: string) => Promise<void>;
  readonly awaitReady: (line: string) => Promise<ReadyOutcome>;
  readonly record: (line: string) => Promise<void>;
  readonly recordUnready: (line: string) => Promise<void>;
  readonly remove: (line: string) => Promise<void>;
  readonly recordRemoval: (line: string) => Promise<void>;
}
export type Step = keyof Steps;

/** How a step ended, told to the line that began it. */
export type StepEvent =
  | { [S in Step]: { readonly type: `${S}.done`; readonly output: Awaited<ReturnType<Steps[S]>> } }[Step]
  | { readonly type: `${Step}.error`; readonly error: unknown };

interface LineActor {
  send(event: StepEvent): void;
  getSnapshot(): { readonly status: string };
}

/** The action with which a line begins a step. The step starts after the transition that asked for it, so it may report on the new state. */
export const stepRunner =
  (steps: Steps) =>
  (
    { context, self }: { readonly context: { readonly line: string }; readonly self: LineActor },
    { step }: { readonly step: Step },
  ): void => {
    // A line that was interrupted meanwhile has ended, and the event would print a warning on the user's terminal.
    const tell = (event: StepEvent): void => {
      if (self.getSnapshot().status === 'active') self.send(event);
    };
    queueMicrotask(() => {
      steps[step](context.line).then(
        (output) => tell({ type: `${step}.done`, output } as StepEvent),
        (error: unknown) => tell({ type: `${step}.error`, error }),
      );
    });
  };
