import { describe, expect, test } from 'vitest';
import type { LedgerRecord } from '../../src/ledger/model/facts.ts';
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

const isOfSuccessor = (warning: string): boolean => warning.includes('is not the one that this scope made');

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

describe('untidy: another thing of a name that was ours', () => {
  const silent: NonNullable<Manners['dates']> = (request, { born }) => (request === 'list' ? undefined : iso(born));

  test('is left where the list shows no time and the thing alone does', async () => {
    const place = await open({ shape: 'chosen id in a list', manners: { dates: silent }, line: { read: { path } } });
    await place.apply();
    const theirs = await succeed(place);
    await isRefused(place, theirs);
    await isLeft(place, theirs);
  });

  test('is told by an id of the provider, whatever its times are', async () => {
    const place = await open({
      manners: { dates: (request, { born }) => ({ uid: `u-${born}`, at: request === 'create' ? iso(born) : 'a while ago' }) },
      line: { created_at: '/made/at', uid_path: '/made/uid' },
    });
    await place.apply();
    expect((await recorded(place))?.birth).toEqual({ uid: expect.stringMatching(/^u-/), at: expect.any(String) });
    expect(await counted(place, () => place.apply())).toMatchObject({ doc: { ok: true }, writes: 0 });
    const theirs = await succeed(place);
    await isRefused(place, theirs);
    await isLeft(place, theirs);
  });

  test('is left by a prune once the line has left the plan', async () => {
    const place = await open();
    await place.apply();
    const theirs = await succeed(place);
    await place.write('version: 1\nchanges: []\n');
    await isLeft(place, theirs, () => place.apply({ prune: true }));
  });

  test('is left by a destroy without a plan, by one read, and that read is the only one that a destroy of ours needs', async () => {
    const place = await open();
    await place.apply();
    const ours = place.watch();
    await place.destroy();
    expect(ours.all().map(({ method }) => method)).toEqual(['GET', 'DELETE']);
    await place.apply();
    const theirs = await succeed(place);
    await place.write('changes: [');
    const seen = place.watch();
    await isLeft(place, theirs);
    expect(seen.all().map(({ method }) => method)).toEqual(['GET']);
  });

  test('costs no read where the provider gives the id', async () => {
    const place = await open({ shape: 'list' });
    await place.apply();
    expect(await recorded(place)).not.toHaveProperty('birth');
    const seen = place.watch();
    await place.destroy();
    expect(seen.all().map(({ method }) => method)).toEqual(['DELETE']);
  });

  test('is not written by a line that leaves what others change', async () => {
    const place = await open({ line: { drift: 'report' } });
    await place.apply();
    const theirs = await succeed(place);
    expect(await counted(place, () => place.apply())).toMatchObject({
      doc: { ok: true, lines: [{ verdict: 'none', drift: 'missing' }] },
      writes: 0,
    });
    await isLeft(place, theirs);
  });

  test('is not taken back as one that a destroy let stay', async () => {
    const place = await open({ line: { destroy: 'keep' } });
    await place.apply();
    await place.destroy();
    expect(await place.plan()).toMatchObject({ lines: [{ verdict: 'claim' }] });
    await isRefused(place, await succeed(place));
  });

  test('is not claimed where somebody was faster than the create that puts ours back', async () => {
    const place = await open();
    await place.apply();
    place.world.remove(id);
    await place.clock.sleep(minute);
    let theirs: Thing | undefined;
    place.provider.watch(({ phase, method }) => {
      if (phase !== 'before' || method !== 'PUT' || theirs) return;
      place.world.add(fields, id);
      theirs = theirsIn(place.world.things());
    });
    expect(await place.apply()).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
    if (!theirs) throw new Error('nobody was faster');
    await isLeft(place, theirs);
  });

  test('is left where a run had begun to delete ours', async () => {
    const until_gone = { path, seconds: 5 };
    const place = await open({ line: { delete: { path, until_gone } } });
    await place.apply();
    place.provider.faults.dropWrite('DELETE /things/{id}');
    expect(await place.destroy()).toMatchObject({ ok: false });
    expect(await recorded(place)).toMatchObject({ removing: true });
    const theirs = await succeed(place);
    await isRefused(place, theirs);
    await isLeft(place, theirs);
  });

  test('is left where a delete of ours was accepted and not yet seen done', async () => {
    const place = await open();
    await place.apply();
    place.provider.faults.once('DELETE /things/{id}', 202, {});
    await place.destroy();
    const theirs = await succeed(place);
    await isRefused(place, theirs);
    expect(await counted(place, () => place.destroy())).toMatchObject({ doc: { ok: true }, writes: 0 });
    expect(theirsIn(place.world.things())).toEqual(theirs);
  });

  test('is left when its line moved to another name', async () => {
    const moved = (name: string): string =>
      JSON.stringify({
        version: 1,
        providers: { http: { shelf: { base_url: 'https://shelf.example', auth: { bearer_env: 'SHELF_TOKEN' } } } },
        changes: [
          {
            ...{ id: 'name', adapter: 'http', op: 'resource', api: 'shelf', chosen_id: 'of-the-name', read: { path } },
            ...{ create: { path, method: 'PUT' }, update: { path }, delete: { path }, fields: { name }, outputs: { name: '/name' } },
          },
          {
            ...{ id: 'thing', adapter: 'http', op: 'resource', api: 'shelf', chosen_id: { from: 'name.name' }, read: { path } },
            ...{ create: { path, method: 'PUT' }, update: { path }, delete: { path }, fields: { text: 'one' }, ...dated },
          },
        ],
      });
    const place = await open();
    await place.write(moved('one'));
    expect(await place.apply()).toMatchObject({ ok: true });
    const theirs = await succeed(place, minute, 'one');
    await place.write(moved('two'));
    const { ok, warnings } = await place.apply();
    expect([ok, warnings.filter(isOfSuccessor)]).toEqual([true, [expect.stringContaining('called one is not')]]);
    expect(place.world.things()).toEqual(expect.arrayContaining([theirs, expect.objectContaining({ id: 'two' })]));
    expect([...(await place.ledger()).records.values()].map(({ objectId }) => objectId).sort()).toEqual(['of-the-name', 'two']);
  });
});

describe('untidy: ours, made anew by us', () => {
  const fixed = { immutable: ['text'] };

  test('with another fixed field it is another one of ours, and goes with the scope', async () => {
    const place = await open({ line: fixed });
    await place.apply();
    const before = await recorded(place);
    await place.clock.sleep(minute);
    await place.rewrite({ ...fields, text: 'two' });
    expect(await place.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'replace' }] });
    expect((await recorded(place))?.birth).not.toEqual(before?.birth);
    expect(await place.destroy()).toMatchObject({ ok: true, warnings: [] });
    expect(place.ours()).toEqual([]);
  });

  test.each(['apply', 'destroy'] as const)('by a run that died before it recorded that, it is still ours to the next %s', async (next) => {
    const place = await open({ line: fixed });
    await place.apply();
    await place.clock.sleep(minute);
    await place.rewrite({ ...fields, text: 'two' });
    const lost = place.provider.faults.loseAnswer('PUT /things/{id}');
    place.provider.watch(({ phase, method }) => {
      if (phase === 'after' && method === 'PUT') place.provider.faults.times(50, 'GET /things/{id}', 503, {});
    });
    expect(await place.apply()).toMatchObject({ ok: false });
    expect([lost.hits, (await place.ledger()).intents.size, place.ours().length]).toEqual([1, 1, 1]);
    place.provider.faults.clear();
    const { ok, warnings } = await place[next]();
    expect([ok, warnings.filter(isOfSuccessor)]).toEqual([true, []]);
    if (next === 'apply') expect(await place.destroy()).toMatchObject({ ok: true, warnings: [] });
    expect(place.ours()).toEqual([]);
  });
});

describe('untidy: a time that tells nothing', () => {
  test('that a provider tells only later is recorded with the next change of the record, and no commit is made for it', async () => {
    const place = await open({ manners: { dates: (request, { born }) => (request === 'create' ? undefined : iso(born)) } });
    await place.apply();
    const first = await recorded(place);
    expect(first).not.toHaveProperty('birth');
    await place.apply();
    expect(await recorded(place)).toEqual(first);
    await place.rewrite({ ...fields, ttl: 6 });
    await place.apply();
    expect((await recorded(place))?.birth?.at).toEqual(expect.any(String));
    const theirs = await succeed(place);
    await isRefused(place, theirs);
    await isLeft(place, theirs);
  });

  const moving: NonNullable<Manners['dates']> = (_, { born, changed }) => iso(Math.max(born, changed));
  const change = async (place: Place, ttl: number): Promise<void> => {
    await place.clock.sleep(minute);
    await place.rewrite({ ...fields, ttl });
    expect(await place.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
  };

  test.each([
    ['and the line says so', { created_at_moves: true }, undefined],
    ['and an update of ours shows that', {}, null],
  ])("because each write moves it, %s, makes nothing somebody else's", async (_, line, birth) => {
    const place = await open({ manners: { dates: moving }, line });
    await place.apply();
    await change(place, 6);
    expect((await recorded(place))?.birth).toBe(birth);
    await change(place, 7);
    expect((await recorded(place))?.birth).toBe(birth);
    expect(await counted(place, () => place.apply())).toMatchObject({ doc: { ok: true }, writes: 0 });
    expect(await place.destroy()).toMatchObject({ ok: true, warnings: [] });
    expect(place.ours()).toEqual([]);
  });

  test.each(['soon', '', null, {}])('because it is %j, leaves everything as it was without one', async (made) => {
    const place = await open({ manners: { dates: () => made } });
    expect(await place.apply()).toMatchObject({ ok: true });
    expect(await recorded(place)).not.toHaveProperty('birth');
    expect(await counted(place, () => place.apply())).toMatchObject({ doc: { ok: true }, writes: 0 });
    expect(await place.destroy()).toMatchObject({ ok: true });
    expect(place.ours()).toEqual([]);
  });
});
