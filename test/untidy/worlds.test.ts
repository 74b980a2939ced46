import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isOnly } from '../support/untidy/report.ts';
import { keptForms } from './kinds.ts';
import type { Manners, Thing } from './shelf.ts';
import { counted, fields, openShelf, type ShapeName, shapes, tellReport, tellStory } from './story.ts';
import { shelfWires } from './wires/shelf.ts';
import type { WireName } from './wires/translate.ts';

const all = Object.keys(shapes) as ShapeName[];
const lower = keptForms['case of texts'] ?? ((thing: Thing) => thing);

const wires = Object.keys(shelfWires) as WireName[];

/** JSON alone in `npm test`. */
describe.each(isOnly() ? wires : wires.slice(0, 1))('untidy: by %s', (wire) => {
  describe.each(Object.keys(keptForms))('answers to writes show what was sent, and reads what is kept: %s', (form) => {
    const keeps = keptForms[form] ?? ((thing: Thing) => thing);
    test.each(all.filter((shape) => shape !== 'fixed'))('%s: at most one write more, and then none', async (shape) => {
      const place = await openShelf({ wire, shape, manners: { keeps, echoes: true } });
      expect(await place.apply()).toMatchObject({ ok: true });
      const second = await counted(place, () => place.apply());
      expect(second.writes, 'the second apply').toBeLessThanOrEqual(2);
      // A bound is no form of the number: that it was put back in vain is seen when the same stands there again.
      if (form.startsWith('numbers ')) await place.apply();
      const last = await counted(place, () => place.apply());
      expect([last.writes, place.world.made()], 'the apply after that').toEqual([0, 1]);
      expect(await place.destroy()).toMatchObject({ ok: true });
      expect(place.ours()).toEqual([]);
    });
  });

  describe.each([...Object.keys(keptForms), 'as it is'])('drift: report, with values kept in another form: %s', (form) => {
    const keeps = keptForms[form] ?? ((thing: Thing) => thing);
    test.each([true, false].flatMap((echoes) => (['list', 'list and path', 'chosen id'] as const).map((shape) => ({ echoes, shape }))))(
      '$shape, answers as sent: $echoes: none is told, and none is written again',
      async ({ echoes, shape }) => {
        // A bound is another number, which the provider does not keep: that is told as ever.
        if (form.startsWith('numbers ')) return;
        await tellReport({ wire, shape, manners: { keeps, echoes } });
      },
    );
  });

  describe('a list that lags by four seconds', () => {
    test.each(all)('%s, which says so: one object, and nothing left', async (shape) => {
      await tellStory({ wire, shape, settle: 5, manners: { listLags: 4_000 } });
    });
    test.each(all)('%s, which does not say so: an object is asked for by its path, or its list is read for a while', async (shape) => {
      await tellStory({ wire, shape, manners: { listLags: 4_000 } });
    });
    test.each(['list', 'list and path'] as const)(
      '%s: a create whose answer was lost is looked for once the list has it',
      async (shape) => {
        const place = await openShelf({ wire, shape, settle: 5, manners: { listLags: 4_000, keeps: lower } });
        place.provider.faults.loseAnswer('POST /things');
        expect(await place.apply()).toMatchObject({ ok: true });
        expect(place.world.made()).toBe(1);
        expect(await place.destroy()).toMatchObject({ ok: true });
        expect(place.ours()).toEqual([]);
      },
    );
  });

  test('a list that lags behind a create whose answer is not the object: it is looked for again', async () => {
    const create = { path: '/things', then_find: true };
    const place = await openShelf({ wire: 'json', shape: 'list', line: { create }, manners: { listLags: 4_000 } });
    expect(await place.apply()).toMatchObject({ ok: true });
    const second = await counted(place, () => place.apply());
    expect([second.doc.ok, second.writes, place.world.made()]).toEqual([true, 0, 1]);
  });

  describe('a path that answers 404 just after the create', () => {
    test.each(['list and path', 'chosen id'] as const)('%s: is no absence', async (shape) => {
      await tellStory({ wire, shape, settle: 5, manners: { readLags: 3_000 } });
    });
    test('of a list that shows the object: is no absence either', async () => {
      const place = await openShelf({ wire, shape: 'list and path', manners: { readLags: 3_000 } });
      expect(await place.apply()).toMatchObject({ ok: true });
      const second = await counted(place, () => place.apply());
      expect([second.doc.ok, second.writes, place.world.made()]).toEqual([true, 0, 1]);
    });
  });

  test.each(all)('a server that gives 50 entries where 100 were asked for: %s', async (shape) => {
    const place = await openShelf({ wire, shape, manners: { cap: 50 } });
    for (let n = 0; n < 120; n += 1) place.world.add({ ...fields, url: `https://hooks.example.com/other-${n}` });
    for (const apply of [1, 2, 3]) expect(await place.apply(), `apply ${apply}`).toMatchObject({ ok: true });
    expect(place.world.made()).toBe(1);
    expect(await place.destroy()).toMatchObject({ ok: true });
    expect(place.world.things()).toHaveLength(122);
  });

  test.each(['chosen id', 'chosen id in a list'] as const)('%s, which comes back in lower case', async (shape) => {
    await tellStory({ wire, shape, manners: { idOf: (id) => id.toLowerCase() } });
  });

  test.each(['list', 'list and path'] as const)('%s: ids that lists show in another case', async (shape) => {
    await tellStory({ wire, shape, manners: { listedId: (id) => id.toUpperCase() } });
  });

  test.each(all)('a list that shows each entry twice: %s', async (shape) => {
    await tellStory({ wire, shape, manners: { doubles: true } });
  });

  describe('an object that its provider only marks as deleted', () => {
    test.each(['list', 'list and path'] as const)('%s: is absent, and made anew', async (shape) => {
      const absent = (line: Thing): Thing => ({ find: { ...(line.find as Thing), absent: ['deleted'] } });
      const place = await openShelf({ wire, shape, manners: { deletedMark: 'deleted' }, line: absent(shapes[shape](fields)) });
      expect(await place.apply()).toMatchObject({ ok: true });
      place.world.edit(String(place.ours()[0]?.id), { deleted: true });
      expect(await place.apply()).toMatchObject({ ok: true });
      expect([place.world.made(), place.ours().length]).toEqual([2, 1]);
      expect(await place.destroy()).toMatchObject({ ok: true });
      expect(place.ours()).toEqual([]);
    });
  });

  describe('a person who renames what is ours', () => {
    test.each(all)('%s: it is the same object, and the name is put back', async (shape) => {
      const place = await openShelf({ wire, shape, manners: {} });
      expect(await place.apply()).toMatchObject({ ok: true });
      place.world.edit(String(place.ours()[0]?.id), { url: 'https://renamed.example/by-a-person' });
      expect(await place.apply()).toMatchObject({ ok: true });
      expect(place.ours().map(({ url }) => url)).toEqual([fields.url]);
      if (shape !== 'fixed') expect(place.world.made()).toBe(1);
      expect(await place.destroy()).toMatchObject({ ok: true });
      expect(place.ours()).toEqual([]);
    });

    test.each(all)('%s, before a destroy: nothing of ours is left', async (shape) => {
      const place = await openShelf({ wire, shape, manners: {} });
      expect(await place.apply()).toMatchObject({ ok: true });
      place.world.edit(String(place.ours()[0]?.id), { url: 'https://renamed.example/by-a-person' });
      expect(await place.destroy()).toMatchObject({ ok: true });
      expect(place.ours()).toEqual([]);
    });

    test('who removes it and makes one by hand in its place: that one is theirs', async () => {
      const place = await openShelf({ wire, shape: 'list', manners: {} });
      expect(await place.apply()).toMatchObject({ ok: true });
      place.world.remove(String(place.ours()[0]?.id));
      const theirs = place.world.add(fields);
      const again = await place.apply();
      expect(again.lines[0]?.error?.code).toBe('RESOURCE_FOREIGN');
      await place.destroy();
      expect(place.world.things().map(({ id }) => id)).toContain(theirs);
    });
  });

  describe('a value that is dropped in silence', () => {
    const drops: Manners['keeps'] = ({ text: _text, ...thing }) => thing;
    test.each(all)('%s: the first apply says so, and later ones write nothing', async (shape) => {
      const place = await openShelf({ wire, shape, manners: { keeps: drops } });
      const first = await place.apply();
      expect(first.lines[0]?.error).toMatchObject({ code: 'PROVIDER_RESPONSE', detail: expect.stringContaining('text') });
      for (const apply of [2, 3]) {
        const again = await counted(place, () => place.apply());
        expect([again.writes, place.world.made()], `apply ${apply}`).toEqual([0, 1]);
        expect(again.doc.lines[0]?.error?.code).toBe('PROVIDER_RESPONSE');
      }
      await place.rewrite({ ...fields, text: '' });
      expect(await place.apply()).toMatchObject({ ok: true });
      expect(await place.destroy()).toMatchObject({ ok: true });
      expect(place.ours()).toEqual([]);
    });
  });

  test.each(['list', 'list and path'] as const)('%s: an interrupted create whose name was put into lower case is found', async (shape) => {
    const place = await openShelf({ wire, shape, manners: { keeps: lower } });
    place.provider.faults.loseAnswer('POST /things');
    expect(await place.apply()).toMatchObject({ ok: true });
    expect([place.world.made(), place.ours().length]).toEqual([1, 1]);
    const again = await counted(place, () => place.apply());
    expect([again.doc.ok, again.writes]).toEqual([true, 0]);
  });

  test('an edit of a person between our write and our read is drift, and is put back', async () => {
    const place = await openShelf({ wire, shape: 'list', manners: {} });
    expect(await place.apply()).toMatchObject({ ok: true });
    const id = String(place.ours()[0]?.id);
    await place.rewrite({ ...fields, text: 'new' });
    place.provider.watch(({ phase, method }) => {
      if (phase === 'after' && method === 'PATCH') place.world.edit(id, { note: 'by a person' });
    });
    expect(await place.apply()).toMatchObject({ ok: true });
    const planned = await place.plan();
    expect(planned.lines[0]).toMatchObject({ verdict: 'update', drift: 'changed' });
  });

  describe('a secret that its provider shows in another form', () => {
    const line = { fields: { ...fields, key: { secret: 'env://SHELF_KEY' } } };
    const [first, next] = ['hunter2-Hunter2 ', 'hunter3-Hunter3 '];
    const forms: { readonly [form: string]: (key: string) => unknown } = {
      'as it was sent': (key) => key,
      'another case': (key) => key.toLowerCase(),
      'a cipher text': (key) => `EV[1:${Buffer.from(key).toString('base64')}]`,
      'a digest': (key) => createHash('md5').update(key).digest('hex'),
      'without outer spaces': (key) => key.trim(),
      'a mask': () => '****',
      'one word for all': () => 'set',
      null: () => null,
      'an empty text': () => '',
      nothing: () => undefined,
    };
    const open = (form: string, shape: ShapeName, manners: Manners = {}) => {
      const shown = forms[form] ?? ((key: string) => key);
      // A write that does not change it leaves it as it is kept.
      const keeps: Manners['keeps'] = ({ key, ...thing }, before) => ({ ...thing, key: key === before?.key ? key : shown(String(key)) });
      return openShelf({ wire, shape, line, manners: { keeps, ...manners } });
    };
    const applied = async (place: Awaited<ReturnType<typeof open>>, key: string) => {
      const { doc, writes } = await counted(place, () => place.apply({ env: { ...place.env, SHELF_KEY: key } }));
      return [doc.ok, writes];
    };

    test.each(Object.keys(forms))('%s: it is written when it changes alone, and its hash is in no ledger', async (form) => {
      for (const shape of ['list', 'chosen id'] as const) {
        const place = await open(form, shape);
        const told = [];
        for (const key of [first, first, first, next, next]) told.push(await applied(place, key));
        expect(told, shape).toEqual([1, 0, 0, 1, 0].map((writes) => [true, writes]));
        const bytes = await place.bytes();
        for (const key of [first, next]) {
          const shown = String(forms[form]?.(key));
          for (const text of [key.trim(), ...(shown.length < 10 ? [] : [shown])]) {
            const hash = createHash('sha256').update(JSON.stringify(text)).digest('hex').slice(0, 16);
            expect([bytes.includes(text), bytes.includes(hash)], text).toEqual([false, false]);
          }
        }
        expect(await place.destroy({ env: { ...place.env, SHELF_KEY: next } })).toMatchObject({ ok: true });
        expect(place.ours()).toEqual([]);
      }
    });

    test.each(Object.keys(forms))('%s, and the answers to writes show it as sent: at most one write more', async (form) => {
      const place = await open(form, 'list', { echoes: true });
      const told = [];
      for (const key of [first, first, first, next, next, next]) told.push(await applied(place, key));
      expect(told.every(([isOk]) => isOk)).toBe(true);
      expect([told[2], told[5]]).toEqual([1, 1].map(() => [true, 0]));
      expect([told[1]?.[1], told[4]?.[1]].every((writes) => Number(writes) <= 1)).toBe(true);
    });

    test.each(['a mask', 'null', 'nothing'])('%s, at a provider that cannot change it: it stands', async (form) => {
      const place = await open(form, 'fixed');
      expect([await applied(place, first), await applied(place, first)]).toEqual([
        [true, 1],
        [true, 0],
      ]);
    });
  });
});
