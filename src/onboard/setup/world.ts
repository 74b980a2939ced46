import type { Dispatcher } from 'undici';
import type { Clock } from '../../core/clock.ts';
import type { Redactor } from '../../core/redact.ts';
import type { Store } from '../../ledger/stores/store.ts';
import type { CommandResult } from '../../platform/command.ts';
import type { Release } from './release.ts';

/** Asks the person at the terminal. Each rejects with `INTERRUPTED` for Ctrl-C. */
export interface Ask {
  /** Nothing of the answer is shown. */
  secret(question: string): Promise<string>;
  text(question: string): Promise<string>;
  confirm(question: string): Promise<boolean>;
}

/** Everything outside that a setup touches. */
export interface SetupWorld {
  /** `null` where nobody can be asked: no terminal, or a program reads the answer. */
  readonly ask: Ask | null;
  /** Hosts that a person named beforehand: credentials may be sent there. */
  readonly sendTo: readonly string[];
  /** Every offer is accepted unasked, but that of a host which only the plan names. */
  readonly isYes: boolean;
  /** One line for people, on stderr; masked by whoever prints it. */
  readonly say: (line: string) => void;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly dispatcher?: Dispatcher;
  /** Runs a program to its end, with a text on its stdin. */
  readonly run: (argv: readonly string[], input?: string) => Promise<CommandResult>;
  readonly release: Release | null;
  /** Opens the ledger of the remote; `null` where there is no remote. */
  readonly openLedger: (() => Promise<Store>) | null;
}
