import { Redactor } from '../../core/redact.ts';
import { isSecretName } from '../../plan/secret-names.ts';
import type { RepositoryFacts } from '../../platform/checkout.ts';
import { secretsInAddress } from '../../platform/git-url.ts';

/**
 * Masks the secrets in this process's variables: values under secret-looking names, and credentials in addresses. A destroy has the ledger
 * alone and resolves no params, a host quotes the token of another, and a failure before there is a run knows nothing else.
 */
export function maskEnvironment(redactor: Redactor, env: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    if (value.trim().length >= shortest && isSecretName(name)) redactor.add(value);
    // The name of the variable does not matter: `HTTPS_PROXY`, `PILOTFISH_LOCK_REMOTE`, `DATABASE_URL`.
    for (const secret of secretsInAddress(value)) redactor.addIfLong(secret);
  }
}

/** Makes the redactor of a run. It knows the secrets of the environment from the start, and learns every other one before its first use. */
export function redactorOf(env: NodeJS.ProcessEnv, { onSecret }: { readonly onSecret?: (text: string) => void }): Redactor {
  const redactor = new Redactor(onSecret);
  maskEnvironment(redactor, env);
  return redactor;
}

/** Masks the credentials in the remote's address. */
export function maskRemote(redactor: Redactor, facts: RepositoryFacts | null): void {
  for (const secret of facts?.remote ? secretsInAddress(facts.remote.reveal()) : []) redactor.addIfLong(secret);
}

/** Values under such a name are guesses: a shorter one is too often an ordinary word, and masking it would hit other text. */
const shortest = 8;
