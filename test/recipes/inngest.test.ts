import { bypassHeader, inngest } from 'pilotfish-sandbox/inngest';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

const headers = { [bypassHeader]: { secret: 'env://BYPASS_SECRET' } };

describeRecipe('inngest.sync', {
  kind: 'action',
  simulate: inngest,
  subject: ({ origin, world }) => ({
    credential: 'BYPASS_SECRET',
    params: { url: origin, revision: '4f2a91c', headers },
    mine: () => world.state.registrations,
    others: () => world.state.checksum,
    // The first of several syncs of one build says true, the others false.
    counters: ['modified'],
    stands: { checksum: 'first', modified: true },
    fixed: { revision: { revision: '5a3b02d' } },
    requests: { create: { method: 'PUT' } },
  }),
  skip: { readOnly: 'the header lets in or does not: there is none that may only read' },
});

/** A plan of one sync. */
async function openSync() {
  const simulation = inngest();
  const plan = (revision: string) =>
    JSON.stringify({ version: 1, changes: [{ id: 'sync', recipe: 'jobs_a.sync', url: simulation.origin, revision, headers }] });
  const stage = await openStage({ simulations: [simulation], env: { BYPASS_SECRET: simulation.tokens.full }, plan: plan('4f2a91c') });
  return { simulation, stage, plan };
}

it('the answer tells whether the functions changed', async () => {
  const { simulation, stage, plan } = await openSync();
  const told = async (revision: string) => {
    await stage.write(plan(revision));
    expect(await stage.apply()).toMatchObject({ ok: true });
    return [...(await stage.ledger()).records.values()].map(({ outputs }) => outputs);
  };
  expect(await told('4f2a91c')).toEqual([{ modified: true }]);
  expect(await told('5a3b02d')).toEqual([{ modified: false }]);
  simulation.world.deploy('second');
  expect(await told('6b4c13e')).toEqual([{ modified: true }]);
  await stage.close();
});

it('an app that takes signed syncs only is PROVIDER_AUTH, and the sync is sent when it takes others again', async () => {
  const { simulation, stage } = await openSync();
  simulation.world.state.takesUnsigned = false;
  expect(await stage.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_AUTH' } });
  simulation.world.state.takesUnsigned = true;
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'send' }] });
  expect(simulation.world.state.registrations).toHaveLength(1);
  await stage.close();
});
