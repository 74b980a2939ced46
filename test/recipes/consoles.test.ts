import { expect, it } from 'vitest';
import { root } from '../../scripts/tasks.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import type { Params } from '../../src/ops/bound.ts';
import { consoleLink, consoleProblems } from '../../src/ops/console.ts';
import { loadFamily } from '../../src/recipes/load.ts';
import { familySchema } from '../../src/recipes/schema.ts';
import { readSubjects } from '../../src/recipes/subjects.ts';

/** Pages of consoles are data of operations. Each one is filled in here as `show` fills it in, from the key that the example gives. */
const subjects = await readSubjects(await openRegistry({ env: {}, cwd: root }));
const pages = subjects.flatMap(({ name: of, adapter, ops }) =>
  ops.flatMap(({ name, op, example }) => (op.console ? [{ title: `${of}.${name}`, adapter, op, page: op.console, example }] : [])),
);

/** What a run would have in place of references and of its own facts. */
const plain = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replace(/\$\{ctx\.[^}]*\}/g, 'pr-12');
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if ('from' in value || 'secret' in value) return 'value-of-another';
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
};

it('many operations have a page', () => {
  expect(pages.length).toBeGreaterThan(40);
});

it.each(pages)('the page of $title is that of the object in its example', ({ title, adapter, op, page, example }) => {
  const outputs = Object.entries(op.outputs).flatMap(([name, { sensitive, lazy }]) => (sensitive || lazy ? [] : [name]));
  expect(consoleProblems(page, outputs)).toEqual([]);
  // Without an own address there is no telling which installation a record is of.
  expect(adapter.provider.base_url, title).not.toBeNull();

  const params = plain(example) as Params;
  const block = { api: adapter.name, base_url: adapter.provider.base_url ?? '', auth: adapter.provider.auth };
  const facts = { environment: 'preview', scope: 'pr-12', sha: 'a'.repeat(40), branch: 'feature', api: adapter.name };
  const { key } = op.bind(params, { block, ...facts });
  const link = consoleLink(page, { key, objectId: 'object-7', outputs: Object.fromEntries(outputs.map((name) => [name, `the-${name}`])) });
  expect(link, key).not.toBeNull();
  expect(new URL(link ?? '').origin).toBe(new URL(page.page.replace(/\{.*$/, '')).origin);

  // A member that bears the name of a param has its value.
  const parts = page.page.split(/\{\+?([a-z_]+)\}/);
  const expected = parts
    .map((part, i) => (i % 2 === 0 ? part : part === 'id' ? 'object-7' : String(params[part] ?? `the-${part}`)))
    .join('');
  expect(link).toBe(expected);
});

it.each([
  ['http://dashboard.stripe.com/{id}', 'https'],
  ['https://{id}.stripe.com/x', 'no https address with a fixed host'],
  ['https://dashboard.stripe.com/{name}', 'The page names name, which is no plain output and does not stand in its key.'],
  ['https://dashboard.stripe.com/{secret}', 'The page names secret, which is no plain output'],
])('a family with the page %s is refused at its place', async (page, words) => {
  const { ops, ...family } = await loadFamily('stripe');
  const { error } = familySchema.safeParse({ ...family, ops: { webhook_endpoint: { ...ops.webhook_endpoint, console: { page } } } });
  expect(error?.issues.map(({ path }) => path.slice(0, 3))).toContainEqual(['ops', 'webhook_endpoint', 'console']);
  expect(JSON.stringify(error?.issues)).toContain(words);
});
