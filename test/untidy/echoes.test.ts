import { expect, test } from 'vitest';
import { keptForms } from './kinds.ts';
import type { Thing } from './shelf.ts';
import { counted, fields, openShelf } from './story.ts';

const lower = keptForms['case of texts'] ?? ((thing: Thing) => thing);

test('untidy: an object whose list shows its id and its name in another case than the create did is the same object', async () => {
  const manners = { keeps: lower, echoes: true, listedId: (id: string) => id.toUpperCase() };
  const place = await openShelf({ shape: 'list', manners });
  expect(await place.apply()).toMatchObject({ ok: true });
  await place.apply();
  const last = await counted(place, () => place.apply());
  expect([last.doc.ok, last.writes, place.world.made()]).toEqual([true, 0, 1]);
  expect(await place.destroy()).toMatchObject({ ok: true });
  expect(place.ours()).toEqual([]);
});

test('untidy: an object of a chosen id whose fields are fixed is made once more at most for the form in which they are kept', async () => {
  const place = await openShelf({ shape: 'chosen id', line: { immutable: Object.keys(fields) }, manners: { keeps: lower, echoes: true } });
  for (const apply of [1, 2]) expect(await place.apply(), `apply ${apply}`).toMatchObject({ ok: true });
  const last = await counted(place, () => place.apply());
  expect([last.doc.ok, last.writes]).toEqual([true, 0]);
  expect(place.world.made()).toBeLessThanOrEqual(2);
  expect(await place.destroy()).toMatchObject({ ok: true });
  expect(place.ours()).toEqual([]);
});

test('untidy: a secret that no answer and no read shows is sent once', async () => {
  const line = { fields: { ...fields, key: { secret: 'env://SHELF_KEY' } } };
  const place = await openShelf({ shape: 'list', line, manners: { keeps: (thing) => ({ ...thing, key: undefined }) } });
  const env = { ...place.env, SHELF_KEY: 'hunter2-Hunter2' };
  expect(await place.apply({ env })).toMatchObject({ ok: true });
  const second = await counted(place, () => place.apply({ env }));
  expect([second.doc.ok, second.writes, place.world.made()]).toEqual([true, 0, 1]);
  expect(await place.destroy({ env })).toMatchObject({ ok: true });
  expect(place.ours()).toEqual([]);
});
