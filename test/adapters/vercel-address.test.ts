import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { vercel as simulateVercel, type VercelWorld } from 'pilotfish-sandbox/vercel/index';
import { afterEach, expect, test } from 'vitest';
import { vercel } from '../../src/adapters/vercel/index.ts';
import type { Params } from '../../src/ops/bound.ts';
import { expectContracts } from '../contracts/expect.ts';
import { openBench, readyLive, settle } from '../support/op-bench.ts';

let used: Simulation<VercelWorld>[] = [];
afterEach(() => {
  verifyHandled(used);
  expectContracts(used);
  used = [];
});

const sha = 'a'.repeat(40);

function open(team?: { readonly id: string; readonly slug: string }) {
  const simulation = simulateVercel();
  used.push(simulation);
  const { world } = simulation;
  if (team) world.state.team = team;
  const bench = openBench(vercel, simulation, team && { settings: { team_id: team.id, slug: team.slug } });
  const look = (params: Params = {}, branch: string | null = 'feat/x') =>
    bench.wait('address', { project: 'shop', ...(!team && { team: 'acme' }), ...params }, { branch }).poll(bench.io, null);
  const deploy = (address: string) => bench.wait('deploy', { project: 'shop', address }, { sha, branch: 'feat/x' }).poll(bench.io, null);
  const built = (branch = 'feat/x', project = 'shop') => {
    const made = world.push(branch, sha, project);
    world.settle(made, 'READY');
    return made;
  };
  return { ...bench, simulation, world, look, deploy, built };
}

const hostOf = async (looked: ReturnType<ReturnType<typeof open>['look']>) => readyLive(await looked).outputs.hostname;

test('the address of a branch is its alias, known before anything is built, and the deployment answers there', async () => {
  const { simulation, look, deploy, built } = open();
  const { outputs } = readyLive(await look());
  expect(outputs).toEqual({ hostname: 'shop-git-feat-x-acme.vercel.app', url: 'https://shop-git-feat-x-acme.vercel.app' });
  expect(simulation.log.map(({ path }) => path)).toEqual(['/v9/projects/shop']);
  built();
  expect(await deploy('shop-git-feat-x-acme.vercel.app')).toMatchObject({ state: 'ready' });
  expect(simulation.writes()).toEqual([]);
});

test('two teams that have a project of one name have two addresses', async () => {
  const [ours, theirs] = [open({ id: 'team_1', slug: 'acme-web' }), open({ id: 'team_2', slug: 'acme-labs' })];
  const hosts = [await hostOf(ours.look()), await hostOf(theirs.look())];
  expect(hosts).toEqual(['shop-git-feat-x-acme-web.vercel.app', 'shop-git-feat-x-acme-labs.vercel.app']);
  theirs.built();
  await expect(theirs.deploy(hosts[0] as string)).rejects.toMatchObject({
    code: 'ADDRESS_DIFFERS',
    detail: expect.stringMatching(
      /does not answer under shop-git-feat-x-acme-web\.vercel\.app\. It has shop-git-feat-x-acme-labs\.vercel\.app\./,
    ),
    fix: expect.stringContaining('Use shop-git-feat-x-acme-labs.vercel.app in place of'),
  });
});

test('an alias that somebody else has is found once the branch is built', async () => {
  const { world, look, deploy, built } = open();
  const guess = await hostOf(look());
  world.state.takenAliases.push(guess as string);
  built();
  await expect(deploy(guess as string)).rejects.toMatchObject({ code: 'ADDRESS_DIFFERS', at: ['address'] });
});

test('a deployment is waited for until its aliases are there, and one that gets none is told', async () => {
  const { world, simulation, deploy, built } = open();
  const made = built();
  const read = `GET /v13/deployments/${made.id}`;
  const answer = { id: made.id, readyState: 'READY', url: made.host, alias: [], aliasAssigned: false, aliasError: null };
  simulation.faults.once(read, 200, answer);
  const { last, waits } = await settle(() => deploy('shop-git-feat-x-acme.vercel.app'));
  expect(waits).toEqual([`The deployment ${made.id} has no aliases yet.`]);
  expect(last.state).toBe('ready');
  Object.assign(world.deployments()[0] ?? {}, { aliasError: 'The alias is in use.' });
  await expect(deploy('shop-git-feat-x-acme.vercel.app')).rejects.toMatchObject({
    detail: expect.stringContaining('It has no host name beside its own'),
    fix: expect.stringContaining('a domain of the project'),
  });
});

const hidden: readonly (readonly [what: string, branch: string, says: RegExp])[] = [
  ['a branch that is too long for a label', `feat/${'very-'.repeat(12)}long`, /has \d+ characters\. Vercel shortens/],
  ['a sign that Vercel drops', 'release_1.2', /spells the branch release_1\.2/],
  ['two signs in a row', 'feat--x', /spells the branch/],
  ['letters that are not ASCII', 'größe', /spells the branch/],
];

test.each(hidden)('%s gives no address, and the error names a way out', async (_, branch, says) => {
  const { look } = open();
  await expect(look({}, branch)).rejects.toMatchObject({
    code: 'PARAM_INVALID',
    detail: expect.stringMatching(says),
    fix: expect.stringContaining('vercel.project_domain'),
  });
});

test('the longest name that is a label is not shortened', async () => {
  const { look, deploy, built } = open();
  const branch = 'b'.repeat(63 - 'shop-git--acme'.length);
  const host = await hostOf(look({}, branch));
  built(branch);
  expect(String(host).split('.')[0]).toHaveLength(63);
  expect(await deploy(host as string)).toMatchObject({ state: 'ready' });
});

test('without the slug of the team, a branch or a repository there is no alias', async () => {
  const { io, wait, look } = open();
  await expect(wait('address', { project: 'shop' }, { branch: 'x' }).poll(io, null)).rejects.toMatchObject({ at: ['team'] });
  await expect(look({ project: 'plain' })).rejects.toMatchObject({ detail: expect.stringContaining('no git repository') });
  expect(() => look({}, null)).toThrow(/no git branch/);
});

test('a domain of the project that shows the branch takes the place of the alias, and no other domain does', async () => {
  const { world, look, deploy, built } = open();
  const domain = (name: string, more: object) =>
    world.project().domains.push({
      name,
      createdAt: 1,
      updatedAt: 1,
      challenge: '',
      gitBranch: 'feat/x',
      redirect: null,
      redirectStatusCode: null,
      verified: true,
      ...more,
    });
  domain('x.acme.example', {});
  domain('y.acme.example', { gitBranch: 'other' });
  domain('z.acme.example', { gitBranch: null });
  domain('r.acme.example', { redirect: 'x.acme.example' });
  domain('v.acme.example', { verified: false });
  // The branch needs no alias, so its name may be any.
  const long = 'b'.repeat(80);
  domain('long.acme.example', { gitBranch: long });
  expect(await hostOf(look({ domain: 'x.acme.example' }))).toBe('x.acme.example');
  expect(await hostOf(look({ domain: 'long.acme.example' }, long))).toBe('long.acme.example');
  for (const [name, says] of [
    ['y', 'shows the branch other, not the branch feat/x'],
    ['z', 'shows production'],
    ['r', 'redirects to x.acme.example'],
    ['v', 'is not verified'],
  ] as const)
    await expect(look({ domain: `${name}.acme.example` })).rejects.toMatchObject({
      code: 'PARAM_INVALID',
      detail: expect.stringContaining(says),
    });
  await expect(look({ domain: 'no.acme.example' })).rejects.toMatchObject({ code: 'PROVIDER_NOT_FOUND' });
  built();
  expect(await deploy('x.acme.example')).toMatchObject({ state: 'ready' });
  await expect(deploy('y.acme.example')).rejects.toMatchObject({ code: 'ADDRESS_DIFFERS' });
});
