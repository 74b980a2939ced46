import { expect, it, onTestFinished } from 'vitest';
import { receiptsBranch } from '../../src/ledger/model/names.ts';
import { bakery } from '../bad-input/bakery.ts';
import { ends } from '../lifecycle/shop.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { MemoryRemote } from '../support/memory-store.ts';
import { openStage } from '../support/stage.ts';
import { type Fact, Forger, factsIn, put } from './forger.ts';

/** No look at a provider shows what an action gave: its outputs stand in the ledger alone. */
const plan = (isUsed: boolean): string => `version: 1
providers: { http: { bakery: { base_url: https://bakery.example/v1, auth: { bearer_env: BAKERY_KEY } } } }
changes:
  - id: bell
    adapter: http
    op: action
    api: bakery
    trigger: { scope: pr-12 }
    request: { path: /bells, body: { tone: rye } }
    outputs: { shelf: /shelf }
${
  isUsed
    ? `  - id: loaf
    adapter: http
    op: resource
    api: bakery
    find: { path: /loaves, list_path: /items, match: { /name: pr-12 } }
    create: { path: /loaves, body: { name: pr-12 } }
    delete: { path: "/loaves/{id}" }
    update: { path: "/loaves/{id}", method: PATCH }
    id_path: /id
    fields: { /shelf: { from: bell.shelf } }
`
    : ''
}`;

async function open(isUsed: boolean) {
  const [simulation, remote, clock] = [bakery(), new MemoryRemote(), new LeapingClock()];
  const stage = await openStage({
    simulations: [simulation],
    env: { BAKERY_KEY: simulation.tokens.full },
    plan: plan(isUsed),
    clock,
    store: () => remote.open(),
  });
  onTestFinished(() => stage.close());
  const forge = async (environment: 'preview' | 'production', scope: string): Promise<void> =>
    await new Forger(remote).push(receiptsBranch(environment, scope), (files) => {
      for (const [, fact] of factsIn(files, 'records')) {
        if (fact.line === 'bell') put(files, 'records', { ...fact, outputs: { ...(fact.outputs as Fact), shelf: 'of-a-thief' } });
      }
    });
  return {
    ...stage,
    forge,
    shelves: () => simulation.world.wares('loaves').map(({ shelf }) => shelf),
    bells: () => simulation.world.wares('bells'),
  };
}

const production = { environment: 'production', scope: null, approvedBy: 'ann' } as const;

it('a forged output of an action goes into no other line, and into no document', async () => {
  const { apply, forge, shelves, bells } = await open(true);
  expect((await apply()).status).toBe('complete');
  const before = shelves();
  await forge('preview', 'pr-12');
  const doc = await apply();
  expect(ends(doc)).toEqual(['bell failed failed LEDGER_UNSEALED', 'loaf pending skipped']);
  expect(JSON.stringify(doc)).not.toContain('of-a-thief');
  expect([shelves(), bells().length]).toEqual([before, 1]);
  // A person sends it anew.
  expect((await apply({ recreate: ['bell'] })).status).toBe('complete');
  expect(bells()).toHaveLength(2);
});

it('where nobody uses it the action is not sent again in a preview, and its outputs are told nowhere', async () => {
  const { apply, forge, bells } = await open(false);
  await apply();
  await forge('preview', 'pr-12');
  const doc = await apply();
  expect([doc.status, bells().length]).toEqual(['complete', 1]);
  expect(JSON.stringify(doc)).not.toContain('of-a-thief');
});

it('in production an action that no credential of the run sealed is refused', async () => {
  const { apply, forge, bells } = await open(false);
  await apply(production);
  await forge('production', 'production');
  const doc = await apply(production);
  expect(ends(doc)).toEqual(['bell failed failed LEDGER_UNSEALED']);
  expect(bells()).toHaveLength(1);
});
