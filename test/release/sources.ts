import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execute, root } from '../cli/program.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** What is built, and what it is built with. */
const parts = [
  '.changeset',
  '.gitignore',
  'LICENSE',
  'README.md',
  'action',
  'action.yml',
  'package-lock.json',
  'package.json',
  'man',
  'sandbox',
  'schema',
  'scripts',
  'server.json',
  'skills',
  'src',
  'tsconfig.json',
  'tsconfig.types.json',
];

export interface Sources {
  readonly folder: string;
  /** Runs a program there, and gives what it printed. */
  run(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
}

/** The sources as they are now, as the one commit of a repository of their own. */
export async function copySources(): Promise<Sources> {
  const folder = await tempFolder('sources');
  const home = await tempFolder('home');
  await Promise.all(parts.map((part) => cp(join(root, part), join(folder, part), { recursive: true })));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    npm_config_cache: join(home, 'npm'),
    npm_config_update_notifier: 'false',
  };
  const run: Sources['run'] = async (command, args, more = {}) => {
    const { code, stdout, stderr } = await execute(command, args, { cwd: folder, env: { ...env, ...more } });
    if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
    return stdout.trim();
  };
  await writeFile(join(home, '.gitconfig'), '[user]\nname = Dev\nemail = dev@example.com\n');
  await run('git', ['init', '--quiet', '--initial-branch=main']);
  // A link is no folder to the `node_modules/` that git ignores.
  await writeFile(join(folder, '.git/info/exclude'), 'node_modules\n');
  await run('git', ['add', '.']);
  await run('git', ['commit', '--quiet', '--message', 'as it is']);
  return { folder, run };
}
