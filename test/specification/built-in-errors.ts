import assert from 'node:assert/strict';
import { neon } from 'pilotfish-sandbox/neon/index';
import { held } from './held.ts';
import { atVercel, codesOf, deployment, gitBranch, hosted, nothingRecorded, saidBy, settled, sha, variable } from './hosted.ts';
import type { Row } from './rows.ts';

const project = 'quiet-river-12345678';
const atNeon = {
  simulate: neon,
  token: 'NEON_API_KEY',
  lines: [{ id: 'db', adapter: 'neon', op: 'branch', project_id: project, name: 'pr-12' }],
};
const createBranch = `POST /api/v2/projects/${project}/branches`;
const isCreate = { method: 'POST', path: /branches$/ };
const other = variable({ id: 'other', key: 'OTHER_URL' });

export const rows: readonly Row[] = [
  ...[[], [other]].map((more) =>
    atVercel(
      `\`PARAM_INVALID\`: a branch-bound variable on a project without a connected repository (${more.length + 1} at once).`,
      [variable(), ...more].map((line) => ({ ...line, project: 'plain' })),
      async (at) => {
        const doc = await at.stage.apply();
        assert.deepEqual(codesOf(doc), ['PARAM_INVALID', ...more.map(() => 'PARAM_INVALID')]);
        assert.match(saidBy(doc), /not connected to a repository.*Connect the project/s);
        await nothingRecorded(at);
      },
    ),
  ),
  held(
    '`PROVIDER_INVALID`: an environment that requires approvals (405).',
    'adapters/launchdarkly.test.ts',
    'an environment whose changes need an approval (405) is explained, and nothing is recorded',
  ),
  atVercel(
    '`PROVIDER_INVALID`: a deployment source without a Git connection.',
    [variable(), deployment({ depends_on: ['url'] })],
    async (at) => {
      // Built before the variable was there, from a repository that is not connected any more.
      at.world.settle(at.world.push(gitBranch, sha), 'READY');
      const said = "The provided GitHub repository can't be deployed: the project is not connected to a Git repository.";
      at.simulation.faults.times(9, 'POST /v13/deployments', 400, { error: { code: 'bad_request', message: said } });
      const doc = await at.stage.apply({ sha });
      assert.deepEqual(codesOf(doc), [null, 'PROVIDER_INVALID']);
      assert.ok(saidBy(doc).includes(said));
      assert.deepEqual(at.writes(), ['POST /v10/projects/shop/env', 'POST /v13/deployments']);
    },
  ),
  held(
    '`PROVIDER_INVALID`: a source that nobody gave access to says where to give it.',
    'adapters/digitalocean.test.ts',
    'whose source nobody gave access to says where to give it',
  ),
  ...[[], [other]].map((more) =>
    atVercel(
      `\`PROVIDER_INVALID\`: a 400 for an ongoing update is reported, not retried (${more.length + 1} at once).`,
      [variable(), ...more],
      async (at) => {
        at.world.state.ongoingUpdates = 1;
        const doc = await at.stage.apply();
        assert.deepEqual(codesOf(doc), ['PROVIDER_INVALID', ...more.map(() => 'PROVIDER_INVALID')]);
        assert.match(saidBy(doc), /ongoing update/);
        assert.deepEqual(at.writes(), ['POST /v10/projects/shop/env']);
        await nothingRecorded(at);
        settled(await at.stage.apply());
      },
    ),
  ),
  atVercel('`PROVIDER_CONFLICT`: a project that is being transferred (409).', [variable()], async (at) => {
    at.world.project().isTransferring = true;
    const doc = await at.stage.apply();
    assert.deepEqual(codesOf(doc), ['PROVIDER_CONFLICT']);
    assert.match(saidBy(doc), /transferred/);
    assert.equal(at.writes().length, 1);
    await nothingRecorded(at);
  }),
  held(
    '`PROVIDER_CONFLICT`: a pending change that does not end; the apply fails, it does not wait.',
    'adapters/launchdarkly.test.ts',
    'a change in flight that does not end is PROVIDER_CONFLICT, and nothing is recorded',
  ),
  held(
    'A change that waits for an approval is explained and never overridden.',
    'adapters/launchdarkly.test.ts',
    'a scheduled change that would fail (400) is explained and never overridden',
  ),
  held(
    '`PROVIDER_RESPONSE`: a target that is not served the wanted variation after the write.',
    'adapters/launchdarkly.test.ts',
    'a target that is not served the wanted variation after the write is PROVIDER_RESPONSE',
  ),
  held(
    '`PROVIDER_NOT_FOUND`: an environment that the answer lacks.',
    'adapters/launchdarkly.test.ts',
    'an environment that the flag does not show is PROVIDER_NOT_FOUND',
  ),
  held('A 404 on delete is success.', 'adapters/clerk.test.ts', 'an URL that is gone answers 404 to the delete, which is success'),
  hosted(
    'A duplicate on create (409) is looked at again and claimed, when an earlier create of this scope made it.',
    atNeon,
    async (at) => {
      // The first run dies with its create: the answer is lost, and so is every look after it.
      at.simulation.faults.loseAnswer(isCreate);
      const isLook = ({ method }: { method: string }) => method === 'GET' && at.writes().length > 0;
      const blind = at.simulation.faults.loseRequest(isLook, 200);
      assert.equal((await at.stage.apply()).ok, false);
      assert.equal((await at.stage.ledger()).intents.size, 1);
      blind.disarm();
      const made = at.world.branch('pr-12');
      // The next one does not see it in the list, and is told by its own create.
      const once = at.simulation.faults.staleRead({ method: 'GET', path: /branches$/ }, 1, 1);
      settled(await at.stage.apply());
      assert.equal(once.hits, 1);
      assert.equal(at.world.branch('pr-12'), made);
      assert.deepEqual(
        [...(await at.stage.ledger()).records.values()].map(({ objectId, owned }) => [objectId, owned]),
        [[made?.id, true]],
      );
    },
  ),
  hosted("A duplicate on create (409) that no intent of this scope names is somebody else's.", atNeon, async (at) => {
    const stop = at.simulation.watch(({ phase, method }) => {
      if (phase === 'before' && method === 'POST' && !at.world.branch('pr-12')) at.world.addBranch('pr-12');
    });
    assert.deepEqual(codesOf(await at.stage.apply()), ['RESOURCE_FOREIGN']);
    stop();
    assert.equal(at.simulation.log.at(-1)?.method, 'GET');
    await nothingRecorded(at);
  }),
  held(
    'Where no status for a duplicate is documented, any 400 or 422 is looked at again: a redirect URL.',
    'adapters/clerk.test.ts',
    'an URL that somebody adds between the look and the create (%i) is looked at again and not taken over',
  ),
  held(
    'The same for a MySQL branch.',
    'adapters/planetscale.test.ts',
    'a branch that somebody makes between the look and the create (%i) is not taken over',
  ),
  held(
    'A 400 or 422 after which nothing is there says what the provider said.',
    'adapters/clerk.test.ts',
    'a create that is refused with %i for another reason says what the provider said',
  ),
  ...[423, 429, 503].map((status) =>
    hosted(`A ${status} to a create is tried again after a look, and one branch is made.`, atNeon, async (at) => {
      const busy = at.simulation.faults.once(isCreate, status, { code: '', message: 'busy' }, { 'retry-after': '1' });
      settled(await at.stage.apply());
      assert.equal(busy.hits, 1);
      assert.deepEqual(at.writes(), [createBranch, createBranch]);
      const [first, second] = at.simulation.log.flatMap(({ method }, i) => (method === 'POST' ? [i] : []));
      assert.ok(at.simulation.log.slice(first, second).some(({ method, path }) => method === 'GET' && path.endsWith('/branches')));
      assert.equal(at.world.branches().filter(({ name }) => name === 'pr-12').length, 1);
    }),
  ),
  hosted('A 500 to a create is not tried again; what it made all the same is claimed by the next run.', atNeon, async (at) => {
    const stop = at.simulation.watch(({ phase, method }) => {
      if (phase === 'before' && method === 'POST' && !at.world.branch('pr-12')) at.world.addBranch('pr-12');
    });
    at.simulation.faults.once(isCreate, 500, { code: '', message: 'internal error' });
    const first = await at.stage.apply();
    stop();
    settled(first.ok ? first : await at.stage.apply());
    assert.deepEqual(at.writes(), [createBranch]);
    assert.equal((await at.stage.ledger()).records.size, 1);
  }),
  held(
    'A once-only output that a later run needs is refused instead of read as empty.',
    'adapters/planetscale.test.ts',
    'the connection string goes to a variable in the run that makes it; a variable that is added later is refused until --recreate',
  ),
];
