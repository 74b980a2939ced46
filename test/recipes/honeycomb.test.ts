import { honeycomb } from 'pilotfish-sandbox/honeycomb';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';
import { livesOn } from '../support/suite/kept.ts';

const message = 'shop pr-12';
const url = 'https://pr-12.acme.example';

for (const dataset of ['shop', '__all__']) {
  describeRecipe('honeycomb.marker', {
    simulate: honeycomb,
    subject: ({ world }) => {
      world.addDataset('shop');
      world.addMarker(dataset, { message: 'shop pr-13', type: 'deploy', url });
      world.addMarker(dataset, { message, type: 'incident', url });
      const isMine = (one: { readonly message?: string; readonly type?: string }) => one.message === message && one.type === 'deploy';
      const markers = world.markers(dataset);
      return {
        credential: 'HONEYCOMB_API_KEY',
        params: { dataset, message, url },
        mine: () => markers.filter(isMine),
        others: () => markers.filter((one) => !isMine(one)),
        stands: { message, type: 'deploy', url },
        edits: { url: { url: 'https://elsewhere.example' } },
        changes: { url: { url: 'https://pr-12b.acme.example' } },
        undeclared: { end_time: 4_000_000_000, color: '#F96E11' },
        remove: () => {
          const at = markers.findIndex(isMine);
          if (at >= 0) markers.splice(at, 1);
        },
        foreign: () => world.addMarker(dataset, { message, type: 'deploy' }),
      };
    },
  });
}

it('an update says message and type again, and the marker moves to the moment of the update', async () => {
  const clock = new LeapingClock();
  const simulation = honeycomb({ clock });
  simulation.world.addDataset('shop');
  const planOf = (to: string) =>
    JSON.stringify({ version: 1, changes: [{ id: 'told', recipe: 'observability_a.marker', dataset: 'shop', message, url: to }] });
  const stage = await openStage({
    simulations: [simulation],
    clock,
    env: { HONEYCOMB_API_KEY: simulation.tokens.full },
    plan: planOf(url),
  });
  await stage.apply();
  const [made] = simulation.world.markers('shop');
  if (!made) throw new Error('no marker was made');
  // The marker is of an hour ago.
  made.start_time -= 3600;
  const before = made.start_time;
  await stage.write(planOf('https://pr-12b.acme.example'));
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
  expect(simulation.writes().at(-1)).toMatchObject({
    method: 'PUT',
    body: { message, type: 'deploy', url: 'https://pr-12b.acme.example' },
  });
  const [moved] = simulation.world.markers('shop');
  expect(moved).toMatchObject({ id: made.id, message, type: 'deploy' });
  expect(moved?.start_time).toBeGreaterThan(before);
  await stage.close();
});

it('a dataset is known by the slug that Honeycomb makes of its name, and by its name to nobody', async () => {
  await livesOn(
    'honeycomb.marker',
    honeycomb,
    ({ world }) => {
      world.addDataset('Shop (EU)');
      const markers = world.markers('shop-eu-');
      return {
        credential: 'HONEYCOMB_API_KEY',
        params: { dataset: 'shop-eu-', message, url },
        mine: () => markers.filter((one) => one.message === message),
        others: () => markers.filter((one) => one.message !== message),
        stands: { message, type: 'deploy', url },
        edits: { url: { url: 'https://elsewhere.example' } },
      };
    },
    async (bench, { world }) => {
      const before = structuredClone(world.state);
      await bench.change({ dataset: 'Shop (EU)' });
      expect(await bench.apply()).toMatchObject({ ok: false, error: { code: 'PROVIDER_NOT_FOUND' } });
      expect(world.state).toEqual(before);
    },
  );
});
