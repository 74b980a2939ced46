import { Failure } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { Sealed } from '../../core/sealed.ts';
import type { Io } from '../../ops/bound.ts';
import type { OutputSpec } from '../../ops/op.ts';
import { type Config, type Key, type Pooler, readConfig, readKeys, readPoolers } from './api.ts';

/** The outputs of a branch. Everything below `api_url` needs a read of its own. */
export const outputs: { readonly [name: string]: OutputSpec } = {
  id: { doc: "The branch's project ref, its id in every request: 20 letters." },
  name: { doc: 'Name of the branch.' },
  api_url: { doc: "Address of the branch's API, for `SUPABASE_URL`." },
  db_host: { doc: 'Host of the database.', lazy: true },
  db_port: { doc: 'Port of the database.', lazy: true },
  db_user: { doc: 'User of the database.', lazy: true },
  db_pass: { doc: 'Password of the database.', sensitive: true, lazy: true },
  db_url: {
    doc: 'Direct connection string of the database `postgres`, with its password. Its address is IPv6 unless the project has the IPv4 add-on, so builds on Vercel, GitHub Actions or Render do not reach it.',
    sensitive: true,
    lazy: true,
  },
  pooler_url: {
    doc: 'Connection string through the pooler, with its password. It works over IPv4 too. In the mode `transaction` the pooler keeps no prepared statements.',
    sensitive: true,
    lazy: true,
  },
  prisma_url: { doc: 'The same for Prisma, with `pgbouncer=true`, which tells Prisma about the pooler.', sensitive: true, lazy: true },
  jwt_secret: { doc: "Secret that signs the branch's tokens.", sensitive: true, lazy: true },
  publishable_key: { doc: 'The publishable API key.', sensitive: true, lazy: true },
  secret_key: { doc: 'The secret API key.', sensitive: true, lazy: true },
  anon_key: { doc: 'The older API key `anon`.', sensitive: true, lazy: true },
  service_role_key: { doc: 'The older API key `service_role`.', sensitive: true, lazy: true },
};

/** One lazy output of the branch with this project ref. */
export async function readOutput(io: Io, { ref, name: branch }: { ref: string; name: string }, output: string): Promise<Json | Sealed> {
  const seal = (text: string): Sealed => new Sealed(text, `supabase ${output} of ${branch}`);
  const missing = (why: string): Failure =>
    new Failure('PROVIDER_NOT_FOUND', {
      detail: `Supabase shows no ${output} of the branch ${branch}: ${why}.`,
      fix: 'Use another output, or a token of a member who may see it.',
    });
  if (Object.hasOwn(keyOf, output)) {
    const key = keyOf[output]?.(await readKeys(io, ref));
    if (typeof key?.api_key === 'string') return seal(key.api_key);
    throw missing(key ? 'the key exists, but the token may not see it' : 'its project has no such key');
  }
  const config = await readConfig(io, ref);
  if (output === 'pooler_url' || output === 'prisma_url') {
    if (config.db_pass === undefined) throw missing('the token may not see the password');
    const pooler = primaryOf(await readPoolers(io, ref));
    if (!pooler) throw missing('its pooler has no primary database');
    const url = pooledUrlOf(pooler, config.db_pass);
    return seal(output === 'pooler_url' ? url : forPrisma(url));
  }
  const value = output === 'db_url' ? urlOf(config) : config[fieldOf(output)];
  if (value === undefined) throw missing('the token may not see it');
  return outputs[output]?.sensitive ? seal(String(value)) : value;
}

/** Finds the key of an output. The two older keys have the type `legacy` or none. Of several keys the default one counts. */
const keyOf: { readonly [output: string]: (keys: readonly Key[]) => Key | undefined } = {
  anon_key: (keys) => keys.find(({ name, type }) => name === 'anon' && isOlder(type)),
  service_role_key: (keys) => keys.find(({ name, type }) => name === 'service_role' && isOlder(type)),
  publishable_key: (keys) => firstOf(keys, 'publishable'),
  secret_key: (keys) => firstOf(keys, 'secret'),
};

const isOlder = (type: Key['type']): boolean => (type ?? 'legacy') === 'legacy';

function firstOf(keys: readonly Key[], type: string): Key | undefined {
  const all = keys.filter((key) => key.type === type);
  return all.find(({ name }) => name === 'default') ?? (all.length === 1 ? all[0] : undefined);
}

type Field = 'db_host' | 'db_port' | 'db_user' | 'db_pass' | 'jwt_secret';
const fields: readonly Field[] = ['db_host', 'db_port', 'db_user', 'db_pass', 'jwt_secret'];

function fieldOf(output: string): Field {
  const field = fields.find((name) => name === output);
  if (field) return field;
  throw new Failure('INTERNAL', { detail: `A Supabase branch has no output ${output}.` });
}

/** The pooler of the primary, because replicas only read. Of two modes, the one for many short connections. */
function primaryOf(poolers: readonly Pooler[]): Pooler | undefined {
  const primary = poolers.filter(({ database_type: type }) => type === 'PRIMARY');
  return primary.find(({ pool_mode: mode }) => mode === 'transaction') ?? primary[0];
}

/** Stands for the password in Supabase's text. Its own CLI replaces it too (2026-11-25). */
const blank = '[YOUR-PASSWORD]';

function pooledUrlOf({ connection_string: text, db_user, db_host, db_port, db_name }: Pooler, password: string): string {
  // The replacement is a function, because `$&` in a text has a meaning.
  if (text?.includes(blank)) return text.replace(blank, () => encodeURIComponent(password));
  return `postgresql://${encodeURIComponent(db_user)}:${encodeURIComponent(password)}@${db_host}:${db_port}/${encodeURIComponent(db_name)}`;
}

const forPrisma = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}pgbouncer=true`;

function urlOf({ db_host, db_port, db_user, db_pass }: Config): string | undefined {
  if (db_user === undefined || db_pass === undefined) return undefined;
  return `postgresql://${encodeURIComponent(db_user)}:${encodeURIComponent(db_pass)}@${db_host}:${db_port}/postgres`;
}
