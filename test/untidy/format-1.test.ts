import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LeapingClock } from '../support/leaping-clock.ts';
import { onDisk, openStage } from '../support/stage.ts';
import { cabinet, type Drawer } from './drawer.ts';
import { type Kept, shelf } from './shelf.ts';

/*
 * A ledger of format 1, as the commit before format 2 wrote it at providers that put every text into lower case. It made two objects, wrote an
 * entry that came back as it was, one whose value did not, and one whose name did not, which it appended four times.
 */
const folder = join(import.meta.dirname, 'format-1');
const read = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(folder, name), 'utf8'));

const lower = (node: unknown): unknown => {
  if (typeof node === 'string') return node.toLowerCase();
  if (Array.isArray(node)) return node.map(lower);
  return typeof node === 'object' && node !== null
    ? Object.fromEntries(Object.entries(node).map(([name, one]) => [name, lower(one)]))
    : node;
};

async function open() {
  const clock = new LeapingClock();
  const { things } = (await read('things.json')) as { things: Kept[] };
  const { drawer } = (await read('drawer.json')) as { drawer: Drawer };
  const hooks = shelf({ keeps: (sent) => lower(sent) as typeof sent }, { clock, start: things });
  const lists = cabinet({ keeps: (sent) => lower(sent) as Drawer }, drawer, { clock });
  const stage = await openStage({
    simulations: [hooks, lists],
    clock,
    env: { SHELF_TOKEN: hooks.tokens.full, CABINET_TOKEN: lists.tokens.full },
    plan: await readFile(join(folder, 'release.plan.yaml'), 'utf8'),
    store: onDisk,
  });
  onTestFinished(() => stage.close());
  await cp(join(folder, 'ledger'), join(stage.folder, '.pilotfish', 'ledger'), { recursive: true });
  return { stage, hooks, lists, writes: () => hooks.writes().length + lists.writes().length };
}

test('untidy: a ledger of format 1 is planned, applied with one write at most for what is spelt otherwise, and destroyed', async () => {
  const { stage, hooks, lists, writes } = await open();
  // An older version sealed nothing: the plan's own look confirms records, and a person vouches for what was only announced.
  const { lines } = await stage.plan();
  expect(lines.flatMap(({ id, error }) => (error ? [[id, error.code]] : []))).toEqual([['respelt', 'LEDGER_UNSEALED']]);
  const trustLedger = (await stage.store().head('pilotfish-receipts/preview/pr-12')) ?? '';
  const first = await stage.apply({ trustLedger });
  expect(first.lines.map(({ id, error }) => [id, error?.detail])).toEqual(
    ['hook', 'chosen', 'tidy', 'respelt', 'announced'].map((id) => [id, undefined]),
  );
  expect(writes()).toBeLessThanOrEqual(4);
  const before = writes();
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(writes()).toBe(before);
  expect([hooks.world.things().length, hooks.world.made()]).toEqual([2, 0]);
  expect([...(await stage.ledger()).records.values()].map(({ v }) => v)).toContain(2);
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(hooks.world.things()).toEqual([]);
  expect(lists.world.drawer()).toEqual({ origins: ['https://example.com'], rules: [], variables: {}, text: '' });
});

test('untidy: a ledger of format 1 is destroyed without an apply before: nothing of it is left', async () => {
  const { stage, hooks, lists } = await open();
  const trustLedger = (await stage.store().head('pilotfish-receipts/preview/pr-12')) ?? '';
  expect(await stage.destroy({ trustLedger })).toMatchObject({ ok: true });
  expect(hooks.world.things()).toEqual([]);
  expect(lists.world.drawer()).toEqual({ origins: ['https://example.com'], rules: [], variables: {}, text: '' });
});
