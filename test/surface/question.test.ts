import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { openPulls, shaA } from '../lifecycle/pulls.ts';
import { lines, planOf } from '../lifecycle/shop.ts';
import { commandLine } from '../support/command-line.ts';

const scope = ['--scope', 'pr-12'];
const questions = {
  destroy: ['apply', '--destroy', ...scope],
  prune: ['apply', '--prune', ...scope, '--pr', '12'],
  sweep: ['apply', '--destroy', '--closed'],
} as const;
const screens = (Object.keys(questions) as (keyof typeof questions)[]).flatMap((name) =>
  [80, 120].map((columns) => [name, columns] as const),
);

/** The plan and the question, as they stand on the screen before the answer. */
const asked = (stderr: string): string => /^Plan [\s\S]*?Type yes to go on:/m.exec(stripVTControlCharacters(stderr))?.[0] ?? '';

it.each(screens)('the question before a %s in %s columns', async (name, columns) => {
  const pulls = await openPulls(planOf(lines.dns, lines.alias));
  pulls.pulls.world.open(12, shaA, 'feature');
  await pulls.onPull('opened');
  if (name === 'prune') await pulls.write(planOf(lines.dns));
  if (name === 'sweep') pulls.pulls.world.close(12);
  const { code, stderr } = await commandLine(pulls, questions[name], { types: 'no\r', columns });
  await pulls.close();
  expect(code).toBe(1);
  const text = `${asked(stderr)}\n`;
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
  const file = path.join(import.meta.dirname, 'goldens', `question-${name}.${columns}.txt`);
  if (process.env.UPDATE) await writeFile(file, text);
  expect(text, file).toBe(await readFile(file, 'utf8'));
});
