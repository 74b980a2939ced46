import assert from 'node:assert/strict';
import type { ApiOptions } from './api.ts';
import { entry, thing } from './lines.ts';
import { done, type Row, refused, row, verdicts } from './rows.ts';

/** A row at a box that holds this. */
const boxed = (says: string, options: ApiOptions, box: { [member: string]: unknown }, check: Parameters<typeof row>[2]): Row =>
  row(says, options, async (api) => {
    api.shelf.boxes.set('mail', box);
    await check(api);
  });

const lines = [entry()];
const bodyOf = (api: { readonly seen: readonly { readonly method: string; readonly body: unknown }[] }): unknown =>
  api.seen.findLast(({ method }) => method !== 'GET')?.body;

export const rows: readonly Row[] = [
  ...(['PUT', 'PATCH', 'POST'] as const).map((method) =>
    boxed(
      `The parent is written with ${method} at \`parent.path\`.`,
      { lines: [entry({ parent: { path: '/boxes/mail', method } })] },
      { entries: ['theirs'] },
      async ({ apply, sent, shelf }) => {
        done(await apply());
        assert.deepEqual(sent(), ['GET /boxes/mail', 'GET /boxes/mail', `${method} /boxes/mail`, 'GET /boxes/mail']);
        assert.deepEqual(shelf.boxes.get('mail')?.entries, ['theirs', 'ours']);
      },
    ),
  ),
  boxed(
    '`parent.read_path` is where it is read, when that is another path.',
    {
      lines: [entry({ parent: { path: '/boxes/mail', method: 'PATCH', read_path: '/show/mail' } })],
      answer: ({ path }, { boxes }) => (path === '/show/mail' ? { body: boxes.get('mail') } : null),
    },
    { entries: [] },
    async ({ apply, sent, shelf }) => {
      done(await apply());
      assert.ok(!sent().includes('GET /boxes/mail'));
      assert.deepEqual(shelf.boxes.get('mail')?.entries, ['ours']);
    },
  ),
  boxed(
    '`parent.read_method: POST` reads with an action without a body, which counts as a read.',
    {
      lines: [entry({ parent: { path: '/boxes/mail', method: 'PUT', read_path: '/list', read_method: 'POST' } })],
      answer: ({ method, path }, { boxes }) => (method === 'POST' && path === '/list' ? { body: boxes.get('mail') } : null),
    },
    { entries: ['theirs'] },
    async ({ apply, plan, seen }) => {
      done(await apply());
      assert.ok(seen.filter(({ path }) => path === '/list').every(({ method, text }) => method === 'POST' && text === ''));
      seen.splice(0);
      done(await plan());
      assert.deepEqual(
        seen.map(({ method, path }) => `${method} ${path}`),
        ['POST /list'],
      );
    },
  ),
  boxed(
    '`parent.send: parent` sends the whole object back.',
    { lines: [entry({ parent: { path: '/boxes/mail', method: 'PUT', send: 'parent' } })] },
    { title: 'Mail', entries: ['theirs'] },
    async (api) => {
      done(await api.apply());
      assert.deepEqual(bodyOf(api), { title: 'Mail', entries: ['theirs', 'ours'] });
    },
  ),
  boxed(
    '`parent.send: collection` sends a nested map flat.',
    {
      lines: [
        entry({
          parent: { path: '/flat/mail', method: 'PUT', read_path: '/boxes/mail', send: 'collection' },
          list_path: '/settings',
          shape: 'map',
          item: 'MODE',
          value: 'on',
        }),
      ],
      answer: ({ path, body }, { boxes }) => {
        if (path !== '/flat/mail') return null;
        boxes.set('mail', { settings: body });
        return { body: {} };
      },
    },
    { settings: { OTHER: 'x' } },
    async (api) => {
      done(await api.apply());
      assert.deepEqual(bodyOf(api), { OTHER: 'x', MODE: 'on' });
    },
  ),
  boxed(
    '`parent.send` with names sends these members back beside the collection.',
    { lines: [entry({ parent: { path: '/boxes/mail', method: 'PUT', send: ['title'] } })] },
    { title: 'Mail', secretly: 'no', entries: [] },
    async (api) => {
      done(await api.apply());
      assert.deepEqual(bodyOf(api), { title: 'Mail', entries: ['ours'] });
    },
  ),
  boxed(
    '`parent.item_path` is where the object stands in the answer.',
    {
      lines: [entry({ parent: { path: '/boxes/mail', method: 'PATCH', item_path: '/data' } })],
      answer: ({ method }, { boxes }) => (method === 'GET' ? { body: { data: boxes.get('mail') } } : null),
    },
    { entries: ['theirs'] },
    async ({ apply, shelf }) => {
      done(await apply());
      assert.deepEqual(shelf.boxes.get('mail')?.entries, ['theirs', 'ours']);
    },
  ),
  row(
    '`parent.if_missing: empty` reads a 404 parent as an empty collection.',
    { lines: [entry({ parent: { path: '/boxes/mail', method: 'PUT', if_missing: 'empty' } }), thing()] },
    async ({ apply, shelf }) => {
      done(await apply());
      assert.deepEqual(shelf.boxes.get('mail'), { entries: ['ours'] });
    },
  ),
  row('Without it a 404 parent is an error of the line.', { lines: [entry(), thing()] }, async ({ apply, sent }) => {
    refused(await apply(), 'PROVIDER_NOT_FOUND');
    assert.ok(!sent().some((one) => one.startsWith('PATCH')));
  }),
  boxed(
    '`parent.write_list_path` writes the list under another name than it is read.',
    {
      lines: [entry({ parent: { path: '/boxes/mail', method: 'PATCH', write_list_path: '/urls' } })],
      answer: ({ method, body }, { boxes }) => {
        if (method !== 'PATCH') return null;
        boxes.set('mail', { entries: (body as { urls: string[] }).urls });
        return { body: {} };
      },
    },
    { entries: ['theirs'] },
    async (api) => {
      done(await api.apply());
      assert.deepEqual(bodyOf(api), { urls: ['theirs', 'ours'] });
    },
  ),
  boxed(
    '`list_path` may be empty: the whole answer is the collection.',
    {
      lines: [entry({ parent: { path: '/flat', method: 'PUT', send: 'collection' }, list_path: '' })],
      answer: ({ method, path, body }, { boxes }) => {
        if (path !== '/flat') return null;
        if (method === 'PUT') boxes.set('mail', { all: body });
        return { body: boxes.get('mail')?.all };
      },
    },
    { all: ['theirs'] },
    async ({ apply, shelf }) => {
      done(await apply());
      assert.deepEqual(shelf.boxes.get('mail'), { all: ['theirs', 'ours'] });
    },
  ),
  boxed(
    '`shape: array` with `key_field` holds maps that are known by one member; `value` is what stands there.',
    { lines: [entry({ key_field: '/origin', item: 'https://pr-12.example', value: { methods: ['GET'] } })] },
    { entries: [{ origin: 'https://a.example', methods: [] }] },
    async ({ apply, plan, shelf }) => {
      done(await apply());
      assert.deepEqual(Object(shelf.boxes.get('mail')?.entries)[1], { origin: 'https://pr-12.example', methods: ['GET'] });
      shelf.boxes.set('mail', { entries: [{ origin: 'https://pr-12.example', methods: ['PUT'] }] });
      assert.deepEqual(verdicts(done(await plan())), ['update']);
    },
  ),
  boxed(
    '`shape: delimited` is a comma-separated text.',
    { lines: [entry({ shape: 'delimited' })] },
    { entries: 'theirs, more' },
    async ({ apply, shelf }) => {
      done(await apply());
      assert.match(String(shelf.boxes.get('mail')?.entries), /^theirs, ?more,ours$/);
    },
  ),
  boxed(
    '`shape: map` has the item as the name and `value` as the value; it is written as a merge patch, where null deletes.',
    {
      lines: [entry({ shape: 'map', item: 'MODE', value: 'on' })],
      answer: ({ method, body }, { boxes }) => {
        if (method !== 'PATCH') return null;
        const next = { ...(boxes.get('mail')?.entries as object), ...(body as { entries: object }).entries };
        boxes.set('mail', { entries: Object.fromEntries(Object.entries(next).filter(([, value]) => value !== null)) });
        return { body: boxes.get('mail') };
      },
    },
    { entries: { OTHER: 'x' } },
    async (api) => {
      done(await api.apply());
      assert.deepEqual(bodyOf(api), { entries: { MODE: 'on' } });
      done(await api.destroy());
      assert.deepEqual(bodyOf(api), { entries: { MODE: null } });
      assert.deepEqual(api.shelf.boxes.get('mail'), { entries: { OTHER: 'x' } });
    },
  ),
  boxed(
    '`when_empty: delete` removes a collection that would be empty.',
    { lines: [entry({ when_empty: 'delete', parent: { path: '/boxes/mail', method: 'PUT', if_missing: 'empty' } })] },
    { entries: [] },
    async ({ apply, destroy, sent, shelf }) => {
      done(await apply());
      sent();
      done(await destroy());
      assert.ok(sent().includes('DELETE /boxes/mail'));
      assert.ok(!shelf.boxes.has('mail'));
    },
  ),
  boxed(
    'Rule 1: the parent is read, only this item changes, the collection is written, then read again.',
    { lines },
    { entries: ['a', 'b'] },
    async ({ apply, sent }) => {
      done(await apply());
      assert.deepEqual(sent().slice(-3), ['GET /boxes/mail', 'PATCH /boxes/mail', 'GET /boxes/mail']);
    },
  ),
  ...[1, 3].map((lost) =>
    boxed(
      `Rule 1: a write that a concurrent writer dropped is made again (${lost} of up to three times).`,
      { lines, answer: dropping(lost) },
      { entries: ['a'] },
      async ({ apply, sent, shelf }) => {
        done(await apply());
        assert.equal(sent().filter((one) => one === 'PATCH /boxes/mail').length, lost + 1);
        assert.deepEqual(shelf.boxes.get('mail')?.entries, ['a', 'ours']);
      },
    ),
  ),
  boxed('Rule 1: after that the line fails, and says why.', { lines, answer: dropping(9) }, { entries: ['a'] }, async ({ apply, sent }) => {
    const outcome = await apply();
    assert.equal(outcome.errors.length > 0, true);
    assert.equal(sent().filter((one) => one === 'PATCH /boxes/mail').length, 4);
  }),
  boxed(
    'Rule 2: writes are sent as idempotent: a 500 is tried again.',
    { lines, answer: failingOnce() },
    { entries: [] },
    async ({ apply, sent }) => {
      done(await apply());
      assert.equal(sent().filter((one) => one === 'PATCH /boxes/mail').length, 2);
    },
  ),
  boxed(
    "Rule 3: the key is `<parent.path>#<list_path>=<item>`, and the record id the item's locator: destroy removes exactly that item.",
    { lines },
    { entries: ['a', 'b'] },
    async ({ apply, destroy, ledger, shelf }) => {
      done(await apply());
      const [record] = [...(await ledger()).records.values()];
      assert.deepEqual([record?.key, record?.recordId], ['/boxes/mail#entries=ours', '/boxes/mail#entries=ours']);
      shelf.boxes.set('mail', { entries: ['b', 'ours', 'c'] });
      done(await destroy());
      assert.deepEqual(shelf.boxes.get('mail')?.entries, ['b', 'c']);
    },
  ),
  boxed(
    'Rule 4: every other item is left as it is, and reported as unmanaged.',
    { lines },
    { entries: ['a', 'b'] },
    async ({ plan, apply, shelf }) => {
      const { doc } = done(await plan());
      assert.deepEqual(
        doc?.lines.map((line) => ('unmanaged' in line ? line.unmanaged : null)),
        [['a', 'b']],
      );
      done(await apply());
      assert.deepEqual(shelf.boxes.get('mail')?.entries, ['a', 'b', 'ours']);
    },
  ),
  boxed(
    'Rule 5: the writers of one parent take turns.',
    { lines: ['x', 'y', 'z'].map((item) => entry({ id: item, item })) },
    { entries: ['a'] },
    async ({ apply, shelf, seen }) => {
      done(await apply());
      assert.deepEqual(Object.values(Object(shelf.boxes.get('mail')?.entries)).sort(), ['a', 'x', 'y', 'z']);
      assert.ok(seen.filter(({ method }) => method === 'PATCH').length <= 3);
    },
  ),
  boxed(
    'Rule 6: over JSON a scalar where a list is declared is drift.',
    { lines: [entry({ key_field: '/origin', item: 'o', value: { methods: ['GET'] } })] },
    { entries: [] },
    async ({ apply, plan, shelf }) => {
      done(await apply());
      shelf.boxes.set('mail', { entries: [{ origin: 'o', methods: 'GET' }] });
      assert.deepEqual(verdicts(done(await plan())), ['update']);
    },
  ),
];

/** Answers the first writes as if they were made, and drops them. */
function dropping(times: number): NonNullable<ApiOptions['answer']> {
  let left = times;
  return ({ method }, { boxes }) => {
    if (method !== 'PATCH' || left === 0) return null;
    left -= 1;
    return { body: boxes.get('mail') };
  };
}

function failingOnce(): NonNullable<ApiOptions['answer']> {
  let hasFailed = false;
  return ({ method }) => {
    if (method !== 'PATCH' || hasFailed) return null;
    hasFailed = true;
    return { status: 500, body: { error: 'try again' } };
  };
}
