import { execFileSync } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { repositoryFacts } from '../../src/platform/checkout.ts';
import { expectContracts } from '../contracts/expect.ts';
import { branch, noToken, openPulls, type Pulls, shaA, shaB, shaC } from './pulls.ts';
import { lines, planOf } from './shop.ts';

let pulls: Pulls;
afterEach(async () => {
  pulls.verify();
  expectContracts([pulls.pulls]);
  await pulls.close();
});

/** A pull request that was opened and applied at `a`, and goes on from there. */
async function opened(...more: readonly string[]): Promise<Pulls> {
  pulls = await openPulls(planOf(lines.dns, ...more));
  pulls.pulls.world.open(12, shaA);
  expect((await pulls.onPull('opened')).status).toBe('complete');
  await pulls.later();
  return pulls;
}
const push = async (sha: string): Promise<void> => {
  pulls.pulls.world.push(12, sha);
  expect((await pulls.onPull('synchronize')).status).toBe('complete');
  await pulls.later();
};
const closeAndDestroy = async (env: NodeJS.ProcessEnv = {}): Promise<void> => {
  pulls.pulls.world.close(12);
  expect((await pulls.onClosed({ env })).status).toBe('complete');
  expect(pulls.records()).toEqual([]);
  await pulls.later();
};
/** Runs it, and holds it to what a stale run is: exit 0, no request to a provider, not a byte in the ledger. */
async function expectStale(run: () => Promise<Awaited<ReturnType<Pulls['apply']>>>, why: RegExp): Promise<void> {
  const requests = pulls.providersSince();
  const commits = pulls.remote.commits.length;
  const doc = await run();
  expect(doc).toMatchObject({ ok: true, status: 'stale', lines: [], receipt: { commit: null } });
  expect(doc.warnings[0]).toMatch(why);
  expect(requests()).toEqual([]);
  expect(pulls.remote.commits.length).toBe(commits);
}

describe('a late deployment event for a destroyed pull request', () => {
  it('is stale for the last commit', async () => {
    await opened();
    await closeAndDestroy();
    await expectStale(() => pulls.onDeployment(shaA), /closed/);
  });

  it('is stale for the last commit and for any other where nobody can be asked', async () => {
    await opened();
    await closeAndDestroy(noToken);
    for (const sha of [shaA, shaC]) await expectStale(() => pulls.onDeployment(sha, { env: noToken }), /destroyed/);
    const doc = await pulls.onDeployment(shaA, { env: noToken });
    expect(doc.warnings.join()).toContain('GITHUB_TOKEN is not set');
  });

  it('is stale after a merge as well, and in a scope that was never applied', async () => {
    pulls = await openPulls(planOf(lines.dns));
    pulls.pulls.world.open(12, shaA);
    pulls.pulls.world.close(12, 'merged');
    await expectStale(() => pulls.onDeployment(shaA), /closed/);
    expect(pulls.remote.branches.size).toBe(0);
  });

  it('is stale, and so is a run that began before the destroy and saw nothing of it', async () => {
    await opened();
    const { remote } = pulls;
    const begun = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    remote.before = async () => {
      remote.before = () => undefined;
      begun.resolve();
      await gone.promise;
    };
    const unchanged = pulls.onDeployment(shaA, { env: noToken });
    await begun.promise;
    await closeAndDestroy();
    gone.resolve();
    expect((await unchanged).status).toBe('stale');
    expect((await pulls.ledger()).history.map(({ outcome }) => outcome).at(-1)).toBe('destroyed: complete');
    await expectStale(() => pulls.onDeployment(shaA, { env: noToken }), /destroyed/);
  });

  it('is no longer late when the pull request was opened again', async () => {
    await opened();
    await closeAndDestroy();
    pulls.pulls.world.reopen(12);
    expect((await pulls.onDeployment(shaA)).status).toBe('complete');
    expect(pulls.records()).toHaveLength(1);
  });

  it('is no longer late after the reopening itself was applied, also where nobody can be asked', async () => {
    await opened();
    await closeAndDestroy(noToken);
    pulls.pulls.world.reopen(12);
    expect((await pulls.onPull('reopened', { env: noToken })).status).toBe('complete');
    expect((await pulls.onDeployment(shaA, { env: noToken })).status).toBe('complete');
    expect(pulls.records()).toHaveLength(1);
  });

  it('does not bring back what a person destroyed while the pull request is open, and a push does', async () => {
    await opened();
    expect((await pulls.destroy()).status).toBe('complete');
    await expectStale(() => pulls.onDeployment(shaA), /while the pull request 12 was open/);
    await push(shaB);
    expect(pulls.records()).toHaveLength(1);
  });

  it('is ended by a person at a terminal', async () => {
    await opened();
    await closeAndDestroy();
    expect((await pulls.apply({ sha: shaA })).status).toBe('complete');
    expect((await pulls.onDeployment(shaA, { env: noToken })).status).toBe('complete');
    expect(pulls.records()).toHaveLength(1);
  });
});

describe('an event of an older commit', () => {
  it('is stale when the code host has another head', async () => {
    await opened();
    await push(shaB);
    await expectStale(() => pulls.onDeployment(shaA), /not the head/);
    expect((await pulls.onDeployment(shaB)).status).toBe('complete');
  });

  it('is stale when history has a later one and nobody can be asked', async () => {
    await opened();
    await push(shaB);
    await expectStale(() => pulls.onDeployment(shaA, { env: noToken }), /older than/);
  });

  it('is not stale when the branch was pushed back to it: the head now is the authority', async () => {
    await opened();
    await push(shaB);
    pulls.pulls.world.push(12, shaA);
    expect((await pulls.onDeployment(shaA)).status).toBe('complete');
    await expectStale(() => pulls.onDeployment(shaB), /not the head/);
    expect((await pulls.onPull('synchronize', { env: noToken })).status).toBe('complete');
    expect((await pulls.onDeployment(shaA, { env: noToken })).status).toBe('complete');
    await expectStale(() => pulls.onDeployment(shaB, { env: noToken }), /older than/);
  });

  it('is stale as a job that is run again', async () => {
    await opened();
    const first = await pulls.pullEvent('synchronize');
    await pulls.later();
    await push(shaB);
    await expectStale(() => pulls.apply(pulls.asked({ ...first, GITHUB_RUN_ATTEMPT: '2' })), /not the head/);
    await expectStale(() => pulls.apply(pulls.asked({ ...first, ...noToken, GITHUB_RUN_ATTEMPT: '2' })), /a later event/);
  });

  it('is stale as a push whose job began after that of the next push', async () => {
    await opened();
    pulls.pulls.world.push(12, shaB);
    const slow = await pulls.pullEvent('synchronize');
    await pulls.later();
    await push(shaC);
    await expectStale(() => pulls.apply(pulls.asked(slow)), /not the head/);
    await expectStale(() => pulls.apply(pulls.asked({ ...slow, ...noToken })), /a later event/);
  });

  it('that comes twice finds nothing to do the second time', async () => {
    await opened();
    const job = await pulls.deploymentEvent(shaA);
    expect((await pulls.apply(pulls.asked(job))).status).toBe('complete');
    const seen = pulls.watch();
    const docs = await Promise.all([pulls.apply(pulls.asked(job)), pulls.apply(pulls.asked(job))]);
    expect(docs.map(({ status }) => status)).toEqual(['complete', 'complete']);
    expect(seen.writes()).toEqual([]);
    expect(pulls.records()).toHaveLength(1);
  });
});

describe('an event that closes', () => {
  it('destroys, and does so twice without harm', async () => {
    await opened();
    pulls.pulls.world.close(12);
    const job = await pulls.pullEvent('closed');
    const destroy = () => pulls.apply(pulls.asked(job, { destroy: true }));
    expect((await destroy()).status).toBe('complete');
    expect((await destroy()).status).toBe('complete');
    expect(pulls.records()).toEqual([]);
  });

  it('is stale when the pull request was opened again before it came', async () => {
    await opened();
    pulls.pulls.world.close(12);
    const late = await pulls.pullEvent('closed');
    await pulls.later();
    pulls.pulls.world.reopen(12);
    await expectStale(() => pulls.apply(pulls.asked(late, { destroy: true })), /is open/);
    expect((await pulls.onPull('reopened')).status).toBe('complete');
    await expectStale(() => pulls.apply(pulls.asked({ ...late, ...noToken }, { destroy: true })), /opened again/);
    expect(pulls.records()).toHaveLength(1);
  });

  it('is believed when the host answers from before it', async () => {
    await opened();
    pulls.pulls.world.push(12, shaB);
    await pulls.later();
    pulls.pulls.world.close(12);
    pulls.pulls.world.push(12, shaB);
    const job = await pulls.pullEvent('closed');
    pulls.pulls.faults.times(2, 'GET /repos/{o}/{r}/pulls/{n}', 200, {
      number: 12,
      state: 'open',
      head: { sha: shaB, ref: 'feature' },
      updated_at: '2026-11-21T00:00:30Z',
    });
    expect((await pulls.apply(pulls.asked(job, { destroy: true }))).status).toBe('complete');
    expect(pulls.records()).toEqual([]);
  });

  it('is not needed by a person, who may destroy what belongs to an open pull request', async () => {
    await opened();
    expect((await pulls.destroy({ scope: null, pr: 12 })).status).toBe('complete');
    expect(pulls.records()).toEqual([]);
    await push(shaB);
    const button = await pulls.job('workflow_dispatch', { inputs: {} });
    expect((await pulls.apply(pulls.asked(button, { destroy: true }))).status).toBe('complete');
    expect(pulls.records()).toEqual([]);
  });
});

describe('a pull request that is closed while a run is under way', () => {
  it('stops the run that waited for its lease', async () => {
    await opened();
    const { world, clock, write } = pulls;
    await write(planOf(lines.dns, lines.payments));
    const off = world.stripe.watch(async ({ phase, method }) => {
      if (phase === 'before' && method === 'POST') await clock.sleep(2_000);
    });
    pulls.pulls.world.push(12, shaB);
    const first = pulls.onPull('synchronize', {
      waitTimeoutMs: 60_000,
      env: { PILOTFISH_REQUEST_DEADLINE_MS: '3000', PILOTFISH_LEASE_MS: '9000' },
    });
    await clock.sleep(1_000);
    const events: RunEvent[] = [];
    const waiting = pulls.apply(pulls.asked(await pulls.deploymentEvent(shaB)), events);
    await clock.sleep(500);
    expect(events.some((event) => event.type === 'run' && event.detail?.includes('holds this scope'))).toBe(true);
    pulls.pulls.world.close(12);
    expect((await first).status).toBe('complete');
    off();
    const commits = pulls.remote.commits.length;
    expect(await waiting).toMatchObject({ ok: true, status: 'stale', lines: [] });
    expect(pulls.remote.commits.length).toBe(commits);
  });

  it('stops the run under its lease before the first write, and what it announced is withdrawn', async () => {
    await opened();
    const { world, write, remote, ledger } = pulls;
    await write(planOf(lines.dns, lines.payments, lines.callback));
    pulls.pulls.world.push(12, shaB);
    const job = await pulls.pullEvent('synchronize');
    await pulls.later();
    const before = await ledger();
    let asked = 0;
    pulls.pulls.watch(({ phase }) => {
      if (phase === 'after' && ++asked === 1) pulls.pulls.world.close(12);
    });
    const seen = pulls.watch();
    const doc = await pulls.apply(pulls.asked(job));
    expect(doc).toMatchObject({ ok: true, status: 'stale', receipt: { commit: null } });
    expect(asked).toBe(2);
    expect(seen.writes().filter(({ path }) => path !== '/oauth/token')).toEqual([]);
    expect(world.stripe.world.endpoints()).toEqual([]);
    const after = await ledger();
    expect({ ...after, lease: null }).toEqual({ ...before, lease: null });
    expect(after.lease?.released).not.toBeNull();
    expect(remote.on(branch).some((change) => [...change.keys()].some((file) => file.startsWith('intents/')))).toBe(true);
  });

  it('stops a destroy under its lease when it was opened again', async () => {
    await opened();
    pulls.pulls.world.close(12);
    const job = await pulls.pullEvent('closed');
    await pulls.later();
    let asked = 0;
    pulls.pulls.watch(({ phase }) => {
      if (phase === 'after' && ++asked === 1) pulls.pulls.world.reopen(12);
    });
    expect(await pulls.apply(pulls.asked(job, { destroy: true }))).toMatchObject({ ok: true, status: 'stale' });
    expect(pulls.records()).toHaveLength(1);
    expect((await pulls.ledger()).records.size).toBe(1);
  });
});

describe('a code host that does not tell', () => {
  it('with 404 never means closed', async () => {
    await opened();
    pulls.pulls.world.hide(12);
    const doc = await pulls.onDeployment(shaA);
    expect(doc.status).toBe('complete');
    expect(doc.warnings.join()).toContain('404');
    expect(pulls.records()).toHaveLength(1);
  });

  it.each([401, 403, 500])('with %i leaves the decision to history', async (status) => {
    await opened();
    await push(shaB);
    pulls.pulls.faults.times(20, 'GET /repos/{o}/{r}/pulls/{n}', status, { message: 'no' });
    const doc = await pulls.onDeployment(shaB);
    expect(doc.status).toBe('complete');
    expect(doc.warnings.join()).toContain(`answered ${status}`);
    await expectStale(() => pulls.onDeployment(shaA), /older than/);
    pulls.pulls.faults.clear();
  });

  it('because the repository lives elsewhere gets no token, and a notice says so', async () => {
    await opened();
    const asked = pulls.pulls.log.length;
    const doc = await pulls.onDeployment(shaA, { env: { GITHUB_REPOSITORY: 'group/sub/shop' } });
    expect(doc.status).toBe('complete');
    expect(doc.warnings.join()).toContain('is not on github.com');
    expect(pulls.pulls.log.length).toBe(asked);
  });

  it('does not show its token anywhere', async () => {
    await opened();
    const events: RunEvent[] = [];
    const doc = await pulls.apply(pulls.asked(await pulls.deploymentEvent(shaA)), events);
    const said = JSON.stringify([doc, events, [...pulls.remote.branches.values()].map(({ files }) => [...files])]);
    expect(said).not.toContain(pulls.pulls.tokens.full);
    expect(events.some((event) => event.type === 'request' && event.url.endsWith('/repos/acme/shop/pulls/12'))).toBe(true);
  });
});

describe('ancestry, where nobody can be asked', () => {
  /** Three commits on one line, in the folder of the plan; `depth` cuts the history off as a shallow clone does. */
  const history = async (depth: number | null): Promise<readonly string[]> => {
    const { folder } = pulls;
    const git = (cwd: string, ...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@acme.example', ...args], { cwd, encoding: 'utf8' }).trim();
    const project = path.join(folder, 'project');
    git(folder, 'init', '-q', '-b', 'feature', project);
    const commits = ['one', 'two', 'three'].map((message) => {
      git(project, 'commit', '-q', '--allow-empty', '-m', message);
      return git(project, 'rev-parse', 'HEAD');
    });
    git(folder, 'clone', '-q', ...(depth === null ? [] : ['--depth', String(depth)]), `file://${project}`, path.join(folder, 'clone'));
    await copyFile(path.join(folder, 'release.plan.yaml'), path.join(folder, 'clone', 'release.plan.yaml'));
    return commits;
  };
  const deployed = async (sha: string) => pulls.onDeployment(sha, { cwd: path.join(pulls.folder, 'clone'), env: noToken });

  it('tells that a commit which was never applied is older than one that was', async () => {
    pulls = await openPulls(planOf(lines.dns));
    const [one = '', two = '', three = ''] = await history(null);
    expect((await deployed(two)).status).toBe('complete');
    await expectStale(() => deployed(one), /older than/);
    expect((await deployed(three)).status).toBe('complete');
  });

  it.each([1, 2])('concludes nothing from a clone of depth %i', async (depth) => {
    pulls = await openPulls(planOf(lines.dns));
    const [one = '', two = '', three = ''] = await history(depth);
    expect((await deployed(three)).status).toBe('complete');
    expect((await deployed(two)).status).toBe('complete');
    expect((await deployed(one)).status).toBe('complete');
  });
});

describe('a checkout of depth 1', () => {
  /** The scope is applied for the second of two commits of its pull request, from a shallow clone. */
  const applied = async (): Promise<{ readonly cwd: string }> => {
    await opened();
    const [project, cwd] = [path.join(pulls.folder, 'project'), path.join(pulls.folder, 'shallow')];
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@acme.example', ...args], { cwd: pulls.folder });
    git('init', '-q', project);
    for (const message of ['one', 'two']) git('-C', project, 'commit', '-q', '--allow-empty', '-m', message);
    git('clone', '-q', '--depth=1', `file://${project}`, cwd);
    await copyFile(path.join(pulls.folder, 'release.plan.yaml'), path.join(cwd, 'release.plan.yaml'));
    await pulls.later();
    pulls.pulls.world.push(12, shaB);
    expect((await pulls.onPull('synchronize', { cwd })).status).toBe('complete');
    return { cwd };
  };

  it('leaves an older deployment alone, as the code host knows the head', async () => {
    const { cwd } = await applied();
    await expectStale(() => pulls.onDeployment(shaA, { cwd }), /is not the head of/);
    expect((await pulls.onDeployment(shaB, { cwd })).status).toBe('complete');
  });

  it('leaves an older commit alone whose event tells no time, as the code host knows the commits', async () => {
    const { cwd } = await applied();
    const repository = await repositoryFacts(cwd, process.env);
    expect(repository?.shallow).toBe(true);
    const job = await pulls.job('push', { ref: 'refs/heads/feature' });
    const run = (sha: string) => pulls.apply(pulls.asked(job, { cwd, sha, pr: 12 }));
    await expectStale(() => run(shaA), /is not the head of/);
    expect((await run(shaC)).status).toBe('complete');
  });
});

it('a person at a terminal and production are never asked about a pull request', async () => {
  await opened();
  pulls.pulls.world.close(12);
  const asked = pulls.pulls.log.length;
  expect((await pulls.apply({ pr: 12, scope: null })).status).toBe('complete');
  const doc = await pulls.onDeployment(shaB, { environment: 'production', approvedBy: 'Ann' });
  expect([doc.status, doc.scope]).toEqual(['complete', 'production']);
  expect(pulls.pulls.log.length).toBe(asked);
});

it('a plan says that a run would be stale', async () => {
  await opened();
  pulls.pulls.world.close(12);
  const doc = await pulls.plan(pulls.asked(await pulls.deploymentEvent(shaA)));
  expect(doc.ok).toBe(true);
  expect(doc.warnings.join()).toContain('would be stale');
});
