import { expect, onTestFinished, test } from 'vitest';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';
import { shelf, type Thing } from './shelf.ts';

const path = '/things/{id}';
const made = { create: { path, method: 'PUT' }, update: { path }, delete: { path } };

/** A thing under a chosen name, an entry of one of its lists, and a thing beside it that comes after it. */
const lines = (name: object): readonly Thing[] => [
  { id: 'thing', op: 'resource', chosen_id: 'pr-12', read: { path }, ...made, fields: { note: 'of pr-12' }, created_at: '/made' },
  {
    id: 'entry',
    op: 'list_item',
    parent: { path: '/things/{thing}', method: 'PATCH' },
    with: { thing: name },
    list_path: '/tags',
    item: 'web',
    depends_on: ['thing'],
  },
  { id: 'beside', op: 'resource', chosen_id: 'beside', read: { path }, ...made, fields: { note: name }, depends_on: ['thing'] },
];

async function openShelf(name: object | string) {
  const clock = new LeapingClock();
  const provider = shelf({ dates: (_, { born }) => born }, { clock });
  const stage = await openStage({
    simulations: [provider],
    clock,
    env: { SHELF_TOKEN: provider.tokens.full },
    plan: JSON.stringify({
      version: 1,
      providers: { http: { shelf: { base_url: 'https://shelf.example', auth: { bearer_env: 'SHELF_TOKEN' } } } },
      changes: lines(name as object).map((line) => ({ ...line, adapter: 'http', api: 'shelf' })),
    }),
  });
  onTestFinished(() => stage.close());
  const named = (id: string): Thing | undefined => provider.world.things().find((one) => one.id === id);
  return { ...stage, clock, world: provider.world, named };
}

test.each([['pr-12'], [{ from: 'thing.id' }]])(
  'untidy: an entry of ours went with its thing, and is not taken out of another thing of that name, which is %j',
  async (name) => {
    const place = await openShelf(name);
    expect(await place.apply()).toMatchObject({ ok: true });
    expect(place.named('pr-12')).toMatchObject({ tags: ['web'] });
    place.world.remove('pr-12');
    await place.clock.sleep(60_000);
    place.world.add({ note: 'theirs', tags: ['web', 'shop'] }, 'pr-12');
    const theirs = place.named('pr-12');
    const applied = await place.apply();
    expect(applied).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
    expect(place.named('pr-12')).toEqual(theirs);
    const seen = place.watch();
    const { ok, warnings } = await place.destroy();
    expect([ok, [...warnings].sort()]).toEqual([
      true,
      [
        'entry: it went with pr-12, so nothing was sent for it.',
        expect.stringContaining(
          'thing: the object that is now called pr-12 is not the one that this scope made: it was made at 2026-11-21',
        ),
      ],
    ]);
    // What stands beside the thing is ours all the same.
    expect(seen.writes().map((one) => `${one.method} ${one.path}`)).toEqual(['DELETE /things/beside']);
    expect([place.named('pr-12'), place.named('beside')]).toEqual([theirs, undefined]);
    expect((await place.ledger()).records.size).toBe(0);
  },
);

test('untidy: an entry goes before its thing, and one look at the thing serves all that stands in it', async () => {
  const place = await openShelf({ from: 'thing.id' });
  await place.apply();
  const seen = place.watch();
  expect(await place.destroy()).toMatchObject({ ok: true, warnings: [] });
  expect(seen.writes().map((one) => `${one.method} ${one.path}`)).toEqual(
    expect.arrayContaining(['PATCH /things/pr-12', 'DELETE /things/beside', 'DELETE /things/pr-12']),
  );
  expect(place.world.things()).toEqual([]);
});
