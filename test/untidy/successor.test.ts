import { describe, expect, test } from 'vitest';
import type { LedgerRecord } from '../../src/ledger/model/facts.ts';
import { fieldName } from '../../src/remote/live.ts';
import type { Manners, Thing } from './shelf.ts';
import { counted, fields, openShelf, type ShapeName, type World } from './story.ts';

const id = 'Shop-PR-12';
const path = '/things/{id}';
const dated = { created_at: '/made' };
const iso = (ms: number): string => new Date(ms).toISOString();
const seconds = (ms: number): number => Math.floor(ms / 1000);
const minute = 60_000;
const week = 7 * 24 * 60 * minute;
/** An hour ahead of UTC, as the clocks of the provider's country show it. */
const local = (ms: number): string => iso(ms + 60 * minute).replace('Z', '');

type Place = Awaited<ReturnType<typeof openShelf>>;

const open = (o: Partial<World> = {}): Promise<Place> =>
  openShelf({ shape: 'chosen id', ...o, manners: { dates: (_, { born }) => iso(born), ...o.manners }, line: { ...dated, ...o.line } });

/** Somebody deletes the thing of ours, and later somebody makes another one of its name. */
async function succeed({ world, clock }: Place, after = minute, name = id): Promise<Thing> {
  world.remove(name);
  await clock.sleep(after);
  world.add({ ...fields, url: 'https://hooks.example.com/theirs' }, name);
  return theirsIn(world.things(), name);
}

function theirsIn(things: readonly Thing[], name = id): Thing {
  const found = things.find((one) => one.id === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
}

async function recorded(place: Place): Promise<LedgerRecord | undefined> {
  const [record] = (await place.ledger()).records.values();
  return record;
}

/** No run writes to it, and a destroy forgets ours. */
async function isLeft(place: Place, theirs: Thing, run = place.destroy): Promise<void> {
  const { doc, writes } = await counted(place, () => run());
  expect(doc).toMatchObject({ ok: true, warnings: [expect.stringContaining(`${String(theirs.id)} is not the one that this scope made`)] });
  expect([writes, theirsIn(place.world.things(), String(theirs.id))]).toEqual([0, theirs]);
  expect((await place.ledger()).records.size).toBe(0);
}

async function isRefused(place: Place, theirs: Thing): Promise<void> {
  const { doc, writes } = await counted(place, () => place.apply());
  expect(doc).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
  expect([writes, theirsIn(place.world.things())]).toEqual([0, theirs]);
}

/** How providers show one moment in their answers. */
const spellings: { readonly [name: string]: NonNullable<Manners['dates']> } = {
  'the same everywhere': (_, { born }) => iso(born),
  'milliseconds after a create, and seconds later': (request, { born }) => (request === 'create' ? born : seconds(born)),
  'a text of a number': (_, { born }) => String(seconds(born)),
  'in another zone by a read': (request, { born }) => (request === 'create' ? iso(born) : `${iso(born + 60 * minute).slice(0, -1)}+01:00`),
  'without a zone': (_, { born }) => local(born),
  'without a zone by a read': (request, { born }) => (request === 'create' ? iso(born) : local(born)),
  'as a mail does': (request, { born }) => (request === 'create' ? iso(born) : new Date(born).toUTCString()),
  'a second up by a read': (request, { born }) => (request === 'create' ? iso(born) : iso(born + 999)),
  'the day alone by a read': (request, { born }) => (request === 'create' ? iso(born) : iso(born).slice(0, 10)),
};

describe.each(Object.entries(spellings))('untidy: when a thing was made, shown %s', (_, dates) => {
  const shapes: readonly ShapeName[] = ['chosen id', 'chosen id in a list'];
  test.each(shapes)('%s: ours stays ours through a change, and goes with the scope', async (shape) => {
    const place = await open({ shape, manners: { dates } });
    expect(await place.apply()).toMatchObject({ ok: true });
    expect((await recorded(place))?.birth?.at).toEqual(expect.any(String));
    place.world.edit(id, { events: ['changed by a person'] });
    expect(await place.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
    expect(await counted(place, () => place.apply())).toMatchObject({ doc: { ok: true }, writes: 0 });
    expect(await place.destroy()).toMatchObject({ ok: true, warnings: [] });
    expect(place.ours()).toEqual([]);
  });

  test.each(shapes)('%s: another one of its name is refused, and left', async (shape) => {
    const place = await open({ shape, manners: { dates } });
    await place.apply();
    const theirs = await succeed(place, week);
    await isRefused(place, theirs);
    await isLeft(place, theirs);
  });
});
