import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cloneOf, pilotfish } from './command.ts';
import { openCompany } from './company.ts';
import { fillIn } from './fill-in.ts';
import { readReport, wordsOf } from './report.ts';
import { repositories } from './repositories.ts';

/** `UPDATE=1` writes what init gives now; a reviewer reads the difference. */
const isUpdate = process.env.UPDATE === '1';

async function expectGolden(file: string, text: string): Promise<void> {
  const path = join(import.meta.dirname, 'goldens', file);
  if (isUpdate) await writeFile(path, text);
  expect(text).toBe(await readFile(path, 'utf8'));
}

async function initIn(name: string) {
  const cwd = await cloneOf(name);
  const told = await pilotfish(['init'], { cwd });
  return { ...told, cwd, plan: await readFile(join(cwd, 'release.plan.yaml'), 'utf8') };
}

describe.each(repositories)('init in %s', (name) => {
  it('writes the plan that is kept, and says what is kept, in at most 250 words', async () => {
    const { code, stdout, stderr, plan, cwd } = await initIn(name);
    expect([code, stderr]).toEqual([0, '']);
    await expectGolden(`${name}.yaml`, plan);
    await expectGolden(`${name}.txt`, stdout);
    expect(stdout).not.toContain(cwd);
    expect(wordsOf(stdout)).toBeLessThanOrEqual(250);
  });

  it('gives a plan that is planned without an error once its placeholders are filled in', async () => {
    const { plan, stdout } = await initIn(name);
    const company = openCompany(plan);
    const { toFill } = readReport(stdout);
    const document = await company.plan(fillIn(plan, toFill, company.knows));
    const failed = document.lines.filter(({ verdict, error }) => error !== undefined || verdict === 'refused' || verdict === 'failed');
    expect(failed).toEqual([]);
    expect(document).toMatchObject({ ok: true, warnings: [], orphans: [] });
    expect(company.writes()).toEqual([]);
  });
});
