import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { specified } from '../../scripts/catalogue/specified.ts';
import { countOf } from '../../scripts/docs/readme.ts';
import { pages } from '../../scripts/docs.ts';
import { root } from '../../scripts/tasks.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { readSubjects } from '../../src/recipes/subjects.ts';

/** What a reader is told of the recipes and the built-in operations, held for every one that there is. */
const subjects = await readSubjects(await openRegistry({ env: {}, cwd: root }));
const families = subjects.filter(({ kind }) => kind === 'recipe');
const made = await pages();
/** As a reader sees it: outside of code, `<` would begin a tag and what follows would vanish. */
const pageOf = (name: string): string => (made.get(`docs/recipes/${name}.md`) ?? '').replaceAll('&lt;', '<');

/** The part of a page about one operation. */
const partOf = (family: string, op: string): string =>
  pageOf(family)
    .split(/^(?=## )/m)
    .find((part) => part.startsWith(`## ${op}\n`)) ?? '';

describe.each(subjects)('the page of $name', ({ name, adapter, ops }) => {
  it('tells how the provider is reached, with the least its credential needs', () => {
    const access = partOf(name, 'Access');
    expect(access).toContain('- Base URL: ');
    if (adapter.provider.base_url !== null) expect(access).toContain(`\`${name.toUpperCase()}_API_URL\``);
    expect(access).toContain('- Credential: ');
    const { setup } = adapter;
    if (adapter.provider.auth !== null) expect(setup).toBeDefined();
    if (setup) expect(access).toContain(`it needs at least: ${setup.needs}\n`);
    for (const variable of adapter.detect?.uses?.variables ?? []) expect(access).toContain(`\`${variable}\``);
  });

  it.each(ops)(
    'tells of $name what it manages, its params, its outputs, what destroy does, an example',
    ({ name: opName, op, recipes }) => {
      const part = partOf(name, opName);
      expect(part).toContain(op.doc.trim());
      for (const recipe of recipes) expect(part).toContain(`\`recipe: ${recipe}\``);
      expect(part).toMatch(/[Dd]estroy \w+/);
      for (const [param, { todo }] of Object.entries(op.params)) {
        expect(part).toContain(`| \`${param}\``);
        if (todo !== undefined) expect(part).toContain('Found: ');
      }
      for (const output of Object.keys(op.outputs)) expect(part).toContain(`| \`${output}\` |`);
      for (const note of op.notes ?? []) expect(part).toContain(`- ${note}\n`);
      expect(part).toContain('```yaml\nchanges:\n');
    },
  );
});

describe('every family', () => {
  it.each(families)('$name has a day on which it was compared', async ({ name }) => {
    const text = await readFile(join(root, `src/recipes/families/${name}.yaml`), 'utf8');
    expect(text).toMatch(/^verified: 20\d\d-\d\d-\d\d$/m);
  });
});

describe('the table of all recipes', () => {
  const table = pageOf('README');

  it('has a row for every operation of every adapter and family, with both of its names', () => {
    const rows = table.split('\n').filter((line) => line.startsWith('| ['));
    expect(rows.length).toBe(subjects.reduce((sum, { ops }) => sum + ops.length, 0));
    for (const recipe of families.flatMap(({ ops }) => ops.flatMap(({ recipes }) => recipes)))
      expect(rows.filter((row) => row.includes(`\`recipe: ${recipe}\``)).length, recipe).toBe(1);
  });

  it("has the specification's name beside the provider's, for each recipe that there is", () => {
    const known = new Set(families.flatMap(({ ops }) => ops.flatMap(({ recipes }) => recipes)));
    for (const [alias, id] of Object.entries(specified).filter(([, one]) => known.has(one)))
      expect(table, alias).toMatch(new RegExp(`\`recipe: ${id}\` \\| [^|]*\`recipe: ${alias}\``));
  });
});

describe('the README', () => {
  it('counts the operations and their providers', async () => {
    expect(await readFile(join(root, 'README.md'), 'utf8')).toContain(`It knows ${countOf(subjects)}`);
    expect(subjects.filter(({ kind }) => kind === 'adapter').flatMap(({ ops }) => ops).length).toBeGreaterThanOrEqual(17);
  });
});
