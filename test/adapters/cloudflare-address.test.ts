import { type CloudflareWorld, cloudflare as simulateCloudflare } from 'pilotfish-sandbox/cloudflare';
import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, describe, expect, test } from 'vitest';
import { cloudflare } from '../../src/adapters/cloudflare/index.ts';
import type { Params } from '../../src/ops/bound.ts';
import { expectContracts } from '../contracts/expect.ts';
import { openBench, readyLive, settle } from '../support/op-bench.ts';

let used: Simulation<CloudflareWorld>[] = [];
afterEach(() => {
  verifyHandled(used);
  expectContracts(used);
  used = [];
});

const account = '023e105f4ecef8ad9ca31a8372d0c353';
const sha = 'a'.repeat(40);
const names = { account_id: account, project_name: 'shop' };

function open(subdomain?: string) {
  const simulation = simulateCloudflare();
  used.push(simulation);
  const { world } = simulation;
  const project = world.addPages(account, 'shop', {}, subdomain);
  const bench = openBench(cloudflare, simulation);
  const look = (branch: string | null) => bench.wait('pages_address', names, { branch }).poll(bench.io, null);
  const host = async (branch: string) => String(readyLive(await look(branch)).outputs.hostname);
  const line = (params: Params = {}, environment = 'preview') => bench.wait('pages_deploy', { ...names, ...params }, { sha, environment });
  const deploy = (params: Params = {}, since: number | null = null) => line(params).poll(bench.io, since);
  const live = { stage: 'deploy', status: 'success' } as const;
  const built = (branch = 'feat/x', more: Parameters<CloudflareWorld['deployPages']>[3] = live) =>
    world.deployPages(project, branch, sha, more);
  return { ...bench, simulation, world, project, look, host, line, deploy, live, built };
}

describe('the address of a branch', () => {
  test.each([
    ['feat/x', 'feat-x.shop.pages.dev'],
    ['Feat_X.1', 'feat-x-1.shop.pages.dev'],
    ['feat--x', 'feat--x.shop.pages.dev'],
    ['größe', 'gr--e.shop.pages.dev'],
    ['_private_', 'private.shop.pages.dev'],
    ['feature/of-many-more-signs-than-28', 'feature-of-many-more-signs-t.shop.pages.dev'],
  ])('%s is its alias, under which the deployment answers', async (branch, alias) => {
    const { host, deploy, built } = open();
    expect(await host(branch)).toBe(alias);
    built(branch);
    expect(await deploy({ address: alias })).toMatchObject({ state: 'ready' });
  });

  test('is below the subdomain that the project has, also where somebody else has its name', async () => {
    const { host, deploy, built } = open('shop-4xz.pages.dev');
    expect(await host('feat/x')).toBe('feat-x.shop-4xz.pages.dev');
    expect(await host('main')).toBe('shop-4xz.pages.dev');
    const made = built();
    await expect(deploy({ address: 'feat-x.shop.pages.dev' })).rejects.toMatchObject({
      code: 'ADDRESS_DIFFERS',
      detail: expect.stringContaining(`It has feat-x.shop-4xz.pages.dev, ${made.id.slice(0, 8)}.shop-4xz.pages.dev.`),
    });
  });

  test.each([
    ['---', /its alias is random/],
    [`${'b'.repeat(27)}/x`, /hyphen as the last of its first 28/],
  ])('%s is told as unknown', async (branch, says) => {
    const { look } = open();
    await expect(look(branch)).rejects.toMatchObject({ code: 'PARAM_INVALID', detail: expect.stringMatching(says) });
  });

  test('needs a branch', () => {
    const { look } = open();
    expect(() => look(null)).toThrow(/no git branch/);
  });
});

describe('the deployment of a commit', () => {
  test('is waited for until it is live', async () => {
    const { simulation, deploy, built } = open();
    simulation.faults.readyAfter(2);
    expect(await deploy()).toMatchObject({ state: 'wait', detail: expect.stringContaining('no preview deployment of the commit') });
    const made = built('feat/x', {});
    const { last, waits } = await settle(() => deploy());
    expect(waits).toContain(`The deployment ${made.id} is in the stage build.`);
    const hostname = `${made.id.slice(0, 8)}.shop.pages.dev`;
    expect(readyLive(last).outputs).toEqual({ id: made.id, url: `https://${hostname}`, hostname });
  });

  test('that was made before its variables does not count, and the newest one does', async () => {
    const { deploy, built, live } = open();
    const old = built();
    const since = Date.parse(old.created_on);
    expect(await deploy({}, since)).toMatchObject({ state: 'stale', detail: expect.stringContaining('Start another deployment') });
    const next = built('feat/x', { ...live, created_on: new Date(since + 1).toISOString() });
    expect(readyLive(await deploy({}, since)).id).toBe(next.id);
  });

  test.each([
    [{ stage: 'build', status: 'failure' } as const, /ended as failure in the stage build/],
    [{ stage: 'build', status: 'canceled' } as const, /ended as canceled/],
    [{ isSkipped: true }, /was skipped/],
  ])('that came to nothing (%o) fails the line', async (how, says) => {
    const { deploy, built } = open();
    built('feat/x', how);
    expect(await deploy()).toMatchObject({ state: 'failed', detail: expect.stringMatching(says) });
  });

  test('keeps its alias where a later commit of the branch was deployed', async () => {
    const { world, project, deploy, built, live } = open();
    built();
    world.deployPages(project, 'feat/x', 'b'.repeat(40), live);
    expect(await deploy({ address: 'feat-x.shop.pages.dev' })).toMatchObject({ state: 'ready' });
    world.deployPages(project, 'Feat_X', 'c'.repeat(40), live);
    await expect(deploy({ address: 'feat-x.shop.pages.dev' })).rejects.toMatchObject({ code: 'ADDRESS_DIFFERS' });
  });

  test('is found on any page of the list, and after that only the first page is read', async () => {
    const { simulation, world, project, line, io, built, live } = open();
    built();
    for (let i = 0; i < 60; i += 1) world.deployPages(project, `other-${i}`, 'b'.repeat(40), live);
    const bound = line();
    expect(await bound.poll(io, null)).toMatchObject({ state: 'ready' });
    expect(simulation.log).toHaveLength(3);
    const absent = line({ sha: 'd'.repeat(40) });
    for (const _ of [1, 2]) expect(await absent.poll(io, null)).toMatchObject({ state: 'wait' });
    expect(simulation.log).toHaveLength(7);
  });

  test('of production is that of the production branch', async () => {
    const { io, line, built } = open();
    built('main');
    expect(await line().poll(io, null)).toMatchObject({ state: 'wait' });
    expect(await line({ address: 'shop.pages.dev' }, 'production').poll(io, null)).toMatchObject({ state: 'ready' });
  });
});
