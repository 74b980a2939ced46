import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runRequest } from '../../../test/support/run-request.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { RunRequest } from '../types.ts';
import { prepare } from './prepare.ts';
import { openRegistry } from './registry.ts';

const registry = await openRegistry({ env: {}, cwd: import.meta.dirname });
const names = [
  'NEON_API_KEY',
  'VERCEL_TOKEN',
  'PLANETSCALE_SERVICE_TOKEN_ID',
  'PLANETSCALE_SERVICE_TOKEN',
  'ACME_TOKEN',
  'CLERK_SECRET_KEY',
];
const more = ['POSTMARK_ACCOUNT_TOKEN', 'POSTMARK_SERVER_TOKEN', 'AUTH0_CLIENT_ID', 'AUTH0_CLIENT_SECRET'];
const env = {
  ...Object.fromEntries([...names, ...more].map((name) => [name, 'a-long-random-text-0123'])),
  AUTH0_API_URL: 'https://acme.eu.auth0.com/api/v2',
};

async function warningsOf(lines: readonly string[], change: Partial<RunRequest> = {}, head = ''): Promise<readonly string[]> {
  const folder = await tempFolder('shared');
  await mkdir(join(folder, '.git'));
  await writeFile(join(folder, 'release.plan.yaml'), `${head}changes:\n${lines.map((line) => `  - { ${line} }\n`).join('')}`);
  return (await prepare({ request: runRequest(folder, env, change), registry, facts: null })).warnings;
}

/** The ids of the lines that are warned of. */
const warned = async (...lines: string[]): Promise<readonly string[]> =>
  (await warningsOf(lines)).map((warning) => warning.replace(/:.*$/s, ''));

const branch = (name: string): string => `id: db, adapter: neon, op: branch, project_id: quiet-river-12345678, name: "${name}"`;
const variable = (more: string): string => `id: v, adapter: vercel, op: env, project: shop, key: DATABASE_URL, value: x${more}`;
const callback = (url: string): string => `id: cb, recipe: auth0.callback_url, client_id: 5kFq0Zc2mXr1aUe8, url: "${url}"`;
const database = (name: string): string => `id: db, adapter: planetscale, op: branch, organization: acme, database: shop, name: "${name}"`;
const password = 'id: pw, adapter: planetscale, op: password, organization: acme, database: shop, branch: { from: db.name }, name: ci';
const parts = 'api: acme, create: { path: /parts }, delete: { path: "/parts/{id}" }';
const part = (name: string): string =>
  `id: p, adapter: http, op: resource, ${parts}, find: { path: /parts, match: { name: "${name}" } }, fields: { name: "${name}" }`;
const acme = (host: string): string => `providers: { http: { acme: { base_url: "${host}", auth: { bearer_env: ACME_TOKEN } } } }\n`;

test('an object whose name is the same in every scope is told with its param, its place and an example', async () => {
  expect(await warningsOf([branch('shop')])).toEqual([
    'db: name does not depend on the scope (release.plan.yaml:2:82), so every pull request wants the same object, and all but the first are refused it. For example `name: ${ctx.scope}`.',
  ]);
  expect(await warned(branch('shop-${ctx.scope}'))).toEqual([]);
});

test('an entry of a shared list counts by the entry', async () => {
  expect(await warned(callback('https://www.example.com/cb'))).toEqual(['cb']);
  expect(await warned(callback('https://${ctx.scope}.example.com/cb'))).toEqual([]);
});

test('a variable that is bound to a branch is one for each pull request, and a variable of all branches is not', async () => {
  expect(await warned(variable(', git_branch: "${ctx.git.branch}"'))).toEqual([]);
  expect(await warningsOf([variable('')])).toEqual([
    expect.stringMatching(/^v: git_branch does not .*`git_branch: \$\{ctx\.git\.branch\}`/),
  ]);
  // A value of the scope under a name of all is still one variable.
  expect(await warned(variable('').replace('value: x', 'value: "${ctx.scope}"'))).toEqual(['v']);
});

test('what is made in an object of the scope is one for each scope; in a shared object one warning names the cause', async () => {
  expect(await warned(database('${ctx.scope}'), password)).toEqual([]);
  expect(await warned(database('shop'), password)).toEqual(['db']);
});

test('an output that follows from the scope counts through every line between', async () => {
  const deployed = 'id: preview, adapter: vercel, op: deploy, project: shop';
  const allowed = 'id: in, adapter: clerk, op: redirect_allow, url: { from: preview.url }';
  expect(await warned(deployed, allowed)).toEqual([]);
  expect(await warned(`${deployed}, sha: "${'1'.repeat(40)}"`, allowed)).toEqual(['in']);
});

test('a text that an output of the scope stands in is another text in each scope', async () => {
  const preview = 'id: preview, adapter: vercel, op: deploy, project: shop';
  expect(await warned(preview, callback('https://${preview.hostname}/cb'))).toEqual([]);
  expect(await warned(`${preview}, sha: "${'1'.repeat(40)}"`, callback('https://${preview.hostname}/cb'))).toEqual(['cb']);
});

test('a credential that a line of the scope made leads to another account', async () => {
  const server = (name: string): string => `id: mail, recipe: postmark.server, name: "${name}"`;
  const stream = 'recipe: postmark_server.webhook, url: "https://www.example.com"';
  const own = `id: hook, ${stream}, credential: { from: mail.server_token }, destroy: keep`;
  expect(await warned(server('${ctx.scope}'), own)).toEqual([]);
  expect(await warned(server('shop'), own)).toEqual(['mail']);
  expect(await warned(`id: hook, ${stream}`)).toEqual(['hook']);
});

test('a line of the generic adapter is looked at down to its parts, and an address that follows from the scope is enough', async () => {
  const [shared] = await warningsOf([part('shop')], {}, acme('https://api.acme.example'));
  expect(shared).toMatch(/^p: find\.path and find\.match\.name do not depend on the scope \(release\.plan\.yaml:3:\d+\)/);
  expect(await warningsOf([part('shop-${ctx.pr.number}')], { pr: 12 }, acme('https://api.acme.example'))).toEqual([]);
  expect(await warningsOf([part('shop')], {}, acme('https://${ctx.scope}.acme.example'))).toEqual([]);
});

test('an object that is adopted, one in production and an action need no name of their own', async () => {
  expect(await warned(variable('').replace('value: x', 'value: { keep: true }'))).toEqual([]);
  expect(await warningsOf([branch('shop')], { environment: 'production', scope: 'production', approvedBy: 'Ada' })).toEqual([]);
  expect(
    await warned('id: tell, adapter: http, op: action, trigger: { at: 1 }, request: { method: POST, url: "https://www.example.com/hook" }'),
  ).toEqual([]);
});

test('a plan of many such lines is told the first five and the number of the others', async () => {
  const lines = Array.from({ length: 8 }, (_, i) => branch(`shop-${i}`).replace('id: db', `id: db${i}`));
  const told = await warningsOf(lines);
  expect(told).toHaveLength(6);
  expect(told[5]).toBe('The same holds for 3 more lines, db5 the first of them.');
});
