import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { some } from '../../support/whole.ts';
import { type Mutant, mutants } from './mutants.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** The campaign in a process of its own: it takes chance, time and turns out of the process that it runs in. */
function campaign(args: readonly string[], o: { mutant?: string } = {}): Promise<{ code: number | null; output: string }> {
  const breaking = o.mutant === undefined ? [] : ['--import', here('break.ts')];
  const env = { ...process.env, ...(o.mutant !== undefined && { SIMULATE_MUTANT: o.mutant }) };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...breaking, here('main.ts'), ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

it('three hundred seeds break no promise', async () => {
  const { code, output } = await campaign(['--seeds', '300']);
  console.log(output.trim());
  expect(output).toMatch(/^seeds 300 .* failed 0$/m);
  expect(code).toBe(0);
});

it('a seed does the same each time', async () => {
  const [one, other] = await Promise.all([campaign(['--seed', '57', '--log']), campaign(['--seed', '57', '--log'])]);
  const events = (output: string): string =>
    output
      .split('\n')
      .filter((line) => /^ +\d+\.\d{3} /.test(line))
      .join('\n');
  expect(events(one.output)).not.toBe('');
  expect(events(other.output)).toBe(events(one.output));
});

/** What is reported when the rule is broken. */
const reports: { readonly [name in keyof typeof mutants]: RegExp } = {
  'the intent is not pushed': /is in no record and no intent/,
  'the lock is ignored': /without holding the lock|took .* out of/,
  'an interrupted create is resumed without a look': /was made twice|is in no record/,
  'a write of a list is not verified': /says that it made .*, and it is not there|in \w+box is in no record and no intent/,
  'what is removed is looked up by its name': /which a person made/,
  'a refusal is told of a ledger that another run has moved': /of its own scope for somebody else's/,
  'lines that looked before another run wrote go on': /says that it destroyed all of .*, and left/,
  'a recorded object is known by its name':
    /is in no record and no intent|was made twice|a second apply of .* sent|finds something to do|holds .* instead of|and left/,
  'how a provider keeps values is forgotten': /a second (?:apply|plan) of .* (?:sent|finds something to do)/,
};

it.each(some(Object.keys(mutants) as (keyof typeof mutants)[], 4))('is seen within a thousand seeds: %s', async (mutant) => {
  const broken: Mutant = mutants[mutant];
  expect(broken.edits.length).toBeGreaterThan(0);
  const { code, output } = await campaign(['--seed', String(broken.from ?? 1), '--seeds', '1000', '--keep'], { mutant });
  expect(output).toMatch(reports[mutant]);
  expect(code).toBe(1);
});
