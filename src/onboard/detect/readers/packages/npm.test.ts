import { describe, expect, it } from 'vitest';
import { packageJson } from './npm.ts';

const nobody = { hosts: [], schemes: [], modules: [], resources: [] };
const reading = async (text: string) => await packageJson.read({ path: 'apps/web/package.json', text }, nobody);

async function read(text: string): Promise<{ readonly names: readonly string[]; readonly why?: string }> {
  const { manifest, problem } = await reading(text);
  return { names: manifest?.packages.map(({ name }) => name) ?? [], ...(problem !== undefined && { why: problem }) };
}

describe('the packages that a package.json lists', () => {
  it('are those of every list of a package.json', async () => {
    const text = JSON.stringify({
      name: 'shop',
      dependencies: { next: '15', '@neondatabase/serverless': '1' },
      devDependencies: { prisma: 'workspace:*' },
      optionalDependencies: { a: '1' },
      peerDependencies: { b: '1' },
      scripts: { c: 'd' },
    });
    expect((await read(text)).names).toEqual(['next', '@neondatabase/serverless', 'a', 'b', 'prisma']);
  });

  it.each([
    ['lists of another shape', '{ "dependencies": ["a"], "devDependencies": "b", "peerDependencies": null }', undefined],
    ['names that are none', '{ "dependencies": { "a b": "1", "": "1", "../x": "1", "__proto__": "1" } }', undefined],
    ['a list in place of the whole', '[]', 'holds no JSON object'],
    ['nothing', '', 'is not valid JSON (line 1, column 1: a value is missing)'],
  ])('are none in a package.json with %s', async (_, text, why) => {
    const listed = await read(text);
    expect(listed.names.filter((name) => name !== '__proto__')).toEqual([]);
    expect(listed.why).toBe(why);
  });

  it('are read from a broken package.json as far as possible, with the place of the mistake', async () => {
    const text = '{\n  "dependencies": {\n    "next": "15"\n    "stripe": "1"\n  }\n}';
    expect(await read(text)).toEqual({
      names: ['next', 'stripe'],
      why: 'is not valid JSON (line 4, column 5: a comma is missing)',
    });
  });

  it('are those on both sides of a merge conflict', async () => {
    const text = '{ "dependencies": {\n<<<<<<< HEAD\n"next": "15",\n=======\n"next": "16",\n>>>>>>> other\n"stripe": "1" } }';
    const { names, why } = await read(text);
    expect(names).toEqual(expect.arrayContaining(['next', 'stripe']));
    expect(why).toContain('line 2');
  });

  it.each(['[', '{"a":'])('are none in a package.json of %s a hundred thousand times, and the reason is given', async (piece) => {
    const listed = await read(piece.repeat(100_000));
    expect(listed.names).toEqual([]);
    expect(listed.why).toMatch(/^is (nested too deeply|not valid JSON)/);
  });

  it('never come with other text of a broken file', async () => {
    expect(JSON.stringify(await reading('{ "token": "S3CRET" S3CRET = S3CRET'))).not.toContain('S3CRET');
  });

  it('are facts with their lines, and those for the work on the app say so', async () => {
    const text = '{\n  "dependencies": { "next": "15",\n    "stripe": "1" },\n  "devDependencies": { "vercel": "1" }\n}';
    expect((await reading(text)).facts).toEqual([
      { kind: 'package', name: 'npm:next', file: 'apps/web/package.json', line: 2, use: 'runtime' },
      { kind: 'package', name: 'npm:stripe', file: 'apps/web/package.json', line: 3, use: 'runtime' },
      { kind: 'package', name: 'npm:vercel', file: 'apps/web/package.json', line: 4, use: 'develop' },
    ]);
  });
});

describe('a package.json', () => {
  const manifest = async (value: unknown) => (await reading(JSON.stringify(value))).manifest;

  it.each([
    ['that is private', { name: 'a', private: true, publishConfig: {} }, false],
    ['with settings of a registry', { name: 'a', publishConfig: { access: 'public' } }, true],
    ['with a version, files and an entry', { name: 'a', version: '1.0.0', files: ['dist'], main: 'dist/index.js' }, true],
    ['of an app without a word', { name: 'a', version: '1.0.0' }, null],
    ['of an app with an entry', { name: 'a', version: '1.0.0', main: 'server.js' }, null],
  ])('%s says whether it is published', async (_, value, isPublished) => {
    expect((await manifest(value))?.isPublished).toBe(isPublished);
  });

  it('says which folders it uses, none of them outside of the repository', async () => {
    const dependencies = { a: 'file:../../libs/a', b: 'link:./b', c: 'workspace:*', d: 'file:../../../../etc', e: 'portal:..' };
    expect((await manifest({ dependencies }))?.references).toEqual(['libs/a', 'apps/web/b', 'c', 'apps']);
  });

  it('says which folders are members of its workspace, as npm and as Yarn write it', async () => {
    expect((await manifest({ workspaces: ['apps/*', 1] }))?.members).toEqual(['apps/*']);
    expect((await manifest({ workspaces: { packages: ['packages/*'] } }))?.members).toEqual(['packages/*']);
    expect((await manifest({ workspaces: 'apps/*' }))?.members).toEqual([]);
  });
});
