import { expect, it } from 'vitest';
import { cross, noLines, patient, preview } from './crossing.ts';
import { cells, without } from './forgeries.ts';
import { told } from './standing.ts';

it('every aim has its forgery in every carrier, or a word why there is none', () => {
  expect(without.filter((one) => !/^[^:]+: [^:]+: \S/.test(one))).toEqual([]);
  expect(new Set([...cells.map(({ name }) => name), ...without]).size).toBe(cells.length + without.length);
});

cross('a destroy without the plan', {
  scope: preview,
  same: ({ isOrphan }) => (isOrphan ? 'no plan is asked, so a line that left it is as all others' : undefined),
  come: async (shop, { asks }, plan) => {
    await shop.write(noLines(plan));
    return await told(shop.destroy({ ...asks, ...patient }));
  },
});

cross('a destroy with the plan', {
  scope: preview,
  come: async (shop, { asks }, plan) => {
    await shop.write(plan);
    return await told(shop.destroy({ ...asks, ...patient }));
  },
});
