import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { placeForAll } from '../../support/as-nobody.ts';
import { findProgram, freePort, type Program, type Server, startServer } from './program.ts';

const run = promisify(execFile);

/** PostgreSQL's server, or `null` with a printed reason. Debian keeps it where no PATH leads. */
export const findPostgres = (): Program | null =>
  findProgram('postgres', {
    args: ['--version'],
    form: /PostgreSQL\) [\d.]+/,
    folders: globSync('/usr/lib/postgresql/*/bin').sort().reverse(),
  });

/** The server refuses to run as root: `nobody` runs it then. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

export const password = 'w0rd-of-the-database';

/** A PostgreSQL of this test alone, on a port of the loopback and a socket, with a role `ci` that owns the database `ledger` and nothing else. */
export async function startPostgres(program: Program) {
  const root = await mkdtemp(join(await placeForAll(), 'pilotfish-postgres-'));
  const at = (name: string): string => join(root, name);
  await certificates(root);
  await writeFile(at('password'), password);
  if (nobody) for (const name of ['', 'password', 'server.key', 'server.crt']) await chown(at(name), nobody.uid, nobody.gid);
  const bin = dirname(program.file);
  await run(
    join(bin, 'initdb'),
    [
      '--pgdata',
      at('data'),
      '--username=postgres',
      '--auth=scram-sha-256',
      `--pwfile=${at('password')}`,
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { env: { PATH: process.env.PATH }, ...nobody },
  );
  const port = await freePort();
  const settings = ['ssl=on', `ssl_cert_file=${at('server.crt')}`, `ssl_key_file=${at('server.key')}`, 'fsync=off', 'max_connections=60'];
  const args = ['-D', at('data'), '-h', '127.0.0.1', '-p', String(port), '-k', root, ...settings.flatMap((one) => ['-c', one])];
  const start = async (): Promise<Server> => {
    const started = await startServer({ file: program.file, args, port, ...(nobody && { as: nobody }) });
    // It listens before it lets anybody in.
    for (let looks = 0; looks < 500; looks += 1) {
      const isIn = await sql('select 1').catch(() => null);
      if (isIn !== null) return started;
      await delay(20);
    }
    process.kill(started.pid, 'SIGQUIT');
    throw new Error(`PostgreSQL lets nobody in: ${started.output()}`);
  };
  const stop = async (signal: 'SIGINT' | 'SIGQUIT'): Promise<void> => {
    process.kill(server.pid, signal);
    await server.stop();
  };
  const sql = async (text: string, database = 'postgres'): Promise<readonly { readonly [name: string]: unknown }[]> => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  let server = await start();
  await sql(`create role ci login password '${password}'`);
  await sql('create database ledger owner ci');
  return {
    root,
    port,
    /** The certificate of the authority that signed the server's, for the name `localhost`. */
    authority: at('authority.crt'),
    sql,
    url: (o: { readonly user?: string; readonly at?: number; readonly database?: string; readonly more?: string } = {}): string =>
      `postgres://${o.user ?? `ci:${password}`}@127.0.0.1:${o.at ?? port}/${o.database ?? 'ledger'}${o.more ?? ''}`,
    /** `SIGINT` ends every session, `SIGQUIT` is a crash. */
    restart: async (signal: 'SIGINT' | 'SIGQUIT'): Promise<void> => {
      await stop(signal);
      server = await start();
    },
    stop: async (): Promise<void> => {
      await stop('SIGQUIT');
      await rm(root, { recursive: true, force: true });
    },
  };
}

export type Postgres = Awaited<ReturnType<typeof startPostgres>>;

async function certificates(folder: string): Promise<void> {
  const openssl = (...args: readonly string[]) => run('openssl', [...args], { cwd: folder });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  await openssl('req', '-x509', ...key, '-subj', '/CN=authority', '-keyout', 'authority.key', '-out', 'authority.crt');
  const signed = ['-CA', 'authority.crt', '-CAkey', 'authority.key', '-addext', 'subjectAltName=DNS:localhost'];
  await openssl('req', '-x509', ...key, '-subj', '/CN=localhost', ...signed, '-keyout', 'server.key', '-out', 'server.crt');
}
