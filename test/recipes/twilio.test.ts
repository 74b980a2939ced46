import { twilio } from 'pilotfish-sandbox/twilio';
import { expect, it } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { openStage } from '../support/stage.ts';
import { livesOn } from '../support/suite/kept.ts';

const url = 'https://pr-12.acme.example';
const friendly_name = 'shop pr-12';
const elsewhere = 'https://elsewhere.example/hook';

describeRecipe('twilio.app', {
  simulate: twilio,
  subject: ({ tokens, world }) => {
    const account_sid = world.addAccount();
    world.addApp(account_sid, { friendly_name: 'shop pr-13', voice_url: `${url}/voice` });
    const mine = () => world.apps(account_sid).filter((app) => app.friendly_name === friendly_name);
    return {
      credential: (tier) => ({ TWILIO_API_KEY: world.keySid, TWILIO_API_SECRET: tokens[tier] }),
      // GET wherever it may be: POST is what Twilio takes for one that is not sent.
      params: {
        account_sid,
        friendly_name,
        url,
        voice_path: '/voice',
        voice_method: 'GET',
        voice_fallback_path: '/voice-failed',
        voice_fallback_method: 'GET',
        status_callback_path: '/status',
        status_callback_method: 'GET',
        sms_path: '/sms',
        sms_method: 'GET',
        sms_fallback_path: '/sms-failed',
        sms_fallback_method: 'GET',
        message_status_callback_path: '/message-status',
      },
      mine,
      others: () => world.apps(account_sid).filter((app) => app.friendly_name !== friendly_name),
      stands: {
        voice_url: `${url}/voice`,
        voice_method: 'GET',
        voice_fallback_url: `${url}/voice-failed`,
        voice_fallback_method: 'GET',
        status_callback: `${url}/status`,
        status_callback_method: 'GET',
        sms_url: `${url}/sms`,
        sms_method: 'GET',
        sms_fallback_url: `${url}/sms-failed`,
        sms_fallback_method: 'GET',
        message_status_callback: `${url}/message-status`,
      },
      edits: {
        voice_url: { voice_url: elsewhere },
        voice_method: { voice_method: 'POST' },
        voice_fallback_url: { voice_fallback_url: null },
        voice_fallback_method: { voice_fallback_method: 'POST' },
        status_callback: { status_callback: elsewhere },
        status_callback_method: { status_callback_method: 'POST' },
        sms_url: { sms_url: null },
        sms_method: { sms_method: 'POST' },
        sms_fallback_url: { sms_fallback_url: elsewhere },
        sms_fallback_method: { sms_fallback_method: 'POST' },
        message_status_callback: { message_status_callback: null },
      },
      changes: {
        voice_url: { voice_path: '/calls' },
        voice_method: { voice_method: 'POST' },
        voice_fallback_url: { voice_fallback_path: '/calls-failed' },
        voice_fallback_method: { voice_fallback_method: 'POST' },
        status_callback: { status_callback_path: '/call-status' },
        status_callback_method: { status_callback_method: 'POST' },
        sms_url: { sms_path: '/messages' },
        sms_method: { sms_method: 'POST' },
        sms_fallback_url: { sms_fallback_path: '/messages-failed' },
        sms_fallback_method: { sms_fallback_method: 'POST' },
        message_status_callback: { message_status_callback_path: '/messages-status' },
      },
      undeclared: { voice_caller_id_lookup: true },
      remove: () => {
        for (const { sid } of mine()) world.removeApp(account_sid, sid);
      },
      foreign: () => world.addApp(account_sid, { friendly_name }),
    };
  },
});

it('what has no path in the plan keeps the address that somebody gave it', async () => {
  const simulation = twilio();
  const { world } = simulation;
  const account_sid = world.addAccount();
  const line = { id: 'app', recipe: 'twilio.app', account_sid, friendly_name, url, sms_path: '/sms' };
  const stage = await openStage({
    simulations: [simulation],
    env: { TWILIO_API_KEY: world.keySid, TWILIO_API_SECRET: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [line] }),
  });
  await stage.apply();
  const [mine] = world.apps(account_sid);
  if (!mine) throw new Error('nothing was made');
  mine.voice_url = elsewhere;
  await stage.write(JSON.stringify({ version: 1, changes: [{ ...line, sms_path: '/messages' }] }));
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
  expect(world.apps(account_sid)).toMatchObject([{ voice_url: elsewhere, sms_url: `${url}/messages` }]);
  await stage.close();
});

it('the list is read to its last page, a thousand at a time', async () => {
  const simulation = twilio();
  const { world } = simulation;
  const account_sid = world.addAccount();
  for (let i = 0; i < 2000; i += 1) world.addApp(account_sid, { friendly_name });
  const stage = await openStage({
    simulations: [simulation],
    env: { TWILIO_API_KEY: world.keySid, TWILIO_API_SECRET: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [{ id: 'app', recipe: 'twilio.app', account_sid, friendly_name, url }] }),
  });
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'refused', error: { code: 'PARAM_INVALID' } }] });
  expect(new Set(simulation.log.map(({ query }) => query.FriendlyName))).toEqual(new Set([friendly_name]));
  expect(new Set(simulation.log.map(({ query }) => query.Page))).toEqual(new Set([undefined, '1']));
  await stage.close();
});

it('an application whose times are told in words is claimed where the answer to its create is lost, and an account takes no 1001st', () =>
  livesOn(
    'twilio.app',
    twilio,
    ({ faults, tokens, world }) => {
      const account_sid = world.addAccount();
      for (let n = 0; n < 999; n += 1) world.addApp(account_sid, { friendly_name: `shop pr-${100 + n}` });
      faults.loseAnswer({ method: 'POST' });
      return {
        credential: (tier) => ({ TWILIO_API_KEY: world.keySid, TWILIO_API_SECRET: tokens[tier] }),
        params: { account_sid, friendly_name, url, sms_path: '/sms' },
        mine: () => world.apps(account_sid).filter((app) => app.friendly_name === friendly_name),
        others: () => world.apps(account_sid).filter((app) => app.friendly_name !== friendly_name),
        stands: { sms_url: `${url}/sms`, date_created: expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} .*\+0000$/) },
        edits: { sms_url: { sms_url: elsewhere } },
      };
    },
    async (bench) => {
      await bench.change({ friendly_name: 'shop pr-12, another' });
      expect(await bench.apply()).toMatchObject({ ok: false, error: { detail: expect.stringContaining('at most 1000') } });
    },
  ));
