import { describe, expect, it } from 'vitest';
import { actionInputs, toolParams } from '../../scripts/docs/inputs.ts';
import { leftOut } from '../../src/action/argv.ts';
import { everybody } from '../../src/action/who.ts';
import { applyParams, destroyParams, planParams } from '../../src/mcp/params.ts';
import { action } from '../action/job-env.ts';

// What each flag does in each mode is held by 01-flags-in-modes.test.ts; this holds that every input is one of those flags there.

describe.each([
  ['input of the action', actionInputs()],
  ['param of the tools', toolParams()],
])('an %s', (_, { columns, rows }) => {
  it('has an effect in each way to run it, or is refused, or the job says that it was left out', () => {
    for (const [name, cells] of rows) {
      expect(cells, name).toHaveLength(columns.length);
      expect(cells, name).not.toContain('ignored');
      expect(cells, name).toContain('yes');
    }
  });
});

it('both tables name every input there is', () => {
  expect([...actionInputs().rows.keys(), 'command', 'closed'].toSorted()).toEqual(Object.keys(action.inputs).toSorted());
  const params = [planParams, applyParams, destroyParams].flatMap(({ shape }) => Object.keys(shape));
  expect([...toolParams().rows.keys(), 'destroy'].toSorted()).toEqual([...new Set(params)].toSorted());
});

it('only a destroy that nobody asked for by name leaves an input out', () => {
  const { rows, columns } = actionInputs();
  for (const [name, cells] of rows) {
    const said = columns.filter((_column, i) => cells[i] === 'said');
    expect(said, name).toEqual(
      ['expect', 'recreate', 'only', 'reconcile', 'put-back', 'prune', 'run', 'run-on'].includes(name) ? ['a closed pull request'] : [],
    );
  }
  const none = {
    env: 'preview',
    scope: null,
    plan: null,
    planFrom: null,
    approvedBy: null,
    waitTimeout: null,
    token: null,
    comment: null,
    trace: null,
  };
  const inputs = {
    ...none,
    command: null,
    recreate: [],
    reconcile: false,
    'put-back': false,
    prune: false,
    only: [],
    expect: null,
    closed: false,
    run: null,
    runOn: 'each' as const,
    expired: false,
    who: everybody,
  };
  expect(leftOut(inputs, 'destroy')).toEqual([]);
});
