import type { ErrorData } from '../core/errors.ts';
import type { RunEvent } from '../engine/document.ts';
import type { RunRequest } from '../engine/types.ts';
import type { Progress } from '../report/progress-board.ts';
import type { NextCommands } from '../report/sections.ts';
import type { Output } from './output.ts';
import type { Flags } from './parse.ts';
import type { Interruption } from './signals.ts';
import type { CliWorld } from './world.ts';

/** One run with its request and its output. */
export interface Running {
  readonly command: 'plan' | 'apply';
  readonly flags: Flags;
  readonly world: CliWorld;
  readonly output: Output;
  readonly request: RunRequest;
  /** The commands that a report proposes. */
  readonly next: Pick<NextCommands, 'apply' | 'prune'>;
  readonly interruption: Interruption;
  readonly listen: (event: RunEvent) => void;
  /** Opens the progress of one more run. */
  readonly openProgress: () => Progress;
  /** Ends progress and trace, before anything is reported. */
  readonly close: (errors?: readonly ErrorData[]) => void;
}
