import { describe, expect, it } from 'vitest';
import { familyNames, loadFamily } from './load.ts';
import { parseFamily } from './parse-family.ts';
import { familyIndex } from './write-index.ts';

it('the index of the families is fresh: `node src/recipes/write-index.ts` writes it', async () => {
  expect(await familyNames()).toEqual(await familyIndex());
});

it('no name or alias stands for two families or recipes', async () => {
  const families = await familyNames();
  const names = families.flatMap((family) => [family.name, ...(family.alias ? [family.alias] : [])]);
  const recipes = families.flatMap((family) => Object.keys(family.opAliases ?? {}));
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(recipes).size).toBe(recipes.length);
});

it.each(['nothing', '../index', 'auth0.yaml', ''])('%j is not a family, and no file is read for it', async (name) => {
  await expect(loadFamily(name)).rejects.toMatchObject({
    code: 'PLAN_INVALID',
    detail: expect.stringContaining('There is no recipe family'),
  });
});

it('the error for a nearly right name tells the right one', async () => {
  await expect(loadFamily('auth')).rejects.toMatchObject({ detail: expect.stringContaining('"auth0"') });
});

describe('a family file', () => {
  const good = `
name: acme
title: Acme
docs: https://acme.test/docs
verified: 2026-11-21
provider: { base_url: https://api.acme.test, auth: { bearer_env: ACME_TOKEN } }
ops:
  hook:
    kind: resource
    doc: A hook.
    params:
      project: { type: string, required: true, doc: The project. }
      name: { type: string, required: true, doc: The name. }
    example: { project: p, name: n }
    template:
      find: { path: "/projects/{project}/hooks", match: { name: { param: name } } }
      create: { path: "/projects/{project}/hooks" }
      delete: { path: "/projects/{project}/hooks/{id}" }
      fields: { name: { param: name } }
`;
  const broken = (from: string, to: string) => () => parseFamily(good.replace(from, to), 'acme');

  it('is data', () => {
    expect(parseFamily(good, 'acme').ops.hook).toMatchObject({ destroy: 'delete', outputs: {} });
  });

  it.each([
    ['title: Acme', 'titel: Acme', 'titel'],
    ['docs: https://acme.test/docs', 'docs: somewhere', 'docs'],
    ['kind: resource', 'kind: thing', 'kind'],
    ['create: {', 'creat: {', 'Did you mean "create"?'],
    ['match: { name: { param: name } }', 'match: { name: { param: nam } }', 'the param nam, but the recipe does not declare it'],
    ['"/projects/{project}/hooks/{id}"', '"/projects/{projekt}/hooks/{id}"', 'the param projekt, but the recipe does not declare it'],
    ['project: { type: string, required: true', 'project: { type: string', 'needs project, but a line may leave that param out'],
    ['fields: {', 'fields: { "/by/{nam}": 1, ', 'the param nam, but the recipe does not declare it'],
    ['example: { project: p, name: n }', 'example: { project: p }', 'The example lacks name'],
    ['hooks", match', 'hooks", page: { kind: page, param: page }, match', 'find.page does not say how the list ends'],
    ['hooks", match', 'hooks", page: { kind: offset, param: at, size: 9 }, match', 'find.page does not say how the list ends'],
    ['hooks", match', 'hooks", page: { kind: page, param: page, cap: 9, until_empty: true }, match', 'which tell the last page'],
    ['hooks", match', 'hooks", page: { kind: last_id, param: after, id: /id }, match', 'find.page needs more'],
    ['example: { project: p, name: n }', 'example: { project: p, name: n, x: 1 }', 'which is not a param'],
    ['    example:', '    outputs: { url: { doc: The URL. } }\n    example:', 'url has no path'],
    ['    example:', '    quota: { answers: [{ match: { /a: b } }] }\n    example:', 'status'],
    ['    example:', '    quota: { answers: [{ status: 400, match: {} }] }\n    example:', 'every answer would match'],
    ['    example:', '    quota: { answers: [{ status: 200 }] }\n    example:', '400'],
    ...(
      [
        ['{ path: /limits, at: /max }', '{ path: "/p/{projekt}", at: /all }', 'needs projekt, but the recipe does not declare it'],
        ['{ path: "/limits/{note}", at: /max }', '{ path: /all, at: /all }', 'needs note, but a line may leave that param out'],
        ['{ path: "/limits/{token}", at: /max }', '{ path: /all, at: /all }', 'needs token, but it is secret'],
        ['{ path: /limits, at: /max }', '{ path: /all, at: /all, match: {} }', 'count.match is empty'],
        ['{ path: limits, at: /max }', '{ path: /all, at: /all }', 'path'],
      ] as const
    ).map(([limit, count, words]) => [
      '    params:',
      `    quota: { figures: { limit: ${limit}, count: ${count} } }\n    params:\n      note: { type: string, doc: A note. }\n      token: { type: string, required: true, secret: true, doc: A token. }`,
      words,
    ]),
    ['    example:', '    destroy: never\n    example:', 'destroy: never'],
    ['      delete: {', '      witness: {', 'destroy: never'],
    ['fields: { name: { param: name } }', 'fields: { name: fixed }\n      outputs: { a: /a }', 'beside the template'],
    ['find: {', 'unused: 1\n      find: {', 'unused'],
    ['name: acme', 'name: other', 'is named other inside'],
  ])('with %j as %j is refused', (from, to, words) => {
    expect(broken(from, to)).toThrow(words);
  });

  it('with a member or a pointer that a param names, which may be left out, is refused', () => {
    const optional = good.replace('name: { type: string, required: true', 'name: { type: string');
    for (const [from, to] of [
      ['create: {', 'create: { body: { "{name}": 1 }, '],
      ['fields: {', 'item_path: "/by/{name}"\n      fields: {'],
    ] as const)
      expect(() => parseFamily(optional.replace(from, to), 'acme')).toThrow('needs name, but a line may leave that param out');
  });
});
