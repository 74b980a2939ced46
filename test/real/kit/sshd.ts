import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram, freePort, type Program, type Server, startServer } from './program.ts';

const run = promisify(execFile);

/** OpenSSH's server, or `null` with a printed reason. */
export const findSshd = (): Program | null => findProgram('sshd', { args: ['-V'], form: /OpenSSH_[\w.]+/ });

export interface Sshd extends Server {
  readonly port: number;
  /** A folder with a program `ssh` that is the system's, with the files below instead of those of whoever runs the tests. */
  readonly bin: string;
  /** Host keys that the user's `ssh` knows. */
  readonly knownHosts: string;
  /** Keys of users that the host accepts. */
  readonly authorizedKeys: string;
  /** As ssh has it in `known_hosts`. */
  readonly hostLine: string;
  /** The address of a path on this host. */
  url(path: string): string;
}

/** An sshd of this test alone: own host key, own user key, no passwords. It logs in whoever runs the tests. */
export async function startSshd(program: Program, folder: string): Promise<Sshd> {
  const port = await freePort();
  const at = (name: string): string => join(folder, name);
  for (const name of ['host_key', 'user_key']) await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', at(name)]);
  // As root, sshd wants the folder that the system's service would have made.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  await run('cp', [at('user_key.pub'), at('authorized_keys')]);
  await writeFile(
    at('sshd_config'),
    `ListenAddress 127.0.0.1:${port}
HostKey ${at('host_key')}
PidFile none
AuthorizedKeysFile ${at('authorized_keys')}
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
MaxStartups 200
${/OpenSSH_(9\.[89]|[1-9]\d)/.test(program.version) ? 'PerSourcePenalties no' : ''}
`,
  );
  const { stdout } = await run('cat', [at('host_key.pub')]);
  const hostLine = `[127.0.0.1]:${port} ${stdout.trim()}\n`;
  await writeFile(at('known_hosts'), hostLine);
  await writeFile(
    at('ssh_config'),
    `IdentityFile ${at('user_key')}
IdentitiesOnly yes
UserKnownHostsFile ${at('known_hosts')}
GlobalKnownHostsFile none
`,
  );
  const bin = at('bin');
  await mkdir(bin);
  const { stdout: ssh } = await run('/bin/sh', ['-c', 'command -v ssh']);
  await writeFile(join(bin, 'ssh'), `#!/bin/sh\nexec ${ssh.trim()} -F ${at('ssh_config')} "$@"\n`);
  await chmod(join(bin, 'ssh'), 0o755);
  const server = await startServer({ file: program.file, args: ['-D', '-e', '-f', at('sshd_config')], port });
  return {
    ...server,
    port,
    bin,
    hostLine,
    knownHosts: at('known_hosts'),
    authorizedKeys: at('authorized_keys'),
    url: (path) => `ssh://${userInfo().username}@127.0.0.1:${port}${path}`,
  };
}
