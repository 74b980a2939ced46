import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { familyNames, loadFamily } from '../../src/recipes/load.ts';
import { describeParams, type Given } from '../support/describe-params.ts';

/** By `<family>.<op>`. `{ text: ab, fill: c, to: 5 }` is `abccc`. */
const values: Readonly<Record<string, Given>> = parse(await readFile(new URL('params.yaml', import.meta.url), 'utf8'));

for (const [name, given] of Object.entries(values)) describeParams(name, given);

/** The operations whose own test says what their lines may be given. */
async function triedElsewhere(): Promise<readonly string[]> {
  const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.test.ts'));
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, import.meta.url), 'utf8')));
  return texts.flatMap((text) => [...text.matchAll(/^describeParams\('([\w.]+)'/gm)].map(([, name]) => name ?? ''));
}

it('a value is tried for every operation of every family', async () => {
  const families = await Promise.all((await familyNames()).map(({ name }) => loadFamily(name)));
  const known = families.flatMap(({ name, ops }) => Object.keys(ops).map((op) => `${name}.${op}`));
  expect([...Object.keys(values), ...(await triedElsewhere())].sort()).toEqual(known.sort());
});
