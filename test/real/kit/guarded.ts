import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLighttpd } from './lighttpd.ts';
import type { Program } from './program.ts';

export interface GuardOptions {
  readonly program: Program;
  /** The port of the API behind the guard. */
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** As lighttpd names them: `SHA-256`, `MD5`, or both with a bar between. `basic` for no Digest. */
  readonly algorithm: string;
}

const realm = 'Things, of=acme';

/** lighttpd before an API on loopback: it lets through who proves to know the password, and passes the request on. */
export async function startGuard(options: GuardOptions) {
  const { program, port, user, password, algorithm } = options;
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-guard-'));
  const users = join(folder, 'users');
  const hashed = (hash: string): string => createHash(hash).update(`${user}:${realm}:${password}`).digest('hex');
  await writeFile(
    users,
    algorithm === 'basic' ? `${user}:${password}\n` : `${user}:${realm}:${hashed('md5')}\n${user}:${realm}:${hashed('sha256')}\n`,
  );
  const backend = algorithm === 'basic' ? 'plain' : 'htdigest';
  const methodOf = (name: string): string => (name === 'basic' ? '"method" => "basic"' : `"method" => "digest", "algorithm" => "${name}"`);
  const config = (name: string): string => `
auth.backend = "${backend}"
auth.backend.${backend}.userfile = "${users}"
auth.require = ( "/" => ( ${methodOf(name)}, "realm" => "${realm}", "require" => "valid-user" ) )
proxy.server = ( "/" => ( ( "host" => "127.0.0.1", "port" => ${port} ) ) )`;
  const server = await startLighttpd({ program, folder, modules: ['mod_auth', 'mod_authn_file', 'mod_proxy'], config: config(algorithm) });
  return {
    base: server.base,
    /** Asks for another algorithm from now on, so that no proof so far is worth anything. */
    change: (name: string): Promise<void> => server.reload(config(name)),
    stop: async (): Promise<void> => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
