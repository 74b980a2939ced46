import { seed } from 'pilotfish-sandbox/all';
import { expect, it } from 'vitest';
import type { RunRequest } from '../../src/engine/types.ts';
import { lines, openShop, planOf } from '../lifecycle/shop.ts';
import { expectSurfaces } from './document-surfaces.ts';

const kept = lines.callback.concat('\n    destroy: keep');
const moved = lines.dns.replace('name: ${ctx.scope}', 'name: new-${ctx.scope}');
const run: Partial<RunRequest> = { prune: true };

/** A scope whose plan then moves `dns`, and loses `payments`, `hook` and the kept `callback`. */
async function lost() {
  const shop = await openShop(planOf(lines.dns, lines.alias, lines.payments, lines.hook, kept));
  await shop.apply();
  await shop.write(planOf(moved, lines.alias));
  return shop;
}

it('a plan that prunes and its apply tell what goes, what is forgotten, and after what', async () => {
  const shop = await lost();
  const planned = await shop.plan(run);
  const text = await expectSurfaces('prune', planned);
  expect(text).toContain('4 orphans to prune once every line stands: 3 remove, 1 forget:');
  const applied = await shop.apply({ ...run, expect: planned.digest });
  expect(await expectSurfaces('prune-apply', applied)).toContain('4 orphans: 3 removed, 1 forgotten:');
  await shop.close();
});

it('an apply that must not prune says so in one sentence, and names the orphans', async () => {
  const shop = await lost();
  shop.world.cloudflare.faults.times(1, `POST /client/v4/zones/${seed.zone.id}/dns_records`, 400, {
    success: false,
    errors: [{ code: 1004, message: 'DNS Validation Error' }],
    messages: [],
    result: null,
  });
  const text = await expectSurfaces('prune-none', await shop.apply(run));
  expect(text).toContain('Nothing was pruned, because a line of the plan failed.');
  expect(text).toContain('4 orphans, not pruned:');
  await shop.close();
});

it('an orphan that cannot be removed fails the run, with its error below it', async () => {
  const shop = await lost();
  const [endpoint] = shop.endpoints();
  shop.world.stripe.faults.times(1, `DELETE /v1/webhook_endpoints/${endpoint?.id}`, 400, { error: { message: 'It is in use.' } });
  const document = await shop.apply(run);
  expect([document.status, document.error?.code]).toEqual(['failed', document.orphans.find(({ error }) => error)?.error?.code]);
  expect(await expectSurfaces('prune-failed', document)).toContain('4 orphans: 2 removed, 1 forgotten, 1 left:');
  expect((await shop.apply(run)).status).toBe('complete');
  expect(shop.endpoints()).toEqual([]);
  await shop.close();
});

it('a destroy of orphans alone says what stays', async () => {
  const shop = await openShop(planOf(lines.dns, lines.alias, lines.payments));
  await shop.apply();
  await shop.write(planOf(lines.dns, lines.alias));
  const narrowed = { destroy: true, orphans: true };
  await expectSurfaces('destroy-orphans', await shop.plan(narrowed), true);
  expect(await expectSurfaces('destroy-orphans-apply', await shop.apply(narrowed), true)).toContain(
    '2 lines stay, because the plan has them',
  );
  expect(await expectSurfaces('destroy-no-orphans', await shop.apply(narrowed), true)).toContain('complete; this scope has no orphan');
  await shop.close();
});
