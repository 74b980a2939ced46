import { access, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { arch as ownArch, platform } from 'node:os';
import { join } from 'node:path';
import { root, run } from '../../tasks.ts';

export const archs = ['x64', 'arm64'] as const;
export type Arch = (typeof archs)[number];

const installed = join(root, 'node_modules/node');
/** The Node of this project, which writes what goes into an executable. Only the same version can read it. */
export const ownNode: string = join(installed, 'bin/node');

/** The version of the Node in every executable: that of this project, from its lock file. */
export async function nodeVersion(): Promise<string> {
  const { version }: { readonly version: string } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  return version;
}

/** The path of a Node for Linux with this processor. It comes from the registry unless the project has it already. */
export async function nodeFor(arch: Arch): Promise<string> {
  return platform() === 'linux' && arch === ownArch() ? ownNode : join(await fetched(arch), 'bin/node');
}

/** The licence of that Node and of all that is linked into it. */
export const nodeLicence = async (arch: Arch): Promise<string> => await readFile(join(await fetched(arch), 'LICENSE'), 'utf8');

/** The folder of a Node from the registry. It is kept below `node_modules`, so a fresh `npm ci` fetches it again. */
async function fetched(arch: Arch): Promise<string> {
  const name = `node-linux-${arch}@${await nodeVersion()}`;
  const folder = join(root, 'node_modules/.cache/pilotfish-binary', name);
  if (await exists(join(folder, 'package/LICENSE'))) return join(folder, 'package');
  const part = `${folder}.${process.pid}`;
  await mkdir(part, { recursive: true });
  try {
    await must('npm', ['pack', '--prefer-offline', '--silent', '--pack-destination', part, name]);
    const tarball = join(part, `${name.replace('@', '-')}.tgz`);
    await must('tar', ['-xzf', tarball, '-C', part, 'package/bin/node', 'package/LICENSE']);
    await rm(tarball);
    await rm(folder, { recursive: true, force: true });
    await rename(part, folder);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  return join(folder, 'package');
}

/** Runs a tool of the build and throws what it printed when it fails. */
export async function must(command: string, args: readonly string[]): Promise<string> {
  const { code, output } = await run(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
