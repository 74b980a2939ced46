import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { seed } from 'pilotfish-sandbox/all';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { actionFiles } from '../../scripts/build/action.ts';
import { copiedAction } from '../../src/onboard/setup/workflow.ts';
import { type Company, openCompany, recordPlan } from '../checkouts/company.ts';
import { type Ended, execute, root } from '../cli/program.ts';

let built: ReadonlyMap<string, string> = new Map();
let company: Company;
/** Holds the entry alone. */
let folder = '';
beforeAll(async () => {
  [built, company] = await Promise.all([actionFiles(), openCompany()]);
  folder = await mkdtemp(join(tmpdir(), 'pilotfish-bundle-'));
  await writeFile(join(folder, 'index.js'), entry());
});
afterAll(async () => {
  await Promise.all([company.close(), rm(folder, { recursive: true, force: true })]);
});

describe("the action's bundle", () => {
  it('has no source map and names no folder of the machine that built it', () => {
    expect(entry()).not.toMatch(/sourceMappingURL|sourcesContent/);
    for (const place of [root, homedir(), tmpdir(), 'node_modules/.']) expect(entry().includes(`${place}/`), place).toBe(false);
    expect(built.get('THIRD-PARTY-NOTICES.txt')).not.toContain(root);
  });

  it('holds the modules of packages, and asks for none but those of Node', () => {
    const asked = [...entry().matchAll(/(?:^|[;}\s])import\s*(?:[\w$*{}\s,]+?from\s*)?["'`]([^"'`]+)["'`]/g)].map(([, name = '']) => name);
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.filter((name) => !isBuiltin(name))).toEqual([]);
  });

  it('brings the licence of every package that is inside', () => {
    for (const name of ['@actions/core', 'undici', 'yaml', 'zod', 'xstate', 'isomorphic-git'])
      expect(built.get('THIRD-PARTY-NOTICES.txt')).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });
});

/** `runs: node24` of action.yml. An older Node does not ask a hook for what an imported CommonJS module requires. */
const isRunnersNode = Number(process.versions.node.split('.')[0]) >= 24;
if (!isRunnersNode) console.warn(`the action is not run: runners have Node 24, and this is ${process.versions.node}`);

describe.skipIf(!isRunnersNode)('the entry, alone in an empty folder', () => {
  it('takes a recipe from a plan to its end', async () => {
    const checkout = await company.folder('alone');
    await writeFile(join(checkout, 'release.plan.yaml'), recordPlan);
    const step = (command: string): Promise<Ended> => start(checkout, { command, scope: 'alone' });
    expect(await step('plan')).toMatchObject({ code: 0 });
    expect(company.writes()).toBe(0);
    const applied = await step('apply');
    expect(applied.code, applied.stdout + applied.stderr).toBe(0);
    expect(company.records()).toEqual([`alone.${seed.zone.name}`]);
    expect(await step('destroy')).toMatchObject({ code: 0 });
    expect(company.records()).toEqual([]);
    company.verify();
  });

  it.each([
    ['the root of its repository', '.', 'action'],
    ['its folder there', 'action', 'action'],
    ['the path that the workflow of a build without a release uses', copiedAction, copiedAction],
  ])('is started by the metadata at %s', async (_, at, copy) => {
    const checkout = await company.folder('used');
    await writeFile(join(checkout, 'release.plan.yaml'), recordPlan);
    // What a checkout of that repository, or of one that has a copy, brings.
    await cp(join(root, 'action'), join(checkout, copy), { recursive: true, filter: (file) => !file.endsWith('index.js') });
    await writeFile(join(checkout, copy, 'index.js'), entry());
    if (at === '.') await cp(join(root, 'action.yml'), join(checkout, 'action.yml'));
    const { runs } = parse(await readFile(join(checkout, at, 'action.yml'), 'utf8'));
    const env = await stepEnv(checkout, { command: 'plan', scope: 'alone' }, { GITHUB_EVENT_NAME: 'workflow_dispatch' });
    const ended = await execute(process.execPath, [join(checkout, at, runs.main)], { cwd: checkout, env });
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(ended.stdout).toContain('1 to create');
  });

  it('has at most the words that a marketplace shows', async () => {
    for (const file of ['action.yml', 'action/action.yml']) {
      const { name, description, branding } = parse(await readFile(join(root, file), 'utf8'));
      expect([name, description.length <= 125, Object.keys(branding)]).toEqual(['pilotfish', true, ['icon', 'color']]);
    }
  });

  it('writes a trace with its page, of which all parts are inside', async () => {
    const checkout = await company.folder('traced');
    await writeFile(join(checkout, 'release.plan.yaml'), recordPlan);
    expect(await start(checkout, { command: 'plan', scope: 'alone', trace: 'out' })).toMatchObject({ code: 0 });
    expect((await readdir(join(checkout, 'out'))).toSorted()).toEqual([
      'events.jsonl',
      'machines.mmd',
      'machines.ts',
      'otlp.json',
      'trace.html',
      'trace.json',
    ]);
    const page = await readFile(join(checkout, 'out/trace.html'), 'utf8');
    expect(page).toContain('<title>plan preview/alone · pilotfish</title>');
    expect(page.match(/<script>(.+)<\/script>/s)?.[1]?.length).toBeGreaterThan(30_000);
  });

  it('gives a plugin of the checkout its own classes, whatever is installed there', async () => {
    const checkout = await company.folder('plugins');
    await writeFile(join(checkout, 'release.plan.yaml'), 'changes: [{ id: x, adapter: acme, op: thing }]\n');
    await mkdir(join(checkout, 'node_modules/pilotfish'), { recursive: true });
    await writeFile(join(checkout, 'node_modules/pilotfish/package.json'), '{ "name": "pilotfish", "main": "other.cjs" }');
    await writeFile(join(checkout, 'node_modules/pilotfish/other.cjs'), 'exports.Failure = class extends Error {};');
    const register = "{ throw new Failure('PARAM_INVALID', { detail: 'The plugin was understood.' }); }";
    await writeFile(join(checkout, 'new.mjs'), `import { Failure } from 'pilotfish';\nexport const register = () => ${register};`);
    await writeFile(join(checkout, 'old.cjs'), `const { Failure } = require('pilotfish');\nexports.register = () => ${register};`);
    for (const plugin of ['./new.mjs', './old.cjs']) {
      const { code, stdout } = await start(checkout, { command: 'plan', scope: 'alone' }, { PILOTFISH_PLUGINS: plugin });
      expect(code).not.toBe(0);
      expect(stdout).toContain(`The plugin ${plugin} of PILOTFISH_PLUGINS did not load: The plugin was understood.`);
    }
  });

  it('tells what nobody caught in one line, and not with its own source', async () => {
    const checkout = await company.folder('broken');
    await writeFile(join(checkout, 'release.plan.yaml'), recordPlan);
    const fault =
      "setTimeout(() => { throw new Error('first\\n::error::second'); }); await new Promise(() => setTimeout(() => 0, 60_000));";
    await writeFile(join(checkout, 'late.mjs'), `${fault}\nexport const register = () => 0;`);
    const { code, stdout, stderr } = await start(checkout, { command: 'plan', scope: 'alone' }, { PILOTFISH_PLUGINS: './late.mjs' });
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(/^pilotfish stopped: Error: first ::error::second .*late\.mjs/m);
    expect(stdout.length).toBeLessThan(4_000);
  });

  it('starts with at most eight times the work of `node -e 0`', async () => {
    const checkout = await company.folder('start');
    const env = await stepEnv(checkout, {}, { GITHUB_EVENT_NAME: 'watch' });
    const meter = join(folder, 'meter.cjs');
    await writeFile(meter, meterText);
    const [bare, action]: [number[], number[]] = [[], []];
    // On a busy machine five rounds do not always hold a quiet one of each.
    for (let round = 0; round < 12; round += 1) {
      bare.push(await workOf(['--require', meter, '-e', '0'], checkout, env));
      action.push(await workOf(['--require', meter, join(folder, 'index.js')], checkout, env));
    }
    const [least, own] = [Math.min(...bare), Math.min(...action)];
    console.log(`node -e 0: ${least.toFixed(0)} ms; the action: ${own.toFixed(0)} ms, ${(own / least).toFixed(1)} times`);
    expect(own / least).toBeLessThanOrEqual(8);
  });
});

const entry = (): string => built.get('index.js') ?? '';

/** A job that somebody started by hand, in a folder without a remote. */
async function start(
  checkout: string,
  inputs: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const env = await stepEnv(checkout, inputs, { GITHUB_EVENT_NAME: 'workflow_dispatch', ...more });
  return await execute(process.execPath, [join(folder, 'index.js')], { cwd: checkout, env });
}

async function stepEnv(
  checkout: string,
  inputs: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const files = { GITHUB_OUTPUT: 'output', GITHUB_STEP_SUMMARY: 'summary', GITHUB_EVENT_PATH: 'event.json' };
  const runner = await company.folder('runner');
  const paths = Object.entries(files).map(([variable, name]) => [variable, join(runner, name)] as const);
  for (const [variable, path] of paths) await writeFile(path, variable === 'GITHUB_EVENT_PATH' ? '{}' : '');
  return {
    ...company.env,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_WORKSPACE: checkout,
    ...Object.fromEntries(paths),
    ...Object.fromEntries(Object.entries({ comment: 'false', ...inputs }).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
    ...more,
  };
}

/** Tells the processor time of a whole process: a machine that does other things too makes everything take longer, this hardly. */
const meterText = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeSync(2, 'worked ' + (user + system) / 1000);
});`;

async function workOf(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<number> {
  const { code, stdout, stderr } = await execute(process.execPath, args, { cwd, env });
  expect(code, stdout + stderr).toBe(0);
  return Number(/worked ([\d.]+)$/.exec(stderr)?.[1]);
}
