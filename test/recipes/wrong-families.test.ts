import { mkdir, rename, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bounds } from '../../src/core/bounds.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { family, type Oven, openOven, planOf } from './oven.ts';

describe('a mistake in a family file is told with its place, its member and a fix', () => {
  let at: Oven;
  beforeAll(async () => {
    at = await openOven();
  });
  afterAll(() => at.close());

  const general = 'Correct the family at the place shown.';
  it.each<[from: string, to: string, place: string, detail: string, fix: string]>([
    ['title: Oven', 'titel: Oven', '2:1', '"titel" is not a key. Did you mean "title"?', 'Remove it, or use one of name, alias, title'],
    ['title: Oven\n', '', '1:1', 'title is missing.', 'Add `title`.'],
    ['docs: https:', 'docs: htps:/', '3:7', 'docs must be a full URL', general],
    ['verified: 2026-11-21', 'verified: yesterday', '4:11', 'verified must be a day, such as 2026-11-21.', general],
    ['name: oven', 'name: Oven', '1:7', 'name must be a name of lower-case letters', general],
    ['base_url:', 'base_uri:', '6:3', '"base_uri" is not a key of provider. Did you mean "base_url"?', 'Remove it, or use one of'],
    ['https://bakery.example/v1', 'http://bakery.example/v1', '6:13', 'base_url of oven is not https.', 'Use https.'],
    ['https://bakery.example/v1', 'https://a:b@bakery.example/v1', '6:13', 'holds a user or password', 'Credentials belong under `auth`'],
    ['{ bearer_env:', '{ baerer_env:', '7:11', '"baerer_env" is not a key of provider.auth. Did you mean "bearer_env"?', 'Remove it'],
    ['BAKERY_KEY', 'bakery-key', '7:23', 'provider.auth.bearer_env must be the name of an environment variable.', general],
    ['{ bearer_env: BAKERY_KEY }', 'BAKERY_KEY', '7:9', 'provider.auth has an unknown form.', 'Write a map with bearer_env, or header'],
    ['  auth: {', '  headers: { Authorization: x }\n  auth: {', '7:29', 'The header Authorization carries a credential', 'Use `auth:'],
    ['  auth: {', '  encoding: jsn\n  auth: {', '7:13', 'provider.encoding must be one of json', 'Write one of json, form'],
    [
      'kind: resource',
      'kind: resorce',
      '10:11',
      'ops.light.kind must be one of resource, list_item, action, address. Did you mean "resource"?',
      'Write one of',
    ],
    ['  light:', '  Light:', '9:3', 'The name ops.Light must be a name of lower-case letters', general],
    ['type: string, req', 'type: text, req', '13:21', 'ops.light.params.name.type must be one of string', 'Write one of string'],
    ['doc: Its name.', 'dok: Its name.', '13:45', '"dok" is not a key of ops.light.params.name. Did you mean "doc"?', 'Remove it'],
    ['default: middle', 'default: midle', '14:14', 'The default of shelf must be one of upper', general],
    ['{ type: string, req', '{ type: string, pattern: "(", req', '13:13', 'The pattern of name is not a regular expression.', general],
    ['      name: {', '      id: {', '13:11', 'ops.light: id is a key of every line', general],
    ['{ doc: Where it hangs., path: /shelf }', '{ doc: Where it hangs. }', '16:14', 'ops.light: The output shelf has no path.', general],
    ['{ name: "pr-', '{ nam: "pr-', '17:21', 'The example has nam, which is not a param. Did you mean "name"?', general],
    ['      find: {', '      finds: {', '19:7', 'ops.light: "finds" is not a key. Did you mean "find"?', 'Remove it, or use one of find'],
    [
      'match: { name: { param: name } }',
      'match: { name: { param: nam } }',
      '19:64',
      'uses the param nam, but the recipe does not declare it. Did you mean "name"?',
      general,
    ],
    ['list_path: /items', 'page: { kind: pages }', '19:44', 'find.page.kind must be one of cursor, page', 'Write one of cursor'],
    ['list_path: /items', 'page: { kind: page, param: p }', '19:36', 'find.page does not say how the list ends', general],
    ['default: middle, enum: [upper, middle, lower]', 'default: "${ctx.scope}"', '14:14', 'The default of shelf holds ${ctx.…}', general],
    ['over: { param: shelf }', 'over: "${ctx.scope}"', '23:23', 'The template holds ${ctx.…}', general],
    ['update: { path', 'update: { method: FETCH, path', '21:25', 'ops.light: update.method must be one of PATCH', 'Write one of PATCH'],
    ['      delete: { path: "/lights/{id}" }\n', '', '9:3', 'A resource must say `destroy: never`', general],
    ['fields: {', 'immutable: [under]\n      fields: {', '23:18', 'immutable names under, which is not one of the fields.', general],
    ['over: {', 'token: sk_live_0123456789abcdefghijkl, over: {', '23:24', 'looks like a credential', 'Use { secret: env://NAME }'],
    ['ops:', 'name: twice\nops:', '8:1', 'The key "name" is given twice', 'Remove one of the two.'],
    ['      name: {', '      __proto__: {', '13:7', '`__proto__` cannot be a key here.', 'Use another key.'],
    ['title: Oven', 'title: *b', '2:8', 'The alias *b names no anchor', 'Quote the value'],
    [
      'name: oven',
      'name: stripe',
      '1:7',
      'The name stripe is taken by an adapter or a recipe family',
      'Give the family a name of its own.',
    ],
    ['name: oven', 'name: oven\nalias: dns', '2:8', 'The name dns is taken', 'Give the family a name of its own.'],
    ['name: oven', 'name: http', '1:7', 'The name http is taken', 'Give the family a name of its own.'],
    ['    kind:', '    alias: stripe.lamp\n    kind:', '10:12', 'ops.light.alias is stripe.lamp', 'Take the alias out'],
  ])('%j as %j', async (from, to, place, detail, fix) => {
    expect(family).toContain(from);
    await at.put({ 'recipes/oven.yaml': family.replace(from, to) });
    const { all } = at.watch();
    const found = (await at.mistakes()).find((one) => one.place === `recipes/oven.yaml:${place}` && one.detail.includes(detail));
    expect(found ?? (await at.mistakes())).toMatchObject({ code: expect.stringMatching(/^(RECIPE_INVALID|SECRET_LITERAL)$/) });
    expect(found?.fix).toContain(fix);
    expect(all()).toEqual([]);
  });

  it.each([
    ['of YAML that is no map', '- a\n', 'this file is not a map'],
    ['that is empty', '', 'is empty'],
    ['that is not text', Buffer.from([0, 1, 2]), 'not a text file'],
    ['in UTF-16', Buffer.from('\ufeffname: x', 'utf16le'), 'UTF-16'],
    ['that is larger than a family', `# ${'x'.repeat(bounds.family)}\n`, 'is larger than 0.3 MB'],
    [
      'whose aliases mean billions of values',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefghi'[i]}`).join()}]`).join('\n')}`,
      'The file would hold more than 50,000 values',
    ],
    ['that is nested without end', `a: ${'['.repeat(5_000)}`, ''],
  ])('a file %s', async (_, text, words) => {
    await at.put({ 'recipes/oven.yaml': text });
    const [first] = await at.mistakes();
    expect(first).toMatchObject({ code: 'RECIPE_INVALID', place: expect.stringMatching(/^recipes\/oven\.yaml:\d+:\d+$/) });
    expect(first?.detail).toContain(words);
    expect(first?.fix).not.toBe('');
  });

  it('a name that another file has, with the file', async () => {
    await at.put({ 'recipes/oven.yaml': family, 'recipes/second.yaml': family });
    expect(await at.mistakes()).toMatchObject([
      { place: 'recipes/second.yaml:1:7', detail: 'The name oven is taken by the recipe family in recipes/oven.yaml.' },
    ]);
  });

  it('two mistakes in two files, both at once', async () => {
    await at.put({
      'recipes/oven.yaml': family.replace('title', 'titel'),
      'recipes/second.yaml': family.replace('oven', 'second').replace('docs', 'dosc'),
    });
    expect(new Set((await at.mistakes()).map(({ place }) => place.split(':')[0]))).toEqual(
      new Set(['recipes/oven.yaml', 'recipes/second.yaml']),
    );
  });

  it('an operation that the family does not have, with the nearest one', async () => {
    await at.put({ 'recipes/oven.yaml': family, 'recipes/second.yaml': family.replace('name: oven', 'name: second') });
    await at.write(planOf().replace('oven.light', 'oven.ligth'));
    expect(await at.mistakes()).toMatchObject([{ code: 'PLAN_INVALID', detail: expect.stringContaining('Did you mean "light"?') }]);
    await at.write(planOf().replace('oven.light', 'ovn.light'));
    expect(await at.mistakes()).toMatchObject([{ code: 'PLAN_INVALID', detail: expect.stringContaining('Did you mean "oven"?') }]);
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])('no operation is called %s unless a family declares it', async (name) => {
    await at.put({ 'recipes/oven.yaml': family, 'recipes/second.yaml': family.replace('name: oven', 'name: second') });
    await at.write(planOf().replace('oven.light', `oven.${name}`));
    expect(await at.mistakes()).toMatchObject([{ code: 'PLAN_INVALID', detail: expect.stringContaining('does not have it') }]);
    await at.write(planOf().replace('oven.light', `${name}.light`));
    expect(await at.mistakes()).toMatchObject([{ code: 'PLAN_INVALID', detail: expect.stringContaining('no recipe family') }]);
  });
});

describe('a family, an operation or a param that is called like a member of every object', () => {
  it('is one like any other', async () => {
    const odd = family.replace('name: oven', 'name: constructor').replace('  light:', '  valueof:').replaceAll('shelf', 'constructor');
    const at = await openOven({ 'recipes/odd.yaml': odd }, planOf('    constructor: upper\n').replace('oven.light', 'constructor.valueof'));
    try {
      expect(await at.apply()).toMatchObject({ status: 'complete', stats: { writes: 1 } });
      expect(at.lights()).toMatchObject([{ over: 'upper' }]);
      expect(await at.destroy()).toMatchObject({ status: 'complete' });
    } finally {
      await at.close();
    }
  });
});

describe('`recipes` of a plan', () => {
  let at: Oven;
  afterEach(() => at.close());

  /** The mistakes of a plan with these patterns, in a folder of a repository with these files. */
  async function withPatterns(recipes: string, files: Readonly<Record<string, string>> = { 'recipes/oven.yaml': family }) {
    at = await openOven(files, planOf('', recipes));
    return await at.mistakes();
  }

  it.each<[recipes: string, place: string, words: string]>([
    ['[./none.yaml]', '2:11', '"./none.yaml" of `recipes` finds no file.'],
    ['[none/*.yaml]', '2:11', 'finds no file'],
    ['[recipes/oven.yaml, none/*.yaml]', '2:30', 'finds no file'],
    ['[../outside.yaml]', '2:11', 'leads out of the repository'],
    ['[recipes/../../outside.yaml]', '2:11', 'leads out of the repository'],
    ['["*/../../outside.yaml"]', '2:11', 'leads out of the repository'],
    ['[/etc/families.yaml]', '2:11', 'is no path from the folder of the plan'],
    ['["C:/families.yaml"]', '2:11', 'is no path from the folder of the plan'],
    ['["recipes\\\\oven.yaml"]', '2:11', 'is no path from the folder of the plan'],
    ['[recipes/oven.json]', '2:11', 'must be a path or a pattern that ends in .yaml or .yml'],
    ['[/etc/passwd]', '2:11', 'must be a path or a pattern that ends in .yaml or .yml'],
    ['[5]', '2:11', 'An entry of `recipes` must be text.'],
    ['recipes/oven.yaml', '2:10', '`recipes` must be a list of files'],
    ['{ a: b }', '2:10', '`recipes` must be a list of files'],
    ['[recipes]', '2:11', 'must be a path or a pattern'],
  ])('%s', async (recipes, place, words) => {
    const [first] = await withPatterns(recipes);
    expect(first).toMatchObject({ code: 'PLAN_INVALID', place: `release.plan.yaml:${place}`, detail: expect.stringContaining(words) });
    expect(first?.fix).not.toBe('');
  });

  it.each([
    ['a file', './recipes/oven.yaml'],
    ['a file that a pattern finds', './recipes/*.yaml'],
  ])('is followed through no link: %s', async (_, pattern) => {
    const outside = path.join(await tempFolder('outside'), 'oven.yaml');
    expect(await withPatterns(`[${pattern}]`)).toEqual([]);
    await rename(path.join(at.folder, 'recipes/oven.yaml'), outside);
    await symlink(outside, path.join(at.folder, 'recipes/oven.yaml'));
    expect(await at.mistakes()).toMatchObject([
      { code: 'PLAN_INVALID', place: 'release.plan.yaml:2:11', detail: expect.stringContaining('through a link of the checkout') },
    ]);
  });

  it.each([
    ['by its path', './recipes/oven.yaml', 1],
    ['by a pattern', './recip*/oven.yaml', 1],
    ['by a pattern of any depth', '**/oven.yaml', 1],
  ])('reads nothing in a linked folder: %s', async (_, pattern) => {
    const outside = path.join(await tempFolder('outside'), 'recipes');
    expect(await withPatterns(`["${pattern}"]`)).toEqual([]);
    await rename(path.join(at.folder, 'recipes'), outside);
    await symlink(outside, path.join(at.folder, 'recipes'), 'dir');
    expect(await at.mistakes()).toMatchObject([
      { code: 'PLAN_INVALID', detail: expect.stringMatching(/link of the checkout|finds no file/) },
    ]);
  });

  it('takes no folder for a file', async () => {
    expect(await withPatterns('[recipes/oven.yaml]', { 'recipes/oven.yaml/x': '' })).toMatchObject([
      { detail: expect.stringContaining('finds no file') },
    ]);
  });

  it('reaches the top of the repository, and no further', async () => {
    at = await openOven({ 'shared/oven.yaml': family, 'apps/shop/release.plan.yaml': planOf('', '[../../shared/*.yaml]') });
    const cwd = path.join(at.folder, 'apps/shop');
    const plan = () =>
      at.plan({ cwd }).then(
        ({ summary }) => summary,
        (thrown: { failures?: { detail: string }[] }) => thrown.failures?.[0]?.detail,
      );
    expect(await plan()).toContain('leads out of the repository');
    await mkdir(path.join(at.folder, '.git'));
    expect(await at.plan({ cwd, plan: null }).catch((thrown: unknown) => String(thrown))).not.toContain('leads out');
  });

  it('is bounded: in files that a pattern finds, in files of all patterns, and in files that are looked at', async () => {
    const many = (count: number, folder: string): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/${i}.yaml`, 'x']));
    expect(await withPatterns('["a/*.yaml"]', many(bounds.families + 1, 'a'))).toMatchObject([
      { place: 'release.plan.yaml:2:11', detail: '"a/*.yaml" of `recipes` finds more than 100 files.' },
    ]);
    await at.close();
    const [first] = await withPatterns('["a/*.yaml", "b/*.yaml"]', { ...many(60, 'a'), ...many(60, 'b') });
    expect(first).toMatchObject({ place: 'release.plan.yaml:2:23', detail: 'The patterns of `recipes` find more than 100 files.' });
    await at.close();
    const [second, ...more] = await withPatterns('["**/*.yaml"]', many(bounds.looked + 1, 'deep/er'));
    expect(second).toMatchObject({
      place: 'release.plan.yaml:2:11',
      detail: expect.stringMatching(/looks through more than 10,000|more than 100 files/),
    });
    expect(more).toEqual([]);
  });

  it('takes no longer for a pattern of many stars', async () => {
    const name = `${'a'.repeat(200)}.yaml`;
    const began = performance.now();
    expect(await withPatterns(`["${'*a'.repeat(90)}*b.yaml"]`, { [name]: family })).toMatchObject([
      { detail: expect.stringContaining('finds no file') },
    ]);
    expect(await at.write(planOf('', `["${'**/'.repeat(60)}x.yaml"]`)).then(at.mistakes)).toHaveLength(1);
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
