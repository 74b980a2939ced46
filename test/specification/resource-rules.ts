import assert from 'node:assert/strict';
import type { ApiOptions } from './api.ts';
import { thing } from './lines.ts';
import { done, type Row, refused, row, verdicts } from './rows.ts';

const lines = [thing()];
const keyless = { find: undefined, read: { path: '/things/mine' }, id: 'mine', create: { path: '/things/mine', method: 'PUT' } };

const look = {
  graphql: {
    query: 'query boards($team: ID!) { boards(team: $team) { nodes { id name } } }',
    variables: { team: 'shop' },
    data_path: '/boards',
  },
  list_path: '/nodes',
  match: { name: 'one' },
};
const board = thing({
  find: look,
  create: {
    graphql: {
      query: 'mutation add($input: In!) { boardCreate(input: $input) { id name } }',
      variables: { input: {} },
      data_path: '/boardCreate',
    },
    fields_at: '/input',
  },
  update: undefined,
  delete: {
    graphql: { query: 'mutation remove($id: ID!) { boardDelete(id: $id) }', variables: { id: '{id}' }, data_path: '/boardDelete' },
  },
  fields: { name: 'one' },
});

/** A GraphQL API of boards. A scalar answer, as that of the delete, is read as `{ value }`. */
function graphql(): NonNullable<ApiOptions['answer']> {
  return ({ text, body }, { things }) => {
    if (text.includes('boardDelete')) return { body: { data: { boardDelete: things.delete('b1') } } };
    if (text.includes('boardCreate')) things.set('b1', { id: 'b1', ...Object(body).variables.input });
    if (text.includes('boardCreate')) return { body: { data: { boardCreate: things.get('b1') } } };
    return { body: { data: { boards: { nodes: [...things.values()] } } } };
  };
}

export const rows: readonly Row[] = [
  row(
    'Rule 1: the key is `<find.path>[<field>=<value>,...]`, or the read path.',
    { lines: [thing(), thing({ ...keyless, id: 'mine', fields: { note: 'first' } })] },
    async ({ apply, ledger }) => {
      await apply();
      const keys = [...(await ledger()).records.values(), ...(await ledger()).intents.values()].map(({ key }) => key).sort();
      assert.deepEqual(keys, ['/things/mine', '/things[name=one]']);
    },
  ),
  row(
    'Rule 2: the record id is the request that removes the object; one that was made anew shows as replaced.',
    { lines },
    async ({ apply, ledger, shelf }) => {
      done(await apply());
      const recordId = async () => [...(await ledger()).records.values()][0]?.recordId;
      assert.equal(await recordId(), 'DELETE /things/t1');
      shelf.things.clear();
      done(await apply());
      assert.equal(await recordId(), 'DELETE /things/t2');
    },
  ),
  row(
    'Rule 3: a difference with no `update` declared is `PARAM_INVALID` at plan time.',
    { lines: [thing({ update: undefined })] },
    async ({ apply, plan, shelf, sent }) => {
      done(await apply());
      Object.assign(shelf.things.get('t1') ?? {}, { note: 'changed' });
      sent();
      refused(await plan(), 'PARAM_INVALID', 'cannot change it in place');
      assert.ok(sent().every((one) => one.startsWith('GET ')));
    },
  ),
  row(
    'Rule 4: the `Idempotency-Key` is derived from the key, the commit and the body, and differs for another create.',
    { lines: [thing({ create: { path: '/things', idempotency_key: true } })] },
    async ({ apply, seen, shelf }) => {
      const keys: (string | null)[] = [];
      for (const change of [{}, { sha: '2'.repeat(40) }]) {
        shelf.things.clear();
        done(await apply(change));
        keys.push(seen.findLast(({ method }) => method === 'POST')?.headers.get('idempotency-key') ?? null);
      }
      assert.equal(new Set(keys).size, 2);
      assert.ok(keys.every((key) => key !== null && key.length <= 255));
    },
  ),
  row(
    'Rule 6: a `delete.body` is appended to the record id, so destroy needs only the ledger; without one nothing is.',
    { lines: [thing({ delete: { path: '/things/remove', method: 'POST', body: { target: '{id}' } } })] },
    async ({ apply, ledger }) => {
      done(await apply());
      assert.equal([...(await ledger()).records.values()][0]?.recordId, 'POST /things/remove {"target":"t1"}');
    },
  ),
  row('A 404 on delete is success.', { lines }, async ({ apply, destroy, shelf, ledger }) => {
    done(await apply());
    shelf.things.clear();
    done(await destroy());
    assert.equal((await ledger()).records.size, 0);
  }),
  row(
    'An immutable field that changed makes a new object, which takes over before the old one goes.',
    { lines: [thing({ immutable: ['note'], coexist: true })] },
    async ({ apply, write, sent, shelf }) => {
      done(await apply());
      await write([thing({ immutable: ['note'], fields: { name: 'one', note: 'second' } })]);
      sent();
      assert.deepEqual(verdicts(done(await apply())), ['replace']);
      assert.deepEqual(
        sent().filter((one) => !one.startsWith('GET')),
        ['POST /things', 'DELETE /things/t1'],
      );
      assert.deepEqual(
        [...shelf.things.values()].map(({ note }) => note),
        ['second'],
      );
    },
  ),
  row(
    'Where the create does not answer with the object, it is found after it.',
    {
      lines: [thing({ create: { path: '/things', then_find: true } })],
      answer: (seen, { things }) => {
        if (seen.method !== 'POST') return null;
        things.set('t5', { id: 't5', ...(seen.body as object) });
        return { status: 202, body: { queued: true } };
      },
    },
    async ({ apply, sent, ledger }) => {
      done(await apply());
      assert.deepEqual(sent(), ['GET /things', 'POST /things', 'GET /things']);
      assert.equal([...(await ledger()).records.values()][0]?.objectId, 't5');
    },
  ),

  row(
    'Rule 7: a GraphQL request may replace any of find, read, create, update or delete: a POST to `{base_url}`.',
    { lines: [board], answer: graphql() },
    async ({ apply, destroy, sent }) => {
      done(await apply());
      done(await destroy());
      assert.ok(sent().every((one) => one === 'POST /'));
    },
  ),
  row(
    'Rule 7: the key is the root field, its variables and the data path.',
    { lines: [board], answer: graphql() },
    async ({ apply, ledger }) => {
      done(await apply());
      assert.match([...(await ledger()).records.values()][0]?.key ?? '', /^boards\(\{"team":"shop"\}\)\/boards/);
    },
  ),
  row(
    'Rule 7: a `{ secret }` is refused in the variables that make the key or record id.',
    {
      lines: [thing({ ...board, find: { ...look, graphql: { ...look.graphql, variables: { team: { secret: 'env://ACME_TOKEN' } } } } })],
    },
    async ({ plan, sent }) => {
      refused(await plan(), 'PARAM_INVALID', 'secret');
      assert.deepEqual(sent(), []);
    },
  ),
  ...[
    ['UNAUTHENTICATED', 'PROVIDER_AUTH'],
    ['FORBIDDEN', 'PROVIDER_AUTH'],
    ['NOT_FOUND', 'PROVIDER_NOT_FOUND'],
    ['BAD_USER_INPUT', 'PROVIDER_INVALID'],
  ].map(([kind = '', code = '']) =>
    row(
      `GraphQL \`errors[]\` map to the same codes: ${kind} is \`${code}\`.`,
      { lines: [board], answer: () => ({ body: { data: null, errors: [{ message: 'No.', extensions: { code: kind } }] } }) },
      async ({ apply }) => {
        refused(await apply(), code);
      },
    ),
  ),
];
