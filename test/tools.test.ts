import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lostBreaches } from '../scripts/mutate/breaches.ts';
import { root } from '../scripts/tasks.ts';
import { execute } from './cli/program.ts';

const { scripts }: { readonly scripts: { readonly [name: string]: string } } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The commands of `npm run` that are programs of ours; these two give their arguments to vitest, which judges them. */
const tools = Object.entries(scripts).flatMap(([name, command]) => {
  const [, file] = /\bnode (?:--\S+ )*(\S+\.ts)/.exec(command) ?? [];
  return file === undefined || ['test', 'real'].includes(name) ? [] : [[name, file] as const];
});

const start = (file: string, word: string) => execute(process.execPath, [file, word], { cwd: root, env: process.env });

describe('a tool of the project', () => {
  it('there are some', () => expect(tools.map(([name]) => name)).toEqual(expect.arrayContaining(['release', 'bench', 'docs', 'fuzz'])));

  it.concurrent.each(tools)('that is asked something it does not know says so and does nothing: npm run %s', async (_, file) => {
    const { code, stdout, stderr } = await start(file, '--no-such-option');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/--no-such-option[\s\S]*npm run \w+/);
  });

  it('shows how it is used: npm run release', async () => {
    expect(await start('scripts/release.ts', '--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('npm run release') });
  });
});

it('every way to break a rule of the protocol on purpose is in the source: npm run mutate -- --rules', async () => {
  expect(await lostBreaches(root)).toEqual([]);
});
