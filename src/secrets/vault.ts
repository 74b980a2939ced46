import { Failure } from '../core/errors.ts';
import { isMap } from '../core/json.ts';
import { partsOf, unresolved } from './reference.ts';
import { type SecretServer, serverOf } from './server.ts';
import type { SecretAnswer, SecretSource } from './source.ts';

/**
 * `vault://<mount>/<path>[?version=<n>]#<key>`: one key of a secret in a KV version 2 engine of HashiCorp Vault or OpenBao.
 * https://developer.hashicorp.com/vault/api-docs/secret/kv/kv-v2
 */
export const vaultSource: SecretSource = {
  scheme: 'vault',
  addressEnv: ['VAULT_ADDR', 'VAULT_NAMESPACE'],
  check: (reference, env) => {
    const asked = question(reference, env);
    return asked instanceof Failure ? asked : null;
  },
  resolve: async (reference, { env, get }) => {
    const asked = question(reference, env);
    if (asked instanceof Failure) throw asked;
    const { server, place } = asked;
    const namespace = env.VAULT_NAMESPACE?.trim() ?? '';
    const headers = {
      'x-vault-token': server.token.reveal(),
      ...(namespace !== '' && { 'x-vault-namespace': namespace }),
    };
    const answer = await get({ reference, url: urlOf(server, place), headers, credential: server.token, addressEnv: 'VAULT_ADDR' });
    return readAnswer(reference, place, answer);
  },
};

interface VaultPlace {
  readonly mount: string;
  readonly path: readonly string[];
  /** `null` for the latest. */
  readonly version: string | null;
  readonly key: string;
}

function question(reference: string, env: NodeJS.ProcessEnv): { readonly server: SecretServer; readonly place: VaultPlace } | Failure {
  const place = placeOf(reference);
  if (place === null) {
    return new Failure('SECRET_UNRESOLVED', {
      detail: `The reference ${reference} names no key of a secret.`,
      fix: 'Write `vault://<mount>/<path>#<key>`, with `?version=<n>` before the `#` for one version. Write `%2F` for a slash in the mount.',
    });
  }
  const server = serverOf(reference, env, { address: 'VAULT_ADDR', token: 'VAULT_TOKEN' });
  return server instanceof Failure ? server : { server, place };
}

function placeOf(reference: string): VaultPlace | null {
  const parts = partsOf(reference);
  if (!parts) return null;
  const [mount = '', ...path] = parts.segments;
  const version = parts.query === null ? '' : /^version=([1-9]\d*)$/.exec(parts.query)?.[1];
  if (version === undefined || path.length === 0 || parts.key === null || parts.key === '') return null;
  // A `..` would change the address.
  const steps = [mount, ...path].flatMap((segment) => segment.split('/'));
  if (steps.some((step) => step === '' || step === '.' || step === '..')) return null;
  return { mount, path, version: version === '' ? null : version, key: parts.key };
}

function urlOf({ base }: SecretServer, { mount, path, version }: VaultPlace): URL {
  const steps = [...mount.split('/'), 'data', ...path.flatMap((segment) => segment.split('/'))];
  return new URL(`${base}/v1/${steps.map(encodeURIComponent).join('/')}${version === null ? '' : `?version=${version}`}`);
}

function readAnswer(reference: string, place: VaultPlace, answer: SecretAnswer): string {
  const { status, said } = answer;
  const outer = mapOf(answer.body);
  const inner = mapOf(outer.data);
  const metadata = mapOf(inner.metadata);
  if (status === 403) {
    throw unresolved(
      reference,
      `${said} The server gives this answer for a wrong or expired token, for a path that the token may not read, and for a path that does not exist.`,
      `Check VAULT_TOKEN, and that its policy permits \`read\` on ${place.mount}/data/${place.path.join('/')}.`,
    );
  }
  if (status === 503) {
    throw unresolved(reference, `${said} The server is sealed or in maintenance.`, 'Unseal the server, then run again.');
  }
  if (status !== 200 && status !== 404) throw unresolved(reference, said);
  const gone = goneWhy(metadata, status);
  if (gone !== null && !isMap(inner.data)) throw unresolved(reference, gone, 'Undelete or write the secret, or name another version.');
  if (status === 404) throw absent(reference, place, outer);
  if (!isMap(inner.data) || !isMap(inner.metadata)) throw notVersioned(reference, place);
  return textOf(reference, place.key, inner.data);
}

/** A deleted version is a 404 too. Its metadata tells it from a secret that never existed. */
function goneWhy({ destroyed, deletion_time: deleted, version }: Readonly<Record<string, unknown>>, status: number): string | null {
  const name = typeof version === 'number' ? `version ${version}` : 'the version';
  if (destroyed === true) return `${name} was destroyed, so its value is gone for good.`;
  if (typeof deleted === 'string' && deleted !== '') return `${name} was deleted (${JSON.stringify(deleted)}).`;
  return status === 404 && version !== undefined ? `${name} has no value.` : null;
}

function absent(reference: string, place: VaultPlace, { errors, warnings }: Readonly<Record<string, unknown>>): Failure {
  const { mount, path, version } = place;
  if (JSON.stringify(errors ?? []).includes('no handler for route')) {
    return unresolved(
      reference,
      `the server has no secret engine at ${mount}/.`,
      `Correct the mount, the first part of the reference. Write \`%2F\` for a slash in a mount, as in vault://team%2Fkv/….`,
    );
  }
  // A versioned engine sends no warnings.
  if (Array.isArray(warnings) && warnings.length > 0) return notVersioned(reference, place);
  return unresolved(
    reference,
    `there is no ${version === null ? 'secret' : `version ${version}`} at ${mount}/${path.join('/')}, or this token may not see it.`,
    'Correct the path after the mount, or write the secret first. If the secret is in a namespace, set VAULT_NAMESPACE.',
  );
}

const notVersioned = (reference: string, { mount }: VaultPlace): Failure =>
  unresolved(
    reference,
    `${mount}/ is a KV engine of version 1, but pilotfish reads only version 2.`,
    `Upgrade the engine with \`vault kv enable-versioning ${mount}/\`, or keep the secret in an engine of version 2.`,
  );

function textOf(reference: string, key: string, data: Readonly<Record<string, unknown>>): string {
  if (!Object.hasOwn(data, key)) {
    const keys = Object.keys(data)
      .toSorted()
      .map((name) => JSON.stringify(name));
    const shown = [...keys.slice(0, 20), ...(keys.length > 20 ? [`${keys.length - 20} more`] : [])].join(', ');
    throw unresolved(
      reference,
      `the secret has no key ${JSON.stringify(key)}. ${keys.length === 0 ? 'It has none.' : `It has ${shown}.`}`,
      'Correct the key, the part after the `#`.',
    );
  }
  const value = data[key];
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : 'a map';
  throw unresolved(reference, `its value is ${kind}, not text.`, 'Store the value as text.');
}

const mapOf = (value: unknown): Readonly<Record<string, unknown>> => (isMap(value) ? value : {});
