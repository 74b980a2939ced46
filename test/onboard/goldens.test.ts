import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTodos } from '../../src/onboard/standing.ts';
import { cloneOf, pilotfish } from './command.ts';
import { openCompany } from './company.ts';
import { fillIn, withComments } from './fill-in.ts';
import { expectGood, expectPlanned } from './good.ts';
import { readReport, wordsOf } from './report.ts';
import { repositories } from './repositories.ts';

/** `UPDATE=1` writes what init gives now; a reviewer reads the difference. */
const isUpdate = process.env.UPDATE === '1';

async function expectGolden(file: string, text: string): Promise<void> {
  const path = join(import.meta.dirname, 'goldens', file);
  if (isUpdate) await writeFile(path, text);
  expect(text).toBe(await readFile(path, 'utf8'));
}

/** What init said and wrote, by repository: three tests look at it. */
const done = new Map<string, Awaited<ReturnType<typeof initIn>>>();

async function initIn(name: string) {
  const cwd = await cloneOf(name);
  const told = await pilotfish(['init'], { cwd });
  return { ...told, cwd, plan: await readFile(join(cwd, 'release.plan.yaml'), 'utf8') };
}

async function initOnce(name: string) {
  const known = done.get(name) ?? (await initIn(name));
  done.set(name, known);
  return known;
}

describe.each(repositories)('init in %s', (name) => {
  it('writes the plan that is kept, and says what is kept, in at most 250 words', async () => {
    const { code, stdout, stderr, plan, cwd } = await initOnce(name);
    expect([code, stderr]).toEqual([0, '']);
    await expectGolden(`${name}.yaml`, plan);
    await expectGolden(`${name}.txt`, stdout);
    expect(stdout).not.toContain(cwd);
    expect(wordsOf(stdout)).toBeLessThanOrEqual(250);
  });

  it('gives a plan that is planned without an error once its placeholders are filled in', async () => {
    const { plan, stdout } = await initOnce(name);
    const company = openCompany(plan);
    await expectPlanned(company, fillIn(plan, readReport(stdout).toFill, company.knowledge));
  });

  it('gives lines as comments that are good as well: filled in they are planned, applied, found as they are, and taken away', async () => {
    const plan = withComments((await initOnce(name)).plan);
    const company = openCompany(plan);
    await expectGood(company, fillIn(plan, findTodos(plan, 'release.plan.yaml'), company.knowledge));
  });
});

it('every kept file is of a repository', async () => {
  const kept = await readdir(join(import.meta.dirname, 'goldens'));
  expect(kept.sort()).toEqual(repositories.flatMap((name) => [`${name}.txt`, `${name}.yaml`]));
});
