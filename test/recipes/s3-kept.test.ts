import { s3ByPath } from 'pilotfish-sandbox/aws-s3';
import { expect, it } from 'vitest';
import { applied, type KeptStory, longRun, openStory, storyClock, tellKept } from '../support/kept-story.ts';

const origin = 'https://pr-12.acme.example';

/** A bucket without rules. */
function storyOf() {
  const clock = storyClock();
  const simulation = s3ByPath({ clock });
  const { world, tokens } = simulation;
  const story: KeptStory = {
    clock,
    simulation,
    providers: { s3: { region: 'eu-central-1' } },
    env: { AWS_ENDPOINT_URL_S3: simulation.origin, AWS_ACCESS_KEY_ID: world.keyIds.full, AWS_SECRET_ACCESS_KEY: tokens.full },
    lines: [
      { id: 'uploads', recipe: 's3.bucket_cors', bucket: 'shop-assets', origin: 'https://${ctx.scope}.acme.example', methods: ['GET'] },
    ],
    mine: () => world.rules().filter(({ AllowedOrigin: [first] }) => first === origin),
    others: () => world.rules().filter(({ AllowedOrigin: [first] }) => first !== origin),
  };
  return { story, simulation, world };
}

it('the first rule of a bucket, which reads show up to two minutes late, is written once', async () => {
  const { story, simulation, world } = storyOf();
  await tellKept({
    ...story,
    stands: [{ AllowedMethod: ['GET'] }],
    edits: [() => world.setRules([{ AllowedMethod: ['PUT'], AllowedOrigin: [origin] }])],
  });
  expect(simulation.writes().map(({ method }) => method)).toEqual(['PUT', 'PUT', 'DELETE']);
});

it('a pull request that comes while the first rule of another one is not shown yet leaves it in place', async () => {
  const { story, world } = storyOf();
  const stage = await openStory(story);
  const docs = await Promise.all(['pr-12', 'pr-13'].map((scope) => stage.apply({ ...longRun, scope })));
  expect(docs.map(({ error, status }) => error ?? status)).toEqual(['complete', 'complete']);
  expect(
    world
      .rules()
      .map(({ AllowedOrigin: [first] }) => first)
      .toSorted(),
  ).toEqual([origin, 'https://pr-13.acme.example']);
  await applied(stage, 'one more apply');
  expect(await stage.destroy({ ...longRun, scope: 'pr-13' })).toMatchObject({ ok: true });
  expect(world.rules()).toHaveLength(1);
  expect(await stage.destroy(longRun)).toMatchObject({ ok: true });
  expect(world.rules()).toEqual([]);
});

it.each(['apply', 'destroy'] as const)(
  'a first rule whose run was stopped before reads showed it is known to the next %s',
  async (next) => {
    const { story, simulation, world } = storyOf();
    const stage = await openStory(story);
    const stop = new AbortController();
    const forget = simulation.watch(({ phase, method }) => {
      if (phase === 'after' && method === 'PUT') stop.abort();
    });
    expect(await stage.apply(longRun, undefined, stop.signal)).toMatchObject({ ok: false });
    forget();
    expect([world.rules().length, (await stage.ledger()).records.size]).toEqual([1, 0]);
    if (next === 'apply') {
      await applied(stage, 'the next apply');
      expect(simulation.writes().map(({ method }) => method)).toEqual(['PUT']);
    }
    expect(await stage.destroy(longRun)).toMatchObject({ ok: true, status: 'complete' });
    expect(world.rules()).toEqual([]);
    const { records, intents } = await stage.ledger();
    expect([records.size, intents.size]).toEqual([0, 0]);
  },
);
