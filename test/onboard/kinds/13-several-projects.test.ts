import { expect, it } from 'vitest';
import { app, type Files, initIn } from './init-in.ts';

const db = {
  'package.json': { name: 'mono', private: true, workspaces: ['apps/*', 'packages/*'] },
  'packages/db/package.json': { name: '@mono/db', private: true, dependencies: { '@neondatabase/serverless': '1' } },
  'packages/db/index.ts': "import { neon } from '@neondatabase/serverless';\nexport const sql = neon(process.env.DATABASE_URL!);\n",
};
const web = (name: string) => ({ ...app(['next']), name, dependencies: { next: '15', '@mono/db': '*' } });

it.each<readonly [string, Files, readonly string[]]>([
  [
    'two projects with link files',
    {
      ...db,
      'apps/app/package.json': web('app'),
      'apps/app/.vercel/project.json': { projectId: 'prj_app', orgId: 'team_acme', projectName: 'acme-app' },
      'apps/admin/package.json': web('admin'),
      'apps/admin/.vercel/project.json': { projectId: 'prj_admin', orgId: 'team_acme', projectName: 'acme-admin' },
    },
    ['prj_app', 'prj_admin'],
  ],
  [
    'one link file of the repository',
    {
      ...db,
      '.vercel/repo.json': {
        orgId: 'team_acme',
        projects: [
          { id: 'prj_one', name: 'one', directory: 'apps/one' },
          { id: 'prj_two', name: 'two', directory: 'apps/two' },
        ],
      },
      'apps/one/package.json': web('one'),
      'apps/two/package.json': web('two'),
    },
    ['prj_one', 'prj_two'],
  ],
  [
    'two sites of Netlify',
    {
      ...db,
      'apps/a/package.json': web('a'),
      'apps/a/netlify.toml': '[build]\ncommand = "npm run build"\n',
      'apps/a/.netlify/state.json': { siteId: '11111111-1111-4111-8111-111111111111' },
      'apps/b/package.json': web('b'),
      'apps/b/netlify.toml': '[build]\ncommand = "npm run build"\n',
      'apps/b/.netlify/state.json': { siteId: '22222222-2222-4222-8222-222222222222' },
    },
    ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'],
  ],
])('%s: each has its own line, with its id', async (_, files, ids) => {
  const said = await initIn(files);
  expect(said.told.deployables.filter(({ host }) => host !== null)).toHaveLength(2);
  for (const id of ids) expect(said.plan).toContain(id);
  const readers = said.told.wired.filter(({ variable }) => variable === 'DATABASE_URL').map(({ deployable }) => deployable);
  expect(new Set(readers).size).toBe(2);
});

it.each<readonly [string, Files]>([
  ['deployments that vercel.json switches off', { 'vercel.json': '{ "git": { "deploymentEnabled": false } }' }],
  ['builds that a command ignores', { 'vercel.json': '{ "git": { "deploymentEnabled": { "*": false } } }' }],
  [
    'a project among others',
    { 'apps/off/vercel.json': '{ "git": { "deploymentEnabled": false } }', 'apps/off/package.json': app(['next'], { name: 'off' }) },
  ],
])('%s: init says that the host builds nothing', async (_, files) => {
  const said = await initIn({ 'package.json': app(['next']), ...files });
  expect(`${await said.text()}\n${said.json}`).toMatch(/builds no branches|switches that off/i);
});
