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

/** What people type into. */
export type Keyboard = Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };

/** What the run exports; loaded only when a command needs it, because it brings the network and git libraries. */
export interface Runner {
  runPlan(request: RunRequest, world?: RunWorld): Promise<PlanDoc>;
  runApply(request: RunRequest, world?: RunWorld): Promise<ApplyDoc>;
  runClosed(request: ClosedRequest, world?: RunWorld): Promise<ClosedDoc>;
}

/** In place of the connections and the time of this process. */
export interface Network {
  readonly dispatcher?: Dispatcher;
  readonly clock?: Clock;
}

/** Where signals come from: `process`, or a test. */
export interface SignalSource {
  on(name: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(name: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/** Everything outside that the command line touches; tests replace it. */
export interface CliWorld {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Left out where nobody can be asked. */
  readonly stdin?: Keyboard;
  readonly signals: SignalSource;
  /** Sends this process the signal that Ctrl-C means, where a terminal gives it as a key. */
  readonly interrupt?: () => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Ends the process at once, at a second signal; `null` where whoever sends signals will end it anyway. */
  readonly exit: ((code: number) => void) | null;
  /** Learns each secret before its first use, to mask it where the output goes. */
  readonly onSecret?: (text: string) => void;
  /** Masks the output; others of this process mask with it as well. */
  readonly redactor?: Redactor;
  readonly loadRunner: () => Promise<Runner>;
  /** For the comment on the pull request. */
  readonly network?: Network;
  /** In place of what the build says of this package. */
  readonly release?: Release | null;
  /** In place of the ledger at the remote. */
  readonly openLedger?: () => Promise<Store>;
}
