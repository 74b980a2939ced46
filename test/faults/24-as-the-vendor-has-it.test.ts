import { fly } from 'pilotfish-sandbox/fly';
import { type Simulation, verifyHandled } from 'pilotfish-sandbox/kit/index';
import { neon } from 'pilotfish-sandbox/neon/index';
import { resend } from 'pilotfish-sandbox/resend';
import { stripe } from 'pilotfish-sandbox/stripe/index';
import { qstash } from 'pilotfish-sandbox/upstash-qstash';
import { expect, it, onTestFinished } from 'vitest';
import { pages } from '../../scripts/docs.ts';
import { root } from '../../scripts/tasks.ts';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';

async function open(simulation: Simulation, env: Readonly<Record<string, string>>, changes: readonly object[], clock = new LeapingClock()) {
  const planOf = (lines: readonly object[]): string => JSON.stringify({ version: 1, changes: lines });
  const stage = await openStage({ simulations: [simulation], env, plan: planOf(changes), clock });
  onTestFinished(() => {
    verifyHandled([simulation]);
    return stage.close();
  });
  return { stage, write: (lines: readonly object[]) => stage.write(planOf(lines)) };
}

it('an app of Fly.io goes while machines run in it', async () => {
  const simulation = fly();
  const { stage } = await open(simulation, { FLY_API_TOKEN: simulation.tokens.full }, [
    { id: 'app', recipe: 'fly.app', org_slug: 'acme', name: 'shop-pr-12' },
  ]);
  await stage.apply();
  const app = simulation.world.app('shop-pr-12');
  Object.assign(app ?? {}, { machines: 2 });
  const theirs = simulation.world.addApp('acme', 'shop');
  theirs.machines = 1;
  expect(await stage.destroy()).toMatchObject({ ok: true, status: 'complete' });
  expect(simulation.world.state.apps).toEqual([theirs]);
});

it('a branch of Neon that was deleted and can be recovered never counts as existing', async () => {
  const simulation = neon();
  const { world } = simulation;
  const { stage } = await open(simulation, { NEON_API_KEY: simulation.tokens.full }, [
    { id: 'db', adapter: 'neon', op: 'branch', project_id: world.project, name: 'pr-12' },
  ]);
  await stage.apply();
  const before = world.branch('pr-12')?.id;
  expect(await stage.destroy()).toMatchObject({ ok: true });
  const all = Object.values(world.state.projects).flatMap(({ branches }) => branches);
  expect(all.find(({ id }) => id === before)?.deleted_at).not.toBeNull();
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'create' }] });
  expect(world.branch('pr-12')?.id).not.toBe(before);
  expect(simulation.log.filter(({ path }) => path.includes('include_deleted'))).toEqual([]);
});

const digest = { id: 'digest', recipe: 'qstash.schedule', schedule_id: 'shop-pr-12', url: 'https://pr-12.acme.example', cron: '0 6 * * *' };

it('what a line does not declare of a schedule of QStash stands after a change of it', async () => {
  const simulation = qstash();
  const { stage, write } = await open(simulation, { QSTASH_TOKEN: simulation.tokens.full }, [digest]);
  await stage.apply();
  const theirs = {
    labels: ['digest', 'nightly'],
    delay: 90,
    retryDelayExpression: 'retried * 1000',
    retries: 7,
    queueName: 'mail',
    flowControlKey: 'shop',
    parallelism: 3,
    period: 60,
    callback: 'https://told.example/ok',
    failureCallback: 'https://told.example/failed',
    header: { 'X-Team': ['web'] },
    isPaused: true,
  };
  Object.assign(simulation.world.schedules()[0] ?? {}, theirs);
  await write([{ ...digest, cron: '0 7 * * *' }]);
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
  expect(simulation.world.schedules()).toMatchObject([{ cron: '0 7 * * *', ...theirs, header: { 'x-team': ['web'] } }]);
  expect(await stage.plan()).toMatchObject({ lines: [{ verdict: 'none' }] });
});

it('what a line declares of a schedule wins over what stands, and what a change must take away is told', async () => {
  const simulation = qstash();
  const { stage, write } = await open(simulation, { QSTASH_TOKEN: simulation.tokens.full }, [
    { ...digest, retries: 2, forward_headers: { 'x-scope': 'pr-12' } },
  ]);
  await stage.apply();
  Object.assign(simulation.world.schedules()[0] ?? {}, { body: '{"by":"hand"}', header: { 'x-scope': ['pr-12'], 'x-team': ['web'] } });
  await write([{ ...digest, retries: 5, forward_headers: { 'x-scope': 'pr-13' } }]);
  const { lines } = await stage.apply();
  expect(simulation.world.schedules()).toMatchObject([{ retries: 5, header: { 'x-scope': ['pr-13'] } }]);
  expect(lines[0]?.notes).toEqual([
    'The update removed its body: the provider replaces the whole object, and the line does not declare this part.',
  ]);
});

it.each([16, 100])('a Stripe account with %i endpoints is told as full by the words of Stripe, whatever the number', async (most) => {
  const simulation = stripe();
  const { world } = simulation;
  world.state.endpointLimit = most;
  for (let n = 0; n < most; n += 1) world.addEndpoint(`https://other-${n}.acme.example/hook`);
  const hook = {
    recipe: 'stripe.webhook_endpoint',
    name: 'shop-pr-12',
    url: 'https://pr-12.acme.example',
    enabled_events: ['charge.failed'],
  };
  const { stage } = await open(simulation, { STRIPE_SECRET_KEY: simulation.tokens.full }, [{ id: 'hook', ...hook }]);
  const { lines } = await stage.apply();
  expect(lines[0]?.error).toMatchObject({ code: 'PROVIDER_QUOTA', detail: expect.stringContaining(`maximum of ${most} test`) });
  expect(lines[0]?.error?.detail).toContain('A report of 2026-08 has 100, and support can raise the number');
});

it('a refusal of Stripe that speaks of another maximum is not taken for a full account', async () => {
  const simulation = stripe();
  const hook = {
    recipe: 'stripe.webhook_endpoint',
    name: 'shop-pr-12',
    url: 'https://pr-12.acme.example',
    enabled_events: ['charge.failed'],
  };
  const { stage } = await open(simulation, { STRIPE_SECRET_KEY: simulation.tokens.full }, [{ id: 'hook', ...hook }]);
  const message = 'The description reached the maximum length.';
  simulation.faults.once('POST /v1/webhook_endpoints', 400, { error: { type: 'invalid_request_error', message } });
  expect((await stage.apply()).lines[0]?.error?.code).toBe('PROVIDER_INVALID');
});

it('requests to Resend go on when its headers say so, whatever the rate of the team', async () => {
  const clock = new LeapingClock();
  const simulation = resend({ clock });
  const lines = Array.from({ length: 8 }, (_, n) => ({ id: `key-${n}`, recipe: 'resend.api_key', name: `shop-pr-12-${n}` }));
  const { stage } = await open(simulation, { RESEND_API_KEY: simulation.tokens.full }, lines, clock);
  const headers = { 'ratelimit-limit': '5', 'ratelimit-remaining': '0', 'ratelimit-reset': '7' };
  const message = 'Too many requests. You can only make 5 requests per second.';
  simulation.faults.once('GET /api-keys', 429, { statusCode: 429, name: 'rate_limit_exceeded', message }, headers);
  expect(await stage.apply()).toMatchObject({ ok: true, status: 'complete' });
  const [refused, next] = simulation.log;
  expect((next?.at ?? 0) - (refused?.at ?? 0)).toBe(7000);
  expect(simulation.world.state.keys).toHaveLength(8);
});

it("the recipes of Resend declare no number of requests, because the rate is the team's own", async () => {
  const registry = await openRegistry({ env: {}, cwd: root });
  expect((await registry.recipe('resend.api_key'))?.family.provider.concurrency).toBeUndefined();
});

/** Statements that a page must have, with the address of the vendor's page beside them. */
const said = {
  neon: ['stay recoverable for 7 days', 'https://neon.com/api_spec/release/v2.json'],
  qstash: ['A change replaces the whole schedule', 'https://upstash.com/docs/qstash/api-reference/schedules/create-a-schedule'],
  stripe: ['A report of 2026-08 has 100', 'https://docs.stripe.com/development/dashboard/webhooks'],
  resend: ['Its pages have 5 a second and 2', 'https://resend.com/docs/api-reference/rate-limit'],
  upstash_redis: ['A name without a period reaches nothing behind https://', 'https://upstash.com/docs/devops/developer-api/redis/'],
  mailgun: [
    'Requests are multipart/form-data',
    'https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/account-webhooks',
  ],
  fly: ['even running ones', 'https://fly.io/docs/machines/api/apps-resource/'],
};

it.each(Object.entries(said))('the page of %s says so, with its source', async (name, sentences) => {
  const page = (await pages()).get(`docs/recipes/${name}.md`) ?? '';
  for (const sentence of sentences) expect(page.replaceAll(/\s+/g, ' ')).toContain(sentence);
});
