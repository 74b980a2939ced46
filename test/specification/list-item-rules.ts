import assert from 'node:assert/strict';
import type { ApiOptions } from './api.ts';
import { boxed } from './boxed.ts';
import { entry } from './lines.ts';
import { done, type Row, row, verdicts } from './rows.ts';

const lines = [entry()];

export const rows: readonly Row[] = [
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
  ...(['<AllowedMethod>GET</AllowedMethod>', '<AllowedMethod>GET</AllowedMethod><AllowedMethod>PUT</AllowedMethod>'] as const).map(
    (methods, i) =>
      row(
        `Rule 6: over XML a field declared as a list reads ${i === 0 ? 'a lone element as a list of one' : 'several elements as a list'}.`,
        {
          lines: [
            entry({
              parent: { path: '/bucket', method: 'PUT' },
              list_path: '/Cors/Rule',
              key_field: '/ID',
              item: 'ours',
              value: { AllowedMethod: i === 0 ? ['GET'] : ['GET', 'PUT'] },
            }),
          ],
          block: { encoding: 'xml' },
          answer: xmlBucket(methods),
        },
        async ({ apply, sent, plan }) => {
          done(await apply());
          assert.equal(sent().filter((one) => one.startsWith('PUT')).length, 1);
          assert.deepEqual(verdicts(done(await plan())), ['none']);
        },
      ),
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

/** Holds one rule of somebody else, and after a write ours with these methods, as the provider spells them. */
function xmlBucket(methods: string): NonNullable<ApiOptions['answer']> {
  let isWritten = false;
  return ({ method }) => {
    if (method === 'PUT') isWritten = true;
    const ours = isWritten ? `<Rule><ID>ours</ID>${methods}</Rule>` : '';
    return { body: `<Cors><Rule><ID>theirs</ID></Rule>${ours}</Cors>`, headers: { 'content-type': 'application/xml' } };
  };
}
