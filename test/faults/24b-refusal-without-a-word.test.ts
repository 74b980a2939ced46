import { healthchecks } from 'pilotfish-sandbox/healthchecks';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { expect, it, onTestFinished } from 'vitest';
import { openStage } from '../support/stage.ts';

const line = { id: 'import', recipe: 'healthchecks.check', name: 'import pr-12', desc: 'Imports of the preview.' };
const planOf = (more: object = {}): string => JSON.stringify({ version: 1, changes: [{ ...line, ...more }] });

async function open(plan = planOf()) {
  const simulation = healthchecks();
  const stage = await openStage({ simulations: [simulation], env: { HEALTHCHECKS_API_KEY: simulation.tokens.full }, plan });
  onTestFinished(() => {
    verifyHandled([simulation]);
    return stage.close();
  });
  return { stage, simulation, state: simulation.world.state };
}

it('a full account that answers 403 with nothing in it is told as full, with the limit and the way to make room', async () => {
  const { stage, state } = await open();
  state.checkLimit = 0;
  const { ok, lines } = await stage.apply();
  expect([ok, lines[0]?.error]).toEqual([
    false,
    expect.objectContaining({
      code: 'PROVIDER_QUOTA',
      detail: expect.stringContaining('A free account holds 20 checks. Scope pr-12 holds none of healthchecks.check'),
      fix: expect.stringContaining('`pilotfish apply --destroy --closed`'),
    }),
  ]);
  expect(state.checks).toEqual([]);
  const { records, intents } = await stage.ledger();
  expect([records.size, intents.size]).toEqual([0, 0]);
  state.checkLimit = 20;
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(state.checks).toHaveLength(1);
});

it('a refusal without a word is the fault of the key where a read with it is refused too', async () => {
  const { stage, simulation, state } = await open();
  state.checkLimit = 0;
  // The key was revoked between the look and the create.
  const isRefused = (): boolean => simulation.log.some(({ method }) => method === 'POST');
  simulation.faults.once(({ method }) => method === 'GET' && isRefused(), 401, { error: 'wrong api key' });
  const { lines } = await stage.apply();
  expect(lines[0]?.error?.code).toBe('PROVIDER_AUTH');
  expect((await stage.ledger()).intents.size).toBe(0);
});

it('the same answer to an update is not taken for a full account: the check went to another project', async () => {
  const { stage, simulation, state } = await open();
  await stage.apply();
  await stage.write(planOf({ desc: 'changed' }));
  simulation.faults.once('POST /api/v3/checks/{uuid}', 403);
  const { lines } = await stage.apply();
  expect(lines[0]?.error?.code).toBe('PROVIDER_AUTH');
  expect(state.checks).toMatchObject([{ desc: 'Imports of the preview.' }]);
});
