import { type AblyRule, ably } from 'pilotfish-sandbox/ably';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';

const app_id = '28AB6x';
const channel_filter = '^pr-12:';
const url = 'https://pr-12.acme.example';
const source = { channelFilter: channel_filter, type: 'channel.message' };
const target = { url: 'https://elsewhere.example/hook', format: 'json' };

describeRecipe('ably.webhook_rule', {
  simulate: ably,
  subject: ({ world }) => {
    world.addApp(app_id);
    world.addRule(app_id, { source: { ...source, channelFilter: '^pr-13:' }, target });
    world.addRule(app_id, { source: { ...source, type: 'channel.presence' }, target });
    world.addRule(app_id, { source, target, ruleType: 'aws/lambda' });
    const isMine = ({ ruleType, source: { channelFilter, type } }: AblyRule) =>
      ruleType === 'http' && channelFilter === channel_filter && type === 'channel.message';
    const mine = () => world.rules(app_id).filter(isMine);
    return {
      credential: 'ABLY_CONTROL_TOKEN',
      params: { app_id, channel_filter, url },
      mine,
      others: () => world.rules(app_id).filter((rule) => !isMine(rule)),
      stands: {
        source,
        requestMode: 'single',
        status: 'enabled',
        target: { url: `${url}/api/webhooks/ably`, format: 'json', enveloped: true },
      },
      edits: {
        requestMode: { requestMode: 'batch' },
        status: { status: 'disabled' },
        '/target/url': { target: { url: target.url } },
        '/target/format': { target: { format: 'msgpack' } },
        '/target/enveloped': { target: { enveloped: false } },
      },
      changes: {
        requestMode: { request_mode: 'batch' },
        status: { status: 'disabled' },
        '/target/url': { path: '/hooks' },
        '/target/format': { format: 'msgpack' },
        '/target/enveloped': { enveloped: false },
      },
      same: { status: { status: undefined }, '/target/enveloped': { target: { enveloped: null } } },
      undeclared: { target: { signingKeyId: '28AB6x.DRw-pQ', headers: [{ name: 'x-team', value: 'web' }] } },
      remove: () => {
        for (const { id } of mine()) world.removeRule(app_id, id);
      },
      fill: () => Object.assign(world.state, { ruleLimit: 3 }),
      foreign: () => world.addRule(app_id, { source, target }),
    };
  },
});

it('a change loses neither the headers nor the signing key that somebody gave the rule', async () => {
  const simulation = ably();
  const { world } = simulation;
  world.addApp(app_id);
  const plan = (path: string) =>
    JSON.stringify({ version: 1, changes: [{ id: 'rule', recipe: 'ably.webhook_rule', app_id, channel_filter, url, path }] });
  const stage = await openStage({ simulations: [simulation], env: { ABLY_CONTROL_TOKEN: simulation.tokens.full }, plan: plan('/a') });
  await stage.apply();
  const theirs = { signingKeyId: '28AB6x.DRw-pQ', headers: [{ name: 'x-team', value: 'web' }] };
  for (const rule of world.rules(app_id)) Object.assign(rule.target, theirs);
  await stage.write(plan('/b'));
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
  expect(world.rules(app_id)).toMatchObject([{ target: { ...theirs, url: `${url}/b` } }]);
  await stage.close();
});

it('a change that meets another filter at the provider puts back whose events these are', async () => {
  const simulation = ably();
  const { world } = simulation;
  world.addApp(app_id);
  const plan = (path: string) =>
    JSON.stringify({ version: 1, changes: [{ id: 'rule', recipe: 'ably.webhook_rule', app_id, channel_filter, url, path }] });
  const stage = await openStage({ simulations: [simulation], env: { ABLY_CONTROL_TOKEN: simulation.tokens.full }, plan: plan('/a') });
  await stage.apply();
  await stage.write(plan('/b'));
  // Somebody who is faster turns the rule to other channels, after it was looked at.
  simulation.watch(({ phase, method }) => {
    if (phase !== 'before' || method !== 'PATCH') return;
    for (const rule of world.rules(app_id)) rule.source = { channelFilter: '^everybody:', type: 'channel.presence' };
  });
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
  expect(world.rules(app_id)).toMatchObject([{ source, target: { url: `${url}/b` } }]);
  await stage.close();
});
