import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recipeFamilySchema } from '../../scripts/docs/family-schema.ts';
import { root } from '../../scripts/tasks.ts';
import { family, planOf } from '../recipes/oven.ts';
import { type LanguageServer, startLanguageServer } from './language-server.ts';

const families = join(root, 'src/recipes/families');
const comment = '# yaml-language-server: $schema=./recipe-family.schema.json\n';
let folder = '';
let server: LanguageServer;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pilotfish-families-')));
  await writeFile(join(folder, 'recipe-family.schema.json'), JSON.stringify(recipeFamilySchema()));
  const plan = 'release.plan.schema.json';
  await writeFile(join(folder, plan), await readFile(join(root, 'schema', plan)));
  server = await startLanguageServer({ folder, settings: {} });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the editor offers in the family with a `|` where the cursor stands. */
async function offered(from: string, to: string): Promise<readonly string[]> {
  const text = comment + family.replace(from, to);
  expect(text).toContain('|');
  const before = text.slice(0, text.indexOf('|')).split('\n');
  const at = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  return (await server.open(text.replace('|', '')).complete(at)).map(({ label }) => label);
}

/** What the editor underlines, by the words and what it says of them. */
async function underlined(text: string): Promise<readonly string[]> {
  const lines = text.split('\n');
  return (await server.open(text).diagnostics).map(({ range, message }) => {
    const words = lines[range.start.line]?.slice(range.start.character, range.end.character);
    return `${words}: ${message}`;
  });
}

describe('an editor that knows the schema of a recipe family', () => {
  it('takes a family as it is, and each built-in one', async () => {
    expect(await underlined(comment + family)).toEqual([]);
    const files = (await readdir(families)).filter((name) => name.endsWith('.yaml'));
    expect(files.length).toBeGreaterThan(50);
    for (const file of files) expect(await underlined(comment + (await readFile(join(families, file), 'utf8'))), file).toEqual([]);
  });

  it.each<[what: string, from: string, to: string, labels: readonly string[]]>([
    ['the keys of a family', 'title: Oven', '|', ['title', 'setup', 'detect']],
    ['the settings of its API', '  auth: {', '  |\n  auth: {', ['headers', 'encoding', 'concurrency']],
    ['the forms of a credential', '{ bearer_env: BAKERY_KEY }', '\n    |', ['bearer_env', 'header', 'basic', 'oauth_client_credentials']],
    ['the kinds of an operation', 'kind: resource', 'kind: |', ['resource', 'list_item', 'action', 'address']],
    ['the types of a param', 'type: string, required', 'type: |, required', ['string', 'integer', 'list', 'any']],
    ['the requests of an object', '      update: {', '      |\n      update: {', ['read', 'witness', 'immutable', 'settle']],
    [
      'the keys of a request',
      'find: { path: /lights, list_path: /items, match: { name: { param: name } } }',
      'find:\n        path: /lights\n        |',
      ['list_path', 'match', 'page'],
    ],
  ])('offers %s', async (_, from, to, labels) => {
    expect(await offered(from, to)).toEqual(expect.arrayContaining([...labels]));
  });

  it('offers the keys of an action in an action', async () => {
    const text = family.replace('kind: resource', 'kind: action').replace(/template:[\s\S]*/, 'template:\n      |\n');
    expect(await offered(family, text)).toEqual(expect.arrayContaining(['trigger', 'request']));
  });

  it.each<[from: string, to: string, says: string]>([
    ['title: Oven', 'titel: Oven', 'titel'],
    ['base_url:', 'base_uri:', 'base_uri'],
    ['kind: resource', 'kind: resorce', 'resorce'],
    ['      find: {', '      finds: {', 'finds'],
    ['list_path:', 'list_pth:', 'list_pth'],
    ['type: string, required', 'type: text, required', 'text'],
  ])('underlines %j as %j', async (from, to, says) => {
    expect((await underlined(comment + family.replace(from, to))).join('\n')).toContain(says);
  });
});

it('an editor that knows the schema of a plan takes a line of a family of its own', async () => {
  const plan = planOf('providers: { http: { oven: { base_url: "https://oven.example", headers: { X-A: b } } } }\n');
  expect(await underlined(`# yaml-language-server: $schema=./release.plan.schema.json\n${plan}`)).toEqual([]);
});
