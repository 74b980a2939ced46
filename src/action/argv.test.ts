import { expect, it } from 'vitest';
import { argvOf } from './argv.ts';
import type { Inputs } from './inputs.ts';
import { everybody } from './who.ts';

const inputs: Inputs = {
  command: null,
  env: 'preview',
  scope: null,
  plan: null,
  planFrom: null,
  approvedBy: null,
  waitTimeout: null,
  token: null,
  comment: false,
  trace: null,
  recreate: ['a'],
  reconcile: true,
  'put-back': true,
  prune: true,
  only: ['b'],
  expect: 'c',
  closed: false,
  run: null,
  runOn: 'each',
  expired: false,
  who: everybody,
};
const subject = { pull: 12, branch: null, commit: null };
const ofApply = ['--expect=c', '--recreate=a', '--only=b', '--reconcile', '--put-back', '--prune'];
const given = (command: 'apply' | 'destroy', over: Partial<Inputs> = {}) =>
  argvOf({ ...inputs, ...over }, command, subject).filter((flag) => ofApply.includes(flag));

it('the destroy of a closed pull request removes everything, whatever the inputs say about its applies', () => {
  expect(given('apply')).toEqual(ofApply);
  expect(given('destroy')).toEqual([]);
  expect(given('destroy', { command: 'destroy' })).toEqual(ofApply);
});
