import { s3ByPath } from 'pilotfish-sandbox/aws-s3';
import { expect, it, onTestFinished } from 'vitest';
import { runApply } from '../../src/engine/run.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { Machine } from '../support/machine.ts';
import { openStage } from '../support/stage.ts';

const scopes = ['pr-12', 'pr-13', 'pr-14'];
const waits = { leaseTimeoutMs: 900_000, waitTimeoutMs: 900_000 };

/** A bucket whose rules are read two minutes late, by runs whose lease is a minute long. */
async function openBucket() {
  const clock = new LeapingClock();
  const simulation = s3ByPath({ clock });
  const stage = await openStage({
    simulations: [simulation],
    clock,
    env: {
      AWS_ENDPOINT_URL_S3: simulation.origin,
      AWS_ACCESS_KEY_ID: simulation.world.keyIds.full,
      AWS_SECRET_ACCESS_KEY: simulation.tokens.full,
      PILOTFISH_REQUEST_DEADLINE_MS: '3000',
      PILOTFISH_LEASE_MS: '60000',
    },
    plan: JSON.stringify({
      version: 1,
      providers: { http: { s3: { region: 'eu-central-1' } } },
      changes: [
        { id: 'cors', recipe: 's3.bucket_cors', bucket: 'shop-assets', origin: 'https://${ctx.scope}.acme.example', methods: ['GET'] },
      ],
    }),
  });
  onTestFinished(() => stage.close());
  simulation.faults.lags({ method: 'GET' }, 120_000);
  return { stage, simulation, clock, origins: () => simulation.world.rules().map(({ AllowedOrigin: [origin] }) => origin) };
}

it('runs of several scopes at once lose nothing of each other in a list that is read two minutes late', async () => {
  const { stage, simulation, origins } = await openBucket();
  const ends = await Promise.all(scopes.map((scope) => stage.apply({ ...waits, scope })));
  expect(ends.map(({ status, error }) => [status, error?.detail])).toEqual(scopes.map(() => ['complete', undefined]));
  expect(origins().sort()).toEqual(scopes.map((scope) => `https://${scope}.acme.example`));
  expect(simulation.writes()).toHaveLength(scopes.length);
  const gone = await Promise.all(scopes.map((scope) => stage.destroy({ ...waits, scope })));
  expect(gone.map(({ status }) => status)).toEqual(scopes.map(() => 'complete'));
  expect(origins()).toEqual([]);
});

/** A run on a computer that dies as soon as its rule is written. */
async function dieAfterWrite({ stage, simulation, clock }: Awaited<ReturnType<typeof openBucket>>): Promise<void> {
  const machine = new Machine(clock, [simulation]);
  machine.at('after', 'PUT', /shop-assets/, () => machine.kill());
  const world = { clock: machine, dispatcher: machine.dispatcher(), store: machine.store(stage.store()), repository: null };
  void runApply(stage.request(waits), world).catch(() => undefined);
  await machine.stopped;
}

it.each(['apply', 'destroy'] as const)(
  'a rule that a dead run wrote is not forgotten by %s, although a read does not show it yet',
  async (command) => {
    const bucket = await openBucket();
    await dieAfterWrite(bucket);
    const { stage, origins } = bucket;
    expect(origins()).toEqual(['https://pr-12.acme.example']);
    expect(await stage[command](waits)).toMatchObject({ status: 'complete' });
    expect(origins()).toEqual(command === 'apply' ? ['https://pr-12.acme.example'] : []);
    expect(await stage.destroy(waits)).toMatchObject({ status: 'complete' });
    expect(origins()).toEqual([]);
    expect((await stage.ledger()).intents.size).toBe(0);
  },
);
