import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serve, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { expect, it, onTestFinished } from 'vitest';
import { readPage } from '../../scripts/docs/read-page.ts';
import { bakery } from '../bad-input/bakery.ts';
import { type Ended, execute, pilotfish, root } from '../cli/program.ts';
import { startTeam } from '../demo/team.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { isWhole, some } from '../support/whole.ts';

/** The words before the arguments: the executable, and what runs it where it is for another processor. */
export type Program = () => readonly string[];

interface Place {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the executable with nothing in its environment: no PATH with a Node, no home of the person who runs the tests. */
export function runAlone(program: Program, args: readonly string[], { cwd, env = {} }: Place): Promise<Ended> {
  const [file = '', ...first] = program();
  return execute(file, [...first, ...args], { cwd, env: { HOME: cwd, ...env } });
}

/** What an executable must do like the built package. `npm test` has the share of it that the package's own tests cannot show. */
export function describeExecutable(program: Program): void {
  it.each(some(['--version', '--help', 'explain', 'explain PLAN_INVALID', 'no-such-command'], 1))(
    'answers %s like the package, without a Node on the PATH',
    async (words) => {
      const cwd = await tempFolder('executable');
      const [own, built] = [await runAlone(program, words.split(' '), { cwd }), await pilotfish(words.split(' '), { cwd })];
      expect(own).toEqual(built);
    },
  );

  it('surveys a repository like the package, and writes the same plan and the same schemas', async () => {
    const cwd = await shop();
    const files = ['release.plan.yaml', '.pilotfish/release.plan.schema.json', '.pilotfish/recipe-family.schema.json'];
    const written = (): Promise<readonly string[]> => Promise.all(files.map((file) => readFile(join(cwd, file), 'utf8')));
    const own = await runAlone(program, ['init', '--json'], { cwd });
    const ownFiles = await written();
    for (const name of ['release.plan.yaml', '.pilotfish', '.gitignore']) await rm(join(cwd, name), { recursive: true });
    expect(own).toEqual(await pilotfish(['init', '--json'], { cwd }));
    expect(own.code).toBe(0);
    expect(ownFiles).toEqual(await written());
    expect(ownFiles[0]).toContain('stripe');
  });

  it.skipIf(!isWhole)(
    'plans, applies, applies again and destroys the example at its providers, and writes the page of the run',
    async () => {
      const team = await startTeam();
      onTestFinished(() => team.stop());
      const run = async (...args: readonly string[]) => {
        const { code, stdout, stderr } = await runAlone(program, [...args, '--scope', 'pr-12', '--json'], {
          cwd: team.checkout,
          env: team.env,
        });
        expect(code, stdout + stderr).toBe(0);
        return JSON.parse(stdout);
      };
      expect((await run('plan')).summary.create).toBeGreaterThan(5);
      expect(await run('apply', '--trace', 'trace')).toMatchObject({ status: 'complete' });
      const page = await readFile(join(team.checkout, 'trace/trace.html'), 'utf8');
      expect(page).toContain('<script');
      for (const secret of team.secrets) expect(page).not.toContain(secret);
      expect(await run('apply')).toMatchObject({ status: 'complete', stats: { writes: 0 } });
      expect(await run('apply', '--destroy')).toMatchObject({ status: 'complete' });
      verifyHandled(team.world.simulations);
    },
  );

  it('loads a plugin by its path, in TypeScript and with its own packages, and shares its classes with it', async () => {
    const { blocks } = readPage(await readFile(join(root, 'docs/guide/plugins.md'), 'utf8'));
    const partOf = (language: string): string => blocks.find((block) => block.language === language)?.text ?? '';
    const cwd = await tempFolder('plugin');
    await mkdir(join(cwd, 'node_modules'));
    // No package `pilotfish` is installed: the import gets what is inside.
    await symlink(join(root, 'node_modules/zod'), join(cwd, 'node_modules/zod'), 'dir');
    await writeFile(join(cwd, 'bakery.ts'), partOf('ts'));
    await writeFile(join(cwd, 'release.plan.yaml'), partOf('yaml'));
    const provider = bakery();
    const served = await serve([provider]);
    onTestFinished(() => served.stop());
    const env = { ...served.env, BAKERY_KEY: provider.tokens.full, PILOTFISH_PLUGINS: './bakery.ts', PILOTFISH_RECEIPTS: 'local' };
    for (const args of [['plan'], ['apply'], ['apply', '--destroy']]) {
      const ended = await runAlone(program, [...args, '--scope', 'pr-12'], { cwd, env });
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      if (args[0] === 'apply') expect(provider.world.wares('loaves').map(({ name }) => name)).toEqual(args[1] ? [] : ['loaf-pr-12']);
    }
    verifyHandled([provider]);

    // A failure of the plugin is one of ours only if its class is ours: else its fix would be lost.
    const failing =
      "{ Failure } = require('pilotfish');\nexports.register = () => { throw new Failure('USAGE', { detail: 'The oven is cold.', fix: 'Heat it.' }); };\n";
    await writeFile(join(cwd, 'cold.cjs'), `const ${failing}`);
    const cold = await runAlone(program, ['plan', '--scope', 'pr-12'], { cwd, env: { ...env, PILOTFISH_PLUGINS: './cold.cjs' } });
    expect(cold.code).not.toBe(0);
    expect(cold.stderr).toContain('The oven is cold.');
    expect(cold.stderr).toContain('Fix: Heat it.');
  });

  it.skipIf(!isWhole)('has the client of a PostgreSQL ledger inside', async () => {
    const cwd = await shop();
    await runAlone(program, ['init'], { cwd });
    // Nobody listens on that port, so only the client inside can say this.
    const env = { PILOTFISH_RECEIPTS: 'postgres://nobody:nothing@127.0.0.1:1/none', PILOTFISH_REQUEST_DEADLINE_MS: '200' };
    await writeFile(join(cwd, 'release.plan.yaml'), 'version: 1\nchanges: []\n');
    const ended = await runAlone(program, ['list'], { cwd, env });
    expect(ended.stderr).toContain('ECONNREFUSED');
    expect(ended.stderr).not.toContain('npm install pg');
  });
}

/** A repository that uses services which `init` knows. */
async function shop(): Promise<string> {
  const cwd = await tempFolder('shop');
  await writeFile(
    join(cwd, 'package.json'),
    JSON.stringify({ name: 'shop', dependencies: { stripe: '^17.0.0', '@neondatabase/serverless': '^1.0.0' } }),
  );
  await writeFile(join(cwd, 'vercel.json'), '{}');
  return cwd;
}
