import { glob, readFile } from 'node:fs/promises';
import { matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import config, { longest } from '../vitest.config.ts';

const top = `${import.meta.dirname}/..`;

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
    for await (const file of glob('**/*.test.ts', { cwd: top, exclude: isElsewhere })) files.push(file.replaceAll('\\', '/'));
    expect(files.length).toBeGreaterThan(400);
    expect(files.filter((file) => projectsOf(file).length !== 1)).toEqual([]);
    expect(longest.filter((file) => !files.includes(file))).toEqual([]);
    // Files that share a process share its modules: one that replaces any is an exception in vitest.config.ts.
    const sharing = files.filter((file) => !projectsOf(file).includes('alone'));
    const texts = await Promise.all(sharing.map(async (file) => ({ file, text: await readFile(`${top}/${file}`, 'utf8') })));
    expect(texts.filter(({ text }) => /\bvi\.(do)?[mM]ock\(|process\.chdir\(/.test(text)).map(({ file }) => file)).toEqual([]);
  });
});
