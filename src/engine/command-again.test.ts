import { expect, it } from 'vitest';
import { applyAgain, type Target } from './command-again.ts';

const preview: Target = { environment: 'preview', scope: 'pr-12', planFile: null };

it('names the scope, the environment where it is not the usual one, and the plan file where one was given', () => {
  expect(applyAgain(preview, ['reconcile'])).toBe('`pilotfish apply --reconcile --scope pr-12`');
  expect(applyAgain({ ...preview, planFile: 'plans/my shop.yaml' })).toBe("`pilotfish apply --plan 'plans/my shop.yaml' --scope pr-12`");
  expect(applyAgain({ environment: 'production', scope: 'production', planFile: null })).toBe('`pilotfish apply --env production`');
});
