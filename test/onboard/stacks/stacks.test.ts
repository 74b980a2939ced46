import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { some } from '../../support/whole.ts';
import { leftAt, newLeaves, valuesOf } from './seen.ts';
import { type Stack, stacks } from './stacks.ts';
import { transcriptOf } from './transcript.ts';
import { type Dumps, type Walk, walk } from './walk.ts';

/** `UPDATE=1` writes what is said now; a reviewer reads the difference. */
const isUpdate = process.env.UPDATE === '1';

it.each(some(stacks, 4))('$name comes from init to a preview and leaves nothing behind', async (stack) => {
  const seen = await walk(stack);
  const { dumps, applied, again, destroyed } = seen;
  expect(applied.code, applied.stdout + applied.stderr).toBe(0);
  expectAtProviders(stack, dumps);
  for (const [output, value] of Object.entries(stack.outputs ?? {}))
    expect(new RegExp(`^ +${output} +"(.*)"$`, 'm').exec(applied.stdout)?.[1], output).toMatch(value);
  expect([again.code, seen.rewritten], again.stdout).toEqual([0, 0]);
  expect(destroyed.code, destroyed.stdout + destroyed.stderr).toBe(0);
  expect([...dumps.after].flatMap(([provider, dump]) => leftAt(provider, dumps.before.get(provider), dump))).toEqual([]);
  await expectGolden(stack, seen);
});

/** Each variable has its value at the host, the preview's address is known where it must be, and no placeholder got there. */
function expectAtProviders({ variables = {}, addresses = {} }: Stack, { before, during }: Walk['dumps']): void {
  for (const [at, value] of Object.entries(variables)) {
    const [provider = '', variable = ''] = at.split(' ');
    const held = valuesOf(during.get(provider), variable);
    expect(held, at).not.toEqual([]);
    for (const text of held) expect(text, at).toMatch(value);
  }
  for (const [provider, address] of Object.entries(addresses))
    expect(madeAt(provider, { before, during }), provider).toContainEqual(expect.stringMatching(address));
  for (const provider of during.keys())
    for (const text of madeAt(provider, { before, during })) expect(text, provider).not.toMatch(/\byour-|\$\{/);
}

const madeAt = (provider: string, { before, during }: { readonly before: Dumps; readonly during: Dumps }): readonly string[] =>
  newLeaves(before.get(provider), during.get(provider)).map(({ text }) => text);

async function expectGolden({ name }: Stack, seen: Walk): Promise<void> {
  const path = join(import.meta.dirname, 'goldens', `${name}.txt`);
  const transcript = transcriptOf(seen);
  if (isUpdate) await writeFile(path, transcript);
  expect(transcript).toBe(await readFile(path, 'utf8'));
}

it('every kept file is of a stack', async () => {
  const names = (files: readonly string[]): readonly string[] => files.map((file) => file.replace('.txt', '')).sort();
  expect(names(await readdir(join(import.meta.dirname, 'goldens')))).toEqual(stacks.map(({ name }) => name).sort());
  expect(names(await readdir(join(import.meta.dirname, 'files')))).toEqual(
    stacks.flatMap(({ name, fixture }) => (fixture === undefined ? [name] : [])).sort(),
  );
});
