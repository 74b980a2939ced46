import { launchdarkly } from 'pilotfish-sandbox/launchdarkly';
import { expect, it } from 'vitest';
import { storyClock, tellKept } from '../support/kept-story.ts';

const flag = 'shop/checkout';
const line = { adapter: 'launchdarkly', op: 'flag_target', project_key: 'shop', flag_key: 'checkout', environment_key: 'test' };

it('a key of each context kind, which the flag shows in two lists, and a variation without a name are served once', async () => {
  const clock = storyClock();
  const simulation = launchdarkly({ clock });
  const { world } = simulation;
  world.addFlag(
    flag,
    ['test'],
    [
      { value: true, name: '', description: '' },
      { value: false, name: 'Off' },
    ],
  );
  const kinds = ['user', 'deployment', 'device'];
  for (const kind of kinds) world.serve(flag, 'test', 0, 'pr-13', kind);
  const targets = () =>
    world
      .environment(flag, 'test')
      .targets.flatMap(({ values, variation, contextKind }) => values.map((key) => ({ key, variation, contextKind })));
  await tellKept({
    clock,
    simulation,
    env: { LAUNCHDARKLY_ACCESS_TOKEN: simulation.tokens.full },
    lines: kinds.map((context_kind) => ({ id: context_kind, ...line, context_kind, context_key: 'pr-12', variation: true })),
    mine: () => targets().filter(({ key }) => key === 'pr-12'),
    others: () => targets().filter(({ key }) => key !== 'pr-12'),
    stands: kinds.map(() => ({ variation: 0 })),
    edits: [
      () => world.release(flag, 'test', 'pr-12', 'device'),
      () => {
        world.release(flag, 'test', 'pr-12', 'user');
        world.serve(flag, 'test', 1, 'pr-12', 'user');
      },
    ],
  });
  const shown: unknown = simulation.exchanges[0]?.answer.body;
  expect(shown).toMatchObject({ variations: [expect.not.objectContaining({ name: '' }), { name: 'Off' }] });
});
