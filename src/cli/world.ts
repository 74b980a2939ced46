import type { Readable, Writable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Clock } from '../core/clock.ts';
import type { Redactor } from '../core/redact.ts';
import type { ApplyDoc, ClosedDoc, PlanDoc } from '../engine/document.ts';
import type { ClosedRequest, RunRequest, RunWorld } from '../engine/types.ts';
import type { Store } from '../ledger/stores/store.ts';
import type { Release } from '../onboard/setup/release.ts';

/** A stream that people or programs read. */
export type Screen = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };

/** The stream of typed keys. */
export type Keyboard = Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };

/** The exports of `engine/run.ts`. They are loaded only when a command needs them, because they bring the network and git libraries. */
export interface Runner {
  runPlan(request: RunRequest, world?: RunWorld): Promise<PlanDoc>;
  runApply(request: RunRequest, world?: RunWorld): Promise<ApplyDoc>;
  runClosed(request: ClosedRequest, world?: RunWorld): Promise<ClosedDoc>;
}

/** Replaces the connections and the time of this process. */
export interface Network {
  readonly dispatcher?: Dispatcher;
  readonly clock?: Clock;
}

/** The source of signals: `process`, or a test. */
export interface SignalSource {
  on(name: NodeJS.Signals, listener: () => void): unknown;
  off(name: NodeJS.Signals, listener: () => void): unknown;
}

/** Everything outside the process that the command line touches. Tests replace it. */
export interface CliWorld {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The environment of a command of `pilotfish run`, before its variables, where it is not that of this process. */
  readonly programEnv?: NodeJS.ProcessEnv;
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Absent if nobody can be asked. */
  readonly stdin?: Keyboard;
  readonly signals: SignalSource;
  /** Sends this process the signal of Ctrl-C, for a terminal that gives Ctrl-C as a key. */
  readonly interrupt?: () => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Ends the process at once, at a second signal. `null` if the sender of signals ends the process anyway. */
  readonly exit: ((code: number) => void) | null;
  /** Is called with each secret before its first use, so that the reader of the output can mask it. */
  readonly onSecret?: (text: string) => void;
  /** Masks the output. Other parts of this process use the same redactor. */
  readonly redactor?: Redactor;
  readonly loadRunner: () => Promise<Runner>;
  /**
   * Starts the tool server for a client on the input and output of this process, and resolves with its exit code. Absent in a process whose
   * input and output are for something else.
   */
  readonly startToolServer?: () => Promise<number>;
  /** The network for the comment on the pull request. */
  readonly network?: Network;
  /** Replaces the release that the build defines. */
  readonly release?: Release | null;
  /** Replaces the ledger at the remote. */
  readonly openLedger?: () => Promise<Store>;
}
