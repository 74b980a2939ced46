import { describe, expect, test } from 'vitest';
import { isOnly } from '../support/untidy/report.ts';
import { type DrawerWire, openCabinet } from './cabinet-stage.ts';
import type { Drawer, DrawerManners } from './drawer.ts';
import type { Thing } from './shelf.ts';
import { drawerWires } from './wires/drawer.ts';

const address = 'https://PR-12.Example.com:443/Callback/';
const value: Thing = { url: address, isOn: true, tags: ['b', 'a'], note: '', limit: 5 };
const others: Drawer = {
  origins: ['https://example.com', 'https://pr-11.example.com/callback'],
  rules: [{ name: 'Others', url: 'https://example.com', isOn: false }],
  variables: { OTHERS: { url: 'https://example.com' } },
  text: 'https://example.com,https://pr-11.example.com/callback',
};

const parent = { path: '/drawer', method: 'PUT' };
/** Lines of one entry, in each shape that a collection may have. */
const shapes: { readonly [name: string]: Thing } = {
  'a list': { parent, list_path: '/origins', shape: 'array', item: address },
  'a list of maps': { parent, list_path: '/rules', shape: 'array', key_field: 'name', item: 'Rule of PR-12', value },
  'a map': { parent: { ...parent, send: ['variables'] }, list_path: '/variables', shape: 'map', item: 'VARIABLE_OF_PR_12', value },
  'a text': { parent, list_path: '/text', shape: 'delimited', item: address },
};

type Change = (text: string) => string;
const everyText =
  (change: Change) =>
  (node: unknown): unknown => {
    if (typeof node === 'string') return change(node);
    if (Array.isArray(node)) return node.map(everyText(change));
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([name, one]) => [name, everyText(change)(one)]));
  };
const texts =
  (change: Change) =>
  (sent: Drawer): Drawer =>
    everyText(change)(sent) as Drawer;
const inText = (sent: Drawer, change: (entries: string[]) => string[]): string =>
  change(sent.text.split(',').filter((one) => one !== '')).join(',');
const entries =
  (change: <T>(list: readonly T[]) => readonly T[]) =>
  (sent: Drawer): Drawer => ({
    origins: change(sent.origins),
    rules: change(sent.rules),
    variables: Object.fromEntries(change(Object.entries(sent.variables))),
    text: inText(sent, (list) => [...change(list)]),
  });
const values =
  (change: (value: Thing) => Thing) =>
  (sent: Drawer): Drawer => ({
    ...sent,
    rules: sent.rules.map((rule) => change(rule)),
    variables: Object.fromEntries(Object.entries(sent.variables).map(([name, one]) => [name, change(one as Thing)])),
  });

const kept: { readonly [form: string]: DrawerManners['keeps'] } = {
  tidy: (sent) => sent,
  'texts in lower case': texts((text) => text.toLowerCase()),
  'URLs written anew': texts((text) =>
    /^https:[^,]*$/.test(text)
      ? new URL(text).href
      : text
          .split(',')
          .map((one) => URL.parse(one)?.href ?? one)
          .join(','),
  ),
  'no final slash': texts((text) =>
    text
      .split(',')
      .map((one) => one.replace(/\/$/, ''))
      .join(','),
  ),
  sorted: entries((list) => [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))),
  backwards: entries((list) => [...list].reverse()),
  'no doubles': (sent) => ({ ...sent, origins: [...new Set(sent.origins)], text: inText(sent, (list) => [...new Set(list)]) }),
  'names in capitals': (sent) => ({
    ...sent,
    rules: sent.rules.map((rule) => ({ ...rule, name: String(rule.name).toUpperCase() })),
    variables: Object.fromEntries(Object.entries(sent.variables).map(([name, one]) => [name.toUpperCase(), one])),
  }),
  'numbers and booleans as text': values((one) =>
    Object.fromEntries(
      Object.entries(one).map(([name, member]) => [name, ['number', 'boolean'].includes(typeof member) ? String(member) : member]),
    ),
  ),
  'empty members as null': values((one) =>
    Object.fromEntries(Object.entries(one).map(([name, member]) => [name, member === '' || member === false ? null : member])),
  ),
  'lists of members sorted': values((one) =>
    Object.fromEntries(
      Object.entries(one).map(([name, member]) => [name, Array.isArray(member) ? [...(member as string[])].sort() : member]),
    ),
  ),
  'numbers within bounds': values((one) => ({ ...one, ...(typeof one.limit === 'number' && { limit: Math.max(60, one.limit) }) })),
  'members of its own': values((one) => ({ ...one, updated: 'today' })),
};

async function open(shape: string, manners: DrawerManners, wire: DrawerWire = 'json') {
  const start = manners.keeps ? manners.keeps(others) : others;
  const stage = await openCabinet({ manners, start, lines: [shapes[shape] ?? {}], wire });
  const { world } = stage;
  const sizes = () => {
    const { origins, rules, variables, text } = world.drawer();
    return [origins.length, rules.length, Object.keys(variables).length, text.split(',').length];
  };
  const before = sizes();
  return { ...stage, added: () => sizes().reduce((sum, size, i) => sum + size - (before[i] ?? 0), 0), start };
}

async function applied(place: Awaited<ReturnType<typeof open>>) {
  const before = place.provider.writes().length;
  const doc = await place.apply();
  return { ok: doc.ok, error: doc.lines[0]?.error, writes: place.provider.writes().length - before, added: place.added() };
}

const places = (Object.keys(drawerWires) as DrawerWire[]).flatMap((wire) => Object.keys(shapes).map((shape) => ({ wire, shape })));

describe.each(isOnly() ? places : places.filter(({ wire }) => wire === 'json'))(
  'untidy: by $wire, an entry of $shape',
  ({ wire, shape }) => {
    const forms = Object.keys(kept);
    test.each(forms)('kept as: %s', async (form) => {
      const keeps = kept[form];
      const place = await open(shape, keeps ? { keeps } : {}, wire);
      expect(await applied(place), 'the first apply').toMatchObject({ ok: true, added: 1 });
      expect(await applied(place), 'the second apply').toMatchObject({ ok: true, writes: 0, added: 1 });
      const planned = await place.plan();
      expect(planned.lines[0], 'the plan').toMatchObject({ verdict: 'none', unmanaged: expect.not.arrayContaining([address]) });
      place.world.save(place.start);
      expect(await applied(place), 'the apply after a person took it out').toMatchObject({ ok: true, added: 1 });
      expect(await applied(place), 'the apply after that').toMatchObject({ ok: true, writes: 0, added: 1 });
      expect(await place.destroy(), 'the destroy').toMatchObject({ ok: true });
      expect(place.world.drawer(), 'what destroy leaves').toEqual(place.start);
    });

    test.each(forms.filter((form) => form !== 'numbers within bounds'))('kept as: %s, with answers that show nothing', async (form) => {
      const keeps = kept[form];
      const place = await open(shape, { ...(keeps && { keeps }), isSilent: true }, wire);
      expect(await applied(place), 'the first apply').toMatchObject({ ok: true, added: 1 });
      expect(await applied(place), 'the second apply').toMatchObject({ ok: true, writes: 0, added: 1 });
      await place.destroy();
      expect(place.world.drawer(), 'what destroy leaves').toEqual(place.start);
    });

    test.each(['texts in lower case', 'no final slash', 'names in capitals'])(
      'kept as: %s, of a write whose answer was lost',
      async (form) => {
        const keeps = kept[form];
        const place = await open(shape, keeps ? { keeps } : {}, wire);
        place.provider.faults.loseAnswer('PUT /drawer');
        expect(await applied(place)).toMatchObject({ ok: true, added: 1 });
        await place.destroy();
        expect(place.world.drawer()).toEqual(place.start);
      },
    );
  },
);

test('untidy: a person saves the list over ours: ours is written again, and theirs stays', async () => {
  const place = await open('a list', {});
  let saves = 0;
  place.provider.watch(({ phase, method }) => {
    if (phase !== 'after' || method !== 'PUT' || saves > 0) return;
    saves += 1;
    place.world.save({ origins: ['https://example.com', 'https://theirs.example'] });
  });
  expect(await applied(place)).toMatchObject({ ok: true });
  expect(place.world.drawer().origins).toEqual(['https://example.com', 'https://theirs.example', address]);
  await place.destroy();
  expect(place.world.drawer().origins).toEqual(['https://example.com', 'https://theirs.example']);
});

test('untidy: an entry of somebody else that is only another form of ours stays beside ours', async () => {
  const place = await open('a list', {});
  const theirs = 'https://pr-12.example.com/Callback';
  place.world.save({ origins: [theirs] });
  expect(await applied(place)).toMatchObject({ ok: true });
  expect(place.world.drawer().origins).toEqual([theirs, address]);
  await place.destroy();
  expect(place.world.drawer().origins).toEqual([theirs]);
});

test('untidy: a provider that takes ours for an entry that stands already: that one is theirs, and stays', async () => {
  const fold: DrawerManners['keeps'] = (sent) => ({
    ...sent,
    origins: [...new Set(sent.origins.map((one) => String(one).toLowerCase().replace(':443', '')))],
  });
  const place = await open('a list', { keeps: fold });
  const theirs = 'https://pr-12.example.com/callback/';
  place.world.save({ origins: [theirs] });
  expect(await applied(place)).toMatchObject({ ok: false, error: { code: 'RESOURCE_FOREIGN' } });
  await place.destroy();
  expect(place.world.drawer().origins).toEqual([theirs]);
});

test.each(Object.keys(shapes))(
  'untidy: an entry of %s that its provider drops in silence is told so, and not sent again',
  async (shape) => {
    const place = await open(shape, { keeps: () => others });
    const first = await applied(place);
    expect(first).toMatchObject({ ok: false, writes: 4, added: 0, error: { code: 'PROVIDER_RESPONSE' } });
    expect(first.error?.detail).not.toContain('another writer');
    for (const _ of [2, 3]) expect(await applied(place)).toMatchObject({ ok: false, writes: 0, error: { code: 'PROVIDER_RESPONSE' } });
    const again = await place.apply({ recreate: ['entry'] });
    expect(again.lines[0]?.error?.code).toBe('PROVIDER_RESPONSE');
    expect(await place.destroy()).toMatchObject({ ok: true });
    expect(place.world.drawer()).toEqual(others);
  },
);

test('untidy: a value that is not kept is told in the first apply, and not sent again', async () => {
  const place = await open('a map', { keeps: values(({ limit: _limit, ...one }) => one) });
  expect(await applied(place)).toMatchObject({ ok: false, added: 1, error: { code: 'PROVIDER_RESPONSE' } });
  expect(await applied(place)).toMatchObject({ ok: false, added: 1, writes: 0, error: { code: 'PROVIDER_RESPONSE' } });
  await place.destroy();
  expect(place.added()).toBe(0);
});

test.each(Object.keys(shapes))(
  'untidy: an entry of %s whose writes are done some seconds after their answer is written once',
  async (shape) => {
    const place = await open(shape, {});
    place.provider.faults.late(() => true, 2_500, Number.POSITIVE_INFINITY);
    expect(await applied(place)).toMatchObject({ ok: true, added: 1, writes: 1 });
    expect(await applied(place)).toMatchObject({ ok: true, added: 1, writes: 0 });
    expect(await place.destroy()).toMatchObject({ ok: true });
    expect(place.added()).toBe(0);
  },
);
