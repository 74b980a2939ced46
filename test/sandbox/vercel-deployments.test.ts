import { asking } from 'pilotfish-sandbox/ask';
import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { type VercelWorld, vercel } from 'pilotfish-sandbox/vercel/index';
import { afterEach, describe, expect, it } from 'vitest';
import { expectContracts } from '../contracts/expect.ts';

let simulations: Simulation<VercelWorld>[] = [];
afterEach(() => {
  verifyHandled(simulations);
  expectContracts(simulations);
  simulations = [];
});

function world() {
  const simulation = vercel();
  simulations.push(simulation);
  return { simulation, shop: simulation.world, ask: asking(simulation, { authorization: `Bearer ${simulation.tokens.full}` }) };
}

const read = (id: unknown) => `/v13/deployments/${String(id)}`;
const gitSource = { type: 'github', org: 'acme', repo: 'shop', ref: 'feat' };

describe('vercel deployments', () => {
  it('a push deploys with the variables of that moment, the branch value before the common one', async () => {
    const { shop } = world();
    shop.addBranch('feat');
    shop.setEnv('A', 'common');
    shop.setEnv('B', 'common');
    shop.setEnv('C', 'live', { target: ['production'] });
    shop.setEnv('A', 'bound', { gitBranch: 'feat' });
    const early = shop.push('feat', 'sha1');
    shop.setEnv('B', 'later');
    expect(early.env).toEqual({ A: 'bound', B: 'common' });
    expect(shop.push('other', 'sha2').env).toEqual({ A: 'common', B: 'later' });
    expect([shop.push('main', 'sha3').target, shop.deployments().at(-1)?.env]).toEqual(['production', { C: 'live' }]);
  });

  it('each read moves it one state on, and its address appears after the upload', async () => {
    const { shop, ask } = world();
    const { id, host } = shop.push('feat', 'sha1');
    const listed = async () => (await ask('GET', '/v7/deployments?projectId=shop')).at('deployments', 0);
    // A deployment that was just made is queued and has no address yet.
    const held = shop.deployments()[0];
    if (held) held.isHeld = true;
    expect(await listed()).toMatchObject({ uid: id, readyState: 'QUEUED', url: null });
    const queued = await ask('GET', read(id));
    expect([queued.at('url'), queued.at('aliasAssigned')]).toEqual([undefined, false]);
    if (held) held.isHeld = false;
    const states = [];
    for (let i = 0; i < 4; i += 1) states.push((await ask('GET', read(id))).at('readyState'));
    expect(states).toEqual(['INITIALIZING', 'BUILDING', 'READY', 'READY']);
    expect(await listed()).toMatchObject({ readyState: 'READY', url: host, meta: { githubCommitSha: 'sha1', githubCommitRef: 'feat' } });
    expect((await ask('GET', read(host))).body).toMatchObject({ id, url: host, aliasAssigned: true });
  });

  it('it is ready with the n-th poll where the test says so', async () => {
    const { simulation, shop, ask } = world();
    simulation.faults.readyAfter(1);
    const { id } = shop.push('feat', 'sha1');
    expect((await ask('GET', read(id))).at('readyState')).toBe('READY');
  });

  it('it ends as its fate says, and a person may settle it', async () => {
    const { simulation, shop, ask } = world();
    simulation.faults.readyAfter(1);
    const failed = shop.push('feat', 'sha1');
    failed.fate = 'ERROR';
    expect((await ask('GET', read(failed.id))).body).toMatchObject({ readyState: 'ERROR', errorCode: 'BUILD_FAILED' });
    const blocked = shop.push('feat', 'sha2');
    blocked.fate = 'BLOCKED';
    expect((await ask('GET', read(blocked.id))).at('readyState')).toBe('BLOCKED');
    shop.settle(blocked, 'CANCELED');
    expect((await ask('GET', read(blocked.id))).body).toMatchObject({ readyState: 'CANCELED', canceledAt: expect.any(Number) });
  });

  it('a deleted one is told by deletedAt, and only the list says DELETED', async () => {
    const { shop, ask } = world();
    const gone = shop.push('feat', 'sha1');
    shop.settle(gone, 'READY');
    shop.settle(gone, 'DELETED');
    expect((await ask('GET', read(gone.id))).body).toMatchObject({ readyState: 'READY', deletedAt: expect.any(Number) });
    expect((await ask('GET', '/v7/deployments?state=DELETED')).at('deployments', 0, 'readyState')).toBe('DELETED');
  });

  it('a list is filtered and paged by time', async () => {
    const { simulation, shop, ask } = world();
    for (const sha of ['s1', 's2', 's3']) shop.push('feat', sha);
    shop.push('main', 's4');
    simulation.world.addProject('docs');
    shop.push('feat', 's2', 'docs');
    const shas = async (query: string) => {
      const found = (await ask('GET', `/v7/deployments?${query}`)).at('deployments');
      return Array.isArray(found) ? found.map((one: { meta: { githubCommitSha: string } }) => one.meta.githubCommitSha) : found;
    };
    const { id } = shop.project();
    expect(await shas(`projectId=${id}`)).toEqual(['s4', 's3', 's2', 's1']);
    expect(await shas('sha=s2')).toEqual(['s2', 's2']);
    expect(await shas(`projectId=${id}&sha=s2`)).toEqual(['s2']);
    expect(await shas(`projectId=${id}&branch=feat&target=preview&limit=2`)).toEqual(['s3', 's2']);
    expect(await shas(`projectId=${id}&target=production`)).toEqual(['s4']);
    const next = (await ask('GET', `/v7/deployments?projectId=${id}&limit=2`)).at('pagination', 'next');
    expect(await shas(`projectId=${id}&limit=2&until=${String(next)}`)).toEqual(['s2', 's1']);
  });

  it('unknown projects, deployments and page sizes are refused', async () => {
    const { ask } = world();
    expect((await ask('GET', '/v7/deployments?projectId=prj_none')).status).toBe(404);
    expect((await ask('GET', '/v7/deployments?limit=101')).status).toBe(400);
    expect((await ask('GET', read('dpl_none'))).status).toBe(404);
  });
});

describe('vercel deployment creates', () => {
  it('the same commit answers the earlier deployment unless a new one is forced', async () => {
    const { shop, ask } = world();
    const earlier = shop.push('feat', 'sha1');
    shop.addBranch('feat', 'sha1');
    const body = { name: 'shop', project: shop.project().id, gitSource };
    const again = await ask('POST', '/v13/deployments', body);
    expect([again.status, again.at('id')]).toEqual([200, earlier.id]);
    shop.setEnv('A', 'late');
    const forced = await ask('POST', '/v13/deployments?forceNew=1', body);
    expect(forced.at('id')).not.toBe(earlier.id);
    expect(shop.deployments().map(({ env }) => env)).toEqual([{}, { A: 'late' }]);
  });

  it('a redeploy takes the commit of the old one', async () => {
    const { shop, ask } = world();
    const old = shop.push('feat', 'sha1');
    const made = await ask('POST', '/v13/deployments?forceNew=1', { name: 'shop', deploymentId: old.id, meta: { action: 'redeploy' } });
    expect(made.body).toMatchObject({ readyState: 'QUEUED', source: 'redeploy', meta: { githubCommitSha: 'sha1' }, aliasAssigned: false });
    expect((await ask('POST', '/v13/deployments', { name: 'shop', deploymentId: 'dpl_none' })).status).toBe(404);
  });

  it.each([
    ['no name', { gitSource }],
    ['no source', { name: 'shop' }],
    ['an unknown property', { name: 'shop', gitSource, branch: 'feat' }],
    ['another repository', { name: 'shop', gitSource: { ...gitSource, repo: 'other' } }],
    ['a branch that does not exist', { name: 'shop', gitSource: { ...gitSource, ref: 'none' } }],
    ['another host', { name: 'shop', gitSource: { type: 'gitlab', projectId: 1, ref: 'feat' } }],
    ['a project without a repository', { name: 'plain', gitSource }],
  ])('%s is refused', async (_, body) => {
    const { shop, ask } = world();
    shop.addBranch('feat');
    expect((await ask('POST', '/v13/deployments', body)).status).toBe(400);
    expect(shop.deployments()).toEqual([]);
  });

  it('an unknown project is 404', async () => {
    const { ask } = world();
    expect((await ask('POST', '/v13/deployments', { name: 'none', gitSource })).status).toBe(404);
  });
});

describe('vercel domains', () => {
  const all = '/v9/projects/shop/domains';
  it('one is added, read, bound to a branch, and removed', async () => {
    const { shop, ask } = world();
    shop.addBranch('feat');
    const made = await ask('POST', '/v10/projects/shop/domains', { name: 'pr-1.shop.example', gitBranch: 'feat' });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({ name: 'pr-1.shop.example', apexName: 'shop.example', gitBranch: 'feat', verified: true });
    expect((await ask('GET', `${all}/pr-1.shop.example`)).body).toEqual(made.body);
    expect((await ask('GET', all)).at('domains')).toEqual([made.body]);
    expect((await ask('PATCH', `${all}/pr-1.shop.example`, { gitBranch: null })).at('gitBranch')).toBeNull();
    expect((await ask('DELETE', `${all}/pr-1.shop.example`)).status).toBe(200);
    expect((await ask('DELETE', `${all}/pr-1.shop.example`)).status).toBe(404);
    expect((await ask('GET', `${all}/pr-1.shop.example`)).status).toBe(404);
  });

  it('one that is taken is a conflict, and unknown fields and branches are refused', async () => {
    const { ask } = world();
    await ask('POST', '/v10/projects/plain/domains', { name: 'a.shop.example' });
    expect((await ask('POST', '/v10/projects/shop/domains', { name: 'a.shop.example' })).status).toBe(409);
    expect((await ask('POST', '/v10/projects/shop/domains', { name: 'b.shop.example', branch: 'feat' })).status).toBe(400);
    expect((await ask('POST', '/v10/projects/shop/domains', { name: 'b.shop.example', gitBranch: 'none' })).status).toBe(400);
    expect((await ask('PATCH', `${all}/b.shop.example`, { name: 'c.shop.example' })).status).toBe(404);
  });

  it('one that waits for its proof shows the challenge', async () => {
    const { simulation, ask } = world();
    simulation.world.state.verifiesDomains = false;
    const made = await ask('POST', '/v10/projects/shop/domains', { name: 'a.shop.example' });
    expect(made.body).toMatchObject({ verified: false, verification: [{ type: 'TXT', domain: '_vercel.shop.example' }] });
  });
});
