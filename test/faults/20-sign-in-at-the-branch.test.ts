import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { supabase } from 'pilotfish-sandbox/supabase/index';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { cloneOf, pilotfish } from '../onboard/command.ts';
import { write } from '../onboard/repositories.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';

const parent = 'abcdefghijklmnopqrst';

interface Line {
  readonly id: string;
  readonly adapter?: string;
  readonly op?: string;
  readonly project_ref?: unknown;
}

async function drafted(files: { readonly [path: string]: string }): Promise<readonly Line[]> {
  const cwd = await cloneOf('empty');
  await write(cwd, new Map(Object.entries({ '.vercel/project.json': '{ "projectId": "shop" }\n', ...files })));
  expect((await pilotfish(['init'], { cwd })).stderr).toBe('');
  return (parse(await readFile(join(cwd, 'release.plan.yaml'), 'utf8')) as { changes: readonly Line[] }).changes;
}

const redirectIn = (lines: readonly Line[]): Line | undefined => lines.find(({ op }) => op === 'auth_redirect');

it('init with a branch of Supabase lets sign-in come back by the list of the branch itself', async () => {
  const lines = await drafted({ '.env.example': 'SUPABASE_URL=\n' });
  const branch = lines.find(({ adapter, op }) => adapter === 'supabase' && op === 'branch');
  expect(redirectIn(lines)).toMatchObject({ id: 'auth-redirect', project_ref: { from: `${branch?.id}.id` } });
});

it('init without a branch of Supabase, because another database is the one of the app, asks for the project that it signs in at', async () => {
  const lines = await drafted({
    '.env.example': 'DATABASE_URL=postgres://u:p@ep-x.eu-central-1.aws.neon.tech/db\n',
    '.neon': '{ "projectId": "quiet-river-12345678" }\n',
    'package.json': '{ "name": "shop", "dependencies": { "next": "16", "@supabase/ssr": "0", "@neondatabase/serverless": "1" } }',
  });
  expect(lines.find(({ id }) => id === 'database')).toMatchObject({ adapter: 'neon' });
  expect(redirectIn(lines)).toMatchObject({ id: 'auth-redirect', project_ref: 'your-supabase-project-ref' });
});

/** A branch, and the line of a draft whose sign-in comes back to it. */
async function open() {
  const simulation = supabase();
  const { world } = simulation;
  world.addProject(parent).uri_allow_list = 'https://acme.example/**';
  const url = 'https://pr-12.acme.example/**';
  const lines = await drafted({ '.env.example': 'SUPABASE_URL=\n' });
  const redirect = { ...redirectIn(lines), url, path: undefined };
  const database = { id: 'database', adapter: 'supabase', op: 'branch', project_ref: parent, branch_name: 'pr-12' };
  const stage = await openStage({
    simulations: [simulation],
    env: { SUPABASE_ACCESS_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [database, redirect] }),
    clock: new LeapingClock(),
  });
  onTestFinished(() => {
    verifyHandled([simulation]);
    return stage.close();
  });
  return { simulation, world, stage, url };
}

it('the list of the parent, which is that of production, is never written, and all goes with the branch', async () => {
  const { world, stage, url } = await open();
  expect(await stage.apply()).toMatchObject({ ok: true, status: 'complete' });
  const [branch] = world.branches(parent);
  expect(branch && world.projectOf(branch).uri_allow_list).toBe(url);
  expect(world.state.projects[parent]?.uri_allow_list).toBe('https://acme.example/**');
  // A branch that is made anew is another project, whose list is its own.
  expect(await stage.apply({ recreate: ['database'] })).toMatchObject({ ok: true, status: 'complete' });
  const [next] = world.branches(parent);
  expect(next?.project_ref).not.toBe(branch?.project_ref);
  expect(next && world.projectOf(next).uri_allow_list).toBe(url);
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }, { verdict: 'none' }] });
  expect(await stage.destroy()).toMatchObject({ ok: true, status: 'complete' });
  expect(world.branches(parent)).toEqual([]);
  expect(world.state.projects[parent]?.uri_allow_list).toBe('https://acme.example/**');
  expect((await stage.ledger()).records.size).toBe(0);
});

it('a branch that Supabase removed with its pull request takes its list along, and destroy is complete', async () => {
  const { world, stage } = await open();
  await stage.apply();
  world.removeBranch(parent, 'pr-12');
  expect(await stage.destroy()).toMatchObject({ ok: true, status: 'complete' });
  expect((await stage.ledger()).records.size).toBe(0);
});

it('a list that a credential may not read is not taken for gone while its branch stands', async () => {
  const { simulation, world, stage } = await open();
  await stage.apply();
  const refused = 'Your account does not have the necessary privileges to access this endpoint.';
  simulation.faults.times(9, 'GET /v1/projects/{ref}/config/auth', 403, { message: refused });
  expect(await stage.destroy()).toMatchObject({ ok: false, lines: [{ error: { code: 'PROVIDER_AUTH' } }, {}] });
  expect(world.branches(parent)).toHaveLength(1);
  expect((await stage.ledger()).records.size).toBe(2);
  const blind = { env: { SUPABASE_ACCESS_TOKEN: simulation.tokens.blind } };
  simulation.faults.clear();
  expect(await stage.destroy(blind)).toMatchObject({ ok: false });
  expect((await stage.ledger()).records.size).toBe(2);
});
