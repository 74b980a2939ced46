import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GitPlace, openGitPlace } from '../support/git-place.ts';
import { cleanGitEnv } from '../support/git-remote.ts';
import { byProcess, plant, recordOf } from './planted.ts';

const branch = 'pilotfish-receipts/preview/pr-12';
const mb = 1024 * 1024;
let place: GitPlace;

beforeEach(async () => {
  place = await openGitPlace({ user: 'ci', password: 'word' });
});
afterEach(() => place.close());

describe.each([
  ['a remote over http', () => place.remote.urlWithAuth],
  ['a remote in a folder', () => place.remote.dir],
])('%s', (_, address) => {
  const read = (of = branch) => byProcess('read-ledger.ts', [address(), of], cleanGitEnv(place.root));

  it('is not unpacked where one file is larger than any of a ledger: its size is known before', async () => {
    await plant(place.remote.dir, branch, [['.pilotfish/lease.json', { zeros: 120 * mb }]]);
    const { outcome, mb: memory } = await read();
    expect(outcome).toMatch(/LEDGER_CORRUPT: .* 120 MB\. The limit is 32 MB for a file\./);
    expect(memory).toBeLessThan(220);
  });

  it('is not unpacked where a lock is as large', async () => {
    await plant(place.remote.dir, 'refs/pilotfish/locks/0123456789abcdef', [['.pilotfish/lock.json', { zeros: 120 * mb }]]);
    const { outcome, mb: memory } = await read('refs/pilotfish/locks/0123456789abcdef');
    expect(outcome).toMatch(/120 MB\. The limit is 32 MB for a file\./);
    expect(memory).toBeLessThan(220);
  });

  it('is read no further than a ledger can be, where what it sends does not shrink when it is packed', async () => {
    await plant(place.remote.dir, branch, [['.pilotfish/lease.json', { random: 70 * mb }]]);
    const { outcome, mb: memory } = await read();
    expect(outcome).toContain('its host sent more. The limit is 64 MB in one answer.');
    expect(memory).toBeLessThan(600);
  });

  it('has no more in all its files together than a ledger may', async () => {
    const files = Array.from({ length: 10 }, (_, n) => [`.pilotfish/records/00/${n}.json`, `${n}${'0'.repeat(20 * mb)}`] as const);
    await plant(place.remote.dir, branch, files);
    const { outcome, mb: memory } = await read();
    expect(outcome).toContain('its 10 files have 201 MB. The limit is 128 MB for all files together.');
    expect(memory).toBeLessThan(700);
  });

  it('is refused where ten folders in ten folders, ten times over, make ten thousand million files', async () => {
    const git = (input: string, ...args: readonly string[]): string =>
      execFileSync('git', ['--git-dir', place.remote.dir, ...args], { input, env: { ...cleanGitEnv(place.root), ...author } })
        .toString()
        .trim();
    const blob = git('x', 'hash-object', '-w', '--stdin');
    const ten = (entry: string): string => git(Array.from({ length: 10 }, (_, n) => `${entry}\t${n}\n`).join(''), 'mktree');
    let tree = ten(`100644 blob ${blob}`);
    for (let level = 1; level < 10; level += 1) tree = ten(`040000 tree ${tree}`);
    const top = git(`040000 tree ${tree}\t.pilotfish\n`, 'mktree');
    git('', 'update-ref', `refs/heads/${branch}`, git('', 'commit-tree', '-m', 'x', top));
    const { outcome, mb: memory } = await read();
    expect(outcome).toContain('the list of its files is longer. The limit is 32 MB for that list.');
    expect(memory).toBeLessThan(400);
  });

  it('is refused where its commit is larger than all that it holds', async () => {
    const blob = execFileSync('git', ['--git-dir', place.remote.dir, 'mktree'], { input: '' }).toString().trim();
    const env = { ...cleanGitEnv(place.root), ...author };
    const message = Buffer.alloc(20 * mb, 'x');
    const commit = execFileSync('git', ['--git-dir', place.remote.dir, 'commit-tree', blob], { input: message, env }).toString().trim();
    execFileSync('git', ['--git-dir', place.remote.dir, 'update-ref', `refs/heads/${branch}`, commit]);
    expect((await read()).outcome).toContain('is longer. The limit is 1 MB for a commit without its files.');
  });

  it('with twenty thousand records is read', async () => {
    const records = Array.from({ length: 20_000 }, (_, n) => recordOf(n));
    await plant(
      place.remote.dir,
      branch,
      records.map(({ path, text }) => [`.pilotfish/${path}`, text] as const),
    );
    const { outcome, mb: memory } = await read();
    expect(outcome).toBe('20000 records');
    expect(memory).toBeLessThan(1_000);
  });
});

const author = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' };
