import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { catalogEntries } from '../../scripts/schema-store.ts';
import { planFileName } from '../../src/plan/locate.ts';
import { root } from '../cli/program.ts';

it('SchemaStore gets an entry of its form, whose schema is a file of the repository in a draft that editors know', () => {
  const entries = catalogEntries('acme/pilotfish');
  for (const entry of entries) {
    expect(Object.keys(entry)).toEqual(['name', 'description', 'fileMatch', 'url']);
    expect(entry.description).not.toMatch(/schema|[.:]$/i);
    const file = join(root, 'schema', basename(entry.url));
    expect(existsSync(file), entry.url).toBe(true);
    expect(JSON.parse(readFileSync(file, 'utf8')).$schema).toContain('draft-07');
    expect(new URL(entry.url).pathname.startsWith('/acme/pilotfish/main/')).toBe(true);
  }
  expect(entries.flatMap(({ fileMatch }) => fileMatch)).toEqual([planFileName]);
});

it('no entry is made for a repository that nobody names', () => {
  for (const repository of ['', 'acme', 'acme/a/b', 'https://acme.example/a'])
    expect(() => catalogEntries(repository)).toThrow('owner/name');
});
