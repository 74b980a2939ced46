import assert from 'node:assert/strict';
import { notice } from './lines.ts';
import { done, type Row, refused, row, verdicts } from './rows.ts';

const answer = () => ({ body: { modified: true, deployment: { id: 'd-1' } } });

export const rows: readonly Row[] = [
  row('`trigger` holds values whose change causes a send.', { lines: [notice()], answer }, async ({ apply, write, sent }) => {
    done(await apply());
    assert.deepEqual(sent(), ['POST /hook']);
    assert.deepEqual(verdicts(done(await apply())), ['none']);
    assert.deepEqual(sent(), []);
    await write([notice({ trigger: { revision: 'r2' } })]);
    done(await apply());
    assert.deepEqual(sent(), ['POST /hook']);
  }),
  row(
    '`request` has a method, an absolute URL and headers, and a JSON body.',
    {
      lines: [
        notice({
          request: { url: 'https://shop.example/hook', method: 'PUT', headers: { 'X-Why': 'pr' }, body: { ref: '${ctx.git.branch}' } },
        }),
      ],
      answer,
    },
    async ({ apply, seen }) => {
      done(await apply());
      assert.deepEqual([seen[0]?.method, seen[0]?.headers.get('x-why'), seen[0]?.body], ['PUT', 'pr', { ref: 'feature/x' }]);
    },
  ),
  row(
    'A line that names no `api` sends no credential and no header of an API.',
    { lines: [notice()], block: { headers: { 'X-Team': 'shop' } }, answer },
    async ({ apply, seen }) => {
      done(await apply());
      assert.deepEqual([seen[0]?.headers.get('authorization'), seen[0]?.headers.get('x-team')], [null, null]);
    },
  ),
  row(
    'A line that names an `api` sends its credential and headers.',
    { lines: [notice({ api: 'acme', request: { path: '/deploys' } })], block: { headers: { 'X-Team': 'shop' } }, answer },
    async ({ apply, seen }) => {
      done(await apply());
      assert.deepEqual(
        [seen[0]?.path, seen[0]?.headers.get('authorization'), seen[0]?.headers.get('x-team')],
        ['/deploys', 'Bearer token-of-acme-1', 'shop'],
      );
    },
  ),
  row(
    '`outputs` are pointers into the answer.',
    {
      lines: [
        notice({ outputs: { deployment: '/deployment/id' } }),
        notice({
          id: 'next',
          trigger: { of: { from: 'notice.deployment' } },
          request: { url: 'https://shop.example/next', body: { id: { from: 'notice.deployment' } } },
        }),
      ],
      answer,
    },
    async ({ apply, seen }) => {
      done(await apply());
      assert.deepEqual(seen[1]?.body, { id: 'd-1' });
    },
  ),
  row(
    'The engine owns the state: the action is sent at least once, again when its answer was lost.',
    { lines: [notice()], answer: failingTwice() },
    async ({ apply, sent }) => {
      const first = await apply();
      if (!first.doc?.ok) done(await apply());
      assert.ok(sent().length >= 2);
      assert.deepEqual(verdicts(done(await apply())), ['none']);
    },
  ),
  row('Destroy sends nothing and forgets the record.', { lines: [notice()], answer }, async ({ apply, destroy, sent, ledger }) => {
    done(await apply());
    assert.equal((await ledger()).records.size, 1);
    sent();
    done(await destroy());
    assert.deepEqual(sent(), []);
    assert.equal((await ledger()).records.size, 0);
  }),
  row(
    'An action without a trigger is refused before any request.',
    { lines: [notice({ trigger: {} })], answer },
    async ({ apply, sent }) => {
      refused(await apply(), 'PARAM_INVALID', 'trigger');
      assert.deepEqual(sent(), []);
    },
  ),
];

function failingTwice(): () => { status?: number; body: unknown } {
  let count = 0;
  return () => {
    count += 1;
    return count <= 1 ? { status: 500, body: {} } : { body: {} };
  };
}
