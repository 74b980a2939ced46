import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import type { ApplyDoc, PlanDoc } from '../../src/engine/document.ts';
import { applyText } from '../../src/report/apply-text.ts';
import { markdownOf } from '../../src/report/markdown/markdown.ts';
import { planText } from '../../src/report/plan-text.ts';
import { plainStyles } from '../../src/report/styles.ts';

const folder = path.join(import.meta.dirname, 'goldens');

/** Values that differ from run to run, in place of which a golden holds the same ones always. */
const steady = <T extends PlanDoc | ApplyDoc>(document: T): T =>
  JSON.parse(
    JSON.stringify(document, (key, value: unknown) => {
      if (key === 'digest') return '0123456789abcdef';
      if (key === 'runId') return 'r1';
      if (key === 'commit' && value !== null) return '0123456789abcdef';
      return key === 'ms' ? 1_000 : value;
    }),
  );

const next = { apply: 'pilotfish apply --pr 12', prune: 'pilotfish apply --prune --pr 12' };

/** What people and programs see of a run: in two windows, as JSON and as a comment. */
function surfaces(document: PlanDoc | ApplyDoc, isDestroy: boolean): ReadonlyMap<string, string> {
  const commands = { ...next, ...(isDestroy && { apply: 'pilotfish apply --destroy --pr 12' }), isDestroy };
  const text = (columns: number): string => {
    const window = { columns, rows: 1_000 };
    return 'stats' in document ? applyText(document, plainStyles, commands, window) : planText(document, plainStyles, commands, window);
  };
  return new Map([
    ['80.txt', text(80)],
    ['120.txt', text(120)],
    ['json.txt', `${JSON.stringify(document, null, 2)}\n`],
    ['md', markdownOf(document, { longest: 65_000, isDestroy, next: commands })],
  ]);
}

/** Holds all surfaces of a run against their goldens, and gives the narrow text. `UPDATE=1` writes the goldens. */
export async function expectSurfaces(name: string, document: PlanDoc | ApplyDoc, isDestroy = false): Promise<string> {
  const all = surfaces(steady(document), isDestroy);
  if (process.env.UPDATE === '1') await mkdir(folder, { recursive: true });
  for (const [ending, text] of all) {
    const file = path.join(folder, `${name}.${ending}`);
    if (process.env.UPDATE === '1') await writeFile(file, text);
    expect(text, `${name}.${ending}`).toBe(await readFile(file, 'utf8'));
  }
  const narrow = all.get('80.txt') ?? '';
  for (const line of narrow.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  return narrow;
}
