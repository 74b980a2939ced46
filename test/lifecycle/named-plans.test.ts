import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Failure } from '../../src/core/errors.ts';
import { lines, openShop, planOf } from './shop.ts';

const named = (name: string, ...changes: readonly string[]): string => `name: ${name}\n${planOf(...changes)}`;

async function open(plan: string) {
  const shop = await openShop(plan);
  onTestFinished(() => shop.close());
  return shop;
}

it('a named plan sees its own ledger alone, so another plan of the scope keeps what it made', async () => {
  const shop = await open(named('web', lines.dns));
  await shop.apply();
  await shop.write(named('api', lines.payments));
  await shop.apply();
  await shop.write(named('web', lines.dns));
  expect((await shop.destroy()).status).toBe('complete');
  expect([shop.records().length, shop.endpoints().length]).toEqual([0, 1]);
});

it('a named plan is destroyed without its file', async () => {
  const shop = await open(named('web', lines.dns));
  await shop.apply();
  await rm(join(shop.folder, 'release.plan.yaml'));
  expect((await shop.destroy()).status).toBe('complete');
  expect(shop.records()).toHaveLength(0);
});

it('a plan whose lines are broken still says which of two ledgers a destroy is of', async () => {
  const shop = await open(named('web', lines.dns));
  await shop.apply();
  await shop.write(named('api', lines.payments));
  await shop.apply();
  await shop.write('name: web\nchanges:\n  - id: "zone\n');
  expect((await shop.destroy()).status).toBe('complete');
  expect([shop.records().length, shop.endpoints().length]).toEqual([0, 1]);
});

it('without a plan file a scope with the ledgers of two plans is refused, and nothing is removed', async () => {
  const shop = await open(named('web', lines.dns));
  await shop.apply();
  await shop.write(named('api', lines.payments));
  await shop.apply();
  await rm(join(shop.folder, 'release.plan.yaml'));
  await expect(shop.destroy()).rejects.toSatisfy(
    (failure: Failure) => failure.code === 'USAGE' && /api, web|web, api/.test(failure.detail),
  );
  expect([shop.records().length, shop.endpoints().length]).toEqual([1, 1]);
});
