import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explains, explanations, rowOf } from '../../scripts/mutate/recipes/explained.ts';
import { type Mutant, mutantsOf } from '../../scripts/mutate/recipes/mutants.ts';
import { root, run } from '../../scripts/tasks.ts';
import { familyNames, loadFamily } from '../../src/recipes/load.ts';
import { familySchema } from '../../src/recipes/schema.ts';

const all = new Map<string, readonly Mutant[]>();
for (const { name } of await familyNames()) all.set(name, mutantsOf(await loadFamily(name)));

describe('a mutant of a recipe', () => {
  it('differs from its family in one member, which it names', async () => {
    const family = await loadFamily('cloudflare');
    const altered = (all.get('cloudflare') ?? []).filter(({ path }) => path === '/template/find/query/per_page');
    expect(altered).toMatchObject([{ op: 'dns_cname', mutation: 'dropped' }, { op: 'dns_cname' }]);
    for (const mutant of all.get('cloudflare') ?? []) expect(mutant.make(), mutant.path).not.toEqual(JSON.parse(JSON.stringify(family)));
  });

  it('is of a family that would be taken as it stands', async () => {
    for (const name of all.keys()) {
      const { error } = familySchema.safeParse(JSON.parse(JSON.stringify(await loadFamily(name))));
      expect(error?.message, name).toBe(undefined);
    }
  });

  it('is noticed by the tests of its family, of whichever sample', async () => {
    const { code, output } = await run('node', ['scripts/mutate.ts', '--recipes', '--json', '--sample', '24', '--seed', '3']);
    const report = JSON.parse(output);
    expect(report).toMatchObject({ altered: 24, idle: [] });
    expect(report.survivors.filter(({ reason }: { readonly reason: string | null }) => reason === null)).toEqual([]);
    expect(code, output).toBe(0);
  });
});

describe('an explanation', () => {
  it('is of a mutant that there is, and stands in docs/mutation.md', async () => {
    const page = await readFile(join(root, 'docs/mutation.md'), 'utf8');
    for (const one of await explanations()) {
      expect(
        [...all.values()].flat().some((mutant) => explains(one, mutant)),
        `${one.of} ${one.path}`,
      ).toBe(true);
      expect(page).toContain(`\n${rowOf(one)}\n`);
      expect(one.reason).toMatch(/^[a-z`].*[^.]$/);
    }
  });
});
