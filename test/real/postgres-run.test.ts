import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seed } from 'pilotfish-sandbox/all';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionFiles } from '../../scripts/build/action.ts';
import { type Company, type Ended, openCompany, recordPlan } from '../checkouts/company.ts';
import { execute, root } from '../cli/program.ts';
import { findPostgres, type Postgres, password, startPostgres } from './kit/postgres.ts';

const program = findPostgres();

describe.skipIf(program === null)('a run whose ledger is in PostgreSQL', () => {
  let server: Postgres;
  let company: Company;
  let worlds = 0;
  let more = '';
  let told = '';

  beforeAll(async () => {
    if (program === null) throw new Error('there is no PostgreSQL');
    [server, company] = await Promise.all([startPostgres(program), openCompany()]);
  });
  afterAll(async () => {
    await company?.close();
    await server?.stop();
  });

  const plan = (text = recordPlan): Promise<string> => {
    worlds += 1;
    more = `?schema=world_${worlds}`;
    told = '';
    return company.folder('postgres').then(async (folder) => {
      await writeFile(join(folder, 'release.plan.yaml'), text);
      return folder;
    });
  };
  const run = async (cwd: string, line: string, env: Readonly<Record<string, string>> = { PILOTFISH_RECEIPTS: server.url({ more }) }) => {
    const ended = await company.run(cwd, [...line.split(' '), '--scope', 'pr-12'], env);
    told += ended.stdout + ended.stderr;
    return ended;
  };
  const record = `pr-12.${seed.zone.name}`;

  it('is applied, planned and destroyed by what it has recorded there, and tells no secret', async () => {
    const folder = await plan();
    expect(await run(folder, 'apply')).toMatchObject({ code: 0 });
    expect(company.records()).toEqual([record]);
    const writes = company.writes();
    expect(await run(folder, 'apply --json')).toMatchObject({ code: 0 });
    expect((await run(folder, 'plan')).stdout).toMatch(/unchanged|no changes/i);
    expect(company.writes()).toBe(writes);
    // A destroy needs the ledger alone.
    await rm(join(folder, 'release.plan.yaml'));
    expect(await run(folder, 'apply --destroy')).toMatchObject({ code: 0 });
    expect(company.records()).toEqual([]);
    const kept = await server.sql(
      `select convert_from(content, 'UTF8') as text from world_${worlds}.files union all select message from world_${worlds}.commits
       union all select repository from world_${worlds}.ledger`,
      'ledger',
    );
    expect(kept.length).toBeGreaterThan(5);
    for (const text of [told, JSON.stringify(kept)]) expect(text).not.toContain(password);
  });

  it('finds it by the plan, with the password that the variable adds', async () => {
    const folder = await plan();
    const named = server.url({ user: 'ci', more });
    await writeFile(join(folder, 'release.plan.yaml'), `receipts: ${named}\n${recordPlan}`);
    expect(await run(folder, 'apply')).toMatchObject({ code: 0 });
    expect(company.records()).toEqual([record]);
    const alone = await run(folder, 'apply --destroy', {});
    expect(alone.code).not.toBe(0);
    expect(alone.stdout + alone.stderr).toContain('asks for a password, and the address has none');
    expect(await run(folder, 'apply --destroy')).toMatchObject({ code: 0 });
    expect(company.records()).toEqual([]);
  });

  it.each([
    ['is empty, as where a job lacks the secret', () => ''],
    ['names another place than the plan', () => server.url({ more: '?schema=other' })],
  ])('touches nothing where the variable %s', async (_, receipts) => {
    const folder = await plan();
    await writeFile(join(folder, 'release.plan.yaml'), `receipts: ${server.url({ user: 'ci', more })}\n${recordPlan}`);
    for (const line of ['plan', 'apply', 'apply --destroy']) {
      const ended = await run(folder, line, { PILOTFISH_RECEIPTS: receipts() });
      expect(ended.code, line).not.toBe(0);
      expect(ended.stdout + ended.stderr, line).toContain('PILOTFISH_RECEIPTS');
    }
    expect(company.records()).toEqual([]);
    expect(told).not.toContain(password);
  });

  it('keeps the locks of several repositories there, by PILOTFISH_LOCK_REMOTE', async () => {
    const client = seed.auth0Client;
    const folder = await plan(`receipts: local
changes:
  - id: callback
    recipe: auth0.callback_url
    client_id: ${client}
    url: https://\${ctx.scope}.acme.example/callback
`);
    company.world.auth0.world.state.audiences.push(`${company.env.AUTH0_API_URL}/`);
    const env = { PILOTFISH_LOCK_REMOTE: server.url({ more }) };
    const applied = await run(folder, 'apply', env);
    expect(applied.code, applied.stdout + applied.stderr).toBe(0);
    expect(await run(folder, 'apply --destroy', env)).toMatchObject({ code: 0 });
    const refs = await server.sql(`select ref from world_${worlds}.branches`, 'ledger');
    expect(refs).toEqual([{ ref: expect.stringMatching(/^refs\/pilotfish\/locks\//) }]);
    expect(told).not.toContain(password);
  });

  it('refuses a plan that holds the password, and does not show it', async () => {
    const folder = await plan();
    await writeFile(join(folder, 'release.plan.yaml'), `receipts: ${server.url({ more })}\n${recordPlan}`);
    const { code, stdout, stderr } = await run(folder, 'apply');
    expect(code).toBe(2);
    // A destroy looks at no mistake of a plan, and still looks for the ledger nowhere else.
    expect(await run(folder, 'apply --destroy', {})).toMatchObject({ code: 1, stderr: expect.stringContaining('LEDGER_REFUSED') });
    expect(stdout + stderr).toMatch(/release\.plan\.yaml:1:\d+.*[\s\S]*without a password/);
    expect(told).not.toContain(password);
  });

  it('says with one command what is missing where pg is not installed', async () => {
    const folder = await plan();
    const place = await company.folder('installed');
    await mkdir(join(place, 'node_modules/pilotfish'), { recursive: true });
    await cp(join(root, 'dist'), join(place, 'node_modules/pilotfish/dist'), { recursive: true });
    await cp(join(root, 'package.json'), join(place, 'node_modules/pilotfish/package.json'));
    const env = { ...company.env, PILOTFISH_RECEIPTS: server.url({ more }) };
    const args = [join(place, 'node_modules/pilotfish/dist/pilotfish.js'), 'apply', '--scope', 'pr-12'];
    const { code, stdout, stderr } = await execute(process.execPath, args, { cwd: folder, env });
    expect(code).toBe(1);
    expect(stdout + stderr).toContain('npm install pg');
    expect(stdout + stderr).not.toContain(password);
  });

  it("goes in the action's bundle, which installs nothing", async () => {
    const folder = await plan();
    const place = await company.folder('action');
    const entry = join(place, 'index.js');
    await writeFile(entry, (await actionFiles()).get('index.js') ?? '');
    const step = async (command: string): Promise<Ended> => {
      for (const name of ['output', 'summary', 'event.json']) await writeFile(join(place, name), name === 'event.json' ? '{}' : '');
      const env = {
        ...company.env,
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_REPOSITORY: 'acme/shop',
        GITHUB_WORKSPACE: folder,
        GITHUB_EVENT_NAME: 'workflow_dispatch',
        GITHUB_OUTPUT: join(place, 'output'),
        GITHUB_STEP_SUMMARY: join(place, 'summary'),
        GITHUB_EVENT_PATH: join(place, 'event.json'),
        INPUT_COMMAND: command,
        INPUT_SCOPE: 'pr-12',
        INPUT_COMMENT: 'false',
        PILOTFISH_RECEIPTS: server.url({ more }),
      };
      const ended = await execute(process.execPath, [entry], { cwd: folder, env });
      told += ended.stdout.replaceAll(`::add-mask::${password}`, '') + ended.stderr;
      for (const name of ['output', 'summary']) told += await readFile(join(place, name), 'utf8');
      return ended;
    };
    const applied = await step('apply');
    expect(applied.code, applied.stdout + applied.stderr).toBe(0);
    expect(company.records()).toEqual([record]);
    expect(await step('destroy')).toMatchObject({ code: 0 });
    expect(company.records()).toEqual([]);
    expect(told).not.toContain(password);
  });
});
