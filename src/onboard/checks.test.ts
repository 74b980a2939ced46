import { expect, it } from 'vitest';
import { findChecks } from './checks.ts';

it('finds each marked value with its place and its hint', () => {
  const text = `version: 1
# CHECK: a comment of its own marks nothing
changes:
  - id: a
    key: DATABASE_URL # CHECK: the name in your code.
    list: [x, y] # CHECK: both.
    text: "# CHECK: no mark"
`;
  expect(findChecks(text, '/p')).toEqual([
    { path: 'changes[0].key', hint: 'the name in your code.', file: '/p', line: 5 },
    { path: 'changes[0].list', hint: 'both.', file: '/p', line: 6 },
  ]);
});
