import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Examined, examine } from './examine.ts';
import { fixturePlaces, readAllExpectations } from './places.ts';
import { reportOf, textOf } from './report.ts';

/** Every so many fixtures, one has its plan planned and applied here. `npm run detect` does it with all. */
const share = 9;

it('init says about repositories of real shape what a person says who knows them', { timeout: 120_000 }, async () => {
  const examined: Examined[] = [];
  for (const [i, place] of (await fixturePlaces()).entries()) examined.push(await examine(place, { runs: i % share === 0 }));
  const report = reportOf(examined);
  expect(report.holds, textOf(report)).toBe(true);
  expect(examined.length).toBeGreaterThanOrEqual(80);
});

it('what persons said about public applications can be read', async () => {
  const all = await readAllExpectations(join(import.meta.dirname, '..', 'public'));
  expect(all.length).toBeGreaterThanOrEqual(90);
  expect(all.flatMap(({ services }) => services).length).toBeGreaterThan(600);
});
