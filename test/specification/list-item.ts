import assert from 'node:assert/strict';
import { boxed } from './boxed.ts';
import { entry, thing } from './lines.ts';
import { done, type Row, refused, row, verdicts } from './rows.ts';

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
];
