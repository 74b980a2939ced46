import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { promisesTable } from '../scripts/docs/guarantees.ts';
import { guarantees } from '../scripts/docs/promises.ts';
import { root } from '../scripts/tasks.ts';

it('the README promises what docs/guarantees.md explains, with the same tests', async () => {
  expect(await readFile(join(root, 'README.md'), 'utf8')).toContain(`${promisesTable()}\n`);
});

it('the seven guarantees are explained, each once', () => {
  expect(guarantees.map(({ name }) => name)).toEqual(['G1', 'G2', 'G3', 'G4', 'G5', 'G6', 'G7']);
});
