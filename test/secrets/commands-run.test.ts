import { rm } from 'node:fs/promises';
import path from 'node:path';
import { createWorld, seed, type World } from 'pilotfish-sandbox/all';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { quotations } from '../leaks/spellings.ts';
import { ends, planOf } from '../lifecycle/shop.ts';
import { ledgerKey } from '../support/ledger-key.ts';
import { isRunning, openPrograms, type Programs, until } from '../support/programs.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { addClis, bwsId, credentials, planted } from './clis.ts';

let programs: Programs;
let world: World;
let stage: Stage;

beforeEach(async () => {
  programs = await openPrograms();
  await addClis(programs);
  world = createWorld();
  const env = { ...world.credentials, ...credentials, PATH: `${programs.PATH}${path.delimiter}${process.env.PATH}` };
  stage = await openStage({ simulations: world.simulations, env, plan: planOf() });
});
afterEach(async () => {
  await stage.close();
  await programs.close();
  verifyHandled(world.simulations);
});

/** A line that hands its secret to a provider. */
const hook = (id: string, reference: string): string => `
  - id: ${id}
    recipe: github.repo_webhook
    repo: ${seed.repository}
    url: https://${id}.acme.example
    secret: { secret: ${JSON.stringify(reference)} }`;
const secretOf = (id: string): unknown =>
  world.github.world.hooks(seed.repository).find(({ config }) => config.url.startsWith(`https://${id}.`))?.config.secret;
const bws = `bws://${bwsId}`;

it('a plan and an apply read each reference once, and show and keep nothing of it', async () => {
  await stage.write(planOf(hook('a', bws), hook('b', bws), hook('c', 'doppler://web/dev/DB'), hook('d', 'aws-sm://prod/db#password')));
  const events: RunEvent[] = [];
  const planned = await stage.plan({}, events);
  expect(planned.lines.map(({ verdict }) => verdict)).toEqual(['create', 'create', 'create', 'create']);
  const before = (await programs.starts()).length;
  expect(before).toBeLessThanOrEqual(3);
  const applied = await stage.apply({}, events);
  expect(ends(applied)).toEqual(['a create settled', 'b create settled', 'c create settled', 'd create settled']);
  expect(
    (await programs.starts())
      .slice(before)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['aws', 'bws', 'doppler']);
  expect(['a', 'b', 'c', 'd'].map(secretOf)).toEqual([planted.bws, planted.bws, planted.doppler, planted.aws]);
  const shown = JSON.stringify([planned, applied, events]) + (await stage.bytes());
  for (const value of [planted.bws, planted.doppler, planted.aws, planted.awsUser, ...Object.values(credentials)]) {
    if (value.length > 6) for (const spelling of quotations(value)) expect(shown).not.toContain(spelling);
  }
});

it('the line whose secret cannot be read fails alone', async () => {
  await stage.write(planOf(hook('a', 'doppler://web/dev/NONE'), hook('b', bws), hook('c', 'op://CI/Other/credential')));
  const applied = await stage.apply();
  expect(ends(applied)).toEqual(['a failed failed SECRET_UNRESOLVED', 'b create settled', 'c failed failed SECRET_UNRESOLVED']);
  expect(applied.lines.flatMap(({ error }) => (error ? [error.detail] : []))).toEqual([
    expect.stringContaining('Could not find requested secret: NONE'),
    expect.stringContaining('op ended with exit code 1'),
  ]);
  expect(secretOf('b')).toBe(planted.bws);
});

it('a program that is missing or hangs fails its lines alone, within the deadline', async () => {
  await programs.add('doppler', 'hang();');
  await rm(path.join(programs.PATH, 'bws'));
  await stage.write(planOf(hook('a', 'doppler://web/dev/DB'), hook('b', bws), hook('c', 'gcp-sm://acme-ci/db')));
  // Long enough for a program that answers to start on a busy machine.
  const applied = await stage.apply({ env: { PILOTFISH_COMMAND_DEADLINE_MS: '5000' } });
  expect(ends(applied)).toEqual(['a failed failed SECRET_UNRESOLVED', 'b failed failed SECRET_UNRESOLVED', 'c create settled']);
  expect(applied.lines.flatMap(({ error }) => (error ? [error.detail] : []))).toEqual([
    expect.stringContaining('doppler did not end within 5 s'),
    expect.stringContaining('bws was not found on the PATH'),
  ]);
  for (const { pid } of await programs.starts()) await until('it is gone', async () => !(await isRunning(pid)));
});

it('programs run side by side', async () => {
  const meet = (name: string, other: string, value: string): Promise<void> =>
    programs.add(
      name,
      `const notes = ${JSON.stringify(programs.folder)} + '/';
      fs.writeFileSync(notes + ${JSON.stringify(name)}, '');
      const give = () => out(${JSON.stringify(value)});
      let turns = 0;
      const timer = setInterval(() => {
        if (fs.existsSync(notes + ${JSON.stringify(other)})) { clearInterval(timer); give(); }
        else if (++turns > 1000) fail(1, 'the other one never came');
      }, 5);`,
    );
  await meet('op', 'gcloud', planted.op);
  await meet('gcloud', 'op', planted.gcp);
  await stage.write(planOf(hook('a', 'op://CI/item/field'), hook('b', 'gcp-sm://acme-ci/db')));
  expect(ends(await stage.apply())).toEqual(['a create settled', 'b create settled']);
});

it('a time limit that is no time limit is told before anything runs', async () => {
  await stage.write(planOf(hook('a', bws)));
  const thrown = await stage.apply({ env: { PILOTFISH_COMMAND_DEADLINE_MS: 'soon' } }).catch((error: unknown) => error);
  expect(thrown).toMatchObject({ code: 'USAGE', detail: expect.stringContaining('PILOTFISH_COMMAND_DEADLINE_MS is "soon"') });
  expect(await programs.starts()).toEqual([]);
});

it('a reference that no program can have, and a variable that is missing, are told before anything runs', async () => {
  await stage.write(planOf(hook('a', 'azure-kv://a--b/db'), hook('b', bws), hook('c', 'doppler://web/dev/--json')));
  const thrown = await stage.apply({ env: { BWS_ACCESS_TOKEN: '' } }).catch((error: unknown) => error);
  expect(thrown).toMatchObject({
    failures: [
      { code: 'SECRET_UNRESOLVED', detail: expect.stringContaining('single hyphens'), place: { line: 7 } },
      { code: 'SECRET_UNRESOLVED', detail: expect.stringContaining('BWS_ACCESS_TOKEN is not set'), place: { line: 12 } },
      { code: 'SECRET_UNRESOLVED', detail: expect.stringContaining('starts with "-"'), place: { line: 17 } },
    ],
  });
  expect(await programs.starts()).toEqual([]);
});

it('an API whose token a command prints is written with one token, and destroyed from the ledger alone', async () => {
  await programs.add('gcloud', `if (args.join(' ') !== 'auth print-access-token') fail(2, 'usage'); out(env.GITHUB_TOKEN + '\\n');`);
  const providers = `providers:\n  http:\n    code:\n      recipe: github\n      auth: { command: [gcloud, auth, print-access-token] }\n`;
  const line = (id: string): string => `${hook(id, bws)}\n    api: code`;
  await stage.write(planOf(line('a'), line('b')).replace('changes:', `${providers}changes:`));
  const applied = await stage.apply({ env: ledgerKey });
  expect(ends(applied)).toEqual(['a create settled', 'b create settled']);
  expect((await programs.starts()).filter(({ name }) => name === 'gcloud')).toHaveLength(1);
  const records = JSON.stringify([...(await stage.ledger()).records.values()]);
  expect(records).toContain('print-access-token');
  await rm(path.join(stage.folder, 'release.plan.yaml'));
  expect(ends(await stage.destroy({ env: { ...ledgerKey, PILOTFISH_STORED_COMMANDS: '1' } })).toSorted()).toEqual([
    'a delete settled',
    'b delete settled',
  ]);
  expect(world.github.world.hooks(seed.repository)).toEqual([]);
});
