import { datadog } from 'pilotfish-sandbox/datadog';
import { github } from 'pilotfish-sandbox/github';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { split } from 'pilotfish-sandbox/split';
import { expect, it } from 'vitest';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';

const inHalfAMinute = String(Date.UTC(2026, 10, 21) / 1000 + 30);

/** Each provider says it in headers of its own; the first request of a run meets them. */
const spent = {
  'Datadog, in seconds from now': (clock: LeapingClock) => {
    const simulation = datadog({ clock });
    simulation.faults.once({}, 429, { errors: ['Too many requests'] }, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' });
    const line = {
      recipe: 'datadog.synthetic_api_test',
      name: 'pr-12',
      url: 'https://pr-12.acme.example',
      locations: ['aws:eu-central-1'],
    };
    return { simulation, line, env: { DD_API_KEY: simulation.world.apiKey, DD_APP_KEY: simulation.tokens.full } };
  },
  'GitHub, by a moment, with a 403': (clock: LeapingClock) => {
    const simulation = github({ clock, ahead: 0 });
    simulation.world.addRepository('acme/shop');
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inHalfAMinute };
    simulation.faults.once({}, 403, { message: 'API rate limit exceeded' }, headers);
    const line = { recipe: 'github.repo_webhook', repo: 'acme/shop', url: 'https://pr-12.acme.example', events: ['push'] };
    return { simulation, line, env: { GITHUB_TOKEN: simulation.tokens.full } };
  },
  'Split, by the larger of two': (clock: LeapingClock) => {
    const simulation = split({ clock });
    simulation.world.addFlag('5a6b7c80', 'new_checkout', '6b7c8d90', { rules: [] });
    simulation.faults.once({}, 429, { message: 'slow' }, { 'x-ratelimit-reset-seconds-org': '30', 'x-ratelimit-reset-seconds-ip': '4' });
    const flag = { workspace_id: '5a6b7c80', feature_flag: 'new_checkout', environment_id: '6b7c8d90' };
    const line = { recipe: 'split.targeting_rule', ...flag, match: 'pr-12.acme.example' };
    return { simulation, line, env: { SPLIT_ADMIN_API_KEY: simulation.tokens.full } };
  },
};

it.each(Object.entries(spent))('a spent rate limit is waited for as long as the provider says: %s', async (_, open) => {
  const clock = new LeapingClock();
  const { simulation, line, env } = open(clock);
  const plan = JSON.stringify({ version: 1, changes: [{ id: 'line', ...line }] });
  const stage = await openStage({
    simulations: [simulation],
    clock,
    env: { PILOTFISH_LEASE_MS: '120000', PILOTFISH_REQUEST_DEADLINE_MS: '30000', ...env },
    plan,
  });
  const { ok } = await stage.apply();
  const [refused, next] = simulation.log;
  expect(refused).toMatchObject({ outcome: 'injected' });
  expect((next?.at ?? 0) - (refused?.at ?? 0)).toBe(30_000);
  expect(ok).toBe(true);
  verifyHandled([simulation]);
  await stage.close();
});
