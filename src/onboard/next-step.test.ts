import { describe, expect, it } from 'vitest';
import { type NextFacts, nextStep } from './next-step.ts';

const text = 'version: 1\n\nchanges:\n  - id: a\n    recipe: stripe.coupon\n';
const todo = { path: 'changes[0].project', hint: 'the project', file: '/p', line: 4 };
const none: NextFacts['detected'] = { found: [], engines: [], unsupported: [], library: null, template: null };
const step = (given: Partial<Parameters<typeof nextStep>[0]>) =>
  nextStep({ text, todo: [], missing: [], environments: ['preview', 'production'], detected: none, ...given });

describe('the next step', () => {
  it('is to fill in the marked values, before anything else', () => {
    const one = step({ todo: [todo], missing: ['A'] });
    expect(one).toEqual({ command: null, why: expect.stringContaining('Fill in the value that is marked # TODO') });
    expect(one.why).toContain('remove the mark, then');
    expect(step({ todo: [todo, todo] }).why).toMatch(/the 2 values .* remove the marks, then/);
  });

  it('is to set up credentials, when only these are missing', () => {
    expect(step({ missing: ['A'] })).toEqual({
      command: 'pilotfish init --setup',
      why: 'It asks for A, checks it, and offers to store it for CI.',
    });
    expect(step({ missing: ['A', 'B', 'C'] }).why).toBe('It asks for A, B and C, checks each, and offers to store them for CI.');
  });

  it('is a plan once nothing is missing, with a command that works before the first pull request', () => {
    expect(step({})).toEqual({ command: 'pilotfish plan', why: expect.stringContaining('`pilotfish plan --pr 1` shows') });
  });

  it('names the environment if previews have another name, and no pull request if there is only production', () => {
    expect(step({ environments: ['production', 'staging'] })).toEqual({
      command: 'pilotfish plan --env staging',
      why: expect.stringContaining('`pilotfish plan --env staging --pr 1` shows'),
    });
    expect(step({ environments: ['production'] })).toEqual({
      command: 'pilotfish plan --env production',
      why: expect.stringContaining('`pilotfish plan --env production` shows what apply would do in production'),
    });
  });

  it('is to remove the # if every line is a comment', () => {
    const comments = 'version: 1\n\nchanges:\n  # Why.\n  # - id: a\n  #   recipe: stripe.coupon\n';
    expect(step({ text: comments })).toEqual({ command: null, why: expect.stringMatching(/^Every line of the plan is a comment/) });
    expect(step({ text: `${comments}\n  - id: b\n` }).command).toBe('pilotfish plan');
    expect(step({ text: comments, detected: { ...none, template: '/r/package.json' } }).why).toContain('This repository is a template');
  });

  it('is never a plan without a line: it says what is missing and what to do', () => {
    const empty = (detected: Partial<NextFacts['detected']> = {}) =>
      step({ text: 'version: 1\n\nchanges: []\n', detected: { ...none, ...detected } });
    expect(empty()).toEqual({
      command: null,
      why: expect.stringMatching(/names a service that pilotfish knows\. Write a line under `changes`/),
    });
    expect(empty({ library: '/r/package.json' }).why).toContain('published package');
    expect(empty({ template: '/r/package.json' }).why).toContain('repository that is made from it');
    const service = { name: 'stripe', title: 'Stripe', evidence: [], deployables: [] };
    const found = [{ ...service, lines: [{ id: 'payments', state: 'new' as const }] }];
    expect(step({ text: 'changes:\n', detected: { ...none, found } }).why).toContain('`pilotfish init --add payments` adds one');
    const unsupported = [{ ...service, why: '', ask: '' }];
    expect(step({ text: 'changes: [] # none\n', detected: { ...none, unsupported } }).why).toContain('of which a preview can have its own');
  });

  it('is a plan for an unreadable file, because `plan` says what is wrong', () => {
    for (const other of ['', 'changes: [\n']) expect(step({ text: other }).command).toBe('pilotfish plan');
  });
});
