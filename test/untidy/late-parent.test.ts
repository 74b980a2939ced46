import { describe, expect, test } from 'vitest';
import { openCabinet } from './cabinet-stage.ts';
import type { Drawer } from './drawer.ts';
import type { Thing } from './shelf.ts';

const address = 'https://pr-12.example.com';
const others: Drawer = {
  origins: ['https://example.com'],
  rules: [{ name: 'Others' }],
  variables: { OTHERS: 'theirs' },
  text: 'https://example.com',
};
const parent = { path: '/drawer', method: 'PUT', send: 'parent' };
const entries: { readonly [shape: string]: Thing } = {
  'a list': { parent, list_path: '/origins', item: address },
  'a list of maps': { parent, list_path: '/rules', key_field: 'name', item: 'Rule of PR-12', value: { url: address } },
  'a map': { parent, list_path: '/variables', shape: 'map', item: 'VARIABLE_OF_PR_12', value: address },
  'a text': { parent, list_path: '/text', shape: 'delimited', item: address },
};

async function open(readLags: number, lines: readonly Thing[]) {
  const stage = await openCabinet({ manners: { readLags }, start: others, lines });
  const { provider } = stage;
  const applied = async () => {
    const before = provider.writes().length;
    const { ok } = await stage.apply();
    return [ok, provider.writes().length - before];
  };
  return { ...stage, applied };
}

describe.each([
  ['four seconds, which nobody says', 4_000, {}],
  ['two minutes, which the line says', 120_000, { settle: 125 }],
] as const)('untidy: reads of a parent that lag behind a write by %s', (_, lag, said) => {
  test.each(Object.keys(entries))('an entry of %s is written once, is not taken for dropped, and is taken away', async (shape) => {
    const place = await open(lag, [{ ...entries[shape], ...said }]);
    expect(await place.applied()).toEqual([true, 1]);
    expect(await place.applied()).toEqual([true, 0]);
    expect(await place.destroy()).toMatchObject({ ok: true });
    expect(place.provider.world.drawer()).toEqual(others);
  });

  test('an entry is taken away by a run that begins while reads do not show it yet', async () => {
    const place = await open(lag, [{ ...entries['a list'], ...said }]);
    expect(await place.applied()).toEqual([true, 1]);
    place.provider.world.late();
    expect(await place.destroy()).toMatchObject({ ok: true });
    expect(place.provider.world.drawer()).toEqual(others);
  });

  test('entries of two scopes, one after the other, both stand', async () => {
    const place = await open(lag, [{ ...entries['a list'], ...said }]);
    expect(await place.applied()).toEqual([true, 1]);
    await place.rewrite([{ ...entries['a list'], ...said, item: 'https://pr-13.example.com' }]);
    const second = await place.apply({ scope: 'pr-13' });
    expect(second).toMatchObject({ ok: true });
    expect(place.provider.world.drawer().origins).toEqual([...others.origins, address, 'https://pr-13.example.com']);
  });
});
