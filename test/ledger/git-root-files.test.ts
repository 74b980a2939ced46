import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockBranch, receiptsBranch } from '../../src/ledger/model/names.ts';
import { appFolders } from '../../src/ledger/stores/git/git-app-folders.ts';
import { type GitPlace, openGitPlace } from '../support/git-place.ts';
import { cleanGitEnv } from '../support/git-remote.ts';

const run = promisify(execFile);
const branch = receiptsBranch('preview', 'pr-1');
const one = (text: string): ReadonlyMap<string, string> => new Map([['records/ab/1.json', text]]);

let place: GitPlace;
beforeEach(async () => {
  place = await openGitPlace({ user: 'ci', password: 'w0rd-of-the-remote' });
});
afterEach(() => place.close());

/** A checkout of these files; each says no more than its name. */
async function checkoutWith(...files: readonly string[]): Promise<string> {
  const top = path.join(place.root, 'checkout');
  for (const file of files) {
    await mkdir(path.dirname(path.join(top, file)), { recursive: true });
    await writeFile(path.join(top, file), file);
  }
  const env = cleanGitEnv(place.root);
  await run('git', ['init', '--quiet', top], { env });
  await run('git', ['add', '--all', '--force'], { cwd: top, env });
  return top;
}

describe('the folders that hosts may build', () => {
  const folders = async (...files: readonly string[]) => appFolders(await checkoutWith(...files), cleanGitEnv(place.root));

  it('are those of packages and of what a host is told, nearest to the top first', async () => {
    const found = await folders(
      'package.json',
      'web/vercel.json',
      'apps/b/package.json',
      'apps/a é/package.json',
      'site/netlify.toml',
      'x/y.json',
    );
    expect(found).toEqual(['site', 'web', 'apps/a é', 'apps/b']);
  });

  it('are none of somebody else, and no more than a hundred', async () => {
    const many = Array.from({ length: 120 }, (_, i) => `packages/p${i}/package.json`);
    const found = await folders('vendor/node_modules/x/package.json', 'app/package.json', ...many);
    expect([found.length, found[0], found.includes('vendor/node_modules/x')]).toEqual([100, 'app', false]);
  });

  it('are none where there is no checkout', async () => {
    expect(await appFolders(place.root, cleanGitEnv(place.root))).toEqual([]);
    expect(await appFolders(path.join(place.root, 'gone'), cleanGitEnv(place.root))).toEqual([]);
  });
});

describe('what stands beside the ledger', () => {
  it('tells people and hosts to leave the branch alone, and hosts nothing about a lock', async () => {
    const { remote, open } = place;
    const top = await checkoutWith('apps/web/package.json', 'src/index.ts');
    const store = await open({ top });
    const first = await store.append(branch, one('1'), null, 'first');
    await store.append(branch, one('2'), first, 'second');
    await store.append(lockBranch('x'), new Map([['lock.json', '{}']]), null, 'lock');
    expect((await remote.git('ls-tree', '-r', '--name-only', branch)).split('\n')).toEqual([
      '.pilotfish/records/ab/1.json',
      'README.md',
      'apps/web/netlify.toml',
      'apps/web/vercel.json',
      'netlify.toml',
      'vercel.json',
    ]);
    expect(await remote.git('show', `${branch}:README.md`)).toContain('pilotfish');
    expect(JSON.parse(await remote.git('show', `${branch}:vercel.json`))).toEqual({ git: { deploymentEnabled: false } });
    expect(await remote.git('show', `${branch}:netlify.toml`)).toContain('ignore = "exit 0"');
    expect(await remote.git('ls-tree', '-r', '--name-only', lockBranch('x'))).toBe('.pilotfish/lock.json');
    expect((await store.read(branch))?.files).toEqual(one('2'));
  });
});
