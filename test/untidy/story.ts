import { expect, onTestFinished } from 'vitest';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';
import { type Manners, shelf, type Thing } from './shelf.ts';
import { shelfWires } from './wires/shelf.ts';
import type { WireName } from './wires/translate.ts';

/** What the plan declares: texts, lists and numbers that providers are known to keep otherwise. */
export const fields: Thing = {
  url: 'https://Hooks.Example.com:443/PR-12/',
  host: 'PR-12.Example.com.',
  at: '2026-11-25T10:00:00.000+01:00',
  config: '{ "b": 1, "a": [1, 2] }',
  events: ['push', 'delete', 'create'],
  ratio: 1,
  isOn: true,
  isOff: false,
  note: '',
  tags: [],
  only: ['one'],
  labels: { team: 'web', note: '' },
  text: '  one\r\ntwo ',
  ttl: 5,
};

export type ShapeName = 'list' | 'list and path' | 'chosen id' | 'chosen id in a list' | 'fixed';

const path = '/things/{id}';
const page = { kind: 'page', param: 'page', size: 100 };
const inList = (match: Thing) => ({ find: { path: '/things', query: { size: '100' }, list_path: '/things', match, page } });

/** Lines of the adapter http for one thing, each found in another way. */
export const shapes: { readonly [name in ShapeName]: (given: Thing) => Thing } = {
  list: ({ url }) => ({ ...inList({ url }), create: { path: '/things' }, update: { path } }),
  'list and path': ({ url }) => ({ ...inList({ url }), read: { path }, create: { path: '/things' }, update: { path } }),
  'chosen id': () => ({ chosen_id: 'Shop-PR-12', read: { path }, create: { path, method: 'PUT' }, update: { path } }),
  'chosen id in a list': () => ({
    chosen_id: 'Shop-PR-12',
    ...inList({ id: 'Shop-PR-12' }),
    create: { path, method: 'PUT' },
    update: { path },
  }),
  fixed: ({ url }) => ({ ...inList({ url }), create: { path: '/things' }, immutable: Object.keys(fields) }),
};

export interface World {
  readonly manners: Manners;
  readonly shape: ShapeName;
  readonly settle?: number;
  readonly line?: Thing;
  readonly given?: Thing;
  /** How requests and answers are written. JSON when left out. */
  readonly wire?: WireName;
}

export async function openShelf({ manners, shape, settle, line = {}, given = fields, wire = 'json' }: World) {
  const clock = new LeapingClock();
  const provider = shelf(manners, { clock });
  const { api, line: said, put } = shelfWires[wire];
  put(provider);
  const planOf = (declared: Thing): string =>
    JSON.stringify({
      version: 1,
      providers: { http: { shelf: { base_url: 'https://shelf.example', auth: { bearer_env: 'SHELF_TOKEN' }, ...api } } },
      changes: [
        {
          ...{ id: 'thing', adapter: 'http', op: 'resource', api: 'shelf' },
          ...said({ ...shapes[shape](declared), delete: { path }, fields: declared, ...(settle !== undefined && { settle }), ...line }),
        },
      ],
    });
  const stage = await openStage({ simulations: [provider], clock, env: { SHELF_TOKEN: provider.tokens.full }, plan: planOf(given) });
  onTestFinished(() => stage.close());
  const { world } = provider;
  const others = ['https://hooks.example.com/pr-11', 'https://hooks.example.com/pr-13'].map((url) => world.add({ ...given, url }));
  const ours = (): readonly Thing[] => world.things().filter(({ id }) => !others.includes(String(id)));
  return { ...stage, provider, world, others, ours, clock, rewrite: (declared: Thing) => stage.write(planOf(declared)) };
}

/** The run, and how many writes it sent. */
export async function counted<T>({ provider }: Awaited<ReturnType<typeof openShelf>>, run: () => Promise<T>) {
  const before = provider.writes().length;
  const doc = await run();
  return { doc, writes: provider.writes().length - before };
}

/** Apply, apply, plan, an outside change, apply, apply, destroy: made once, written when needed alone, and nothing of it left. */
export async function tellStory(world: World): Promise<void> {
  const place = await openShelf(world);
  const first = await place.apply();
  expect(first, 'the first apply').toMatchObject({ ok: true });
  const again = await counted(place, () => place.apply());
  expect([again.doc.ok, again.writes, place.world.made()], 'the second apply').toEqual([true, 0, 1]);
  const planned = await place.plan();
  expect(
    planned.lines.map(({ verdict }) => verdict),
    'the plan',
  ).toEqual(['none']);
  const [thing] = place.ours();
  place.world.edit(String(thing?.id), { events: ['changed by a person'] });
  const mended = await place.apply();
  expect(mended, 'the apply after an outside change').toMatchObject({ ok: true });
  const last = await counted(place, () => place.apply());
  expect([last.doc.ok, last.writes], 'the apply after that').toEqual([true, 0]);
  expect(place.ours(), 'what stands of ours').toHaveLength(1);
  if (world.shape !== 'fixed') expect(place.world.made(), 'how many were made').toBe(1);
  expect(await place.destroy(), 'the destroy').toMatchObject({ ok: true });
  expect(place.ours(), 'what destroy leaves').toEqual([]);
  expect(place.world.things(), 'what is not ours').toHaveLength(place.others.length);
}

/**
 * The same with `drift: report`: whatever form the provider gives its values, none is told as drift and none is written again; what a person
 * changes is told, and stays.
 */
export async function tellReport(world: World): Promise<void> {
  const place = await openShelf({ ...world, line: { ...world.line, drift: 'report' } });
  expect(await place.apply(), 'the first apply').toMatchObject({ ok: true });
  for (const what of ['the second apply', 'the third apply']) {
    const again = await counted(place, () => place.apply());
    expect([again.doc.ok, again.doc.lines[0]?.drift, again.writes, place.world.made()], what).toEqual([true, 'none', 0, 1]);
  }
  const [thing] = place.ours();
  place.world.edit(String(thing?.id), { events: ['changed by a person'] });
  const told = await counted(place, () => place.apply());
  expect([told.doc.ok, told.doc.lines[0], told.writes], 'the apply after an outside change').toMatchObject([
    true,
    { verdict: 'none', drift: 'changed', driftLeft: true, changes: [{ field: 'events', left: true }] },
    0,
  ]);
  const { keeps = (kept: Thing) => kept } = world.manners;
  const form = (kept: Thing): string => JSON.stringify(keeps(kept, null));
  // Where the form of a form is another one, a write of one field changes the others.
  if (form(keeps(fields, null)) === form(fields)) {
    await place.rewrite({ ...(world.given ?? fields), ttl: 6 });
    expect(await place.apply(), 'the apply of another plan').toMatchObject({ ok: true });
    expect(place.ours(), 'what a person made').toMatchObject([keeps({ events: ['changed by a person'] }, null)]);
    const last = await counted(place, () => place.apply());
    expect([last.doc.lines[0]?.changes.map(({ field }) => field), last.writes], 'the last apply').toEqual([['events'], 0]);
  }
  expect(await place.destroy(), 'the destroy').toMatchObject({ ok: true });
  expect(place.ours(), 'what destroy leaves').toEqual([]);
}
