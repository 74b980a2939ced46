import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, root } from './program.ts';

let folder = '';
let files: readonly string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pilotfish-package-'));
  const env = { ...process.env, npm_config_cache: join(folder, 'cache') };
  const pack = await execute('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: root, env });
  files = JSON.parse(pack.stdout)[0].files.map((file: { path: string }) => file.path);
}, 60_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the package', () => {
  it('holds the program, the library with its types, the recipes, the schema and the licences', () => {
    for (const file of [
      'package.json',
      'LICENSE',
      'dist/pilotfish.js',
      'dist/index.js',
      'dist/types/index.d.ts',
      'dist/families/index.json',
      'dist/families/auth0.yaml',
      'dist/THIRD-PARTY-NOTICES.txt',
      'schema/release.plan.schema.json',
    ]) {
      expect(files).toContain(file);
    }
  });

  it('holds nothing else: no sources, no tests, no local state', () => {
    const allowed =
      /^(package\.json|LICENSE|README\.md|CHANGELOG\.md|schema\/release\.plan\.schema\.json|dist\/[\w.-]+\.(js|txt)|dist\/families\/[\w-]+\.(yaml|json)|dist\/types\/.+\.d\.ts)$/;
    expect(files.filter((file) => !allowed.test(file))).toEqual([]);
  });

  it('names the licence of every package in the bundle', async () => {
    const notices = await readFile(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of ['cac', 'yaml', 'zod']) expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });
});
