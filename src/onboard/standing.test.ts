import { expect, it } from 'vitest';
import { findTodos } from './standing.ts';

it('finds each marked value with its path, its line and its hint', () => {
  const plan = [
    'providers:',
    '  http:',
    '    okta: { base_url: https://your-okta.okta.com } # TODO: the address of the organisation.',
    'changes:',
    '  - id: a',
    '    # TODO the name',
    '    name: x',
    '    list: [one, two] # CHECK: nothing to do',
  ].join('\n');
  expect(findTodos(plan, '/repos/plan.yaml')).toEqual([
    { path: 'providers.http.okta', hint: 'the address of the organisation.', file: '/repos/plan.yaml', line: 3 },
    { path: 'changes[0].name', hint: 'the name', file: '/repos/plan.yaml', line: 7 },
  ]);
});

it('finds a value with aliases once, at the place where a person changes it', () => {
  const plan = [
    'changes:',
    '  - project: &project your-project # TODO: the project.',
    '  - project: *project',
    '  - project: *project',
  ].join('\n');
  expect(findTodos(plan, 'p').map(({ path, line }) => `${path} ${line}`)).toEqual(['changes[0].project 2']);
});
