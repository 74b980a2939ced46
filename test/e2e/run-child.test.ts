import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createWorld, seed, type World } from 'pilotfish-sandbox/all';
import { type Served, serve } from 'pilotfish-sandbox/kit/index';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { binary, type Ended, pilotfish } from '../cli/program.ts';

const plan = `version: 1
receipts: local
exports:
  DATABASE_URL: { from: database.connection_uri }
  PLACE: "\${ctx.scope}"
changes:
  - { id: database, adapter: neon, op: branch, project_id: ${seed.neonProject}, name: "shop-\${ctx.scope}" }
`;

let world: World;
let served: Served;
let folder = '';
let env: { readonly [name: string]: string } = {};
let canary = '';

beforeAll(async () => {
  world = createWorld();
  served = await serve(world.simulations);
  folder = await mkdtemp(join(tmpdir(), 'pilotfish-run-'));
  await writeFile(join(folder, 'release.plan.yaml'), plan);
  await writeFile(
    join(folder, 'child.mjs'),
    `import { writeFileSync } from 'node:fs';
const [how, file] = process.argv.slice(2);
if (how === 'hash') console.log(process.env.PLACE, process.env.DATABASE_URL === process.argv[3]);
if (how === 'print') { process.stdout.write('one ' + process.env.DATABASE_URL + ' two'); process.stderr.write('err ' + process.env.DATABASE_URL + '\\n'); }
if (how === 'bytes') process.stdout.write(Buffer.from([0, 255, 10, 128, 13, 200]));
if (how === 'exit') process.exit(Number(file));
if (how === 'wait') { process.on('SIGTERM', () => { console.log('got SIGTERM'); process.exit(7); }); console.log('pid ' + process.pid); setInterval(() => {}, 1000); }
if (how === 'die') process.kill(process.pid, 'SIGKILL');
if (how === 'read') process.stdin.on('data', (text) => process.stdout.write('read ' + text));
`,
  );
  env = { ...served.env, NEON_API_KEY: world.neon.tokens.full };
  const applied = await run(['apply', '--scope', 'pr-12']);
  expect(applied.code, applied.stderr).toBe(0);
  canary = world.neon.world.uri('shop-pr-12');
});
afterAll(async () => {
  await served.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = (args: readonly string[], more: { readonly [name: string]: string } = {}): Promise<Ended> =>
  pilotfish(args, { cwd: folder, env: { ...env, ...more } });
const child = (args: readonly string[], more = {}): Promise<Ended> =>
  run(['run', '--scope', 'pr-12', '--', process.execPath, 'child.mjs', ...args], more);

/** A run that goes on until somebody ends it. Resolves once its command has begun. */
async function waiting(): Promise<{ readonly program: ChildProcess; readonly pid: number; readonly text: () => string }> {
  const args = [binary, 'run', '--scope', 'pr-12', '--', process.execPath, 'child.mjs', 'wait'];
  const program = spawn(process.execPath, args, { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...env } });
  let text = '';
  program.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  while (!/pid \d+\n/.test(text)) await once(program.stdout, 'data');
  return { program, pid: Number(/pid (\d+)/.exec(text)?.[1]), text: () => text };
}

/** Whether a process is there. One that has ended and was not yet asked for its exit code has no command line. */
async function isThere(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== '';
}

async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 400 && (await isThere(pid)); tries += 1) await new Promise((resolve) => setTimeout(resolve, 25));
  return !(await isThere(pid));
}

/** Every file below the folder that holds the text. */
async function filesWith(text: string): Promise<readonly string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = all.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  const holds = await Promise.all(files.map(async (file) => (await readFile(file)).includes(text)));
  return files.filter((_, i) => holds[i]);
}

describe('a command', () => {
  it('has the values in its environment, and exits as it exits', async () => {
    expect(await child(['hash', canary])).toMatchObject({ code: 0, stdout: 'pr-12 true\n' });
    expect(await child(['exit', '41'])).toMatchObject({ code: 41, stdout: '', stderr: '' });
    expect((await child(['die'])).code).toBe(137);
  });

  it('leaves the value nowhere else: no file, no output of ours, no argument', async () => {
    const told = await run(['run', '--scope', 'pr-12']);
    expect(told.stdout).toContain('DATABASE_URL  database.connection_uri  secret');
    const json = await run(['run', '--scope', 'pr-12', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: true,
      command: 'run',
      variables: [{ name: 'DATABASE_URL', sensitive: true }, { name: 'PLACE' }],
    });
    expect(told.stdout + told.stderr + json.stdout + json.stderr).not.toContain(canary);
    const { program, pid } = await waiting();
    for (const id of [pid, program.pid ?? 0]) expect(await readFile(`/proc/${id}/cmdline`, 'utf8')).not.toContain(canary);
    expect(await readFile(`/proc/${program.pid}/environ`, 'utf8')).not.toContain(canary);
    expect(await readFile(`/proc/${pid}/environ`, 'utf8')).toContain(canary);
    program.kill('SIGTERM');
    await once(program, 'exit');
    expect(await filesWith(canary)).toEqual([]);
  });

  it('is masked in CI, and on GitHub the runner learns the value; its bytes stay as they are', async () => {
    const ci = await child(['print'], { CI: 'true' });
    expect(ci).toMatchObject({ code: 0, stdout: 'one *** two', stderr: 'err ***\n' });
    const github = await child(['print'], { GITHUB_ACTIONS: 'true' });
    expect(github.stdout).toBe('one *** two');
    expect(github.stderr).toContain(`::add-mask::${canary.replaceAll('%', '%25')}\n`);
    expect(github.stderr).toContain('err ***\n');
    expect((await child(['print'])).stdout).toBe(`one ${canary} two`);
    const piped = `"$0" "$1" run --scope pr-12 -- "$0" child.mjs bytes | od -An -tu1`;
    const { stdout } = await promisify(execFile)('sh', ['-c', piped, process.execPath, binary], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, ...env, CI: 'true' },
    });
    expect(stdout.trim().split(/\s+/)).toEqual(['0', '255', '10', '128', '13', '200']);
  });

  it('gets signals, and its exit code is that of the run', async () => {
    const { program, text } = await waiting();
    program.kill('SIGTERM');
    const [code] = await once(program, 'exit');
    expect([code, text()]).toEqual([7, expect.stringContaining('got SIGTERM')]);
  });

  it('that is not there, or may not be executed, is told', async () => {
    const missing = await run(['run', '--scope', 'pr-12', '--', 'no-such-program-here']);
    expect(missing).toMatchObject({ code: 127, stdout: '' });
    expect(missing.stderr).toContain('no-such-program-here could not be started (ENOENT)');
    const locked = await run(['run', '--scope', 'pr-12', '--', './child.mjs']);
    expect(locked.code).toBe(126);
  });

  it('does not start when the scope is not applied', async () => {
    const { code, stdout, stderr } = await run(['run', '--scope', 'pr-13', '--', process.execPath, 'child.mjs', 'hash', '']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('NOT_APPLIED');
  });

  it.skipIf(process.platform !== 'linux')('ends when the run is killed, and the run ends when the command is killed', async () => {
    const first = await waiting();
    first.program.kill('SIGKILL');
    expect(await gone(first.pid)).toBe(true);
    const second = await waiting();
    process.kill(second.pid, 'SIGKILL');
    const [code] = await once(second.program, 'exit');
    expect(code).toBe(137);
    expect(await filesWith(canary)).toEqual([]);
    expect((await child(['hash', canary])).stdout).toBe('pr-12 true\n');
  });
});
