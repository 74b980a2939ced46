import { chmod, copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { readKept, writeKept } from '../../src/start/compiled.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { binary, type Ended, pilotfish } from './program.ts';

// What V8 compiled in one run is there for the next one.

const plan = 'version: 1\nchanges: []\n';

it('the first runs of a kind add what they called, and the others only read', async () => {
  const { run, kept } = await open();
  await run('plan');
  const first = await kept('plan-run-');
  await run('plan');
  const second = await kept('plan-run-');
  expect(second.mtimeMs).toBeGreaterThan(first.mtimeMs);
  await run('plan');
  const whole = await kept('plan-run-');
  await run('plan');
  expect(await kept('plan-run-')).toEqual(whole);
});

it('a run that fails leaves what others will add', async () => {
  const { run, kept, write } = await open();
  await write('version: 2\n');
  for (let n = 0; n < 4; n += 1) expect((await run('plan')).code).toBe(2);
  const failed = await kept('plan-run-');
  await write(plan);
  expect((await run('plan')).code).toBe(0);
  expect((await kept('plan-run-')).size).toBeGreaterThan(failed.size * 1.01);
});

it('a kind of run that had nothing to add is asked again a day later', async () => {
  const { run, kept, folder } = await open();
  for (let n = 0; n < 3; n += 1) await run('plan');
  const whole = await kept('plan-run-');
  const name = (await readdir(dirname(binary))).find((each) => each.startsWith('run-')) ?? 'no run';
  const text = await readFile(join(dirname(binary), name));
  const known = readKept(whole.path, text);
  if (known === null) throw new Error(`${await folder()} keeps nothing of ${name}`);
  expect(known.quiet).toBe(2);
  writeKept(whole.path, text, { ...known, at: Date.now() - 25 * 3600_000 });
  await run('plan');
  expect(readKept(whole.path, text)).toMatchObject({ quiet: 3, at: expect.closeTo(Date.now(), -5) });
});

it('a run takes up nothing of what only runs of another kind call', async () => {
  const { run, kept } = await open();
  await run('apply');
  await run('plan');
  const planned = await kept('plan-run-');
  await run('apply', '--destroy');
  await run('plan');
  await run('plan');
  const [again, applied, destroyed] = await Promise.all(['plan-run-', 'apply-run-', 'destroy-run-'].map(kept));
  expect(again?.size).toBeLessThan(planned.size * 1.01);
  expect(applied?.size).toBeGreaterThan(planned.size * 1.01);
  expect(destroyed?.path).not.toBe(applied?.path);
});

it('holds the functions that a run called, and not only those that loading called', async () => {
  const { run, kept } = await open();
  await run('init');
  const loaded = await kept('init-shell-');
  await run('init', '--help');
  // The text of the help, and what arranges it.
  expect((await kept('init-shell-')).size).toBeGreaterThan(loaded.size);
});

it('says nothing of it, however many files a run loads', async () => {
  const { run, folder } = await open();
  expect(await run('init')).toMatchObject({ code: 0, stderr: '' });
  expect((await readdir(await folder())).length).toBeGreaterThan(15);
});

it.each([
  ['empty', () => Buffer.alloc(0)],
  ['cut', (whole: Buffer) => whole.subarray(0, whole.length >> 1)],
  ['changed', (whole: Buffer) => whole.map((byte, at) => (at === whole.length >> 1 ? byte ^ 0xff : byte))],
  ['of another file', (_: Buffer, other: Buffer) => other],
])('a kept file that is %s is not run, and is made anew', async (_, damaged) => {
  const { run, kept } = await open();
  const good = await run('plan');
  const [file, other] = [await kept('plan-run-'), await kept('plan-shell-')];
  await writeFile(file.path, damaged(await readFile(file.path), await readFile(other.path)));
  expect(await run('plan')).toEqual(good);
  expect((await kept('plan-run-')).size).toBeGreaterThan(file.size * 0.9);
});

it('processes that begin at once, with nothing kept, all end well and leave whole files', async () => {
  const { run, folder } = await open();
  const ended = await Promise.all(Array.from({ length: 6 }, () => run('plan')));
  expect(new Set(ended.map(({ code }) => code))).toEqual(new Set([0]));
  expect((await readdir(await folder())).filter((name) => !name.endsWith('.cjs'))).toEqual([]);
  expect((await run('plan')).code).toBe(0);
});

it.each([{ CI: 'true' }, { NODE_DISABLE_COMPILE_CACHE: '1' }])('with %j nothing is kept', async (env) => {
  const { run, caches } = await open(env);
  expect((await run('plan')).code).toBe(0);
  expect(await readdir(caches)).toEqual([]);
});

it('a folder that cannot be written costs no run', async () => {
  const { run, caches } = await open();
  const place = join(caches, 'pilotfish');
  await copyFile(process.execPath, place);
  await chmod(place, 0o400);
  expect(await run('plan')).toMatchObject({ code: 0, stderr: '' });
});

interface KeptFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

interface Place {
  /** Where all caches are. */
  readonly caches: string;
  run(...args: readonly string[]): Promise<Ended>;
  /** Another plan. */
  write(text: string): Promise<void>;
  /** Where the compiled files are. */
  folder(): Promise<string>;
  /** The one of them whose name begins so. */
  kept(name: string): Promise<KeptFile>;
}

async function open(env: { readonly [name: string]: string } = {}, text = plan): Promise<Place> {
  const [cwd, caches] = [await tempFolder('checkout'), await tempFolder('caches')];
  const write = (plan: string): Promise<void> => writeFile(join(cwd, 'release.plan.yaml'), plan);
  await write(text);
  const folder = async (): Promise<string> => {
    const compiled = join(caches, 'pilotfish', 'compiled');
    const [name = ''] = await readdir(compiled);
    return join(compiled, name);
  };
  return {
    caches,
    folder,
    write,
    run: (command, ...more) => {
      const scope = command === 'init' || more.includes('--help') ? [] : ['--scope', 'pr-1'];
      const own = { PILOTFISH_LEDGER: 'local', XDG_CACHE_HOME: caches, NODE_COMPILE_CACHE: '' };
      return pilotfish([...(command === undefined ? [] : [command]), ...scope, ...more], { cwd, env: { ...own, ...env } });
    },
    kept: async (start) => {
      const name = (await readdir(await folder())).find((each) => each.startsWith(start)) ?? `no ${start}`;
      const path = join(await folder(), name);
      const { size, mtimeMs } = await stat(path);
      return { path, size, mtimeMs };
    },
  };
}
