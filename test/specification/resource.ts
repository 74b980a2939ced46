import assert from 'node:assert/strict';
import { thing } from './lines.ts';
import { done, type Row, refused, row, verdicts } from './rows.ts';

const lines = [thing()];
const keyless = { find: undefined, read: { path: '/things/mine' }, id: 'mine', create: { path: '/things/mine', method: 'PUT' } };

export const rows: readonly Row[] = [
  row(
    '`find` reads `path` and takes the list at `list_path`.',
    {
      lines: [thing({ find: { path: '/things', list_path: '/data/items', match: { name: 'one' } } })],
      answer: (seen) => (seen.method === 'GET' ? { body: { data: { items: [] } } } : null),
    },
    async ({ plan }) => {
      assert.deepEqual(verdicts(done(await plan())), ['create']);
    },
  ),
  row(
    '`find.match` is a map of pointer to expected value.',
    {
      lines: [
        thing({
          find: { path: '/things', list_path: '/items', match: { '/meta/key': 'a', name: 'one' } },
          fields: { name: 'one', '/meta/key': 'a' },
        }),
      ],
    },
    async ({ apply, shelf }) => {
      shelf.things.set('other', { id: 'other', name: 'one', meta: { key: 'b' } });
      assert.deepEqual(verdicts(done(await apply())), ['create']);
      assert.equal(shelf.things.size, 2);
    },
  ),
  row(
    '`find.next` and `cursor_param` follow the cursor of each page to the last: a second match must be seen.',
    {
      lines: [thing({ find: { path: '/things', list_path: '/items', match: { name: 'one' }, next: '/cursor', cursor_param: 'after' } })],
      answer: ({ method, path }) => {
        if (method !== 'GET' || !path.startsWith('/things')) return null;
        const page = Number(new URL(path, 'https://x').searchParams.get('after') ?? 0);
        return {
          body: {
            items: [{ id: `t${page}`, name: page === 2 ? 'one' : `n${page}`, note: 'first' }],
            cursor: page < 3 ? String(page + 1) : null,
          },
        };
      },
    },
    async ({ plan, sent }) => {
      refused(await plan(), 'RESOURCE_FOREIGN');
      assert.deepEqual(sent(), ['GET /things', 'GET /things?after=1', 'GET /things?after=2', 'GET /things?after=3']);
    },
  ),
  row('`find` runs before every create.', { lines }, async ({ apply, sent }) => {
    done(await apply());
    assert.deepEqual(sent(), ['GET /things', 'POST /things']);
  }),
  row('Two matches of `find` fail with `PARAM_INVALID`.', { lines }, async ({ plan, shelf }) => {
    for (const id of ['a', 'b']) shelf.things.set(id, { id, name: 'one' });
    refused(await plan(), 'PARAM_INVALID');
  }),
  row(
    '`read` names the object by its path, for ids that the caller chooses.',
    { lines: [thing(keyless)] },
    async ({ apply, sent, shelf }) => {
      done(await apply());
      assert.deepEqual(sent(), ['GET /things/mine', 'PUT /things/mine']);
      assert.deepEqual([...shelf.things.keys()], ['mine']);
      assert.deepEqual(verdicts(done(await apply())), ['none']);
    },
  ),
  row(
    '`create` has `path`, `method`, `body` and `headers` of its own.',
    { lines: [thing({ create: { path: '/things', method: 'POST', body: { source: 'preview' }, headers: { 'X-Reason': 'pr' } } })] },
    async ({ apply, seen }) => {
      done(await apply());
      const create = seen.find(({ method }) => method === 'POST');
      assert.deepEqual(create?.body, { source: 'preview', name: 'one', note: 'first' });
      assert.equal(create?.headers.get('x-reason'), 'pr');
    },
  ),
  row(
    '`create.idempotency_key: true` sends an `Idempotency-Key`.',
    { lines: [thing({ create: { path: '/things', idempotency_key: true } })] },
    async ({ apply, seen }) => {
      done(await apply());
      assert.match(seen.find(({ method }) => method === 'POST')?.headers.get('idempotency-key') ?? '', /^pilotfish-[0-9a-f]{40}$/);
    },
  ),
  row(
    '`create.send_fields: false` compares the declared fields and does not send them.',
    {
      lines: [thing({ create: { path: '/things', send_fields: false, headers: { 'X-Name': 'one' } } })],
      answer: ({ method }, { things }) => {
        if (method !== 'POST') return null;
        things.set('t1', { id: 't1', name: 'one', note: 'first' });
        return { status: 201, body: { id: 't1' } };
      },
    },
    async ({ apply, plan, seen, shelf }) => {
      done(await apply());
      const create = seen.find(({ method }) => method === 'POST');
      assert.ok(create?.body === null || JSON.stringify(create?.body) === '{}');
      shelf.things.set('t1', { id: 't1', name: 'one', note: 'changed' });
      assert.deepEqual(verdicts(done(await plan())), ['update']);
    },
  ),
  ...(['PATCH', 'PUT', 'POST'] as const).map((method) =>
    row(
      `\`update\` is sent as ${method} where it says so, with \`path\`, \`body\` and \`headers\`.`,
      {
        lines: [thing({ update: { path: '/things/{id}', method, body: { by: 'us' }, headers: { 'X-Reason': 'drift' } } })],
        answer: (seen, { things }) => {
          if (seen.method !== 'POST' || seen.path !== '/things/t1') return null;
          things.set('t1', { id: 't1', ...(seen.body as object) });
          return { body: things.get('t1') };
        },
      },
      async ({ apply, shelf, seen }) => {
        done(await apply());
        Object.assign(shelf.things.get('t1') ?? {}, { note: 'changed' });
        seen.splice(0);
        assert.deepEqual(verdicts(done(await apply())), ['update']);
        const update = seen.find((one) => one.method !== 'GET');
        assert.deepEqual([update?.method, update?.path, update?.headers.get('x-reason')], [method, '/things/t1', 'drift']);
        assert.match(update?.text ?? '', /"by":"us"/);
      },
    ),
  ),
  row(
    '`delete` is a DELETE, or a POST that may carry a body with `{id}`.',
    {
      lines: [thing({ delete: { path: '/things/remove', method: 'POST', body: { target: '{id}' } } })],
      answer: (seen, { things }) => {
        if (seen.path !== '/things/remove') return null;
        things.delete((seen.body as { target: string }).target);
        return { body: {} };
      },
    },
    async ({ apply, destroy, shelf, seen }) => {
      done(await apply());
      done(await destroy());
      assert.equal(shelf.things.size, 0);
      assert.deepEqual(seen.at(-1)?.body, { target: 't1' });
    },
  ),
  row(
    'Only declared `fields` are compared and hashed; a pointer reaches what lies deeper.',
    { lines: [thing({ fields: { name: 'one', '/config/colour': 'red' } })] },
    async ({ apply, plan, shelf }) => {
      done(await apply());
      assert.deepEqual(shelf.things.get('t1'), { id: 't1', name: 'one', config: { colour: 'red' } });
      Object.assign(shelf.things.get('t1') ?? {}, { seen: 7, config: { colour: 'red', size: 3 } });
      assert.deepEqual(verdicts(done(await plan())), ['none']);
      Object.assign(shelf.things.get('t1') ?? {}, { config: { colour: 'blue' } });
      assert.deepEqual(verdicts(done(await plan())), ['update']);
    },
  ),
  row(
    '`id_path` and `item_path` say where the id and the object stand in answers.',
    {
      lines: [thing({ item_path: '/data', id_path: '/uid', update: { path: '/things/{id}' } })],
      answer: (seen, { things }) => {
        if (seen.method === 'GET') return { body: { items: [...things.values()] } };
        if (seen.method !== 'POST') return null;
        const made = { uid: 'u-7', ...(seen.body as object) };
        things.set('u-7', made);
        return { status: 201, body: { data: made } };
      },
    },
    async ({ apply, destroy, sent }) => {
      done(await apply());
      assert.deepEqual(verdicts(done(await apply())), ['none']);
      sent();
      done(await destroy());
      assert.ok(sent().includes('DELETE /things/u-7'));
    },
  ),
  row(
    '`outputs` are pointers, or `{ path, sensitive, once }`.',
    {
      lines: [
        thing({ outputs: { label: '/name', token: { path: '/token', sensitive: true, once: true } } }),
        thing({
          id: 'user',
          find: { path: '/things', list_path: '/items', match: { name: 'two' } },
          fields: { name: 'two', note: { from: 'thing.label' }, token: { from: 'thing.token' } },
          compare: { token: { hidden: 'always' } },
        }),
      ],
      answer: (seen, { things }) => {
        if (seen.method !== 'POST' || (seen.body as { name: string }).name !== 'one') return null;
        things.set('t9', { id: 't9', ...(seen.body as object) });
        return { status: 201, body: { ...things.get('t9'), token: 'token-seen-once-77' } };
      },
    },
    async ({ apply, shelf, ledger }) => {
      const { doc } = done(await apply());
      assert.deepEqual([...shelf.things.values()].find(({ name }) => name === 'two')?.note, 'one');
      assert.deepEqual([...shelf.things.values()].find(({ name }) => name === 'two')?.token, 'token-seen-once-77');
      const stored = JSON.stringify([...(await ledger()).records.values(), doc]);
      assert.ok(!stored.includes('token-seen-once-77'));
    },
  ),
  row(
    '`exists_status` adds a status that means "already exists": the object is read again.',
    {
      lines: [thing({ exists_status: [452] })],
      answer: (seen, { things }) => {
        if (seen.method !== 'POST') return null;
        things.set('t1', { id: 't1', ...(seen.body as object) });
        return { status: 452, body: { error: 'there already' } };
      },
    },
    async ({ apply, shelf, sent }) => {
      const outcome = await apply();
      assert.equal(shelf.things.size, 1);
      refused(outcome, 'RESOURCE_FOREIGN', 'between the look and the create');
      assert.deepEqual(sent(), ['GET /things', 'POST /things', 'GET /things']);
    },
  ),
  row(
    '`gone_status` adds a status of the delete that means "gone".',
    {
      lines: [thing({ gone_status: [452] })],
      answer: (seen, { things }) => {
        if (seen.method !== 'DELETE') return null;
        things.clear();
        return { status: 452, body: {} };
      },
    },
    async ({ apply, destroy, ledger }) => {
      done(await apply());
      done(await destroy());
      assert.equal((await ledger()).records.size, 0);
    },
  ),
];
