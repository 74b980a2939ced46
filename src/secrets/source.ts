import type { Failure } from '../core/errors.ts';
import type { Sealed } from '../core/sealed.ts';
import type { RunCommand } from '../platform/command.ts';

/** The tools of a source: the run's environment variables, its signal, and its ways to ask servers and programs. */
export interface SecretAccess {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /**
   * Sends a GET through the run's own connections, with its deadline and retries. Equal requests of a run are sent once. Every status
   * is an answer. Throws `SECRET_UNRESOLVED` where no answer came.
   */
  get(request: SecretRequest): Promise<SecretAnswer>;
  /**
   * Runs a program without a shell, its input closed, within a deadline. Its output may be the secret, so no part of the output belongs in
   * a message. A source that puts a part of a reference into the arguments must make sure that the program cannot take it for a flag.
   */
  readonly run: RunCommand;
}

export interface SecretRequest {
  /** The reference, for messages. */
  readonly reference: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The secret in the headers. It is masked from now on. */
  readonly credential: Sealed;
  /** The variable that holds the server's address, for messages. */
  readonly addressEnv: string;
}

export interface SecretAnswer {
  readonly status: number;
  readonly body: unknown;
  /** The server's own words, as a sentence without secrets, for the message of a refusal. */
  readonly said: string;
}

/** Reads the `{ secret: <scheme>://… }` references of one scheme. A plugin adds its own source with `addSecretSource`. */
export interface SecretSource {
  /** Lower case, without `://`. */
  readonly scheme: string;
  /** Variables that name the server, including those that a program reads. Their values are no secrets. */
  readonly addressEnv?: readonly string[];
  /** The value, never empty. Throws `Failure('SECRET_UNRESOLVED')`, which never holds a value. */
  resolve(reference: string, access: SecretAccess): Promise<string>;
  /** The mistake in a reference that shows without a request. It is reported with the plan's other mistakes. */
  check?(reference: string, env: NodeJS.ProcessEnv): Failure | null;
  /** The program that `resolve` runs for a reference, with its arguments. A source that runs none leaves this out. */
  command?(reference: string, env: NodeJS.ProcessEnv): readonly string[] | null;
}
