import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOnly } from '../support/untidy/report.ts';
import { keptForms } from './kinds.ts';
import type { Manners, Thing } from './shelf.ts';
import { counted, fields, openShelf, type ShapeName, shapes } from './story.ts';
import { shelfWires } from './wires/shelf.ts';
import type { WireName } from './wires/translate.ts';

/** A provider with several bad manners at once, and a line that nobody wrote for it. */
const worlds = fc
  .record({
    shape: fc.constantFrom(...(Object.keys(shapes) as ShapeName[])),
    wire: fc.constantFrom(...(Object.keys(shelfWires) as WireName[])),
    forms: fc.uniqueArray(fc.constantFrom(...Object.keys(keptForms)), { minLength: 1, maxLength: 3 }),
    echoes: fc.boolean(),
    listLags: fc.constantFrom(0, 0, 3_000),
    readLags: fc.constantFrom(0, 0, 2_000),
    cap: fc.constantFrom(7, 1_000),
    doubles: fc.boolean(),
    listsInCapitals: fc.boolean(),
    losesAnswer: fc.boolean(),
  })
  // A bound is learned from an answer alone, and what cannot change in place is not written once more.
  .filter(({ echoes, losesAnswer, forms }) => !(echoes || losesAnswer) || !forms.some((form) => form.startsWith('numbers ')))
  .filter(({ echoes, shape }) => !echoes || shape !== 'fixed')
  // What a lost answer made is looked for once the request cannot land any more. Here that is after 0.3 s, which is less than these reads lag.
  .filter(({ losesAnswer, listLags, readLags }) => !losesAnswer || listLags + readLags === 0)
  // Where the answer to the create was lost, nobody knows how the paths of such a provider spell the id.
  .filter(
    ({ listsInCapitals, losesAnswer, shape }) => !listsInCapitals || (!losesAnswer && (shape === 'list' || shape === 'list and path')),
  );

type Drawn = typeof worlds extends fc.Arbitrary<infer World> ? World : never;

function mannersOf({ forms, listsInCapitals, echoes, listLags, readLags, cap, doubles }: Drawn): Manners {
  // One form may leave nothing for the next one.
  const formed = (thing: Thing, before: Thing | null, form: string): Thing => {
    try {
      return keptForms[form]?.(thing, before) ?? thing;
    } catch {
      return thing;
    }
  };
  return {
    keeps: (thing, before) => forms.reduce((kept, form) => formed(kept, before, form), thing),
    ...{ echoes, listLags, readLags, cap, doubles },
    ...(listsInCapitals && { listedId: (id) => id.toUpperCase() }),
  };
}

async function livesIn(world: Drawn): Promise<void> {
  const { shape, wire, echoes, losesAnswer } = world;
  const place = await openShelf({ shape, wire, manners: mannersOf(world) });
  for (let n = 0; n < 12; n += 1) place.world.add({ ...fields, url: `https://hooks.example.com/other-${n}` });
  const others = place.world.things().length;
  const settled = async () => {
    // To one that answers with what it was sent, one write more is sent.
    if (echoes) await place.apply();
    const { doc, writes } = await counted(place, () => place.apply());
    return [doc.ok, writes];
  };
  if (losesAnswer) place.provider.faults.loseAnswer(({ method }) => method !== 'GET');
  expect(await place.apply(), 'the first apply').toMatchObject({ ok: true });
  expect(await settled(), 'another apply').toEqual([true, 0]);
  if (shape !== 'fixed') expect(place.world.made(), 'how many were made').toBe(1);
  const [id] = place.world.things().slice(others);
  place.world.edit(String(id?.id), { events: ['changed by a person'] });
  expect(await place.apply(), 'the apply after an outside change').toMatchObject({ ok: true });
  expect(await settled(), 'the apply after that').toEqual([true, 0]);
  expect(await place.destroy(), 'the destroy').toMatchObject({ ok: true });
  expect(place.world.things(), 'what is left').toHaveLength(others);
}

test('untidy: any few of these manners together', async () => {
  await fc.assert(fc.asyncProperty(worlds, livesIn), { numRuns: isOnly() ? 400 : 25, seed: 43 });
});
