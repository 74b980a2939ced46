import { flagsmith } from 'pilotfish-sandbox/flagsmith';
import { honeycomb } from 'pilotfish-sandbox/honeycomb';
import type { Simulation } from 'pilotfish-sandbox/kit/index';
import { qstash } from 'pilotfish-sandbox/upstash-qstash';
import { expect, it, onTestFinished } from 'vitest';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';

/** Applies a line, lets somebody change the object, and applies the line again with another value. */
async function changedAfter(
  simulation: Simulation,
  credential: string,
  line: Readonly<Record<string, unknown>>,
  o: { readonly outside: () => void; readonly to: Readonly<Record<string, unknown>> },
): Promise<void> {
  const planOf = (params: object): string => JSON.stringify({ version: 1, changes: [{ id: 'line', ...line, ...params }] });
  const stage = await openStage({
    simulations: [simulation],
    clock: new LeapingClock(),
    env: { [credential]: simulation.tokens.full },
    plan: planOf({}),
  });
  onTestFinished(() => stage.close());
  expect(await stage.apply()).toMatchObject({ ok: true });
  o.outside();
  await stage.write(planOf(o.to));
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
}

it('the end of a Honeycomb marker stands when its URL is changed', async () => {
  const simulation = honeycomb();
  const markers = () => simulation.world.markers('__all__');
  const line = { recipe: 'honeycomb.marker', dataset: '__all__', message: 'pr-12', type: 'preview', url: 'https://pr-12.acme.example' };
  await changedAfter(simulation, 'HONEYCOMB_API_KEY', line, {
    outside: () => Object.assign(markers()[0] ?? {}, { end_time: 4_000_000_000 }),
    to: { url: 'https://next.acme.example' },
  });
  expect(markers()).toMatchObject([{ url: 'https://next.acme.example', end_time: 4_000_000_000 }]);
});

it('the metadata of a Flagsmith environment stand when its description is changed', async () => {
  const simulation = flagsmith();
  simulation.world.addProject(1204);
  const metadata = [{ id: 5, model_field: 3, field_value: 'web' }];
  await changedAfter(
    simulation,
    'FLAGSMITH_API_KEY',
    { recipe: 'flagsmith.environment', project: 1204, name: 'pr-12', description: 'one' },
    {
      outside: () => Object.assign(simulation.world.state.environments[0] ?? {}, { metadata }),
      to: { description: 'two' },
    },
  );
  expect(simulation.world.state.environments).toMatchObject([{ description: 'two', metadata }]);
});

it('labels, delay and queue of a QStash schedule stand when its time is changed', async () => {
  const simulation = qstash();
  const settings = { labels: ['digest', 'shop'], delay: 30, queueName: 'slow' };
  const line = { recipe: 'qstash.schedule', schedule_id: 'pr-12', url: 'https://pr-12.acme.example', path: '/x', cron: '0 6 * * *' };
  await changedAfter(simulation, 'QSTASH_TOKEN', line, {
    outside: () => Object.assign(simulation.world.schedules()[0] ?? {}, settings),
    to: { cron: '0 7 * * *' },
  });
  expect(simulation.world.schedules()).toMatchObject([{ cron: '0 7 * * *', ...settings }]);
});
