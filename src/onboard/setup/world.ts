import type { Dispatcher } from 'undici';
import type { Clock } from '../../core/clock.ts';
import type { Redactor } from '../../core/redact.ts';
import type { Store } from '../../ledger/stores/store.ts';
import type { CommandResult } from '../../platform/command.ts';
import type { Release } from './release.ts';

/** Asks the person at the terminal. Every method rejects with `INTERRUPTED` on Ctrl-C. */
export interface Ask {
  /** Asks for a secret. The terminal shows no character of the answer. */
  secret(question: string): Promise<string>;
  text(question: string): Promise<string>;
  confirm(question: string): Promise<boolean>;
}

/** Everything outside the process that a setup touches. */
export interface SetupWorld {
  /** `null` if nobody can be asked: there is no terminal, or a program reads the answer. */
  readonly ask: Ask | null;
  /** The hosts that a person named beforehand. Credentials may go there. */
  readonly sendTo: readonly string[];
  /** The setup accepts every offer without asking, except a host or a command that only the plan names. */
  readonly isYes: boolean;
  /** Writes one line for people to stderr. The caller that prints the line also masks it. */
  readonly say: (line: string) => void;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly dispatcher?: Dispatcher;
  /** Runs a program to its end, with `input` on its stdin. */
  readonly run: (argv: readonly string[], input?: string) => Promise<CommandResult>;
  readonly release: Release | null;
  /** Opens the ledger of the remote; `null` without a remote. */
  readonly openLedger: (() => Promise<Store>) | null;
}
