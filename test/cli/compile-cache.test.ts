import { copyFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { type Ended, pilotfish } from './program.ts';

// Node keeps what it compiled of the program in one run for the next one. What lies there is run.

it('lies in a folder of this person, and not in the one of everybody', async () => {
  const { run, caches, temporary } = await open();
  expect(await run()).toMatchObject({ code: 0, stderr: '' });
  expect(await readdir(join(caches, 'pilotfish', 'compiled'))).toHaveLength(1);
  expect(await readdir(temporary)).toEqual([]);
  expect(await run()).toMatchObject({ code: 0, stderr: '' });
});

it('lies where NODE_COMPILE_CACHE says, also in CI', async () => {
  const named = await tempFolder('named');
  const { run, caches } = await open({ CI: 'true', NODE_COMPILE_CACHE: named });
  await run();
  expect(await readdir(named)).toHaveLength(1);
  expect(await readdir(caches)).toEqual([]);
});

it.each([{ CI: 'true' }, { NODE_DISABLE_COMPILE_CACHE: '1' }])('with %j nothing is kept', async (env) => {
  const { run, caches, temporary } = await open(env);
  expect(await run()).toMatchObject({ code: 0 });
  expect([...(await readdir(caches)), ...(await readdir(temporary))]).toEqual([]);
});

it('a folder that cannot be written costs no run', async () => {
  const { run, caches } = await open();
  await copyFile(process.execPath, join(caches, 'pilotfish'));
  expect(await run()).toMatchObject({ code: 0, stderr: '' });
});

interface Place {
  /** Where the caches of this person are. */
  readonly caches: string;
  /** Where everybody's temporary files are. */
  readonly temporary: string;
  run(): Promise<Ended>;
}

async function open(env: { readonly [name: string]: string } = {}): Promise<Place> {
  const [cwd, caches, temporary] = [await tempFolder('checkout'), await tempFolder('caches'), await tempFolder('temporary')];
  await writeFile(join(cwd, 'release.plan.yaml'), 'version: 1\nchanges: []\n');
  const own = { PILOTFISH_LEDGER: 'local', XDG_CACHE_HOME: caches, TMPDIR: temporary, NODE_COMPILE_CACHE: '' };
  return { caches, temporary, run: () => pilotfish(['plan', '--scope', 'pr-1'], { cwd, env: { ...own, ...env } }) };
}
