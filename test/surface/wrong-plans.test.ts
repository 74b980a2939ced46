import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Failure, Failures } from '../../src/core/errors.ts';
import { openShop, type Shop } from '../lifecycle/shop.ts';
import { sound, wrongPlans } from './wrong-plans.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop(sound);
  Reflect.set(shop.env, 'HOOK', 'a-secret-of-the-hook');
});
afterAll(() => shop.close());

async function mistakesOf(plan: string): Promise<readonly Failure[]> {
  await shop.write(plan);
  return await shop.plan().then(
    () => [],
    (thrown: unknown) => {
      if (thrown instanceof Failures) return thrown.failures;
      throw thrown;
    },
  );
}

describe('a plan with one mistake', () => {
  it('is not one without', async () => {
    expect(await mistakesOf(sound)).toEqual([]);
  });

  it.each(wrongPlans)('$mistake: one error at its place, which names the right word, and whose fix works', async (of) => {
    const plan = sound.replace(of.text, () => of.wrong);
    const mistakes = await mistakesOf(plan);
    const [first] = mistakes;
    expect(mistakes.map(({ code, detail }) => `${code} ${detail}`)).toHaveLength(1);
    expect(first?.code).toBe(of.code);
    const { line = 0, column = 0 } = first?.place ?? {};
    expect(
      plan
        .split('\n')
        [line - 1]?.slice(column - 1)
        .slice(0, of.at.length),
    ).toBe(of.at);
    for (const name of of.names) expect(`${first?.detail} ${first?.fix}`).toContain(name);
    expect(await mistakesOf(sound.replace(of.text, () => of.mended))).toEqual([]);
  });
});
