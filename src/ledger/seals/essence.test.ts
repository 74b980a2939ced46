import { expect, it } from 'vitest';
import { essenceOf } from './essence.ts';

const record = {
  v: 2,
  ...{ identity: 'a'.repeat(64), adapter: 'http', op: 'resource', key: 'k', line: 'thing', reach: { kind: 'none' } },
  ...{ recordId: 'r', objectId: 'o', owned: true, superseded: [], outputs: {}, edges: [] },
};

it('a record that knows no birth has the essence that earlier versions sealed', () => {
  expect(essenceOf(record)).toEqual({ whole: 'aca0d31468d124e935a2da05188727e8', object: '0bca77e115dc0b9e' });
});

it('a birth is sealed, and names no other object', () => {
  const [none, one, other, untold] = [
    record,
    { ...record, birth: { at: '1' } },
    { ...record, birth: { at: '2' } },
    { ...record, birth: null },
  ].map((fact) => essenceOf(fact));
  expect(new Set([none, one, other, untold].map((essence) => essence?.whole)).size).toBe(4);
  expect(new Set([none, one, other, untold].map((essence) => essence?.object)).size).toBe(1);
});
