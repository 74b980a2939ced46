import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fullRef } from '../../src/ledger/model/names.ts';
import { type GitPlace, openGitPlace } from '../support/git-place.ts';
import { cleanGitEnv } from '../support/git-remote.ts';
import { isWhole, some } from '../support/whole.ts';
import { byProcess, plant, recordOf } from './planted.ts';

const mb = 1024 * 1024;
const branchOf = (name: string): string => `pilotfish-receipts/preview/${name}`;
const lock = 'refs/pilotfish/locks/0123456789abcdef';
/** As many as an answer has room for. A share of them takes the same way. */
const mostRecords = isWhole ? 20_000 : 4_000;

/** One repository with all of it: a run reads one branch. */
let place: GitPlace;
beforeAll(async () => {
  place = await openGitPlace({ user: 'ci', password: 'word' });
  const { dir } = place.remote;
  await plant(dir, branchOf('large'), [['.pilotfish/lease.json', { zeros: 120 * mb }]]);
  const zeros = git('', 'rev-parse', `${branchOf('large')}:.pilotfish/lease.json`);
  point(lock, folderOf(git(`100644 blob ${zeros}\tlock.json\n`, 'mktree')), 'x');
  await plant(dir, branchOf('long'), [['.pilotfish/lease.json', { random: 70 * mb }]]);
  await plant(
    dir,
    branchOf('much'),
    Array.from({ length: 10 }, (_, n) => [`.pilotfish/records/00/${n}.json`, `${n}${'0'.repeat(14 * mb)}`] as const),
  );
  plantTower(branchOf('tower'));
  plantMessage(branchOf('message'));
  await plant(
    dir,
    branchOf('records'),
    Array.from({ length: mostRecords }, (_, n) => recordOf(n)).map(({ path, text }) => [`.pilotfish/${path}`, text] as const),
  );
});
afterAll(() => place.close());

describe.each(
  some(
    [
      ['a remote over http', () => place.remote.urlWithAuth],
      ['a remote in a folder', () => place.remote.dir],
    ] as const,
    1,
  ),
)('%s', (_, address) => {
  const read = (branch: string) => byProcess('read-ledger.ts', [address(), branch], cleanGitEnv(place.root));

  it('is not unpacked where one file is larger than any of a ledger: its size is known before', async () => {
    const { outcome, mb: memory } = await read(branchOf('large'));
    expect(outcome).toMatch(/LEDGER_CORRUPT: .* 120 MB\. The limit is 32 MB for a file\./);
    expect(memory).toBeLessThan(220);
  });

  it('is not unpacked where a lock is as large', async () => {
    const { outcome, mb: memory } = await read(lock);
    expect(outcome).toMatch(/120 MB\. The limit is 32 MB for a file\./);
    expect(memory).toBeLessThan(220);
  });

  it('is read no further than a ledger can be, where what it sends does not shrink when it is packed', async () => {
    const { outcome, mb: memory } = await read(branchOf('long'));
    expect(outcome).toContain('its host sent more. The limit is 64 MB in one answer.');
    expect(memory).toBeLessThan(600);
  });

  it('has no more in all its files together than a ledger may', async () => {
    const { outcome, mb: memory } = await read(branchOf('much'));
    expect(outcome).toContain('its 10 files have 141 MB. The limit is 128 MB for all files together.');
    expect(memory).toBeLessThan(700);
  });

  it('is refused where ten folders in ten folders, ten times over, make ten thousand million files', async () => {
    const { outcome, mb: memory } = await read(branchOf('tower'));
    expect(outcome).toContain('the list of its files is longer. The limit is 32 MB for that list.');
    expect(memory).toBeLessThan(400);
  });

  it('is refused where its commit is larger than all that it holds', async () => {
    expect((await read(branchOf('message'))).outcome).toContain('is longer. The limit is 1 MB for a commit without its files.');
  });

  it(`with ${mostRecords} records is read`, async () => {
    const { outcome, mb: memory } = await read(branchOf('records'));
    expect(outcome).toBe(`${mostRecords} records`);
    expect(memory).toBeLessThan(1_000);
  });
});

const author = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' };
const git = (input: string | Buffer, ...args: readonly string[]): string =>
  execFileSync('git', ['--git-dir', place.remote.dir, ...args], { input, env: { ...cleanGitEnv(place.root), ...author } })
    .toString()
    .trim();
const folderOf = (tree: string): string => git(`040000 tree ${tree}\t.pilotfish\n`, 'mktree');
const point = (branch: string, tree: string, message: string | Buffer): void =>
  void git('', 'update-ref', fullRef(branch), git(message, 'commit-tree', tree));

function plantTower(branch: string): void {
  const blob = git('x', 'hash-object', '-w', '--stdin');
  const ten = (entry: string): string => git(Array.from({ length: 10 }, (_, n) => `${entry}\t${n}\n`).join(''), 'mktree');
  let tree = ten(`100644 blob ${blob}`);
  for (let level = 1; level < 10; level += 1) tree = ten(`040000 tree ${tree}`);
  point(branch, folderOf(tree), 'x');
}

const plantMessage = (branch: string): void => point(branch, git('', 'mktree'), Buffer.alloc(20 * mb, 'x'));
