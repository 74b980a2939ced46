import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findTodos } from '../../src/onboard/standing.ts';
import { type Ended, execute, root } from '../cli/program.ts';
import { fillIn } from '../onboard/fill-in.ts';
import { knowledgeOf } from '../sandbox/walk/stranger.ts';
import { isWhole } from '../support/whole.ts';

const node = process.execPath;
/** What npx starts from the packages that are installed. */
const tool = ['--offline', 'pilotfish'] as const;

/** A shop with a database and a host, as `init` finds it. */
const shop = {
  'package.json': JSON.stringify({ private: true, dependencies: { '@neondatabase/serverless': '^1.0.0', next: '^16.0.0' } }),
  'vercel.json': '{}',
  '.env.example': 'DATABASE_URL=\n',
  '.gitignore': 'node_modules\n',
};

interface Line {
  readonly id: string;
  readonly verdict: string;
}

/** A folder where Node, npm and git are all that there is. Every step is timed. */
async function openPlace() {
  const place = await mkdtemp(join(tmpdir(), 'pilotfish-tarballs-'));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: join(place, 'home'),
    TMPDIR: join(place, 'tmp'),
    npm_config_cache: join(place, 'npm'),
    npm_config_update_notifier: 'false',
    GIT_CONFIG_NOSYSTEM: '1',
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((who) => [[`GIT_${who}_NAME`, 'Ada'] as const, [`GIT_${who}_EMAIL`, 'ada@acme.example'] as const]),
    ),
  };
  const cwd = join(place, 'shop');
  for (const folder of ['home', 'tmp', 'shop']) await mkdir(join(place, folder));
  const times: string[] = [];
  const step = async (name: string, file: string, args: readonly string[], at = cwd): Promise<Ended> => {
    const from = performance.now();
    const ended = await execute(file, args, { cwd: at, env });
    times.push(`${name} ${((performance.now() - from) / 1000).toFixed(1)} s`);
    expect(ended.code, `${name}: ${ended.stdout}${ended.stderr}`).toBe(0);
    return ended;
  };
  return { place, cwd, env, times, step };
}

type Place = Awaited<ReturnType<typeof openPlace>>;

/** Packs both packages, installs them in the shop, and gives the size of each tarball in KB. */
async function install({ place, step }: Place): Promise<string> {
  for (const folder of [root, join(root, 'sandbox')]) {
    await step(`npm pack ${relative(root, folder) || '.'}`, 'npm', ['pack', '--pack-destination', place], folder);
  }
  const tarballs = (await readdir(place)).filter((name) => name.endsWith('.tgz')).map((name) => join(place, name));
  expect(tarballs).toHaveLength(2);
  await step('npm install', 'npm', ['install', '--offline', '--no-audit', '--no-fund', '--no-save', ...tarballs]);
  const sizes = await Promise.all(
    tarballs.map(async (file) => `${relative(place, file)} ${Math.round((await stat(file)).size / 1024)} KB`),
  );
  return sizes.join(', ');
}

/** Every file below a folder, without those that a name leaves out. */
async function filesBelow(folder: string, out: RegExp): Promise<readonly string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  return all.flatMap((one) => (one.isFile() ? [relative(folder, join(one.parentPath, one.name))] : [])).filter((file) => !out.test(file));
}

/** The page and the objects of a provider that stand, as a browser is told. */
async function shownAt(url: string, provider: string): Promise<string> {
  const page = await (await fetch(url)).text();
  expect(page).toContain('What the providers hold');
  const stop = new AbortController();
  const events = await fetch(`${url}/~/events`, { signal: stop.signal });
  let text = '';
  for await (const part of events.body ?? []) {
    text += Buffer.from(part).toString('utf8');
    if (text.includes('event: switches')) break;
  }
  stop.abort();
  const [, told = '[]'] = /event: providers\ndata: (.*)\n/.exec(text) ?? [];
  const all: readonly { readonly name: string; readonly objects: unknown }[] = JSON.parse(told);
  return JSON.stringify(all.find(({ name }) => name === provider)?.objects);
}

it.skipIf(!isWhole)(
  'two tarballs and Node alone: a plan is drafted, applied, looked at, run and taken away',
  async () => {
    const here = await openPlace();
    const { place, cwd, env, times, step } = here;
    await writeFile(join(cwd, 'package.json'), '{ "private": true }');
    const sizes = await install(here);
    for (const [name, text] of Object.entries(shop)) await writeFile(join(cwd, name), text);
    await step('git', 'sh', ['-ec', 'git init -q -b feature && git add -A && git commit -qm shop']);
    const inside = (name: string, ...argv: readonly string[]): Promise<Ended> =>
      step(name, 'npx', [...tool, 'sandbox', '--', 'npx', ...tool, ...argv]);

    await inside('init', 'init');
    const drafted = await readFile(join(cwd, 'release.plan.yaml'), 'utf8');
    const listed = await step('values', 'npx', ['--offline', 'pilotfish-sandbox', 'values', '--json']);
    const values: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(listed.stdout);
    const knowledge = knowledgeOf(Object.entries(values).map(([name, known]) => ({ name, values: known })));
    await writeFile(join(cwd, 'release.plan.yaml'), fillIn(drafted, findTodos(drafted, 'release.plan.yaml'), knowledge));
    await step('push', 'npx', [...tool, 'sandbox', '--', 'git', 'push', '--quiet', 'origin', 'feature']);
    const scope = ['--scope', 'pr-12'];
    const linesOf = ({ stdout }: Ended): readonly Line[] => JSON.parse(stdout).lines;
    const planned = linesOf(await inside('plan', 'plan', ...scope, '--json'));
    expect(planned.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(
      expect.arrayContaining(['database create', 'database-url create']),
    );
    await inside('apply', 'apply', ...scope);

    const sandbox = spawn(join('node_modules/.bin', 'pilotfish'), ['sandbox'], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
    const over = once(sandbox, 'exit');
    onTestFinished(() => void sandbox.kill('SIGKILL'));
    const said = await new Promise<string>((resolve) => {
      let text = '';
      sandbox.stdout.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (text.includes('Ctrl-C ends it.')) resolve(text);
      });
    });
    const [, url = ''] = /providers at (http:\/\/127\.0\.0\.1:\d+)/.exec(said) ?? [];
    expect(await shownAt(url, 'neon')).toContain('pr-12');
    sandbox.kill('SIGTERM');
    await over;

    const ran = await step('run', 'npx', [
      ...[...tool, 'sandbox', '--', 'npx', ...tool, 'run', ...scope, '--'],
      ...[node, '-e', 'console.log(Object.keys(process.env).includes("DATABASE_URL"))'],
    ]);
    expect(ran.stdout).toBe('true\n');
    expect((await inside('list', 'list')).stdout).toContain('pr-12');
    await inside('apply --destroy', 'apply', '--destroy', ...scope);
    const again = linesOf(await inside('plan again', 'plan', ...scope, '--json'));
    expect(again.map(({ id, verdict }) => [id, verdict])).toEqual(planned.map(({ id, verdict }) => [id, verdict]));

    expect(await filesBelow(join(place, 'home'), /^\.(?:npm|cache)\//)).toEqual([]);
    expect(await filesBelow(join(place, 'tmp'), /^(?:node-compile-cache|npm-)/)).toEqual([]);
    const own = await filesBelow(cwd, /^(?:node_modules|\.git|\.pilotfish)\//);
    expect(own.toSorted()).toEqual([...Object.keys(shop), 'release.plan.yaml'].toSorted());
    console.info(`${sizes}; ${times.join(', ')}`);
  },
  900_000,
);
