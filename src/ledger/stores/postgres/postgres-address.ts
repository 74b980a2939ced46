import { Failure } from '../../../core/errors.ts';

/** A database that holds a ledger, and how to sign in there. */
export interface PostgresAddress {
  /** A name, an IP address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string | null;
  readonly password: string | null;
  readonly schema: string;
  /** `null` for a connection within this machine without encryption. Otherwise pilotfish verifies the certificate and the host's name in it. */
  readonly tls: { readonly rootCert: string | null } | null;
  readonly hasChannelBinding: boolean;
  /** The address without user info, for people and to compare two places. */
  readonly location: string;
}

const parameters = ['sslmode', 'sslrootcert', 'channel_binding', 'host', 'schema'];
const usualPort = 5432;
const usualSchema = 'pilotfish';

/** Reads `postgres://<user>:<password>@<host>:<port>/<database>?<parameters>`. No error quotes the address, because any part of it may belong to a password. */
export function postgresAddress(text: string): PostgresAddress {
  if (!URL.canParse(text)) {
    throw wrong(
      'it cannot be read as an address',
      'Write `postgres://<user>:<password>@<host>/<database>`, with `%XX` for special characters.',
    );
  }
  const url = new URL(text);
  for (const name of url.searchParams.keys()) {
    if (!parameters.includes(name)) throw wrong('it has an unknown parameter', `Use only ${parameters.join(', ')}.`);
  }
  const parameter = (name: string): string | null => url.searchParams.get(name);
  const host = parameter('host') ?? decoded(url.hostname);
  const database = decoded(url.pathname.slice(1));
  if (host === '') throw wrong('it names no host', 'Write `postgres://<host>/<database>`, or `?host=<folder>` for a socket.');
  if (database === '' || database.includes('/')) throw wrong('it names no database', 'Write `postgres://<host>/<database>`.');
  const port = url.port === '' ? usualPort : Number(url.port);
  const schema = parameter('schema') ?? usualSchema;
  if (!/^(?!pg_)[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw wrong('its schema is no plain name', 'Use lower-case letters, digits and `_` for the schema.');
  }
  return {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port,
    database,
    user: url.username === '' ? null : decoded(url.username),
    password: url.password === '' ? null : decoded(url.password),
    schema,
    tls: tlsOf(parameter('sslmode'), host, parameter('sslrootcert')),
    hasChannelBinding: parameter('channel_binding') === 'require',
    location: locationOf({ host, port, database, schema }),
  };
}

/** Nobody can listen within a machine. A password leaves the machine only for a host that proved its name. */
function tlsOf(mode: string | null, host: string, rootCert: string | null): PostgresAddress['tls'] {
  const isHere = host.startsWith('/') || host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);
  switch (mode ?? (isHere ? 'disable' : 'verify-full')) {
    case 'verify-full':
    case 'verify-ca':
    case 'require':
      if (host.startsWith('/')) throw wrong('it asks for TLS on a socket, which has none', 'Leave `sslmode` out.');
      return { rootCert };
    case 'disable':
      if (isHere) return null;
      throw wrong(
        '`sslmode=disable` would send the ledger and the password in the clear',
        'Leave `sslmode` out. pilotfish then verifies TLS.',
      );
    default:
      throw wrong('its `sslmode` is unknown, or may end without TLS', 'Leave `sslmode` out, or write `sslmode=verify-full`.');
  }
}

function locationOf({ host, port, database, schema }: Pick<PostgresAddress, 'host' | 'port' | 'database' | 'schema'>): string {
  const name = host.startsWith('/') ? encodeURIComponent(host) : host.toLowerCase();
  const at = port === usualPort ? name : `${name}:${port}`;
  return `postgres://${at}/${encodeURIComponent(database)}${schema === usualSchema ? '' : `?schema=${schema}`}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong('it has a `%` that stands for no character', 'Write `%25` for a percent sign.');
  }
}

const wrong = (why: string, fix: string): Failure =>
  new Failure('LEDGER_REFUSED', { detail: `The address of the PostgreSQL ledger cannot be used: ${why}. Nothing was sent.`, fix });
