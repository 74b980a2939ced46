import assert from 'node:assert/strict';
import { neon } from 'pilotfish-sandbox/neon/index';
import { held } from './held.ts';
import { atVercel, codesOf, deployment, gitBranch, hosted, saidBy, settled, sha, variable } from './hosted.ts';
import { notice } from './lines.ts';
import { done, type Row, row } from './rows.ts';

const lines = [deployment()];
const look = 'GET /v13/deployments/{idOrUrl}';
const project = 'quiet-river-12345678';
const atNeon = {
  simulate: neon,
  token: 'NEON_API_KEY',
  lines: [{ id: 'db', adapter: 'neon', op: 'branch', project_id: project, name: 'pr-12' }],
};

export const rows: readonly Row[] = [
  atVercel('READY is done.', lines, async ({ stage, world, writes }) => {
    const made = world.push(gitBranch, sha);
    world.settle(made, 'READY');
    const doc = await stage.apply({ sha });
    settled(doc);
    assert.deepEqual(doc.outputs.site, { id: made.id, url: `https://${made.host}`, hostname: made.host, inspector_url: null });
    assert.deepEqual(writes(), []);
  }),
  ...(['ERROR', 'CANCELED', 'BLOCKED', 'DELETED'] as const).map((state) =>
    atVercel(`${state} fails the waiting line at once.`, lines, async ({ stage, world, writes }) => {
      const made = world.push(gitBranch, sha);
      world.settle(made, state);
      made.isHeld = true;
      const doc = await stage.apply({ sha });
      assert.deepEqual(codesOf(doc), ['EXTERNAL_FAILED']);
      assert.match(saidBy(doc), { ERROR: /failed/, CANCELED: /canceled/, BLOCKED: /blocked/, DELETED: /deleted/ }[state]);
      assert.deepEqual(writes(), []);
    }),
  ),
  ...(['QUEUED', 'INITIALIZING', 'BUILDING'] as const).map((state) =>
    atVercel(`${state} is waited for, and the line is done when it is READY.`, lines, async ({ stage, world, simulation }) => {
      const made = world.push(gitBranch, sha);
      world.settle(made, state);
      made.isHeld = true;
      const stuck = await stage.apply({ sha, waitTimeoutMs: 3000 });
      assert.deepEqual(codesOf(stuck), ['WAIT_TIMEOUT']);
      assert.ok(saidBy(stuck).includes(state));
      assert.ok(simulation.log.filter(({ path }) => path === '/v7/deployments').length > 1);
      world.settle(made, 'READY');
      settled(await stage.apply({ sha }));
    }),
  ),
  atVercel(
    'One that is BLOCKED and older than what it needs is not built again: somebody has to let it go on.',
    [variable(), deployment({ depends_on: ['url'] })],
    async (at) => {
      const made = at.world.push(gitBranch, sha);
      at.world.settle(made, 'BLOCKED');
      made.isHeld = true;
      assert.deepEqual(codesOf(await at.stage.apply({ sha })), [null, 'EXTERNAL_FAILED']);
      assert.deepEqual(at.writes(), ['POST /v10/projects/shop/env']);
    },
  ),
  atVercel('The URL is null until the upload is complete: the line looks until it is set.', lines, async ({ stage, world, simulation }) => {
    const made = world.push(gitBranch, sha);
    world.settle(made, 'READY');
    const early = simulation.faults.times(2, look, 200, { id: made.id, readyState: 'READY', url: null });
    const doc = await stage.apply({ sha });
    settled(doc);
    assert.deepEqual([early.hits, early.left], [2, 0]);
    assert.equal(Object(doc.outputs.site).url, `https://${made.host}`);
  }),
  atVercel(
    'A redeploy is sent with force-new: else the provider answers with the deployment that was there.',
    [variable(), deployment({ depends_on: ['url'] })],
    async ({ stage, world, simulation, writes }) => {
      const early = world.push(gitBranch, sha);
      world.settle(early, 'READY');
      const doc = await stage.apply({ sha });
      settled(doc);
      assert.deepEqual(writes(), ['POST /v10/projects/shop/env', 'POST /v13/deployments']);
      assert.equal(simulation.writes().at(-1)?.query.forceNew, '1');
      const [, built, ...more] = world.deployments();
      assert.deepEqual([built?.env.DATABASE_URL, more, Object(doc.outputs.site).id], ['postgres://pr-12', [], built?.id]);
    },
  ),
  atVercel('One that was built after the variables stood is not built again.', [variable()], async ({ stage, world, write, writes }) => {
    settled(await stage.apply({ sha }));
    const made = world.push(gitBranch, sha);
    world.settle(made, 'READY');
    await write([variable(), deployment({ depends_on: ['url'] })]);
    const doc = await stage.apply({ sha });
    settled(doc);
    assert.deepEqual(writes(), ['POST /v10/projects/shop/env']);
    assert.deepEqual([Object(doc.outputs.site).id, made.env.DATABASE_URL], [made.id, 'postgres://pr-12']);
  }),
  held(
    'A deployment that others started after the write is watched, and none is made besides.',
    'adapters/vercel-deploy.test.ts',
    'a newer deployment that others started is watched instead',
  ),
  held(
    'Of several projects that build one commit, the deployment of the named project counts.',
    'adapters/vercel-deploy.test.ts',
    'of several projects that build one commit, that of the line counts',
  ),
  held(
    'A new database branch may be `ready: false` at first: a password on it is made when it is ready.',
    'adapters/planetscale.test.ts',
    'a password waits until the branch of the same plan is ready',
  ),
  ...['pending', 'success', 'error', 'duplicate'].map((status) =>
    row(
      `A sync result has the status pending, success, error or duplicate: ${status} is an output like any other.`,
      { lines: [notice({ outputs: { status: '/data/status' } })], answer: () => ({ body: { data: { status } } }) },
      async ({ apply }) => {
        const { doc } = done(await apply());
        assert.deepEqual(doc && 'outputs' in doc ? doc.outputs.notice : null, { status });
      },
    ),
  ),
  held(
    'The sync that the recipe sends has none of them: it is answered when it is done, and tells whether it changed something.',
    'recipes/inngest.test.ts',
    'the answer tells whether the functions changed',
  ),
  hosted('A branch operation that answers 423 while it is busy is tried again: an update and a delete.', atNeon, async (at) => {
    settled(await at.stage.apply());
    await at.write([{ id: 'db', adapter: 'neon', op: 'branch', project_id: project, name: 'pr-12', expires_at: '2099-01-31T00:00:00Z' }]);
    const busy = ['PATCH', 'DELETE'].map((method) =>
      at.simulation.faults.times(2, { method, path: /branches\// }, 423, { code: '', message: 'project already has running operations' }),
    );
    settled(await at.stage.apply());
    settled(await at.stage.destroy());
    assert.deepEqual(
      busy.map(({ hits }) => hits),
      [2, 2],
    );
    assert.equal(at.world.branch('pr-12'), undefined);
  }),
];
