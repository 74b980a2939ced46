import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packages } from './address.ts';
import { writeServerFile } from './server-file.ts';
import { toolIn } from './tool.ts';

/** The files that a release changes. */
const changed = ['.changeset', 'CHANGELOG.md', 'package.json', 'package-lock.json', 'sandbox/package.json', 'server.json', 'action'];

/**
 * Cuts a release in a checkout: the changesets become a version and its part of CHANGELOG.md, the action's bundle is built for that version,
 * and both become one commit with its tag. Returns the tag.
 */
export async function cut(folder: string): Promise<string> {
  const tool = toolIn(folder);
  await tool('changeset', 'version');
  const version = await versionOf(folder);
  await setVersions(folder, version);
  await tool('node', 'scripts/build/action.ts');
  const tag = `v${version}`;
  await tool('git', 'add', '--all', '--', ...changed);
  await tool('git', 'commit', '--quiet', '--message', `release: ${tag}`);
  await tool('git', 'tag', '--annotate', tag, '--message', tag);
  return tag;
}

/** The changesets that wait for a release. */
export const changesetsIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(join(folder, '.changeset'))).filter((name) => name.endsWith('.md'));

export async function versionOf(folder: string): Promise<string> {
  const { version }: { readonly version: string } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return version;
}

/**
 * Sets the version of every package, of `server.json` and of the lock file. `changeset version` changes one package alone, and the next
 * `npm install` would change the lock file.
 */
async function setVersions(folder: string, version: string): Promise<void> {
  for (const name of packages) await change(join(folder, name, 'package.json'), (manifest) => ({ ...manifest, version }));
  await change(join(folder, 'package-lock.json'), (lock) => {
    lock.version = version;
    for (const name of packages) lock.packages[name === '.' ? '' : name].version = version;
    return lock;
  });
  await writeServerFile(folder, null);
}

// biome-ignore lint/suspicious/noExplicitAny: the form of npm's own files is npm's
async function change(file: string, by: (content: any) => object): Promise<void> {
  await writeFile(file, `${JSON.stringify(by(JSON.parse(await readFile(file, 'utf8'))), null, 2)}\n`);
}
