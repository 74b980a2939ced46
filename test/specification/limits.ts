import assert from 'node:assert/strict';
import { getAt } from '../../src/core/pointer.ts';
import { loadFamily } from '../../src/recipes/load.ts';
import { held } from './held.ts';
import { atVercel, deployment, gitBranch, settled, sha } from './hosted.ts';
import { type Row, refused, row } from './rows.ts';

/** A limit of the provider that nothing but a reader can keep: the operation's page says it. */
const told = (says: string, recipe: string, words: RegExp): Row => ({
  says,
  check: async () => {
    const [family = '', op = ''] = recipe.split('.');
    const { notes = [], quota } = (await loadFamily(family)).ops[op] ?? {};
    const lines = [...notes, quota?.limit ?? ''];
    assert.ok(
      lines.some((line) => words.test(line)),
      `none of ${JSON.stringify(lines)} says ${words}`,
    );
  },
});

/** A limit of the names that a line gives: kept before any request. */
const kept = (says: string, param: string, wrong: readonly string[], line: { readonly [param: string]: unknown }, env: string): Row =>
  row(says, { lines: [], env: { [env]: 'token-of-a-provider' } }, async (api) => {
    for (const value of wrong) {
      await api.write([{ id: 'one', ...line, [param]: value }]);
      refused(await api.apply(), 'PARAM_INVALID', param);
    }
    assert.deepEqual(api.sent(), []);
  });

const database = { recipe: 'turso.database_branch', organization: 'acme', group: 'default', parent: 'shop' };

export const rows: readonly Row[] = [
  held(
    'A conflict on the semantic patch of a flag (409) is met up to three times.',
    'adapters/launchdarkly.test.ts',
    'a change in flight (409) is met by reading again, up to three times',
  ),
  held(
    'A redirect allow-list is read with `limit` 100.',
    'adapters/clerk.test.ts',
    'the list is read in pages of a hundred with offsets, once for all lines',
  ),
  atVercel('A deployment is looked up with `limit=20`.', [deployment()], async ({ stage, world, simulation }) => {
    world.settle(world.push(gitBranch, sha), 'READY');
    for (let i = 0; i < 30; i += 1) world.push(gitBranch, 'b'.repeat(40));
    settled(await stage.apply({ sha }));
    const lists = simulation.log.filter(({ path }) => path === '/v7/deployments');
    assert.ok(lists.length > 0);
    for (const { query } of lists) assert.deepEqual(query, { projectId: world.project().id, sha, limit: '20' });
  }),
  told('Redirect URLs: 100 per project.', 'stytch.redirect_url', /at most 100 redirect URLs/),
  {
    says: 'Trusted origins are asked for in pages of 200.',
    check: async () => {
      const { template } = (await loadFamily('okta')).ops.trusted_origin ?? {};
      assert.deepEqual([getAt(template, '/find/query/limit'), getAt(template, '/find/page')], ['200', { kind: 'link' }]);
    },
  },
  told('Account webhooks: at most 3 URLs per event type, so at most 3 concurrent previews.', 'mailgun.webhook', /at most three previews/i),
  told('A change of an account webhook shows within 10 minutes.', 'mailgun.webhook', /up to ten minutes/),
  told('Payment webhook endpoints: 16 per account.', 'stripe.webhook_endpoint', /16 webhook endpoints/),
  told('An idempotency key has up to 255 characters and is kept at least 24 hours.', 'stripe.webhook_endpoint', /255.*24 hours/),
  told('Database users: 100 per project by default.', 'mongodb_atlas.database_user', /100 database users/),
  told('Database users: 900 per project at most.', 'mongodb_atlas.database_user', /900 at most/),
  kept(
    'A preview deployment reference has 3 to 100 characters.',
    'reference',
    ['pr', 'x'.repeat(101)],
    { recipe: 'convex.preview_deployment', project_id: '123456' },
    'CONVEX_TEAM_ACCESS_TOKEN',
  ),
  kept(
    'A database name has lower-case letters, digits and `-`, at most 64 of them.',
    'name',
    ['x'.repeat(65), 'PR-12', 'pr_12'],
    database,
    'TURSO_API_TOKEN',
  ),
  kept(
    'The `uid` of a webhook has 1 to 256 characters.',
    'uid',
    ['', 'x'.repeat(257)],
    { recipe: 'svix.endpoint', app_id: 'shop', url: 'https://pr-12.example.com' },
    'SVIX_AUTH_TOKEN',
  ),
  told('Preview deployments of a team: 40 on the free plan, 300 on the professional one.', 'convex.preview_deployment', /40 .*300/),
  told('A preview deployment is kept 5 days, 14 on the professional plan and above.', 'convex.preview_deployment', /5 days.*14/),
  told('The environment of a branch is archived 3 days after its latest deployment.', 'inngest.sync', /3 days/),
  told('The timestamp of a deployment marker is within 24 hours of now.', 'newrelic.deployment', /within 24 hours of now/),
];
