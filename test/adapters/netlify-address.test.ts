import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { type NetlifyWorld, netlify as simulateNetlify } from 'pilotfish-sandbox/netlify/index';
import { afterEach, describe, expect, test } from 'vitest';
import { netlify } from '../../src/adapters/netlify/index.ts';
import type { Params } from '../../src/ops/bound.ts';
import { expectContracts } from '../contracts/expect.ts';
import { openBench, readyLive, settle } from '../support/op-bench.ts';

let used: Simulation<NetlifyWorld>[] = [];
afterEach(() => {
  verifyHandled(used);
  expectContracts(used);
  used = [];
});

const site = '3970e0fe-8564-4903-9a55-c5f8de49fb8b';
const sha = 'a'.repeat(40);

function open(more: Parameters<NetlifyWorld['addSite']>[2] = {}) {
  const simulation = simulateNetlify();
  used.push(simulation);
  const { world } = simulation;
  world.addSite('acme', site, { name: 'shop', ...more });
  const bench = openBench(netlify, simulation);
  const look = (params: Params = {}, branch: string | null = 'feat/x') =>
    bench.wait('address', { site_id: site, ...params }, { branch }).poll(bench.io, null);
  const host = async (params?: Params, branch?: string) => String(readyLive(await look(params, branch)).outputs.hostname);
  const preview = (params: Params = {}, since: number | null = null) =>
    bench.wait('deploy', { site_id: site, ...params }, { sha }).poll(bench.io, since);
  const built = (what: Parameters<NetlifyWorld['deploy']>[1] = { context: 'deploy-preview', branch: 'feat/x' }) =>
    world.deploy(site, { commit_ref: sha, review_id: 12, state: 'ready', ...what });
  return { ...bench, simulation, world, look, host, preview, built };
}

const branchDeploy = { context: 'branch-deploy', branch: 'feat/x' } as const;

describe('the address', () => {
  test('of a deploy preview has the number of its pull request, and that of a branch deploy has its branch', async () => {
    const { simulation, host, preview, built } = open();
    expect(await host({ pull_request: '12' })).toBe('deploy-preview-12--shop.netlify.app');
    expect(await host()).toBe('feat-x--shop.netlify.app');
    expect(simulation.log.map(({ path }) => path)).toEqual([`/api/v1/sites/${site}`]);
    built();
    built(branchDeploy);
    expect(await preview({ address: 'deploy-preview-12--shop.netlify.app' })).toMatchObject({ state: 'ready' });
    expect(await preview({ context: 'branch-deploy', address: 'feat-x--shop.netlify.app' })).toMatchObject({ state: 'ready' });
  });

  test('is below the automatic deploy subdomain where the site has one', async () => {
    const { host, preview, built } = open({
      deploy_preview_custom_domain: 'previews.acme.example',
      branch_deploy_custom_domain: 'acme.example',
    });
    const hosts = [await host({ pull_request: '12' }), await host()];
    expect(hosts).toEqual(['deploy-preview-12.previews.acme.example', 'feat-x.acme.example']);
    built();
    expect(await preview({ address: hosts[0] as string })).toMatchObject({ state: 'ready' });
  });

  test.each([
    ['a branch that is too long for a label', `feat/${'very-'.repeat(12)}long`, /has \d+ characters/],
    ['two signs in a row', 'feat--x', /spells the branch feat--x/],
    ['letters that are not ASCII', 'größe', /spells the branch/],
  ])('of %s is told as unknown', async (_, branch, says) => {
    const { look } = open();
    await expect(look({}, branch)).rejects.toMatchObject({ code: 'PARAM_INVALID', detail: expect.stringMatching(says) });
  });

  test('of a deploy preview is known whatever its branch is', async () => {
    const { host } = open();
    expect(await host({ pull_request: '12' }, 'ü'.repeat(90))).toBe('deploy-preview-12--shop.netlify.app');
  });

  test('needs a branch or a pull request', () => {
    const { look } = open();
    expect(() => look({}, null)).toThrow(/no git branch/);
  });
});

describe('the deploy of a commit', () => {
  test('is waited for until it is published', async () => {
    const { simulation, preview, built } = open();
    simulation.faults.readyAfter(3);
    expect(await preview()).toMatchObject({
      state: 'wait',
      detail: expect.stringContaining('no deploy-preview of the commit aaaaaaaaaaaa'),
    });
    const made = built({ ...branchDeploy, context: 'deploy-preview', state: 'building' });
    const { last, waits } = await settle(() => preview());
    expect(waits).toContain(`The deploy ${made.id} is building.`);
    expect(readyLive(last).outputs).toEqual({
      id: made.id,
      url: 'https://deploy-preview-12--shop.netlify.app',
      hostname: 'deploy-preview-12--shop.netlify.app',
    });
  });

  test('that started before its variables does not count, and the newest one does', async () => {
    const { preview, built } = open();
    const old = built();
    const since = Date.parse(old.created_at);
    expect(await preview({}, since)).toMatchObject({ state: 'stale', detail: expect.stringContaining('Start another deploy') });
    const next = built({ ...branchDeploy, context: 'deploy-preview', created_at: new Date(since + 1).toISOString() });
    expect(readyLive(await preview({}, since)).id).toBe(next.id);
  });

  test.each([
    [{ state: 'error', error_message: 'Build script returned non-zero exit code: 2' }, /ended as error: Build script/],
    [{ state: 'rejected' }, /ended as rejected/],
    [{ state: 'pending_review' }, /waits for a review/],
    [{ skipped: true }, /was skipped/],
  ])('that came to nothing (%o) fails the line', async (how, says) => {
    const { preview, built } = open();
    built({ ...branchDeploy, context: 'deploy-preview', ...how });
    expect(await preview()).toMatchObject({ state: 'failed', detail: expect.stringMatching(says) });
  });

  test('of another commit or context is not taken for it', async () => {
    const { preview, built } = open();
    built({ ...branchDeploy, context: 'deploy-preview', commit_ref: 'b'.repeat(40) });
    built(branchDeploy);
    expect(await preview()).toMatchObject({ state: 'wait' });
  });

  test('whose name a deploy of the command line took is found, and its own name is told', async () => {
    const { host, preview, built } = open({ taken: ['feat-x'] });
    const made = built(branchDeploy);
    await expect(preview({ context: 'branch-deploy', address: await host() })).rejects.toMatchObject({
      code: 'ADDRESS_DIFFERS',
      detail: expect.stringContaining(`It has ${made.id}--shop.netlify.app.`),
    });
  });
});
