import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Problems } from '../../src/plan/problems.ts';
import { Substitution } from '../../src/plan/substitute.ts';
import type { Context } from '../../src/plan/types.ts';
import { openStage } from '../support/stage.ts';
import { openDrawer } from './drawer-server.ts';

/** What a branch may be called: whoever opens a pull request chooses it. */
const branches = [
  'a&admin=1',
  'a=b;c',
  'a?admin=1',
  'a#admin',
  'feature/../../admin',
  '../admin',
  'a%26admin=1',
  'a+b',
  '{id}',
  '{+id}',
  'ä/ö',
  "it's(1)*!",
];

async function open(line: (origin: string) => string) {
  const drawer = await openDrawer();
  const agent = new Agent();
  const env = { DRAWER_API_URL: drawer.origin, DRAWER_TOKEN: 'drawer-token-77e1fa90' };
  const plan = `version: 1\nproviders: { http: { drawer: { base_url_env: DRAWER_API_URL, auth: { bearer_env: DRAWER_TOKEN } } } }\nchanges:\n${line(drawer.origin)}\n`;
  const stage = await openStage({ simulations: [], env, plan, wire: () => agent });
  onTestFinished(async () => {
    await stage.close();
    await agent.close();
  });
  return { drawer, stage };
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

const action = (request: string, more = ''): string =>
  `  - { id: ping, adapter: http, op: action, api: drawer, trigger: { commit: "\${ctx.git.sha}" }, request: { ${request} }${more} }`;

const places: readonly (readonly [string, (origin: string) => string, (branch: string) => string])[] = [
  [
    'the query of a path',
    () => action('path: "/ping?branch=${ctx.git.branch}&role=guest"'),
    (b) => `/ping?branch=${encoded(b)}&role=guest`,
  ],
  ['a segment of a path', () => action('path: "/ping/${ctx.git.branch}/state"'), (b) => `/ping/${encoded(b)}/state`],
  ['a part of a segment', () => action('path: "/ping/of-${ctx.git.branch}"'), (b) => `/ping/of-${encoded(b)}`],
  ['a query', () => action('path: /ping, query: { branch: "${ctx.git.branch}" }'), (b) => `/ping?branch=${encodeURIComponent(b)}`],
  [
    'a URL of an action',
    (origin) => action(`url: "${origin}/ping/\${ctx.git.branch}?branch=\${ctx.git.branch}&role=guest"`),
    (b) => `/ping/${encoded(b)}?branch=${encoded(b)}&role=guest`,
  ],
  [
    'a value of the line',
    () => action('path: "/ping/{name}?branch={name}"', ', with: { name: "${ctx.git.branch}" }'),
    (b) => `/ping/${encoded(b)}?branch=${encoded(b)}`,
  ],
];

describe.each(places)('a branch name in %s is one value', (_, line, target) => {
  it.each(branches)('%s', async (branch) => {
    const { drawer, stage } = await open(line);
    await stage.apply({ branch });
    expect(drawer.targets.map((one) => one.replace(/^POST /, ''))).toEqual([target(branch)].map((one) => one.replaceAll("'", '%27')));
  });
});

it('a value with slashes goes through {+name}, where the plan says so', async () => {
  const { drawer, stage } = await open(() => action('path: "/ping/{+file}"', ', with: { file: "${ctx.git.branch}" }'));
  await stage.apply({ branch: 'docs/a b' });
  expect(drawer.targets).toEqual(['POST /ping/docs/a%20b']);
});

it('a resource is found, made and removed at the same places, whatever the branch is called', async () => {
  const { drawer, stage } = await open(
    () =>
      '  - { id: item, adapter: http, op: resource, api: drawer, find: { path: "/items?branch=${ctx.git.branch}", list_path: /items, match: { name: x } }, create: { path: "/items?branch=${ctx.git.branch}" }, delete: { path: "/items/{id}?branch=${ctx.git.branch}" }, fields: { name: x } }',
  );
  const branch = 'a&all=true/{id}';
  expect(await stage.apply({ branch })).toMatchObject({ status: 'complete' });
  expect(await stage.destroy({ branch })).toMatchObject({ status: 'complete' });
  expect(new Set(drawer.targets)).toEqual(
    new Set([
      `GET /items?branch=${encoded(branch)}`,
      `POST /items?branch=${encoded(branch)}`,
      `DELETE /items/it-1?branch=${encoded(branch)}`,
    ]),
  );
});

describe('a value in a text', () => {
  const context: Context = { environment: 'preview', scope: 'pr-12', git: { sha: null, branch: "a/b&c='#?" }, pr: { number: 12 } };
  const text = (source: string, use: 'address' | 'reference' | 'data' | 'raw', name: string | null = null): string =>
    new Substitution(context, new Problems()).text(source, { place: { file: 'p', line: 1, column: 1 } }, true, { use, name });
  const whole = 'a%2Fb%26c%3D%27%23%3F';

  it.each([
    ['https://app.example/x?b=${ctx.git.branch}', 'data', `https://app.example/x?b=${whole}`],
    ['https://app.example/x#b=${ctx.git.branch}', 'data', `https://app.example/x#b=${whole}`],
    ['https://app.example/${ctx.git.branch}/cb', 'data', 'https://app.example/a/b%26c%3D%27%23%3F/cb'],
    ['https://${ctx.git.branch}.app.example/', 'data', `https://${whole}.app.example/`],
    ['https://app.example/${ctx.git.branch}', 'address', `https://app.example/${whole}`],
    ['vault://kv/${ctx.git.branch}/db#key', 'reference', `vault://kv/${whole}/db#key`],
    ['preview of ${ctx.git.branch}', 'data', "preview of a/b&c='#?"],
    ['${ctx.git.branch}', 'data', "a/b&c='#?"],
    ['/x/${ctx.git.branch}', 'raw', "/x/a/b&c='#?"],
  ] as const)('%s as %s', (source, use, expected) => {
    expect(text(source, use)).toBe(expected);
  });

  it('of a param called path keeps its slashes and leaves no segment else', () => {
    expect(text('/cb/${ctx.git.branch}?x=${ctx.git.branch}', 'data', 'path')).toBe(`/cb/a/b%26c%3D%27%23%3F?x=${whole}`);
  });
});
