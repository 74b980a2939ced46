import { Failure } from '../core/errors.ts';
import { didYouMean } from '../core/nearest.ts';
import { Sealed } from '../core/sealed.ts';
import { awsSecretsManagerSource } from './aws-sm.ts';
import { azureKeyVaultSource } from './azure-kv.ts';
import { bwsSource, dopplerSource, opSource } from './by-cli.ts';
import { envSource } from './env.ts';
import { gcpSecretManagerSource } from './gcp-sm.ts';
import { infisicalSource } from './infisical.ts';
import { opConnectSource } from './op-connect.ts';
import { schemeOf, unsafePart } from './reference.ts';
import type { SecretAccess, SecretSource } from './source.ts';
import { vaultSource } from './vault.ts';

export { envSource } from './env.ts';
export type { SecretAccess, SecretAnswer, SecretRequest, SecretSource } from './source.ts';

/** Every source that needs no plugin. */
export const builtInSources: readonly SecretSource[] = [
  envSource,
  vaultSource,
  infisicalSource,
  azureKeyVaultSource,
  opConnectSource,
  bwsSource,
  dopplerSource,
  opSource,
  awsSecretsManagerSource,
  gcpSecretManagerSource,
];

/** Finds sources by their scheme. The registry is one such place. */
export interface SecretSources {
  secretSource(scheme: string): SecretSource | null;
  secretSchemes(): readonly string[];
}

/** Reads one `{ secret }` reference, sealed under its reference. Any failure is `SECRET_UNRESOLVED`. */
export async function resolveSecret(sources: SecretSources, reference: string, access: SecretAccess): Promise<Sealed> {
  const source = sourceOf(sources, reference);
  if (source instanceof Failure) throw source;
  const unsafe = unsafePart(reference);
  if (unsafe) throw unsafe;
  let value: unknown;
  try {
    value = await source.resolve(reference, access);
  } catch (cause) {
    if (access.signal.aborted) throw cause;
    if (cause instanceof Failure) throw asUnresolved(cause);
    // The cause's own text may quote the value, so the message names only the reference.
    throw new Failure('SECRET_UNRESOLVED', { detail: `The source ${source.scheme}:// failed to read ${reference}.`, cause });
  }
  if (typeof value !== 'string')
    throw new Failure('SECRET_UNRESOLVED', { detail: `The source ${source.scheme}:// gave no text for ${reference}.` });
  if (value === '') throw new Failure('SECRET_UNRESOLVED', { detail: `The secret ${reference} is empty.` });
  return new Sealed(value, reference);
}

/** The mistake in a reference that shows before any request: an unknown scheme, an unset variable. */
export function checkSecret(sources: SecretSources, reference: string, env: NodeJS.ProcessEnv): Failure | null {
  const source = sourceOf(sources, reference);
  if (source instanceof Failure) return source;
  return unsafePart(reference) ?? source.check?.(reference, env) ?? null;
}

/** The program that a reference runs, with its arguments, as a list of one; empty where none is run. */
export function secretCommand(sources: SecretSources, reference: string, env: NodeJS.ProcessEnv): readonly (readonly string[])[] {
  const source = sourceOf(sources, reference);
  const argv = source instanceof Failure ? null : source.command?.(reference, env);
  return argv ? [argv] : [];
}

function asUnresolved(cause: Failure): Failure {
  return cause.code === 'SECRET_UNRESOLVED' ? cause : new Failure('SECRET_UNRESOLVED', { detail: cause.detail, cause });
}

function sourceOf(sources: SecretSources, reference: string): SecretSource | Failure {
  const scheme = schemeOf(reference);
  const known = sources.secretSchemes();
  const list = `The known sources are ${known.map((s) => `${s}://`).join(', ')}.`;
  if (scheme === '') {
    // The message does not repeat the text: a person who misread the form may have written the secret itself.
    return new Failure('SECRET_UNRESOLVED', {
      detail: `A secret reference does not start with a source, such as env://. ${list}`,
      fix: 'Write `{ secret: env://NAME }`, never the secret itself.',
    });
  }
  return (
    sources.secretSource(scheme) ??
    new Failure('SECRET_UNRESOLVED', { detail: `No source ${scheme}:// is known.${didYouMean(scheme, known)} ${list}` })
  );
}
