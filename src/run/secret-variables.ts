import type { Redactor } from '../core/redact.ts';
import { isSecretName } from '../plan/secret-literal.ts';

/**
 * Masks what this process's variables hold under secret-looking names. A destroy has the ledger alone and resolves no params, yet a
 * provider that refuses a delete may quote a secret that an earlier run gave it.
 */
export function maskSecretVariables(redactor: Redactor, env: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value.trim().length >= shortest && isSecretName(name)) redactor.add(value);
  }
}

/** These values are guesses: a shorter one is too often an ordinary word, and masking it would hit other text. */
const shortest = 8;
