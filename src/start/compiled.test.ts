import { chmod, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { compiledFolder, isSettled, readKept, writeKept } from './compiled.ts';

const text = Buffer.from('const answer = 42;');
const kept = { data: Buffer.from('what V8 made of it'), quiet: 1, at: 1_790_000_000_000 };

it('what was kept of a text is read again, and of no other text of that length', async () => {
  const file = join(await tempFolder('compiled'), 'below', 'run-a.cjs');
  expect(readKept(file, text)).toBeNull();
  writeKept(file, text, kept);
  expect(readKept(file, text)).toEqual(kept);
  expect(readKept(file, Buffer.from('const answer = 43;'))).toBeNull();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(join(file, '..'))).mode & 0o777).toBe(0o700);
  expect(await readdir(join(file, '..'))).toEqual(['run-a.cjs']);
});

it('a file with any of its bytes changed, missing or added is not taken', async () => {
  const file = join(await tempFolder('compiled'), 'run-a.cjs');
  writeKept(file, text, kept);
  const whole = await readFile(file);
  for (let at = 0; at < whole.length; at += 1) {
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(at) ^ 0x21, at);
    await writeFile(file, changed);
    expect(readKept(file, text), `byte ${at}`).toBeNull();
    await writeFile(file, whole.subarray(0, at));
    expect(readKept(file, text), `${at} bytes`).toBeNull();
  }
  await writeFile(file, Buffer.concat([whole, whole.subarray(0, 1)]));
  expect(readKept(file, text)).toBeNull();
});

it('what was not written for a month goes with the next that is written', async () => {
  const folder = await tempFolder('compiled');
  const [old, recent] = [join(folder, 'run-old.cjs'), join(folder, 'run-recent.cjs')];
  for (const file of [old, recent]) writeKept(file, text, kept);
  const days = (count: number): Date => new Date(Date.now() - count * 24 * 3600_000);
  await utimes(old, days(31), days(31));
  await utimes(recent, days(29), days(29));
  writeKept(join(folder, 'run-new.cjs'), text, kept);
  expect((await readdir(folder)).sort()).toEqual(['run-new.cjs', 'run-recent.cjs']);
});

it.each([
  { quiet: 0, hours: 0, settled: false },
  { quiet: 1, hours: 0, settled: false },
  { quiet: 2, hours: 0, settled: true },
  { quiet: 3, hours: 23, settled: true },
  { quiet: 3, hours: 25, settled: false },
  // The clock was put back.
  { quiet: 3, hours: -25, settled: false },
])('after $quiet runs with nothing new and $hours hours, settled is $settled', ({ quiet, hours, settled }) => {
  expect(isSettled({ ...kept, quiet }, kept.at + hours * 3600_000)).toBe(settled);
});

it('where it cannot be written, nothing is kept and nothing fails', async () => {
  const folder = await tempFolder('compiled');
  const place = join(folder, 'a file');
  await writeFile(place, '');
  writeKept(join(place, 'run-a.cjs'), text, kept);
  await mkdir(join(folder, 'run-b.cjs'));
  await chmod(folder, 0o700);
  writeKept(join(folder, 'run-b.cjs'), text, kept);
  expect((await readdir(folder)).sort()).toEqual(['a file', 'run-b.cjs']);
});

it.each([
  [{ HOME: '/home/ada' }, '/home/ada/.cache/pilotfish/compiled'],
  [{ HOME: '/home/ada', XDG_CACHE_HOME: '/caches' }, '/caches/pilotfish/compiled'],
  [{ HOME: '/home/ada', PILOTFISH_CACHE_DIR: '/caches/ours' }, '/caches/ours/compiled'],
  [{ HOME: '/home/ada', PILOTFISH_CACHE_DIR: '/caches/ours', NODE_COMPILE_CACHE: '/compiled' }, '/compiled'],
  [{ HOME: '/home/ada', CI: 'true', NODE_COMPILE_CACHE: '/compiled' }, '/compiled'],
])('%j: below %s', (env, folder) => {
  const [parent, own] = /^(.*)\/(pilotfish-\d+)$/.exec(compiledFolder(env) ?? '')?.slice(1) ?? [];
  expect(parent).toBe(folder);
  expect(own).toBeDefined();
});

it.each([{ CI: 'true' }, { NODE_DISABLE_COMPILE_CACHE: '1' }, { NODE_DISABLE_COMPILE_CACHE: '1', NODE_COMPILE_CACHE: '/compiled' }])(
  '%j: nothing is kept',
  (env) => {
    expect(compiledFolder({ HOME: '/home/ada', ...env })).toBeNull();
  },
);
