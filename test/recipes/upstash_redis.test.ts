import { svix } from 'pilotfish-sandbox/svix';
import { upstashRedis } from 'pilotfish-sandbox/upstash-redis';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

const name = 'shop-pr-12';

describeRecipe('upstash_redis.redis_database', {
  simulate: upstashRedis,
  subject: ({ tokens, world }) => {
    world.add({ database_name: 'shop-pr-13', primary_region: 'eu-central-1' });
    const mine = () => world.databases().filter(({ database_name }) => database_name === name);
    return {
      credential: (tier) => ({ UPSTASH_EMAIL: world.email, UPSTASH_API_KEY: tokens[tier] }),
      params: {
        name,
        primary_region: 'eu-central-1',
        platform: 'aws',
        read_regions: ['eu-west-1'],
        eviction: true,
        budget: 50,
      },
      mine,
      others: () => world.databases().filter(({ database_name }) => database_name !== name),
      stands: { primary_region: 'eu-central-1', read_regions: ['eu-west-1'], eviction: true, budget: 50 },
      edits: {},
      fixed: { primary_region: { primary_region: 'us-east-1' } },
      unseen: {
        read_regions: 'told when the database is made and not compared',
        eviction: 'told when the database is made and not compared',
        budget: 'told when the database is made and not compared',
      },
      undeclared: { eviction: false, budget: 100, read_regions: ['us-west-1'] },
      remove: () => {
        for (const { database_id } of mine()) world.remove(database_id);
      },
      fill: () => Object.assign(world.state, { databaseLimit: 1 }),
      foreign: () => world.add({ database_name: name }),
      gives: () => {
        const [one] = mine();
        if (!one) throw new Error('nothing was made');
        return { password: one.password, rest_token: one.rest_token, read_only_rest_token: one.read_only_rest_token };
      },
      secrets: () =>
        world.databases().flatMap(({ password, rest_token, read_only_rest_token }) => [password, rest_token, read_only_rest_token]),
    };
  },
  skip: {
    blind: 'the key of another account reads an empty list, as an empty account does',
    blindDestroy: 'the key of another account reads an empty list, as an empty account does',
  },
});

it.each(['made', 'found'])('the token of a database that was %s goes to the line that asks for it, and into no file', async (how) => {
  const redis = upstashRedis();
  const hooks = svix();
  const app_id = hooks.world.addApp();
  const made = { id: 'cache', recipe: 'upstash_redis.redis_database', name, primary_region: 'eu-central-1' };
  const secret = { from: 'cache.rest_token' };
  const user = { id: 'hook', recipe: 'svix.endpoint', app_id, uid: name, url: 'https://pr-12.acme.example', secret };
  const stage = await openStage({
    simulations: [redis, hooks],
    env: { UPSTASH_EMAIL: redis.world.email, UPSTASH_API_KEY: redis.tokens.full, SVIX_AUTH_TOKEN: hooks.tokens.full },
    plan: JSON.stringify({ version: 1, changes: how === 'made' ? [made, user] : [made] }),
  });
  expect(await stage.apply()).toMatchObject({ ok: true });
  if (how === 'found') {
    await stage.write(JSON.stringify({ version: 1, changes: [made, user] }));
    expect(await stage.apply()).toMatchObject({ ok: true });
  }
  const [cache] = redis.world.databases();
  if (!cache) throw new Error('nothing was made');
  expect(hooks.world.endpoints(app_id)).toMatchObject([{ secret: cache.rest_token }]);
  expect((await stage.bytes()).includes(cache.rest_token)).toBe(false);
  await stage.close();
});

it('an answer that does not tell the region costs no database', async () => {
  const redis = upstashRedis();
  const stage = await openStage({
    simulations: [redis],
    env: { UPSTASH_EMAIL: redis.world.email, UPSTASH_API_KEY: redis.tokens.full },
    plan: JSON.stringify({
      version: 1,
      changes: [{ id: 'cache', recipe: 'upstash_redis.redis_database', name, primary_region: 'eu-central-1' }],
    }),
  });
  await stage.apply();
  for (const database of redis.world.databases()) Reflect.deleteProperty(database, 'primary_region');
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'none' }] });
  await stage.close();
});
