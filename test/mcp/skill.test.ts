import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { errorTable } from '../../src/core/error-table.ts';
import { verdictSigns } from '../../src/report/verdicts.ts';
import { root } from '../cli/program.ts';

const folder = join(root, 'skills/pilotfish');
const skill = await readFile(join(folder, 'SKILL.md'), 'utf8');

describe('what agents are told', () => {
  it('is a skill as agents look for one: a folder of its name, whose SKILL.md begins with name and description', async () => {
    const [before, front = ''] = skill.split(/^---$/m);
    expect(before).toBe('');
    const { license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(parse(front)).toEqual({
      name: basename(folder),
      description: expect.stringMatching(/^.{50,1024}$/),
      license,
      compatibility: expect.stringMatching(/^.{1,500}$/),
    });
    expect(basename(folder)).toMatch(/^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(skill.split('\n').length).toBeLessThan(500);
  });

  it('names error codes that there are, and every verdict and status', () => {
    const codes = new Set(skill.match(/`[A-Z]+(_[A-Z]+)+`/g)?.map((code) => code.slice(1, -1)));
    expect(codes.size).toBeGreaterThan(5);
    expect([...codes].filter((code) => !Object.hasOwn(errorTable, code))).toEqual([]);
    for (const word of [...Object.keys(verdictSigns), 'complete', 'partial', 'failed', 'stale', 'interrupted'])
      expect(skill).toContain(`\`${word}\``);
  });

  it('is part of the package', async () => {
    const { files, bin } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(files).toContain('skills');
    expect(bin).toMatchObject({ 'pilotfish-mcp': 'dist/pilotfish-mcp.js' });
  });
});
