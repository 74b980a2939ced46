import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { supabase } from 'pilotfish-sandbox/supabase/index';
import { vercel } from 'pilotfish-sandbox/vercel/index';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { cloneOf, pilotfish } from '../onboard/command.ts';
import { write } from '../onboard/repositories.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';

const parent = 'abcdefghijklmnopqrst';
const database = { id: 'database', adapter: 'supabase', op: 'branch', project_ref: parent, branch_name: 'pr-12' };
const variable = (key: string, output: string) => ({
  id: key.toLowerCase().replaceAll('_', '-'),
  adapter: 'vercel',
  op: 'env',
  project: 'shop',
  key,
  value: { from: `database.${output}` },
  target: ['preview'],
  git_branch: 'add-search',
});

/** A branch that stands, on which the two lines of a build then hang. */
async function open(password: string) {
  const database_ = supabase();
  database_.world.addProject(parent);
  const host = vercel();
  host.world.addBranch('add-search');
  const stage = await openStage({
    simulations: [database_, host],
    env: { SUPABASE_ACCESS_TOKEN: database_.tokens.full, VERCEL_TOKEN: host.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [database] }),
    clock: new LeapingClock(),
  });
  onTestFinished(() => {
    verifyHandled([database_, host]);
    return stage.close();
  });
  await stage.apply();
  const [branch] = database_.world.branches(parent);
  if (!branch) throw new Error('there is no branch');
  const project = database_.world.projectOf(branch);
  Object.assign(project, { db_pass: password });
  await stage.write(
    JSON.stringify({
      version: 1,
      changes: [
        database,
        variable('DATABASE_URL', 'pooler_url'),
        variable('POSTGRES_PRISMA_URL', 'prisma_url'),
        variable('DIRECT_URL', 'db_url'),
      ],
    }),
  );
  const value = (key: string): string | undefined => host.world.env(key, { gitBranch: 'add-search' })?.value;
  return { stage, project, value };
}

it('a build gets the address of the pooler with the password in it, percent-encoded, and nobody else sees it', async () => {
  const password = 'p@ss/w:rd$&-%41-123456';
  const { stage, project, value } = await open(password);
  const doc = await stage.apply();
  expect(doc).toMatchObject({ ok: true });
  const address = `postgres.${project.ref}:${encodeURIComponent(password)}@aws-0-eu-central-1.pooler.supabase.com:6543/postgres`;
  expect(value('DATABASE_URL')).toBe(`postgresql://${address}`);
  expect(value('POSTGRES_PRISMA_URL')).toBe(`postgresql://${address}?pgbouncer=true`);
  expect(value('DIRECT_URL')).toBe(`postgresql://postgres:${encodeURIComponent(password)}@db.${project.ref}.supabase.co:5432/postgres`);
  expect(decodeURIComponent(new URL(value('DATABASE_URL') ?? '').password)).toBe(password);
  for (const form of [password, encodeURIComponent(password)]) {
    expect(JSON.stringify(doc)).not.toContain(form);
    expect(await stage.bytes()).not.toContain(form);
  }
});

it('a pooler of a project without a primary database, or a password that the token may not see, is told', async () => {
  const { stage, project } = await open('a-password-of-the-branch');
  project.poolers.splice(1);
  expect((await stage.apply()).lines[1]?.error).toMatchObject({
    code: 'PROVIDER_NOT_FOUND',
    detail: expect.stringContaining('Supabase shows no pooler_url of the branch pr-12: its pooler has no primary database'),
  });
  project.showsSecrets = false;
  expect((await stage.apply()).lines[1]?.error?.detail).toContain('the token may not see the password');
});

const drafted: {
  readonly [name: string]: readonly [files: { readonly [path: string]: string }, values: { readonly [key: string]: string }];
} = {
  'names of a .env file': [
    { '.env.example': 'SUPABASE_URL=\nDATABASE_URL=\nDIRECT_URL=\n' },
    { DATABASE_URL: 'pooler_url', DIRECT_URL: 'db_url' },
  ],
  "names of Vercel's own integration": [
    { '.env.example': 'SUPABASE_URL=\nPOSTGRES_URL=\nPOSTGRES_PRISMA_URL=\nPOSTGRES_URL_NON_POOLING=\n' },
    { POSTGRES_URL: 'pooler_url', POSTGRES_PRISMA_URL: 'prisma_url', POSTGRES_URL_NON_POOLING: 'db_url' },
  ],
  'a schema of Prisma': [
    {
      '.env.example': 'SUPABASE_URL=\n',
      'prisma/schema.prisma':
        'datasource db {\n  provider = "postgresql"\n  url = env("DATABASE_URL")\n  directUrl = env("DIRECT_URL")\n}\n',
    },
    { DATABASE_URL: 'prisma_url', DIRECT_URL: 'db_url' },
  ],
  'a configuration of Drizzle': [
    { '.env.example': 'SUPABASE_URL=\n', 'drizzle.config.ts': 'export default { dbCredentials: { url: process.env.DATABASE_URL } };\n' },
    { DATABASE_URL: 'pooler_url' },
  ],
};

it.each(Object.entries(drafted))(
  'init wires the pooler to the app and the direct address to migrations: %s',
  async (_, [files, values]) => {
    const cwd = await cloneOf('empty');
    await write(cwd, new Map(Object.entries({ '.vercel/project.json': '{ "projectId": "shop" }\n', ...files })));
    const { stderr } = await pilotfish(['init'], { cwd });
    expect(stderr).toBe('');
    const { changes } = parse(await readFile(join(cwd, 'release.plan.yaml'), 'utf8')) as {
      changes: { key?: string; value?: { from?: string } }[];
    };
    const given = Object.fromEntries(changes.flatMap(({ key, value }) => (key === undefined ? [] : [[key, value?.from]])));
    expect(given).toMatchObject(Object.fromEntries(Object.entries(values).map(([key, output]) => [key, `database.${output}`])));
  },
);
