import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Ended, execute, root } from '../cli/program.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** An empty folder, with a home and a cache of npm of its own. */
export interface EmptyPlace {
  readonly folder: string;
  /** Runs a line of a shell. */
  sh(line: string): Promise<Ended>;
}

/** `repository` makes the folder an npm project, as a user's repository is. */
export async function emptyPlace({ isRepository }: { readonly isRepository: boolean }): Promise<EmptyPlace> {
  const place = await tempFolder('install');
  const [folder, home] = [join(place, 'empty'), join(place, 'home')];
  await Promise.all([mkdir(folder), mkdir(home)]);
  if (isRepository) await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const env = {
    // The Node of these tests, and the tools of the system.
    PATH: `${await nodeAlone(place)}:${process.env.PATH ?? ''}`,
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    npm_config_cache: join(home, 'npm'),
    npm_config_update_notifier: 'false',
    ...(process.env.npm_config_registry !== undefined && { npm_config_registry: process.env.npm_config_registry }),
  };
  return { folder, sh: (line) => execute('bash', ['-ec', line], { cwd: folder, env }) };
}

async function nodeAlone(place: string): Promise<string> {
  const bin = join(place, 'bin');
  await mkdir(bin);
  await symlink(process.execPath, join(bin, 'node'));
  return bin;
}

/** The files of this repository as they are now, committed or not, in a repository of their own with one commit. */
export async function copyRepository(): Promise<string> {
  const folder = await tempFolder('repository');
  const git = async (cwd: string, ...args: readonly string[]): Promise<string> => {
    const ended = await execute('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd, env: process.env });
    if (ended.code !== 0) throw new Error(ended.stderr);
    return ended.stdout;
  };
  const files = (await git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')).split('\0').filter((file) => file !== '');
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    // A file that was removed and not committed is no part of it.
    await cp(join(root, file), join(folder, file)).catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code !== 'ENOENT') throw thrown;
    });
  }
  await git(folder, 'init', '--quiet', '--initial-branch=main');
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '--message', 'as it is');
  return folder;
}
