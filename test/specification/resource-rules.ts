import assert from 'node:assert/strict';
import { thing } from './lines.ts';
import { done, type Row, refused, row, verdicts } from './rows.ts';

const lines = [thing()];
const keyless = { find: undefined, read: { path: '/things/mine' }, id: 'mine', create: { path: '/things/mine', method: 'PUT' } };

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
];
