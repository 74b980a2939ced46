import type { Failure } from '../core/errors.ts';

/** What a source may use: the run's environment variables and its signal. */
export interface SecretAccess {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** Where `{ secret: <scheme>://… }` references of one scheme are read. A plugin adds its own with `addSecretSource`. */
export interface SecretSource {
  /** Lower case, without `://`. */
  readonly scheme: string;
  /** The value, never empty. Throws `Failure('SECRET_UNRESOLVED')`, which never holds a value. */
  resolve(reference: string, access: SecretAccess): Promise<string>;
  /** What is wrong with a reference as far as it shows without a request; reported with the plan's other mistakes. */
  check?(reference: string, env: NodeJS.ProcessEnv): Failure | null;
}
