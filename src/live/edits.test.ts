import { expect, it } from 'vitest';
import type { Op } from '../ops/op.ts';
import { editsOf } from './edits.ts';

const op = (params: Op['params'], more: Partial<Op> = {}): Op => ({
  kind: 'object',
  doc: '',
  params,
  outputs: {},
  bind: () => expect.fail(),
  ...more,
});
const text = { type: 'string', doc: '' } as const;

it('changes each value by its kind, choices last, and no secret', () => {
  const params = {
    key: { ...text, secret: true },
    kind: { ...text, enum: ['a', 'b'] },
    size: { type: 'integer', maximum: 3, doc: '' },
    on: { type: 'boolean', default: false, doc: '' },
  } as const;
  const line = { key: 'word', kind: 'a', size: 3, hosts: ['a.example', 'b.example'], destroy: 'delete' };
  const edits = [...editsOf({ op: op(params), line })].map(({ what, line: { key, ...other } }) => [what, key, other] as const);
  expect(edits.every(([, key]) => key === 'word')).toBe(true);
  expect(edits.map(([what]) => what)).toEqual(expect.arrayContaining(['size', 'hosts', 'on', 'kind']));
  expect(edits.at(-1)?.[0]).toBe('kind');
  expect(edits.filter(([what]) => what === 'size').map(([, , { size }]) => size)).toEqual([2]);
  expect(edits.find(([what]) => what === 'on')?.[2].on).toBe(true);
});

it('changes the fields of a line of the generic adapter, and none of its requests', () => {
  const line = { find: { path: '/things' }, fields: { name: 'a', rate: '100' } };
  const edits = [...editsOf({ op: op({}, { open: true }), line })];
  expect(edits.map(({ what }) => what)).toEqual(['fields.name', 'fields.name', 'fields.rate']);
  expect(edits.at(-1)?.line.fields).toEqual({ name: 'a', rate: '99' });
});

it('changes no reference', () => {
  expect([...editsOf({ op: op({}), line: { value: { secret: 'env://A' }, other: { from: 'a.b' } } })]).toEqual([]);
});
