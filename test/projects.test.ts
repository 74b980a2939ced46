import { glob } from 'node:fs/promises';
import { matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import config from '../vitest.config.ts';

interface Project {
  readonly test: { readonly name: string; readonly include: readonly string[]; readonly exclude?: readonly string[] };
}

const projects = (config as { readonly test: { readonly projects: readonly Project[] } }).test.projects;

/** The projects of vitest that run a file. */
const projectsOf = (file: string): readonly string[] =>
  projects.flatMap(({ test }) => {
    const isIn = (patterns: readonly string[] = []): boolean => patterns.some((pattern) => matchesGlob(file, pattern));
    return isIn(test.include) && !isIn(test.exclude) ? [test.name] : [];
  });

describe('the tests', () => {
  it('are each in one project of vitest: none is left out, and none is run twice', async () => {
    const files: string[] = [];
    const isElsewhere = (name: string): boolean => ['node_modules', 'dist', 'coverage', '.git'].includes(name);
    for await (const file of glob('**/*.test.ts', { cwd: `${import.meta.dirname}/..`, exclude: isElsewhere }))
      files.push(file.replaceAll('\\', '/'));
    expect(files.length).toBeGreaterThan(400);
    expect(files.filter((file) => projectsOf(file).length !== 1)).toEqual([]);
  });
});
