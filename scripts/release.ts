import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { optionsOf } from './options.ts';
import { root, run } from './tasks.ts';

/** The files that a release changes. */
const changed = ['.changeset', 'CHANGELOG.md', 'package.json', 'package-lock.json', 'action'];

/**
 * Cuts a release. The changesets become a version and its part of CHANGELOG.md, the action's bundle is built for that version, and both
 * become one commit with its tag. Nothing leaves this machine. A push of the tag publishes the release (`.github/workflows/release.yml`).
 */
async function main(): Promise<void> {
  optionsOf('npm run release', {});
  await mayRelease();
  await tool('changeset', 'version');
  const { version }: { readonly version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await setLockVersion(version);
  await tool('node', 'scripts/build/action.ts');
  const tag = `v${version}`;
  await tool('git', 'add', '--all', '--', ...changed);
  await tool('git', 'commit', '--quiet', '--message', `release: ${tag}`);
  await tool('git', 'tag', '--annotate', tag, '--message', tag);
  console.log(`${tag} is committed and tagged. Look at it, then publish it: git push --atomic origin main ${tag}`);
}

async function mayRelease(): Promise<void> {
  const branch = (await tool('git', 'rev-parse', '--abbrev-ref', 'HEAD')).trim();
  if (branch !== 'main') throw new Error(`releases are cut from main, and this is ${branch}`);
  const dirt = await tool('git', 'status', '--porcelain');
  if (dirt !== '') throw new Error(`a release holds only committed files. Commit these first:\n${dirt}`);
  const changesets = (await readdir(join(root, '.changeset'))).filter((name) => name.endsWith('.md'));
  if (changesets.length === 0) throw new Error('there is nothing to release: .changeset holds no changeset');
}

/** Sets the version of the lock file. `changeset version` does not, and the next `npm install` would change the file. */
async function setLockVersion(version: string): Promise<void> {
  const file = join(root, 'package-lock.json');
  const lock = JSON.parse(await readFile(file, 'utf8'));
  lock.version = version;
  lock.packages[''].version = version;
  await writeFile(file, `${JSON.stringify(lock, null, 2)}\n`);
}

async function tool(command: string, ...args: readonly string[]): Promise<string> {
  const { code, output } = await run(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}

try {
  await main();
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 1;
}
