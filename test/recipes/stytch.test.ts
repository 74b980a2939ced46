import { type RedirectUrl, stytch, type ValidType } from 'pilotfish-sandbox/stytch';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

const place = ['shop', 'test'] as const;
const [project_slug, environment_slug] = place;
const url = 'https://pr-12.acme.example/authenticate?from=shop';
const types = (...names: readonly string[]): ValidType[] => names.map((type) => ({ type, is_default: false }));

describeRecipe('stytch.redirect_url', {
  simulate: stytch,
  subject: ({ tokens, world }) => {
    world.addEnvironment(...place);
    const urls: RedirectUrl[] = world.urls(...place);
    urls.push({ url: 'https://pr-12.acme.example/authenticate', valid_types: [{ type: 'LOGIN', is_default: true }] });
    const mine = () => urls.filter((one) => one.url === url);
    return {
      credential: (tier) => ({ STYTCH_WORKSPACE_KEY_ID: world.keyId, STYTCH_WORKSPACE_KEY_SECRET: tokens[tier] }),
      params: { project_slug, environment_slug, url: 'https://pr-12.acme.example', path: '/authenticate?from=shop' },
      mine,
      others: () => urls.filter((one) => one.url !== url),
      // No other URL of the environment is for sign-up, and still this one is not promoted to its default.
      stands: { url, valid_types: types('LOGIN', 'SIGNUP') },
      edits: { valid_types: { valid_types: types('LOGIN', 'SIGNUP', 'INVITE') } },
      changes: { valid_types: { valid_types: types('SIGNUP', 'RESET_PASSWORD') } },
      remove: () => world.removeUrl(...place, url),
      foreign: () => urls.push({ url, valid_types: types('LOGIN') }),
    };
  },
  skip: { twoMatches: 'an environment has a URL once' },
});

async function openShop() {
  const simulation = stytch();
  simulation.world.addEnvironment(...place);
  const urls = simulation.world.urls(...place);
  const stage = await openStage({
    simulations: [simulation],
    env: { STYTCH_WORKSPACE_KEY_ID: simulation.world.keyId, STYTCH_WORKSPACE_KEY_SECRET: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [{ id: 'login', recipe: 'stytch.redirect_url', project_slug, environment_slug, url }] }),
  });
  return { simulation, stage, urls };
}

it('types in another order are the same types', async () => {
  const { simulation, stage, urls } = await openShop();
  await stage.apply();
  Object.assign(urls[0] ?? {}, { valid_types: types('SIGNUP', 'LOGIN') });
  const before = simulation.log.length;
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'none' }] });
  expect(simulation.writes(before)).toEqual([]);
  await stage.close();
});

it('a URL that somebody made the default is put back, and deleting it makes no other URL the default', async () => {
  const { stage, urls } = await openShop();
  const theirs = { url: 'https://acme.example/authenticate', valid_types: types('LOGIN', 'SIGNUP') };
  urls.push(theirs);
  await stage.apply();
  const made = urls.find((one) => one.url === url);
  for (const one of made?.valid_types ?? []) one.is_default = true;
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
  expect(made?.valid_types).toEqual(types('LOGIN', 'SIGNUP'));
  for (const one of made?.valid_types ?? []) one.is_default = true;
  expect(await stage.destroy()).toMatchObject({ ok: true });
  expect(urls).toEqual([{ ...theirs, valid_types: types('LOGIN', 'SIGNUP') }]);
  await stage.close();
});

it('a URL that the answer to its create shows is not looked for again', async () => {
  const { simulation, stage } = await openShop();
  expect(await stage.apply()).toMatchObject({ ok: true });
  expect(simulation.log.map(({ method }) => method)).toEqual(['GET', 'POST']);
  await stage.close();
});
