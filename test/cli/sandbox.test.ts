import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { execute, pilotfish } from './program.ts';

/** A folder with a package of that name, which says that it was started. */
async function withPackage(): Promise<string> {
  const cwd = await tempFolder('sandbox-command');
  const place = join(cwd, 'node_modules/pilotfish-sandbox');
  await mkdir(join(place, 'dist'), { recursive: true });
  await writeFile(
    join(place, 'package.json'),
    JSON.stringify({ name: 'pilotfish-sandbox', version: '9.9.9', bin: { 'pilotfish-sandbox': 'dist/run.js' } }),
  );
  await writeFile(join(place, 'dist/run.js'), 'console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 5;');
  await chmod(join(place, 'dist/run.js'), 0o755);
  return cwd;
}

it('starts the package of the working folder with the words as they are, and says which one', async () => {
  const cwd = await withPackage();
  const ended = await pilotfish(['sandbox', '--', 'sh', '-c', 'echo "a  b"', '--port'], { cwd });
  expect(ended).toMatchObject({ code: 5, stdout: `${JSON.stringify(['--', 'sh', '-c', 'echo "a  b"', '--port'])}\n` });
  expect(ended.stderr).toContain(`starts pilotfish-sandbox 9.9.9 of ${join(cwd, 'node_modules/pilotfish-sandbox/dist/run.js')}`);
  expect(await pilotfish(['sandbox'], { cwd })).toMatchObject({ code: 5, stdout: '[]\n' });
});

it('hands the port and the folder on, before the words', async () => {
  const cwd = await withPackage();
  const ended = await pilotfish(['sandbox', '--state', 'kept here', '--port', '4400', '--', 'sh'], { cwd });
  expect(ended).toMatchObject({ code: 5, stdout: `${JSON.stringify(['--port=4400', '--state=kept here', '--', 'sh'])}\n` });
  for (const port of ['0', '-1', 'x', '1.5']) {
    const refused = await pilotfish(['sandbox', `--port=${port}`], { cwd });
    expect(refused, port).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('`--port` is ') });
  }
});

it('starts no package that is among the files of the checkout', async () => {
  const cwd = await withPackage();
  const git = await execute('sh', ['-ec', 'git init -q && git add -A'], { cwd, env: { PATH: process.env.PATH, HOME: cwd } });
  expect(git.code).toBe(0);
  const ended = await pilotfish(['sandbox'], { cwd });
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain('is one of the files that this checkout brings along, so pilotfish does not start it.');
});
