import assert from 'node:assert/strict';
import { cloudflare } from 'pilotfish-sandbox/cloudflare';
import { xata } from 'pilotfish-sandbox/xata';
import { builtIn } from '../../scripts/catalogue/specified.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { held } from './held.ts';
import { hosted, settled } from './hosted.ts';
import type { Row } from './rows.ts';

const atCloudflare = {
  simulate: cloudflare,
  token: 'CLOUDFLARE_API_TOKEN',
  lines: ['A', 'B'].map((name) => ({
    id: name.toLowerCase(),
    adapter: 'cloudflare',
    op: 'pages_env',
    account_id: '023e105f4ecef8ad9ca31a8372d0c353',
    project_name: 'shop',
    name,
    value: `value of ${name}`,
  })),
};
const branchAt = (change: object) => ({
  id: 'db',
  adapter: 'xata',
  op: 'branch',
  organization_id: 'acme',
  project_id: 'shop',
  name: 'pr-12',
  ...change,
});

export const rows: readonly Row[] = [
  ...Object.entries(builtIn).map(
    ([family, name]): Row => ({
      says: `\`${family}\` is \`${name}\`, under both names.`,
      check: async () => {
        const registry = await openRegistry({ env: {}, cwd: process.cwd() });
        const opOf = async (full: string) => {
          const [adapter = '', op = ''] = full.split('.');
          return (await registry.adapter(adapter))?.ops[op];
        };
        const [own, theirs] = [await opOf(name), await opOf(family)];
        assert.ok(own);
        assert.equal(theirs, own);
      },
    }),
  ),
  held(
    '`hosting_a.env`: a variable per target and git branch.',
    'adapters/vercel-env.test.ts',
    'is told apart by key, exact targets and branch',
  ),
  held(
    '`hosting_a.env`: a branch-bound value needs a repository-connected project, else its 400 is `PARAM_INVALID`.',
    'adapters/vercel-env.test.ts',
    'a branch-bound variable of a project without a repository is a mistake of the plan',
  ),
  held(
    '`hosting_a.env`: the answer is `{ created, failed }`, and one that created nothing is no success.',
    'adapters/vercel-env.test.ts',
    'an answer that says 201 and created nothing is no success',
  ),
  held(
    '`hosting_a.deploy`: waits for the preview deployment, and builds it again when it was built before the write.',
    'adapters/vercel-deploy.test.ts',
    'an older deployment is made again once: the next run, and a run of another scope, watch the one that was made',
  ),
  held('`hosting_b.env`: a value per deploy context.', 'adapters/netlify.test.ts', 'is told apart by context and branch, and stays sealed'),
  held(
    '`hosting_b.env`: deploys see only values that were set before they started; a stale one is reported instead of rebuilt.',
    'adapters/netlify.test.ts',
    'is named, and nothing is rebuilt',
  ),
  hosted(
    '`hosting_c.pages_env`: a merge patch of the names that change; null deletes one.',
    atCloudflare,
    async ({ stage, world, simulation }) => {
      const theirs = { THEIRS: { type: 'plain_text' as const, value: 'theirs' } };
      const project = world.addPages('023e105f4ecef8ad9ca31a8372d0c353', 'shop', theirs);
      settled(await stage.apply());
      settled(await stage.destroy());
      const [A, B] = ['A', 'B'].map((name) => ({ type: 'plain_text', value: `value of ${name}` }));
      const patches = [
        { A, B },
        { A: null, B: null },
      ].map((vars) => ({ deployment_configs: { preview: { env_vars: vars } } }));
      assert.deepEqual(
        simulation.writes().map(({ body }) => body),
        patches,
      );
      assert.deepEqual(project.configs.preview.env_vars, theirs);
    },
  ),
  held(
    '`sql_branch_a.branch`: forks from the branch flagged default when `parent` is omitted.',
    'adapters/neon.test.ts',
    'is made from the default branch, with a compute, and is ready when branch, compute and operations are',
  ),
  held(
    '`sql_branch_a.branch`: connection strings are read only through the connection-URI call.',
    'adapters/neon.test.ts',
    'a connection string comes by its own call alone, for the role and the database that the line names, pooled or direct',
  ),
  held(
    '`sql_branch_b.branch`: is provisioned asynchronously.',
    'adapters/supabase.test.ts',
    'is ready when its own project is healthy: %s',
  ),
  held(
    '`sql_branch_b.auth_redirect`: the comma-separated allow-list is locked.',
    'adapters/supabase-redirect.test.ts',
    'pull requests that come at the same moment take turns: each reads what the one before wrote, and none is overwritten',
  ),
  held(
    '`sql_branch_c.branch`: `ready` is asynchronous.',
    'adapters/planetscale.test.ts',
    'a password waits until a branch from outside of the plan is ready, and tells what for',
  ),
  held(
    '`sql_branch_c.password`: the plaintext is a once-only output, and the renew call is never used.',
    'adapters/planetscale.test.ts',
    'the secret of a password is shown once, and --recreate makes a new one beside the old one',
  ),
  held(
    '`sql_branch_c.password`: the role cannot change in place.',
    'adapters/planetscale.test.ts',
    'another role makes a new password beside the old one, which goes when its users have the new one',
  ),
  held('`sql_branch_d.branch`: waits until healthy.', 'adapters/xata.test.ts', 'that is %s is waited for, and a person reads what goes on'),
  hosted('`sql_branch_d.branch`: only existence is compared.', { simulate: xata, token: 'XATA_API_KEY', lines: [] }, async (at) => {
    const { id: parent_id } = at.world.addProject('acme', 'shop');
    await at.write([branchAt({ parent_id, description: 'one', scale_to_zero_minutes: 15 })]);
    settled(await at.stage.apply());
    await at.write([branchAt({ parent_id: 'another', description: 'two', scale_to_zero_minutes: 5 })]);
    const doc = await at.stage.apply();
    settled(doc);
    assert.deepEqual([doc.lines.map(({ verdict }) => verdict), at.writes().length], [['none'], 1]);
    assert.equal(at.world.branches('acme', 'shop').find(({ name }) => name === 'pr-12')?.description, 'one');
  }),
  held(
    '`idp_g.redirect_allow`: the list is read with `paginated=true`, `limit=100`, `offset`.',
    'adapters/clerk.test.ts',
    'the list is read in pages of a hundred with offsets, once for all lines',
  ),
  held(
    '`idp_g.redirect_allow`: any 400 or 422 on create triggers a re-read.',
    'adapters/clerk.test.ts',
    'an URL that somebody adds between the look and the create (%i) is looked at again and not taken over',
  ),
  held(
    '`idp_g.redirect_allow`: 404 on delete is success.',
    'adapters/clerk.test.ts',
    'an URL that is gone answers 404 to the delete, which is success',
  ),
  held(
    '`flags_h.flag_target`: the instructions are `addTargets` and `removeTargets`.',
    'adapters/launchdarkly.test.ts',
    'a key that moves to another variation is taken away from the first one in the same patch',
  ),
  held(
    '`flags_h.flag_target`: 405 means that approvals are required.',
    'adapters/launchdarkly.test.ts',
    'an environment whose changes need an approval (405) is explained, and nothing is recorded',
  ),
  held(
    '`flags_h.flag_target`: context keys of any kind are targets.',
    'adapters/launchdarkly.test.ts',
    'one key of several context kinds is a target of each: they are told apart, and each goes alone',
  ),
  held(
    '`app_cloud_a.revision`: a tagged revision of an existing service from its template.',
    'adapters/cloud-run.test.ts',
    'is made from the template of its service, by one write, and tells the address of its tag',
  ),
  held(
    '`app_cloud_a.revision`: it is given no traffic.',
    'adapters/cloud-run.test.ts',
    'gets no traffic: what followed the newest revision stays with the one that served it, and the line says so',
  ),
  held(
    '`app_cloud_a.revision`: unless `pin_latest: true`.',
    'adapters/cloud-run.test.ts',
    'gets all traffic with pin_latest, and is then not removed before another takes its place',
  ),
  held(
    '`app_cloud_a.revision`: the long-running operation is polled to done, then it waits for Ready.',
    'adapters/cloud-run.test.ts',
    'is ready when the operation of its write is done, it is itself, and its address is in force: looked at in that order',
  ),
  held(
    '`app_cloud_b.app`: an app per scope from a whole spec, waited until deployed.',
    'adapters/digitalocean.test.ts',
    'tells its address when its first deployment is active, and waits in words a person can read',
  ),
  held(
    '`app_cloud_b.app`: secret values are not compared.',
    'adapters/digitalocean.test.ts',
    'is sent with the plan’s part in place: what others declared stays, and secrets keep their value',
  ),
  held(
    '`cms_b.environment`, `cms_b.api_key_access`: an environment and key access per preview.',
    'adapters/contentful.test.ts',
    'a key may read a new environment once its copy is ready, and no more when it goes',
  ),
  held(
    '`search_a.index`: an index copied per scope; waits for the copy task.',
    'adapters/algolia.test.ts',
    'everything is copied and the task is waited for, and destroy waits until the index is gone',
  ),
];
