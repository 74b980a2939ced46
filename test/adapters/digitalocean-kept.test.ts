import { digitalocean } from 'pilotfish-sandbox/digitalocean/index';
import { expect, it } from 'vitest';
import { storyClock, tellKept } from '../support/kept-story.ts';

const name = 'shop-pr-12';
const image = { registry_type: 'DOCR', repository: 'shop', tag: 'pr-12' };

it('a secret that comes back encrypted, and a type that is left out as the default, are written once', async () => {
  const clock = storyClock();
  const simulation = digitalocean({ clock });
  const { world, faults } = simulation;
  faults.readyAfter(2);
  world.addApp('shop-pr-13', { services: [{ name: 'web', image }] });
  const mine = () => [world.app(name)].flatMap((app) => app ?? []);
  const envs = [
    { key: 'LOG_LEVEL', value: 'debug', type: 'GENERAL' },
    { key: 'SESSION_KEY', value: { secret: 'env://SESSION' }, type: 'SECRET' },
  ];
  await tellKept({
    clock,
    simulation,
    env: { DIGITALOCEAN_ACCESS_TOKEN: simulation.tokens.full, SESSION: 'session-key-0123456789' },
    lines: [{ id: 'app', adapter: 'digitalocean', op: 'app', name, spec: { region: 'fra', services: [{ name: 'web', image, envs }] } }],
    mine,
    others: () => world.state.apps.filter((app) => app.spec.name !== name).map(({ spec }) => spec),
    stands: [{ spec: { services: [{ envs: [{ key: 'LOG_LEVEL', value: 'debug' }, { value: expect.stringMatching(/^EV\[1:/) }] }] } }],
    edits: [() => void Object.assign(mine()[0]?.spec ?? {}, { region: 'nyc' })],
  });
  const opened = Object.values(world.state.opened);
  expect(new Set(opened)).toEqual(new Set(['session-key-0123456789']));
});
