import { describe, expect, it } from 'vitest';
import { evaluate, fillIn, holds } from './expression.ts';

const labels = [{ name: 'Preview' }, { name: 'bug' }];
const contexts = {
  github: { event_name: 'pull_request', event: { action: 'closed', pull_request: { draft: false, number: 12, labels } } },
  secrets: { KEY: 'value' },
};

describe('an expression of a workflow', () => {
  it.each([
    ["github.event_name == 'PULL_REQUEST'", true],
    ["github.event_name != 'push' && github.event.action == 'closed'", true],
    ["github.event.action == 'closed' && 'destroy' || 'apply'", 'destroy'],
    ["github.event.action == 'opened' && 'destroy' || 'apply'", 'apply'],
    ['github.event.deployment.sha || github.event_name', 'pull_request'],
    ['github.event.pull_request.number == 12', true],
    ["github.event.pull_request.number == '12'", true],
    ['github.event.pull_request.number > 11', true],
    ['!github.event.pull_request.draft', true],
    ["!(github.event_name == 'push')", true],
    ["contains(github.event.pull_request.labels.*.name, 'preview')", true],
    ["contains(github.event.pull_request.labels.*.name, 'view')", false],
    ["contains('abc', 'B')", true],
    ["startsWith(github.event_name, 'pull_')", true],
    ["format('{0}-{1}', 'a', github.event.pull_request.number)", 'a-12'],
    ["github['event']['action']", 'closed'],
    ["'it''s'", "it's"],
    ['github.event.nothing.at.all', null],
  ])('%s is %j', (expression, value) => {
    expect(evaluate(expression, contexts)).toEqual(value);
  });

  it('fills in a text, and reads an `if:` with or without its braces', () => {
    expect(fillIn('${{ secrets.KEY }}-${{ secrets.NONE }}x', contexts)).toBe('value-x');
    expect(holds('${{ always() }}', contexts)).toBe(true);
    expect(holds("github.event_name == 'push'", contexts)).toBe(false);
  });

  it.each(["github.event_name = 'push'", 'steps.one.outputs.x', 'hashFiles("x")', 'unknown(1)', "github.event_name 'push'"])(
    'refuses %s, which would be misread',
    (expression) => {
      expect(() => evaluate(expression, contexts)).toThrow();
    },
  );
});
