import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { userInfo } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { bounds } from '../../../core/bounds.ts';
import { Failure } from '../../../core/errors.ts';
import type { PostgresAddress } from './postgres-address.ts';

/** Milliseconds that work under way may still take after the run is told to stop. */
const stoppedMs = 10_000;

export interface Answer {
  readonly rows: readonly { readonly [column: string]: unknown }[];
  readonly command: string;
}

/** One connection, for one caller at a time. */
export interface Link {
  /** Whether another statement can be sent. */
  isAlive(): boolean;
  query(text: string, values?: readonly unknown[]): Promise<Answer>;
  /** Ends the connection at once, with the work under way. */
  cut(): void;
  /** Says goodbye. */
  close(): Promise<void>;
}

/** Signs in. Work that exceeds its time ends the connection, and the promise that waits for it. */
export async function connect(address: PostgresAddress, signal: AbortSignal | undefined): Promise<Link> {
  const { Client } = await driver();
  const socket = new Socket();
  const within = limiter(socket, signal);
  const client = new Client({
    host: address.host,
    port: address.port,
    database: address.database,
    user: address.user ?? ownName(address),
    // A function keeps the client from PGPASSWORD and password files, which hold passwords of other hosts.
    password: () => passwordOf(address),
    ssl: tlsOptions(address) ?? false,
    enableChannelBinding: address.hasChannelBinding,
    application_name: 'pilotfish',
    keepAlive: true,
    stream: () => socket,
  });
  let isAlive = true;
  client.on('error', () => {
    isAlive = false;
  });
  client.on('end', () => {
    isAlive = false;
  });
  const cut = (): void => {
    isAlive = false;
    socket.destroy();
  };
  try {
    await within(bounds.signIn, client.connect());
  } catch (thrown) {
    cut();
    throw thrown;
  }
  return {
    cut,
    isAlive: () => isAlive,
    query: async (text, values) => {
      const answer = await within(bounds.statement, client.query(text, values === undefined ? undefined : [...values]));
      return { rows: answer.rows ?? [], command: answer.command };
    },
    close: async () => {
      // A dead server does not answer the goodbye.
      await Promise.race([client.end().catch(() => undefined), delay(1_000, undefined, { ref: false })]);
      cut();
    },
  };
}

/**
 * What the server must prove; `null` for a connection without TLS. The host stands here too, because older versions of the client give no
 * name for an IP address, and Node then verifies the certificate for `localhost`.
 */
export const tlsOptions = ({ tls, host }: PostgresAddress) =>
  tls && { host, rejectUnauthorized: true, ...(tls.rootCert !== null && { ca: certificate(tls.rootCert) }) };

/** Ends the socket when its work takes too long; pg then ends the work. */
function limiter(socket: Socket, signal: AbortSignal | undefined) {
  return async <T>(ms: number, work: Promise<T>): Promise<T> => {
    const late = (): void => void socket.destroy(new Error(`no answer within ${Math.round(ms / 1000)} seconds`));
    let timer = setTimeout(late, signal?.aborted ? Math.min(ms, stoppedMs) : ms);
    const stop = (): void => {
      clearTimeout(timer);
      timer = setTimeout(late, stoppedMs);
    };
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await work;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  };
}

/** Loads the client, which is no part of pilotfish, because most ledgers do not need it. */
async function driver(): Promise<typeof import('pg')> {
  try {
    return await import('pg');
  } catch (cause) {
    throw new Failure('LEDGER_REFUSED', {
      detail: 'The ledger is in a PostgreSQL database, but its client, the package `pg`, is not installed beside pilotfish.',
      fix: 'Run `npm install pg` where pilotfish is installed.',
      cause,
    });
  }
}

/** The system's name for the present user, which a socket accepts. In a container the user may have no name. */
function ownName({ location }: PostgresAddress): string {
  try {
    return userInfo().username;
  } catch (cause) {
    throw new Failure('LEDGER_REFUSED', {
      detail: `The address of ${location} names no user, and the present user has no name on this system. Nothing was sent.`,
      fix: 'Put the address with user and password into PILOTFISH_RECEIPTS.',
      cause,
    });
  }
}

function passwordOf({ password, location }: PostgresAddress): string {
  if (password !== null) return password;
  throw new Failure('LEDGER_REFUSED', {
    detail: `The database ${location} asks for a password, and the address has none.`,
    fix: 'Put the address with user and password into PILOTFISH_RECEIPTS: `postgres://<user>:<password>@<host>/<database>`.',
  });
}

function certificate(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Failure('LEDGER_REFUSED', {
      detail: `The file ${file}, which \`sslrootcert\` names, cannot be read. Nothing was sent.`,
      fix: 'Name a file with the certificate of the authority that signed the certificate of the server.',
      cause,
    });
  }
}
