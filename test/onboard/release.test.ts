import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { releaseOf } from '../../scripts/build/release.ts';
import { release } from '../../src/onboard/setup/release.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A repository with one commit of version 1.2.3, and what git says there. */
async function someRepository() {
  const folder = await tempFolder('release');
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder, encoding: 'utf8' }).trim();
  git('init', '--quiet');
  await writeFile(join(folder, 'package.json'), '{ "version": "1.2.3" }');
  git('add', '.');
  git('commit', '--quiet', '--message', 'one');
  return { folder, git };
}

const env = { PILOTFISH_RELEASE: 'acme-tools/pilotfish' };

describe('what a build says of its release', () => {
  it('the commit of the tag of its version', async () => {
    const { folder, git } = await someRepository();
    git('tag', '--annotate', 'v1.2.3', '--message', 'a tag with an object of its own');
    expect(await releaseOf(env, folder)).toEqual({ repository: 'acme-tools/pilotfish', commit: git('rev-parse', 'HEAD'), tag: 'v1.2.3' });
  });

  it('nothing, in a development build, whatever tags there are', async () => {
    const { folder, git } = await someRepository();
    git('tag', 'v1.2.3');
    expect(await releaseOf({}, folder)).toBeNull();
    expect(release).toBeNull();
  });

  it('a release without its tag, or beside it, is not built', async () => {
    const { folder, git } = await someRepository();
    await expect(releaseOf(env, folder)).rejects.toThrow('needs the tag v1.2.3');
    git('tag', 'v1.2.3');
    git('commit', '--quiet', '--allow-empty', '--message', 'two');
    await expect(releaseOf(env, folder)).rejects.toThrow('the tag v1.2.3 points at');
    await expect(releaseOf({ PILOTFISH_RELEASE: 'pilotfish' }, folder)).rejects.toThrow('must be `owner/name`');
  });
});
