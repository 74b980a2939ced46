import assert from 'node:assert/strict';
import type { ApiOptions, Reply } from './api.ts';
import { entry, thing } from './lines.ts';
import { done, type Row, refused, row } from './rows.ts';

/** Answers the first requests of a method with a status, and leaves the others to the shelf. */
function failing(method: string, status: number, times = 1, headers: Reply['headers'] = {}): NonNullable<ApiOptions['answer']> {
  let left = times;
  return (seen) => {
    if (seen.method !== method || left === 0) return null;
    left -= 1;
    return { status, body: { error: `no ${status}` }, headers };
  };
}

const count = (sent: readonly string[], method: string): number => sent.filter((one) => one.startsWith(`${method} `)).length;

export const rows: readonly Row[] = [
  row(
    'Reads and find lists are GET, creates POST, updates PATCH, deletes DELETE where nothing else is said.',
    { lines: [thing()] },
    async ({ apply, destroy, shelf, sent }) => {
      done(await apply());
      Object.assign(shelf.things.get('t1') ?? {}, { note: 'changed' });
      done(await apply());
      done(await destroy());
      assert.deepEqual(
        sent().filter((one) => !one.startsWith('GET ')),
        ['POST /things', 'PATCH /things/t1', 'DELETE /things/t1'],
      );
    },
  ),
  ...[500, 502, 504].map((status) =>
    row(
      `A ${status} is tried again for an idempotent method: a read.`,
      { lines: [thing()], answer: failing('GET', status) },
      async ({ plan, sent }) => {
        done(await plan());
        assert.equal(count(sent(), 'GET'), 2);
      },
    ),
  ),
  row(
    'A 500 to a POST is not tried again: the object is looked for, and the line says what happened.',
    { lines: [thing()], answer: failing('POST', 500, 9) },
    async ({ apply, sent }) => {
      assert.equal((await apply()).doc?.ok, false);
      assert.equal(count(sent(), 'POST'), 1);
    },
  ),
  ...[423, 429, 503].map((status) =>
    row(
      `A ${status} is always safe to try again, also for a create, after a look.`,
      { lines: [thing()], answer: failing('POST', status) },
      async ({ apply, sent, shelf }) => {
        done(await apply());
        assert.deepEqual(sent(), ['GET /things', 'POST /things', 'GET /things', 'POST /things']);
        assert.equal(shelf.things.size, 1);
      },
    ),
  ),
  row(
    'A Retry-After is waited for.',
    { lines: [thing()], answer: failing('GET', 429, 1, { 'retry-after': '7' }) },
    async ({ plan, sent }) => {
      done(await plan());
      assert.equal(count(sent(), 'GET'), 2);
    },
  ),
  ...[400, 409, 422].map((status) =>
    row(
      `A ${status} on create leads to a re-read; what stands there was made by somebody else and is refused.`,
      {
        lines: [thing()],
        answer: (seen, { things }) => {
          if (seen.method !== 'POST') return null;
          things.set('x', { id: 'x', name: 'one', note: 'theirs' });
          return { status, body: { error: 'taken' } };
        },
      },
      async ({ apply, sent }) => {
        const { errors, doc } = await apply();
        assert.equal(doc?.ok, false);
        assert.deepEqual(sent(), ['GET /things', 'POST /things', 'GET /things']);
        assert.ok(errors.length > 0);
      },
    ),
  ),
  row(
    'A duplicate on create that an earlier intent of this scope names is claimed.',
    { lines: [thing()], answer: losing() },
    async ({ apply, shelf, sent }) => {
      done(await apply());
      assert.equal(shelf.things.size, 1);
      assert.equal(count(sent(), 'POST'), 1);
    },
  ),
  row(
    'A wrong `find.list_path` is `PROVIDER_RESPONSE`.',
    { lines: [thing({ find: { path: '/things', list_path: '/nothing/here', match: { name: 'one' } } })] },
    async ({ plan }) => {
      refused(await plan(), 'PROVIDER_RESPONSE', '/nothing/here');
    },
  ),
  row(
    'A redirect to another origin is not followed: the credential stays where it belongs.',
    {
      lines: [thing()],
      answer: ({ method }) => (method === 'GET' ? { status: 302, headers: { location: 'https://elsewhere.example/' } } : null),
    },
    async ({ plan, seen }) => {
      refused(await plan(), 'PROVIDER_RESPONSE');
      assert.ok(seen.every(({ host }) => host === 'api.acme.example'));
    },
  ),
  ...(
    [
      [401, 'PROVIDER_AUTH'],
      [403, 'PROVIDER_AUTH'],
      [405, 'PROVIDER_INVALID'],
    ] as const
  ).map(([status, code]) =>
    row(`A ${status} is \`${code}\`.`, { lines: [thing()], answer: failing('POST', status, 9) }, async ({ apply }) => {
      refused(await apply(), code);
    }),
  ),
  row(
    'An unknown param, a missing one and a wrong type are `PARAM_INVALID`, named, before any request.',
    {
      lines: [
        thing({ fidn: {} }),
        thing({ id: 'two', find: undefined, create: { path: '/things', method: 'FETCH' } }),
        entry({ item: undefined }),
      ],
    },
    async ({ plan, sent }) => {
      const outcome = await plan();
      refused(outcome, 'PARAM_INVALID', 'fidn');
      assert.equal(outcome.errors.length >= 3, true);
      assert.deepEqual(sent(), []);
    },
  ),
  row(
    'An unknown API block is `PLAN_INVALID`, and the known ones are listed.',
    { lines: [thing({ api: 'acne' })] },
    async ({ plan, sent }) => {
      refused(await plan(), 'PLAN_INVALID', 'acme');
      assert.deepEqual(sent(), []);
    },
  ),
  row(
    'An unknown recipe or op is `PLAN_INVALID`, and the known ones are listed.',
    {
      lines: [
        { id: 'a', recipe: 'stripe.webhok' },
        { id: 'b', adapter: 'http', op: 'resorce', api: 'acme' },
      ],
    },
    async ({ plan, sent }) => {
      const outcome = await plan();
      refused(outcome, 'PLAN_INVALID', 'webhook_endpoint');
      assert.ok(outcome.errors.some(({ detail }) => detail.includes('list_item')));
      assert.deepEqual(sent(), []);
    },
  ),
  row(
    'A `from:` that names an undeclared output is `REF_OUTPUT_UNKNOWN`, before any request.',
    { lines: [thing(), entry({ item: { from: 'thing.colour' } })] },
    async ({ plan, sent }) => {
      refused(await plan(), 'REF_OUTPUT_UNKNOWN', 'colour');
      assert.deepEqual(sent(), []);
    },
  ),
  row(
    'A secret where a key or record id is made of it is refused before any request.',
    {
      lines: [
        thing({ find: { path: '/things', list_path: '/items', match: { name: { secret: 'env://ACME_TOKEN' } } } }),
        entry({ item: { secret: 'env://ACME_TOKEN' } }),
      ],
    },
    async ({ plan, sent }) => {
      refused(await plan(), 'PARAM_INVALID');
      assert.deepEqual(sent(), []);
    },
  ),
];

/** The first create lands and its answer says that it exists. */
function losing(): NonNullable<ApiOptions['answer']> {
  let count = 0;
  return (seen, { things }) => {
    if (seen.method !== 'POST') return null;
    count += 1;
    things.set(`t${count}`, { id: `t${count}`, ...(seen.body as object) });
    return { status: 503, body: {} };
  };
}
