import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, type TestContext } from 'vitest';
import { type GitRemoteServer, startGitRemote } from '../support/git-remote.ts';
import { isWhole } from '../support/whole.ts';
import { locksLeft, moment, openScene, type Run, type RunEnds, type RunOptions, type Scene, shortTerms } from './scene.ts';

const git = promisify(execFile);
const latencyMs = 60;
const scopes = Array.from({ length: isWhole ? 8 : 4 }, (_, i) => `pr-${20 + i}`);
const urlOf = (scope: string): string => `https://${scope}.preview.acme.example/callback`;
const lines = `
  - { id: sign-in, recipe: auth0.callback_url, client_id: shopWebAbCdEfGhIjKlMnOpQrStUvWxY, url: "https://\${ctx.scope}.preview.acme.example/callback" }`;

/** A provider that is as far away as a real one, and an application with callback URLs of people. */
async function openTenant(context: TestContext): Promise<Scene> {
  const scene = await openScene(context, lines);
  const { auth0, seed } = scene.team.world;
  Object.assign(auth0.world.client(seed.auth0Client), { callbacks: persons });
  auth0.faults.slow(() => true, latencyMs);
  return scene;
}

const persons = ['https://shop.acme.example/callback', 'https://laptop.acme.example/callback', 'https://shop.acme.example/silent'];

const callbacks = ({ team: { world } }: Scene): readonly string[] => {
  const { callbacks: urls } = world.auth0.world.client(world.seed.auth0Client);
  return Array.isArray(urls) ? urls.map(String) : [];
};

/** Everybody applies at once, each in a process of its own. */
async function together(scene: Scene, where: (index: number) => RunOptions = () => ({})) {
  const since = performance.now();
  const runs = await Promise.all(scopes.map((scope, index) => scene.run(['apply', '--scope', scope], where(index))));
  const ended = await Promise.all(runs.map(({ done }) => done));
  return { ended, seconds: (performance.now() - since) / 1000 };
}

/** Applies each once more; resolves to how many writes they sent. */
async function writesOfAnotherRound(scene: Scene, where?: (index: number) => RunOptions): Promise<number> {
  const { ended } = await together(scene, where);
  expect(ended.map(({ code, document }) => [code, document.status])).toEqual(scopes.map(() => [0, 'complete']));
  return ended.reduce((sum, { document }) => sum + document.stats.writes, 0);
}

const all = [...persons, ...scopes.map(urlOf)].toSorted();

function print(what: string, scene: Scene, seconds: number, lockPushes: number): void {
  const { auth0 } = scene.team.world;
  const count = (write: boolean): number => auth0.log.filter((entry) => entry.write === write && entry.path.includes('/clients/')).length;
  console.log(
    `${what}: ${callbacks(scene).length} of ${all.length} entries, ${count(false)} reads and ${count(true)} writes of the list, ${lockPushes} lock pushes, ${seconds.toFixed(1)} s`,
  );
}

const lockPushesOf = (ended: readonly { document: { stats: { lockPushes: number } } }[]): number =>
  ended.reduce((sum, { document }) => sum + document.stats.lockPushes, 0);

describe('processes with scopes of their own that add an entry to one list at once', () => {
  it('all have it there, beside the entries of people, and leave no lock', async (context) => {
    const scene = await openTenant(context);
    const { ended, seconds } = await together(scene);
    expect(ended.map(({ code }) => code)).toEqual(scopes.map(() => 0));
    expect(callbacks(scene).toSorted()).toEqual(all);
    expect(callbacks(scene).slice(0, persons.length)).toEqual(persons);
    expect(await locksLeft(scene.team.remote)).toEqual([]);
    print('all at once', scene, seconds, lockPushesOf(ended));
    expect(await writesOfAnotherRound(scene)).toBe(0);
  });

  it('lose nothing to one that is killed while it holds the lock, in the middle of its write', async (context) => {
    const scene = await openTenant(context);
    const [first = '', ...others] = scopes;
    const [isWriting, hasLanded] = [moment(), moment()];
    let held: Promise<readonly string[]> = Promise.resolve([]);
    const killed: RunEnds = {
      before: async ({ kind }, run) => {
        if (kind !== 'write') return;
        isWriting.reach();
        await run.die();
        // The write is on its way all the same: it lands while others wait for the lock. Nothing here may keep it back.
        held = locksLeft(scene.team.remote);
        held.catch(() => undefined);
      },
      after: ({ kind }) => (kind === 'write' ? hasLanded.reach() : undefined),
    };
    const since = performance.now();
    const dying = await scene.run(['apply', '--scope', first], { ends: killed, env: shortTerms });
    // It holds the lock before the others come, so all of them have to outlast it.
    await isWriting.reached;
    const runs = await Promise.all(others.map((scope) => scene.run(['apply', '--scope', scope])));
    const ended = await Promise.all(runs.map(({ done }) => done));
    const seconds = (performance.now() - since) / 1000;
    await hasLanded.reached;
    expect((await dying.done).code).toBe(-1);
    expect(ended.map(({ code }) => code)).toEqual(others.map(() => 0));
    expect(await held).toHaveLength(1);
    expect(callbacks(scene).toSorted()).toEqual(all);
    print('all at once, one killed', scene, seconds, lockPushesOf(ended));

    const again = await (await scene.run(['apply', '--scope', first])).done;
    expect(again.document.lines).toMatchObject([{ id: 'sign-in', state: 'settled', verdict: 'claim' }]);
    expect(await locksLeft(scene.team.remote)).toEqual([]);
    expect(await writesOfAnotherRound(scene)).toBe(0);
    expect(callbacks(scene).toSorted()).toEqual(all);
  });

  it('share it also from two repositories, when both name one remote for their locks', async (context) => {
    const scene = await openTenant(context);
    const { where, remotes } = await twoRepositories(context, scene);
    const locks = await remoteFor(context, 'acme/locks.git');
    const shared = (index: number): RunOptions => ({ ...where(index), env: { PILOTFISH_LOCK_REMOTE: locks.urlWithAuth } });
    const { ended, seconds } = await together(scene, shared);
    expect(ended.map(({ code }) => code)).toEqual(scopes.map(() => 0));
    expect(callbacks(scene).toSorted()).toEqual(all);
    const receipts = await Promise.all(
      remotes.map((remote) => remote.git('for-each-ref', '--format=%(refname)', 'refs/heads/pilotfish-receipts')),
    );
    expect(receipts.map((names) => names.split('\n').length)).toEqual([scopes.length / 2, scopes.length / 2]);
    for (const remote of [locks, ...remotes]) expect(await locksLeft(remote)).toEqual([]);
    expect(await locks.git('for-each-ref', '--format=%(refname)')).not.toBe('');
    print('all at once from two repositories', scene, seconds, lockPushesOf(ended));
    expect(await writesOfAnotherRound(scene, shared)).toBe(0);
  });
});

describe('the lock between runs', () => {
  it('is asked before a write is repeated: one that was told to wait past its lock is not sent again', async (context) => {
    const scene = await openTenant(context);
    const [first = '', second = ''] = scopes;
    scene.team.world.auth0.faults.once({ method: 'PATCH' }, 429, { message: 'Global limit has been reached' }, { 'retry-after': '14' });
    const told = moment();
    const slow = await scene.run(['apply', '--scope', first], {
      env: { PILOTFISH_LEASE_MS: '5000', PILOTFISH_REQUEST_DEADLINE_MS: '1500' },
      ends: { after: ({ kind }) => (kind === 'write' ? told.reach() : undefined) },
    });
    await told.reached;
    const quick = await (await scene.run(['apply', '--scope', second])).done;
    expect([quick.code, quick.document.status]).toEqual([0, 'complete']);
    const late = await slow.done;
    expect(callbacks(scene)).toContain(urlOf(second));
    expect(slow.wire.passages.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
    expect(late.document.lines).toMatchObject([{ id: 'sign-in', error: { code: 'LEASE_LOST' } }]);

    expect((await (await scene.run(['apply', '--scope', first])).done).code).toBe(0);
    expect(callbacks(scene).toSorted()).toEqual([...persons, urlOf(first), urlOf(second)].toSorted());
  });

  it('is what keeps the entries: of two processes that do not share it, one loses its own', async (context) => {
    const scene = await openTenant(context);
    const remotes = await Promise.all([remoteFor(context, 'acme/mine.git'), remoteFor(context, 'acme/theirs.git')]);
    const [first = '', second = ''] = scopes;
    const bothRead = barrier(2);
    const firstIsDone = Promise.withResolvers<void>();
    const apply = (scope: string, index: number, ends: RunEnds): Promise<Run> =>
      scene.run(['apply', '--scope', scope], { env: { PILOTFISH_LOCK_REMOTE: remotes[index]?.urlWithAuth ?? '' }, ends });
    // Each holds what it believes to be the lock, and has read the list when the other has.
    const runs = await Promise.all([
      apply(first, 0, { before: ({ kind }) => (kind === 'write' ? bothRead() : undefined) }),
      apply(second, 1, {
        before: async ({ kind }) => {
          if (kind !== 'write') return;
          await bothRead();
          // The first one wrote and has seen its entry stand.
          await firstIsDone.promise;
        },
      }),
    ]);
    void runs[0].done.then(() => firstIsDone.resolve());
    expect((await Promise.all(runs.map(({ done }) => done))).map(({ code }) => code)).toEqual([0, 0]);
    expect(callbacks(scene).toSorted()).toEqual([...persons, urlOf(second)].toSorted());
  });
});

/** Resolves for all when the n-th comes. */
function barrier(n: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let come = 0;
  return () => {
    come += 1;
    if (come === n) resolve();
    return promise;
  };
}

async function remoteFor({ onTestFinished }: TestContext, repo: string): Promise<GitRemoteServer> {
  const remote = await startGitRemote({ user: 'demo', password: 'demo-remote-password', repo });
  onTestFinished(() => remote.stop());
  return remote;
}

/** A second repository beside the team's: scopes take turns between the two. */
async function twoRepositories(context: TestContext, { team }: Scene) {
  const other = await remoteFor(context, 'acme/back.git');
  const folder = join(team.checkout, '../back');
  await git('git', ['clone', '--quiet', team.checkout, folder], { env: team.env });
  await git('git', ['-C', folder, 'remote', 'set-url', 'origin', other.urlWithAuth], { env: team.env });
  await git('cp', [join(team.checkout, 'release.plan.yaml'), folder]);
  return { remotes: [team.remote, other], where: (index: number): RunOptions => ({ cwd: index % 2 === 0 ? team.checkout : folder }) };
}
