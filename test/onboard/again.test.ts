import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cloneOf, pilotfish } from './command.ts';
import { readReport } from './report.ts';
import { repositories } from './repositories.ts';

const plan = 'release.plan.yaml';

describe.each(repositories)('a second init in %s', (name) => {
  it('leaves plan and .gitignore byte for byte as they are, and exits 0', async () => {
    const cwd = await cloneOf(name);
    const written = async (): Promise<readonly string[]> =>
      await Promise.all([plan, '.gitignore'].map((file) => readFile(join(cwd, file), 'latin1')));
    expect(await pilotfish(['init'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    const before = await written();
    const again = await pilotfish(['init'], { cwd });
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain(`${plan} exists and was not changed.`);
    expect(await written()).toEqual(before);
  });
});

/** Written by people: tabs in comments, line endings of another system, a byte order mark, a mistake. */
const plans: readonly (readonly [what: string, text: string])[] = [
  [
    'comments, anchors and odd spacing',
    '# ours\nversion:   1\nchanges:\n    - &a   { id: a, recipe: stripe.coupon,   coupon_id: x } #\tkept\n\n\n',
  ],
  ['the line endings of Windows', 'version: 1\r\nchanges: []\r\n'],
  ['a byte order mark and no last line break', '\ufeffversion: 1\nchanges: []'],
  ['a mistake of syntax', 'version: 1\nchanges: [\n'],
  ['nothing in it', ''],
];

it.each(plans)('a plan with %s is not touched', async (_, text) => {
  const cwd = await cloneOf('nextjs-vercel');
  await writeFile(join(cwd, plan), text);
  for (const flags of [[], ['--yes'], ['--json']]) {
    const { code } = await pilotfish(['init', ...flags], { cwd });
    expect(code).toBe(0);
    expect(await readFile(join(cwd, plan), 'utf8')).toBe(text);
  }
});

it('tells of a service that came later, changes nothing until it is asked to, and then nothing but what it adds', async () => {
  const cwd = await cloneOf('nextjs-vercel');
  const path = join(cwd, plan);
  const manifest = join(cwd, 'package.json');
  const whole = await readFile(manifest, 'utf8');
  await writeFile(manifest, whole.replace(/.*@clerk.*\n/, ''));
  await writeFile(join(cwd, '.env.example'), 'DATABASE_URL=\n');
  await rm(join(cwd, 'middleware.ts'));
  await pilotfish(['init'], { cwd });
  const first = `${await readFile(path, 'utf8')}# the end, says a person\n`.replace('name:', 'name:  ');
  await writeFile(path, first);
  expect(first).not.toContain('clerk');

  await writeFile(manifest, whole);
  const told = readReport((await pilotfish(['init'], { cwd })).stdout);
  expect(told.sections.get('Detected')?.join('\n')).toMatch(/^Clerk .*sign-in \(new\)$/m);
  expect(await readFile(path, 'utf8')).toBe(first);

  const [flag = ''] = /--add \S+/.exec(told.text) ?? [];
  expect(await pilotfish(['init', ...flag.split(' ')], { cwd })).toMatchObject({ code: 0, stderr: '' });
  const second = await readFile(path, 'utf8');
  expect(second).toContain('- id: sign-in\n    adapter: clerk\n');
  // Every row of before is there still, in its order.
  const rows = second.split('\n');
  expect(first.split('\n').filter((row) => rows.splice(0, rows.indexOf(row) + 1).at(-1) !== row)).toEqual([]);
});
