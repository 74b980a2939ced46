import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { actionFiles } from '../../scripts/build/action.ts';

let folder = '';

/** What a runner starts: the action's one file, built of these sources and alone in a folder, for the tests of one file. */
export const entry = (): string => join(folder, 'index.js');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pilotfish-action-'));
  const text = (await actionFiles()).get('index.js');
  if (text === undefined) throw new Error('the bundle has no index.js');
  await writeFile(entry(), text);
  // Without it Node would have to guess what the file is.
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});
