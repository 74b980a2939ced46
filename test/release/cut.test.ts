import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copySources, type Sources } from './sources.ts';

const cut = ({ run }: Sources): Promise<string> => run('node', ['scripts/release.ts']);
const versionIn = async ({ folder }: Sources, file: string): Promise<string> =>
  JSON.parse(await readFile(join(folder, file), 'utf8')).version;

it('a release is one commit and its tag: version, changelog, and the bundle of that version', async () => {
  const sources = await copySources();
  const { folder, run } = sources;
  const before = await versionIn(sources, 'package.json');
  const [major = 0, minor = 0] = before.split('.').map(Number);
  await writeFile(join(folder, '.changeset/one.md'), '---\n"pilotfish": minor\n---\n\nA sentence about what is new.\n');
  await run('git', ['add', '.']);
  await run('git', ['commit', '--quiet', '--message', 'a change']);
  const version = `${major}.${minor + 1}.0`;

  expect(await cut(sources)).toContain(`git push --atomic origin main v${version}`);
  expect(await run('git', ['log', '--format=%s'])).toBe(`release: v${version}\na change\nas it is`);
  expect(await run('git', ['rev-parse', `v${version}^{commit}`])).toBe(await run('git', ['rev-parse', 'HEAD']));
  expect(await run('git', ['status', '--porcelain'])).toBe('');
  expect([await versionIn(sources, 'package.json'), await versionIn(sources, 'package-lock.json')]).toEqual([version, version]);
  const server = JSON.parse(await readFile(join(folder, 'server.json'), 'utf8'));
  expect([server.version, server.packages[0].version]).toEqual([version, version]);
  const changelog = await readFile(join(folder, 'CHANGELOG.md'), 'utf8');
  expect(changelog).toContain(`## ${version}\n`);
  expect(changelog).toContain('A sentence about what is new.');
  expect((await readdir(join(folder, '.changeset'))).filter((name) => name.endsWith('.md'))).toEqual([]);
  const bundle = await run('git', ['show', `v${version}:action/index.js`]);
  expect(bundle.includes(`\`${version}\``) || bundle.includes(`"${version}"`)).toBe(true);

  // Nothing is left to release.
  await expect(cut(sources)).rejects.toThrow('there is nothing to release');
  expect(await run('git', ['tag'])).toBe(`v${version}`);
});

it('what is not committed, or stands on another branch, is not released', async () => {
  const sources = await copySources();
  const { folder, run } = sources;
  await writeFile(join(folder, 'src/new.ts'), 'export {};\n');
  await expect(cut(sources)).rejects.toThrow('src/new.ts');
  await run('git', ['switch', '--quiet', '--create', 'feature']);
  await expect(cut(sources)).rejects.toThrow('releases are cut from main, and this is feature');
  expect(await run('git', ['tag'])).toBe('');
  expect(await run('git', ['log', '--format=%s'])).toBe('as it is');
});
