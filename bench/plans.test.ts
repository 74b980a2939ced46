import { describe, expect, it } from 'vitest';
import { readText } from '../test/support/read-plan.ts';
import { cases } from './cases.ts';
import { planOf } from './plans.ts';
import { sizeOf } from './wish.ts';

const base = 'http://127.0.0.1:4400';
const small = cases.filter(({ wanted }) => sizeOf(wanted) <= 1000);

describe('the plans of the measurements', () => {
  it.each(small.map((one) => [one.name, one] as const))('the plan of %s is a line for each that is wanted, without a problem', (_, one) => {
    const { plan, problems } = readText(planOf(one, base));
    expect(problems).toEqual([]);
    expect(plan.lines).toHaveLength(sizeOf(one.wanted));
  });

  it('a chain has a line that needs each but the last one', () => {
    const chain = cases.find(({ name }) => name === 'chain-10');
    expect(chain && planOf(chain, base).match(/from: widget-\d+\.id/g)).toHaveLength(9);
  });

  it('a diamond of 100 has 98 that need the top, and one that needs them', () => {
    const diamond = cases.find(({ name }) => name === 'diamond-100');
    const needs = diamond?.wanted.shape === 'objects' ? diamond.wanted.objects.map((wish) => wish.needs) : [];
    expect(needs.filter((each) => each.join() === 'widget-00000')).toHaveLength(98);
    expect(needs.at(-1)).toHaveLength(98);
  });

  it('says the concurrency only where a case has one', () => {
    expect(cases.filter((one) => planOf(one, base).includes('concurrency:')).map(({ name }) => name)).toEqual(['200-at-64']);
  });
});
