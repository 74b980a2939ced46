import { describe, expect, it } from 'vitest';
import { nextStep } from './next-step.ts';

const text = 'version: 1\n\nchanges:\n  - id: a\n    recipe: stripe.coupon\n';
const todo = { path: 'changes[0].project', hint: 'the project', file: '/p', line: 4 };
const step = (given: Partial<Parameters<typeof nextStep>[0]>) =>
  nextStep({ text, todo: [], missing: [], environments: ['preview', 'production'], ...given });

describe('the next step', () => {
  it('is to fill in what is marked, before anything else', () => {
    const one = step({ todo: [todo], missing: ['A'] });
    expect(one).toEqual({ command: null, why: expect.stringContaining('Fill in the value that is marked # TODO') });
    expect(one.why).toContain('remove the mark, then');
    expect(step({ todo: [todo, todo] }).why).toMatch(/the 2 values .* remove the marks, then/);
  });

  it('is to set up credentials, when nothing but these is missing', () => {
    expect(step({ missing: ['A'] })).toEqual({
      command: 'pilotfish init --setup',
      why: 'It asks for A, checks it, and offers to store it for CI.',
    });
    expect(step({ missing: ['A', 'B', 'C'] }).why).toBe('It asks for A, B and C, checks each, and offers to store them for CI.');
  });

  it('is a plan once nothing is missing, with a command that works where there is no pull request yet', () => {
    expect(step({})).toEqual({ command: 'pilotfish plan', why: expect.stringContaining('`pilotfish plan --pr 1` shows') });
  });

  it('names the environment where previews have another name, and no pull request where there is only production', () => {
    expect(step({ environments: ['production', 'staging'] })).toEqual({
      command: 'pilotfish plan --env staging',
      why: expect.stringContaining('`pilotfish plan --env staging --pr 1` shows'),
    });
    expect(step({ environments: ['production'] })).toEqual({
      command: 'pilotfish plan --env production',
      why: expect.stringContaining('`pilotfish plan --env production` shows what apply would do in production'),
    });
  });

  it('is to take the # away where every line stands as a comment', () => {
    const comments = 'version: 1\n\nchanges:\n  # Why.\n  # - id: a\n  #   recipe: stripe.coupon\n';
    expect(step({ text: comments })).toEqual({ command: null, why: expect.stringMatching(/^Every line of the plan .* as a comment/) });
    expect(step({ text: `${comments}\n  - id: b\n` }).command).toBe('pilotfish plan');
    expect(step({ text: comments.replace('changes:', 'changes: []') }).command).toBe('pilotfish plan');
  });

  it('of a plan that a person emptied, or that cannot be read, is a plan, which says what is wrong', () => {
    for (const other of ['', 'changes: []\n', 'changes: [\n']) expect(step({ text: other }).command).toBe('pilotfish plan');
  });
});
