import type { Failure } from '../core/errors.ts';
import type { Sealed } from '../core/sealed.ts';
import type { RunCommand } from '../platform/command.ts';

/** What a source may use: the run's environment variables, its signal, and its ways to ask servers and programs. */
export interface SecretAccess {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /**
   * Sends a GET through the run's own connections, with its deadline and retries. Equal requests of a run are sent once. Every status
   * is an answer; throws `SECRET_UNRESOLVED` where none came.
   */
  get(request: SecretRequest): Promise<SecretAnswer>;
  /**
   * Runs a program without a shell, its input closed, within a deadline. Its output may be the secret: no part of it belongs in a
   * message. Whoever puts a part of a reference into the arguments sees to it that none can be taken for a flag.
   */
  readonly run: RunCommand;
}

export interface SecretRequest {
  /** What is resolved, for messages. */
  readonly reference: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** What is secret in the headers; it is masked from now on. */
  readonly credential: Sealed;
  /** The variable that holds the server's address, for messages. */
  readonly addressEnv: string;
}

export interface SecretAnswer {
  readonly status: number;
  readonly body: unknown;
  /** What the server said, as a sentence without secrets; for the message of a refusal. */
  readonly said: string;
}

/** Where `{ secret: <scheme>://… }` references of one scheme are read. A plugin adds its own with `addSecretSource`. */
export interface SecretSource {
  /** Lower case, without `://`. */
  readonly scheme: string;
  /** Variables that say which server is asked, also where a program reads them. Their values are no secrets. */
  readonly addressEnv?: readonly string[];
  /** The value, never empty. Throws `Failure('SECRET_UNRESOLVED')`, which never holds a value. */
  resolve(reference: string, access: SecretAccess): Promise<string>;
  /** What is wrong with a reference as far as it shows without a request; reported with the plan's other mistakes. */
  check?(reference: string, env: NodeJS.ProcessEnv): Failure | null;
  /** The program that `resolve` runs for a reference, with its arguments; left out by a source that runs none. */
  command?(reference: string, env: NodeJS.ProcessEnv): readonly string[] | null;
}
