import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type CommentMark, marked, markOf } from '../../src/host/comment-mark.ts';
import { expectContracts } from '../contracts/expect.ts';
import { openScene } from '../host/scene.ts';
import { branch, openPulls, type Pulls, shaA } from '../lifecycle/pulls.ts';
import { lines, planOf } from '../lifecycle/shop.ts';
import { openGitPlace } from '../support/git-place.ts';
import { tempFolder } from '../support/temp-folder.ts';

/**
 * Our comment is written by `github-actions[bot]`, and so is that of every other workflow of the repository: a mark in that name proves
 * nothing, and there is no key that both a run and the next one hold. So a mark may stop a run only where the remote still holds the
 * commit that it names, as one of this scope's ledger. Who can write comments alone cannot make that; who can push commits can take the
 * ledger away as well. All other marks are told as a warning, and the next run is the first one: what stands at the providers is
 * foreign to it, so it writes over nothing.
 */
const invented = 'd15ea5e0'.repeat(5);
const mark = (receipt: CommentMark['receipt']): CommentMark => ({
  environment: 'preview',
  plan: null,
  scope: 'pr-12',
  run: 'r1',
  endedAt: '2026-11-21T00:00:00.000Z',
  receipt,
});

describe('a comment with a false mark, in the name of the bot,', () => {
  let pulls: Pulls;
  beforeEach(async () => {
    pulls = await openPulls(planOf(lines.dns));
    pulls.pulls.world.open(12, shaA);
  });
  afterEach(async () => {
    pulls.verify();
    expectContracts([pulls.pulls]);
    await pulls.close();
  });
  const forge = (body: string, by = 'github-actions[bot]'): void => void pulls.pulls.world.comment(12, body, by);

  it('that names a commit which the remote does not hold stops no run, and is told', async () => {
    forge(marked(mark({ branch, commit: invented }), 'applied'));
    const applied = await pulls.onPull('opened');
    expect(applied).toMatchObject({ status: 'complete', ok: true });
    expect(applied.warnings).toEqual([
      expect.stringMatching(/comment on the pull request 12 names its receipt d15ea5e0d15e, but the remote holds no such commit/),
    ]);
    expect(pulls.records()).toHaveLength(1);
  });

  it('stops no destroy, and no plan', async () => {
    forge(marked(mark({ branch, commit: invented }), 'applied'));
    expect((await pulls.plan(pulls.asked(await pulls.pullEvent('opened')))).ok).toBe(true);
    pulls.pulls.world.close(12);
    expect((await pulls.onClosed()).status).toBe('complete');
  });

  it.each([
    ['a commit of the code', 'Fix the login page'],
    ["another scope's ledger", 'preview/pr-11: 1 record, receipt'],
    ["another environment's ledger", 'staging/pr-12: 1 record, receipt'],
    ['a commit that mentions this scope', 'Revert "preview/pr-12: 1 record"'],
  ])('that names %s stops no run', async (_, message) => {
    pulls.remote.messages.set(invented, message);
    forge(marked(mark({ branch, commit: invented }), 'applied'));
    expect((await pulls.onPull('opened')).status).toBe('complete');
  });

  it.each(['HEAD', '../../../user', 'x'.repeat(5_000), 'c0ffee', `--upload-pack=x`, `${invented}/../..`])(
    'that names %j, which is no commit, stops no run',
    async (commit) => {
      forge(marked(mark({ branch, commit: invented }), 'applied').replace(invented, commit));
      expect((await pulls.onPull('opened')).status).toBe('complete');
    },
  );

  it('that was written by an account which is not that of the token is no word at all', async () => {
    pulls.remote.messages.set(invented, 'preview/pr-12: 1 record, receipt');
    for (const by of ['ann', 'mallory']) forge(marked(mark({ branch, commit: invented }), 'applied'), by);
    const applied = await pulls.onPull('opened');
    expect(applied).toMatchObject({ status: 'complete', warnings: [] });
  });

  it('of a branch that is gone leaves what stands to a person, and writes over nothing', async () => {
    expect((await pulls.onPull('opened')).status).toBe('complete');
    const before = structuredClone(pulls.records());
    await pulls.store().remove(branch, (await pulls.store().head(branch)) ?? '');
    forge(marked(mark({ branch, commit: invented }), 'applied'));
    const applied = await pulls.onPull('synchronize');
    expect(applied.lines).toMatchObject([{ verdict: 'refused', error: { code: 'RESOURCE_FOREIGN' } }]);
    expect(pulls.records()).toEqual(before);
  });
});

describe('a commit that no branch leads to', () => {
  const ref = 'refs/heads/pilotfish-receipts/preview/pr-1';
  const change = new Map([['a.json', '1']]);

  it.each(['http', 'folder', 'http with filters'])('is shown by a remote that still holds it (%s)', async (how) => {
    const place = await openGitPlace({ user: 'bot', password: 'right-password' });
    onTestFinished(() => place.close());
    if (how === 'http with filters') await place.remote.git('config', 'uploadpack.allowFilter', 'true');
    const open = () => place.open(how === 'folder' ? { url: place.remote.dir } : {});
    const head = await (await open()).append(ref, change, null, 'preview/pr-1: 1 record, receipt');
    await place.remote.git('update-ref', '-d', ref);
    const fresh = await place.open({ ...(how === 'folder' && { url: place.remote.dir }), cacheDir: await tempFolder('cache') });
    expect(await fresh.message?.(head)).toMatch(/^preview\/pr-1: 1 record, receipt\n/);
    expect(await fresh.message?.(await place.remote.git('rev-parse', `${head}^{tree}`))).toBeNull();
    for (const other of [invented, 'HEAD', '--upload-pack=x', head.slice(0, 12), `${head} ${head}`]) {
      expect(await fresh.message?.(other)).toBeNull();
    }
    expect(await fresh.read(ref)).toBeNull();
  });
});

describe('a mark', () => {
  it.each([
    ['of a megabyte', { scope: 'x'.repeat(1_000_000) }],
    ['with a name that is no name', { plan: 'x'.repeat(1_001) }],
  ])('%s is none', (_, change) => {
    const text = JSON.stringify({ ...mark(null), ...change });
    expect(markOf(`<!-- pilotfish ${text} -->\napplied`)).toBeNull();
  });

  it('that ends after now keeps no word of a run away', async () => {
    const scene = openScene();
    const now = (): string => new Date(scene.clock.now() + 30 * 60_000).toISOString();
    scene.world.comment(12, marked(scene.mark({ endedAt: now() }), 'all is well'), 'github-actions[bot]');
    const { upsertComment } = await import('../../src/host/upsert-comment.ts');
    const said = await upsertComment(scene.apiOf(), { mark: scene.mark({ run: 'r2' }), text: 'it failed', age: () => 0 }, scene.signal);
    expect(said).toBe('written');
    expect(scene.bodies().map((body) => body.split('\n')[1])).toEqual(['it failed']);
    await scene.close();
  });
});
