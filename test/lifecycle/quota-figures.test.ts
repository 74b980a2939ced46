import { configcat } from 'pilotfish-sandbox/configcat';
import { verifyHandled } from 'pilotfish-sandbox/kit/index';
import { sendgrid } from 'pilotfish-sandbox/sendgrid';
import { stripe } from 'pilotfish-sandbox/stripe/index';
import { describe, expect, it } from 'vitest';
import { planText } from '../../src/report/plan-text.ts';
import { plainStyles } from '../../src/report/styles.ts';
import { family, openOven } from '../recipes/oven.ts';
import { openStage } from '../support/stage.ts';

const all = 'GET /v3/user/webhooks/event/settings/all';
const hookOf = (id: string, more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  recipe: 'sendgrid.event_webhook',
  url: `https://${id}.acme.example`,
  ...more,
});
const planOf = (...changes: readonly unknown[]): string => JSON.stringify({ version: 1, changes });

/** An account that takes `limit` enabled webhooks and has `taken` of them. */
async function openAccount({ limit, taken }: { readonly limit: number; readonly taken: number }, plan: string) {
  const simulation = sendgrid();
  simulation.world.state.webhookLimit = limit;
  for (let i = 0; i < taken; i += 1) simulation.world.addWebhook(`https://other-${i}.acme.example/hook`);
  const stage = await openStage({ simulations: [simulation], env: { SENDGRID_API_KEY: simulation.tokens.full }, plan });
  const close = async (): Promise<void> => {
    verifyHandled([simulation]);
    await stage.close();
  };
  return { simulation, stage, close, state: simulation.world.state };
}

const three = planOf(hookOf('orders'), hookOf('refunds'), hookOf('disputes'));

describe('a provider that tells its limit and its count', () => {
  it('a plan refuses the lines that do not fit, with the figures', async () => {
    const { simulation, stage, close } = await openAccount({ limit: 5, taken: 4 }, three);
    const doc = await stage.plan();
    expect(doc).toMatchObject({
      ok: false,
      lines: [
        { id: 'orders', verdict: 'create' },
        { id: 'refunds', verdict: 'refused', error: { code: 'PROVIDER_QUOTA' } },
        { id: 'disputes', verdict: 'refused', error: { code: 'PROVIDER_QUOTA' } },
      ],
    });
    expect(doc.error?.detail).toContain(
      'The provider takes 5 of sendgrid.event_webhook at this place, and 4 stand there (GET /v3/user/webhooks/event/settings/all). This run would make 3 more: 7 of 5.',
    );
    expect(doc.error?.detail).toContain('`pilotfish list`');
    expect(doc.error?.fix).toContain('raise the limit');
    expect(simulation.writes()).toEqual([]);
    await close();
  });

  it('a plan counts the lines that were judged before, and its text shows the figures below the line', async () => {
    const plan = planOf(hookOf('orders'), hookOf('refunds', { depends_on: ['orders'] }));
    const { stage, close } = await openAccount({ limit: 5, taken: 4 }, plan);
    const text = planText(await stage.plan(), plainStyles, {
      apply: 'pilotfish apply',
      prune: 'pilotfish apply --prune',
      isDestroy: false,
    });
    const [, refused = ''] = text.split('\n  !  ');
    expect(refused.split('\n\n')[0]).toBe(
      [
        'refused  refunds  sendgrid.event_webhook  https://refunds.acme.example/api/webhooks/sendgrid',
        '      there is no room for it',
        '      PROVIDER_QUOTA  A limit of the provider is reached  release.plan.yaml:1:117',
        '        refunds: The provider takes 5 of sendgrid.event_webhook at this place, and 4 stand there (GET /v3/user/webhooks/event/settings/all). This run would make 2 more: 6 of 5. `pilotfish list` shows the scopes that hold some. An account holds as many event webhooks as its plan allows. Scope pr-12 holds none of sendgrid.event_webhook; those of every other open scope count, too.',
        '        Fix: Run `pilotfish apply --destroy --closed` to remove what closed pull requests left, or raise the limit at the provider.',
      ].join('\n'),
    );
    expect(text).toContain('1 to create, 1 refused');
    await close();
  });

  it('an apply whose creates do not all fit sends no write at all, and goes on once there is room', async () => {
    const { simulation, stage, state, close } = await openAccount({ limit: 5, taken: 4 }, three);
    const doc = await stage.apply();
    expect(doc).toMatchObject({
      ok: false,
      status: 'failed',
      lines: [
        { id: 'orders', error: { code: 'PROVIDER_QUOTA', detail: expect.stringContaining('no room for refunds and disputes') } },
        { id: 'refunds', state: 'refused', error: { code: 'PROVIDER_QUOTA' } },
        { id: 'disputes', state: 'refused', error: { code: 'PROVIDER_QUOTA' } },
      ],
    });
    expect(simulation.writes()).toEqual([]);
    const { records, intents } = await stage.ledger();
    expect([records.size, intents.size]).toEqual([0, 0]);
    state.webhookLimit = 7;
    expect(await stage.apply()).toMatchObject({ ok: true, status: 'complete' });
    expect(state.webhooks).toHaveLength(7);
    await close();
  });

  it('creates that fill the place exactly are made', async () => {
    const { stage, state, close } = await openAccount({ limit: 5, taken: 2 }, three);
    expect(await stage.plan()).toMatchObject({ ok: true });
    expect(await stage.apply()).toMatchObject({ ok: true });
    expect(state.webhooks).toHaveLength(5);
    expect(await stage.apply()).toMatchObject({ ok: true });
    await close();
  });

  it('the figures cost no request, because the look reads the same list', async () => {
    const { simulation, stage, close } = await openAccount({ limit: 9, taken: 2 }, three);
    await stage.plan();
    expect(simulation.log.map(({ method }) => method)).toEqual(['GET']);
    await stage.apply();
    expect(simulation.log.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST', 'POST', 'POST']);
    await close();
  });

  it.each([-1, 0, null, undefined, 'five'])('a limit of %s refuses nothing', async (max_allowed) => {
    const { simulation, stage, close } = await openAccount({ limit: 9, taken: 4 }, three);
    simulation.faults.times(99, all, 200, { max_allowed, webhooks: [] });
    expect(await stage.plan()).toMatchObject({ ok: true, lines: [{ verdict: 'create' }, { verdict: 'create' }, { verdict: 'create' }] });
    await close();
  });

  it('an object that stands needs no room', async () => {
    const { stage, state, close } = await openAccount({ limit: 4, taken: 1 }, three);
    expect(await stage.apply()).toMatchObject({ ok: true });
    state.webhookLimit = 2;
    await stage.write(planOf(hookOf('orders', { open: true }), hookOf('refunds'), hookOf('disputes')));
    expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }, { verdict: 'none' }, { verdict: 'none' }] });
    await close();
  });

  it('an object that is adopted, and one of somebody else, need no room', async () => {
    const all = ['enabled', 'processed', 'delivered', 'deferred', 'bounce', 'dropped', 'open', 'click', 'spam_report'];
    const kept = [...all, 'unsubscribe', 'group_unsubscribe', 'group_resubscribe'].map((name) => [name, { keep: true }]);
    const plan = planOf(hookOf('adopted', Object.fromEntries(kept)), hookOf('theirs'), hookOf('orders'));
    const { simulation, stage, close } = await openAccount({ limit: 3, taken: 0 }, plan);
    for (const id of ['adopted', 'theirs']) simulation.world.addWebhook(`https://${id}.acme.example/api/webhooks/sendgrid`);
    expect(await stage.apply()).toMatchObject({
      lines: [
        { id: 'adopted', verdict: 'adopt', state: 'settled' },
        { id: 'theirs', error: { code: 'RESOURCE_FOREIGN' } },
        { id: 'orders', verdict: 'create', state: 'settled' },
      ],
    });
    await close();
  });

  it('a webhook that is off takes no room, neither a planned one nor one that stands', async () => {
    const { simulation, stage, close } = await openAccount(
      { limit: 3, taken: 2 },
      planOf(hookOf('orders'), hookOf('refunds', { enabled: false })),
    );
    simulation.world.addWebhook('https://off.acme.example/hook', { enabled: false });
    expect(await stage.plan()).toMatchObject({ ok: true, lines: [{ verdict: 'create' }, { verdict: 'create' }] });
    await close();
  });

  it('with --only the other lines need no room', async () => {
    const { stage, state, close } = await openAccount({ limit: 5, taken: 4 }, three);
    expect(await stage.apply({ only: ['refunds'] })).toMatchObject({ ok: true });
    expect(state.webhooks).toHaveLength(5);
    await close();
  });

  it('with --expect nothing is written either', async () => {
    const { simulation, stage, close } = await openAccount({ limit: 5, taken: 4 }, three);
    const { digest } = await stage.plan();
    expect(await stage.apply({ expect: digest })).toMatchObject({ ok: false, error: { code: 'PROVIDER_QUOTA' } });
    expect(simulation.writes()).toEqual([]);
    await close();
  });

  it('a line that comes after another one counts before the first write', async () => {
    const plan = planOf(hookOf('orders'), hookOf('refunds', { depends_on: ['orders'] }));
    const { simulation, stage, close } = await openAccount({ limit: 5, taken: 4 }, plan);
    expect(await stage.apply()).toMatchObject({
      ok: false,
      error: { code: 'PROVIDER_QUOTA', detail: expect.stringContaining('no room for refunds') },
    });
    expect(simulation.writes()).toEqual([]);
    await close();
  });

  it('a line whose name comes from another one is refused before its own create', async () => {
    const plan = planOf(
      hookOf('orders', { friendly_name: 'https://late.acme.example' }),
      hookOf('late', { url: { join: ['https://', { from: 'orders.id' }, '.acme.example'] } }),
    );
    const { simulation, stage, close } = await openAccount({ limit: 5, taken: 4 }, plan);
    const doc = await stage.apply();
    expect(doc).toMatchObject({
      ok: false,
      lines: [
        { id: 'orders', state: 'settled' },
        { id: 'late', error: { code: 'PROVIDER_QUOTA' } },
      ],
    });
    expect(simulation.writes().map(({ method }) => method)).toEqual(['POST']);
    await close();
  });
});

it('nothing is written at other providers either, whichever line comes first', async () => {
  const full = sendgrid();
  full.world.state.webhookLimit = 1;
  full.world.addWebhook('https://other.acme.example/hook');
  const other = stripe();
  const endpoint = {
    id: 'pay',
    recipe: 'stripe.webhook_endpoint',
    name: 'pay',
    url: 'https://pay.acme.example',
    enabled_events: ['charge.failed'],
  };
  for (const changes of [
    [endpoint, hookOf('orders')],
    [hookOf('orders'), endpoint],
    [endpoint, hookOf('orders', { depends_on: ['pay'] })],
  ]) {
    const env = { SENDGRID_API_KEY: full.tokens.full, STRIPE_SECRET_KEY: other.tokens.full };
    const stage = await openStage({ simulations: [full, other], env, plan: planOf(...changes) });
    const { lines, ok } = await stage.apply();
    expect(ok).toBe(false);
    expect(lines.find(({ id }) => id === 'pay')?.error).toMatchObject({
      code: 'PROVIDER_QUOTA',
      detail: expect.stringContaining('This line was not written, because there is no room for orders.'),
    });
    expect([...full.writes(), ...other.writes()]).toEqual([]);
    await stage.close();
  }
});

it('entries of a list are counted on their parent, and each parent has its own room', async () => {
  const simulation = configcat();
  const environment_id = '08d86d63-2726-47cd-8bfc-59608ecb91e2';
  for (const flag of [1523, 1524]) simulation.world.addFlag(environment_id, flag);
  simulation.world.state.ruleLimit.count = 1;
  const rule = (id: string, setting_id: string) => ({
    ...{ id, recipe: 'configcat.targeting_rule', environment_id, setting_id, attribute: 'Host', match: `${id}.acme.example` },
  });
  const stage = await openStage({
    simulations: [simulation],
    env: { CONFIGCAT_API_USER: simulation.world.user, CONFIGCAT_API_PASS: simulation.tokens.full },
    plan: planOf(rule('a', '1523'), rule('b', '1524'), rule('c', '1524')),
  });
  const doc = await stage.apply();
  expect(doc).toMatchObject({ ok: false, lines: [{}, {}, { id: 'c', state: 'refused', error: { code: 'PROVIDER_QUOTA' } }] });
  expect(simulation.writes()).toEqual([]);
  await stage.write(planOf(rule('a', '1523'), rule('b', '1524')));
  expect(await stage.apply()).toMatchObject({ ok: true });
  verifyHandled([simulation]);
  await stage.close();
});

describe('a limit that another request tells than the count', () => {
  const figures = 'quota: { figures: { limit: { path: /limits, at: /most }, count: { path: /lights, at: /items } } }';
  const counted = family.replace('    params:', `    ${figures}\n    params:`);
  const lights = ['a', 'b', 'c'].map((id) => ({ id, recipe: 'oven.light', name: `light-${id}` }));
  const plan = JSON.stringify({ version: 1, recipes: ['./recipes/*.yaml'], changes: lights });
  const limits = 'GET /v1/limits';
  const limitReads = ({ provider }: Awaited<ReturnType<typeof openOven>>): number =>
    provider.log.filter(({ method, path }) => method === 'GET' && path === '/v1/limits').length;

  it('is read once, and the lines that do not fit are refused before the first write', async () => {
    const at = await openOven({ 'recipes/oven.yaml': counted }, plan);
    at.provider.faults.times(1, limits, 200, { most: 2 });
    expect(await at.apply()).toMatchObject({
      ok: false,
      lines: [{}, {}, { id: 'c', state: 'refused', error: { detail: expect.stringContaining('This run would make 3 more: 3 of 2.') } }],
    });
    expect([limitReads(at), at.provider.writes()]).toEqual([1, []]);
    await at.close();
  });

  it.each([
    ['403', 403, { error: 'no' }],
    ['404', 404, { error: 'no such thing' }],
    ['an answer without the number', 200, { least: 1 }],
    ['an answer of another kind', 200, []],
  ])('that is %s refuses nothing', async (_, status, body) => {
    const at = await openOven({ 'recipes/oven.yaml': counted }, plan);
    at.provider.faults.times(9, limits, status, body);
    expect(await at.apply()).toMatchObject({ ok: true, stats: { writes: 3 } });
    expect(limitReads(at)).toBe(1);
    await at.close();
  });

  it('is not read where nothing is made', async () => {
    const at = await openOven({ 'recipes/oven.yaml': counted }, plan);
    await at.apply();
    const before = limitReads(at);
    expect(await at.apply()).toMatchObject({ ok: true, stats: { writes: 0 } });
    await at.plan();
    expect(limitReads(at)).toBe(before);
    await at.close();
  });
});
