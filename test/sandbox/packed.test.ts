import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { binary, type Ended, execute, root } from '../cli/program.ts';

let folder = '';
let program = '';
const env: NodeJS.ProcessEnv = {};

/** The sandbox from its tarball, in a folder where nothing else is installed. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pilotfish-packed-'));
  Object.assign(env, {
    PATH: process.env.PATH,
    HOME: join(folder, 'home'),
    npm_config_cache: join(folder, 'cache'),
    npm_config_update_notifier: 'false',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@acme.example',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@acme.example',
  });
  await mkdir(join(folder, 'home'));
  const packed = await execute('npm', ['pack', '--pack-destination', folder], { cwd: join(root, 'sandbox'), env });
  expect(packed.code, packed.stderr).toBe(0);
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  expect((await stat(join(folder, tarball))).size).toBeLessThan(300_000);
  await mkdir(join(folder, 'tools'));
  await writeFile(join(folder, 'tools/package.json'), '{ "private": true }');
  const install = ['install', '--offline', '--no-audit', '--no-fund', join(folder, tarball)];
  const installed = await execute('npm', install, { cwd: join(folder, 'tools'), env });
  expect(installed.code, installed.stderr).toBe(0);
  expect((await readdir(join(folder, 'tools/node_modules'))).filter((name) => !name.startsWith('.'))).toEqual(['pilotfish-sandbox']);
  program = join(folder, 'tools/node_modules/.bin/pilotfish-sandbox');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const plan = `version: 1
changes:
  - id: database
    adapter: neon
    op: branch
    project_id: calm-lake-00000007
    name: shop-\${ctx.scope}
  - id: payments
    recipe: stripe.webhook_endpoint
    name: shop-\${ctx.scope}
    url: https://\${ctx.scope}.acme.example
    enabled_events: [invoice.paid]
`;

it('a plan is applied and taken away inside it, with a ledger in its git remote, and nothing outside the folder', async () => {
  const shop = join(folder, 'shop');
  await mkdir(shop);
  await writeFile(join(shop, 'release.plan.yaml'), plan);
  const inside = (...argv: readonly string[]): Promise<Ended> => execute(program, ['--', ...argv], { cwd: shop, env });
  const git = await execute('sh', ['-ec', 'git init -q -b feature && git add -A && git commit -qm x'], { cwd: shop, env });
  expect(git.code, git.stderr).toBe(0);
  const pilotfish = (...argv: readonly string[]): Promise<Ended> => inside(process.execPath, binary, ...argv, '--scope', 'pr-12');

  const applied = await pilotfish('apply');
  expect(applied.code, applied.stdout + applied.stderr).toBe(0);
  const verdicts = async (): Promise<readonly string[]> => {
    const { lines }: { readonly lines: readonly { readonly verdict: string }[] } = JSON.parse((await pilotfish('plan', '--json')).stdout);
    return lines.map(({ verdict }) => verdict);
  };
  expect(await verdicts()).toEqual(['none', 'none']);
  expect((await inside('git', 'ls-remote', 'origin')).stdout).toContain('refs/heads/pilotfish-receipts/preview/pr-12');
  const destroyed = await pilotfish('apply', '--destroy');
  expect(destroyed.code, destroyed.stdout + destroyed.stderr).toBe(0);
  // An object that still stood would be another's now, and refused.
  expect(await verdicts()).toEqual(['create', 'create']);
  expect((await execute('git', ['status', '--porcelain'], { cwd: shop, env })).stdout).not.toContain('sandbox');
  expect((await readdir(join(folder, 'home'))).filter((name) => name !== '.cache' && name !== '.npm')).toEqual([]);
});

it('the exit code, the signal and the output of the command are its own, and a mistake has its fix', async () => {
  const cwd = join(folder, 'mistakes');
  await mkdir(cwd);
  const ended = (...argv: readonly string[]): Promise<Ended> => execute(program, argv, { cwd, env });
  expect(await ended('--', 'sh', '-c', 'echo "$NEON_API_KEY" | wc -c; exit 7')).toMatchObject({
    code: 7,
    stdout: expect.stringMatching(/^\s*\d\d\s*$/),
  });
  expect((await ended('--', 'sh', '-c', 'kill -TERM $$')).code).toBe(143);
  const none = await ended('--', 'no-such-program');
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no program no-such-program.\n  Fix: ') });
  for (const argv of [['--port', 'x'], ['nowhere'], ['--'], ['--json']]) {
    expect(await ended(...argv)).toMatchObject({ code: 2, stderr: expect.stringMatching(/^pilotfish-sandbox: .+\n {2}Fix: .+\n$/) });
  }
});

it('a kill of the sandbox ends its command', async () => {
  const cwd = join(folder, 'killed');
  await mkdir(cwd);
  const script = 'echo $$ $NEON_API_URL; exec sleep 600';
  const sandbox = spawn(program, ['--', 'sh', '-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(sandbox.stdout.resume(), 'end');
  const [pid = '', address = ''] = String(await once(sandbox.stdout, 'data'))
    .trim()
    .split(' ');
  onTestFinished(() => void execute('kill', ['-KILL', pid], { cwd, env }));
  // A command may print before the sandbox has told its warden of it. A sandbox that answers has.
  await (await fetch(new URL('/', address))).text();
  sandbox.kill('SIGKILL');
  // The command holds the other end of this pipe, which closes when it ends. Its number may stand for a while, as that of an orphan.
  expect(await ended).toEqual([]);
});

it('without a command it stands until it is ended, and says what to set', async () => {
  const cwd = join(folder, 'stands');
  await mkdir(cwd);
  const child = spawn(program, [], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const told = await new Promise<string>((resolve) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes('Ctrl-C ends it.')) resolve(text);
    });
  });
  expect(told).toMatch(/^export NEON_API_URL=http:\/\/127\.0\.0\.1:\d+\/neon\/api\/v2 NEON_API_KEY=\S+$/m);
  expect(told).toMatch(/git remote add sandbox http:\/\/sandbox:\S+@127\.0\.0\.1:\d+\/sandbox\/stands\.git$/m);
  const set = '. .pilotfish/sandbox/env.sh && git ls-remote origin && command -v gcloud && echo "$VERCEL_API_URL"';
  const asked = await execute('sh', ['-ec', `git init -q . && ${set}`], { cwd, env });
  expect(asked).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\.pilotfish\/sandbox\/bin\/gcloud\nhttp:\/\/127\.0\.0\.1:\d+\/vercel\n$/),
  });
  const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(await readdir(join(cwd, '.pilotfish/sandbox'))).not.toContain('lock');
  const [, address = ''] = /(http:\S+\/)neon\/api/.exec(told) ?? [];
  const values: Readonly<Record<string, unknown>> = JSON.parse((await execute(program, ['values', '--json'], { cwd, env })).stdout);
  expect(values.inngest).toEqual({ url: `${address}inngest` });
});
