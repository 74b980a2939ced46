import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, type TestContext } from 'vitest';
import { moment } from '../e2e/scene.ts';
import type { Running } from './runner.ts';
import { openShop, type Shop } from './shop.ts';

const plan = `version: 1
providers:
  http:
    unleash: {}
changes:
  - { id: flag, recipe: unleash.flag_strategy, project: shop, feature: checkout, environment: development, title: "shop \${ctx.scope}" }
  - { id: dns, recipe: cloudflare.dns_cname, zone_id: 5f0c1d2e3b4a59687786a5b4c3d2e1f0, name: "\${ctx.scope}.preview.acme.example", target: cname.vercel-dns.com, depends_on: [flag] }
`;
const made = { 'unleash strategies': ['shop pr-12'], 'cloudflare records': ['pr-12.preview.acme.example'] };
/** Short times, for what the next run waits out. */
const terms = { PILOTFISH_LEASE_MS: '60000', PILOTFISH_REQUEST_DEADLINE_MS: '6000' };
const brief = { PILOTFISH_LEASE_MS: '12000', PILOTFISH_REQUEST_DEADLINE_MS: '2000' };

/** A job whose create of the flag strategy has left it and is not answered before `answer` is called. */
async function begun(context: TestContext, also: Readonly<Record<string, string>> = {}) {
  const shop = await openShop(context);
  await shop.open(12, plan);
  const [sent, answered] = [moment(), moment()];
  context.onTestFinished(() => answered.reach());
  const forget = shop.world.unleash.watch(async ({ phase, write }) => {
    if (phase !== 'before' || !write) return;
    sent.reach();
    await answered.reached;
  });
  const event = await shop.pullEvent(12, 'opened');
  const running = await shop.start(event, { also });
  await sent.reached;
  return {
    shop,
    event,
    running,
    answer: () => {
      forget();
      answered.reach();
    },
  };
}

/** Cancels as a person does, and tells how often the ledger was pushed meanwhile. What is too slow to end is killed, and has no code. */
async function cancelled(shop: Shop, running: Running) {
  const { pushes } = shop.remote.count;
  const outcome = await running.cancel();
  return { outcome, pushes: shop.remote.count.pushes - pushes };
}

describe.concurrent('a cancelled job', () => {
  it('sends no new write, hears the answer of the one under way, and stores it with the release in one push', async (context) => {
    const { shop, event, running, answer } = await begun(context);
    void pause(1_500).then(answer);
    const { outcome, pushes } = await cancelled(shop, running);
    expect([outcome.code, outcome.outputs.status, outcome.outputs['exit-code']], outcome.log).toEqual([130, 'interrupted', '130']);
    expect(shop.added()).toEqual({ 'unleash strategies': ['shop pr-12'] });
    expect(shop.world.cloudflare.writes()).toEqual([]);
    expect(pushes).toBe(1);
    const { records, intents, lease } = await shop.ledger('pr-12');
    expect([records.size, intents.size, lease?.released]).toEqual([1, 0, { quietForMs: 0 }]);
    expect(shop.host.comments(12)).toHaveLength(1);

    const next = await shop.run(event);
    expect([next.code, next.outputs.status], next.log).toEqual([0, 'complete']);
    expect(shop.added()).toEqual(made);
  });

  it('does not wait for the answer until it is killed, and tells the next run how long the write may still land', async (context) => {
    const { shop, event, running, answer } = await begun(context, terms);
    const { outcome, pushes } = await cancelled(shop, running);
    expect([outcome.code, outcome.outputs.status], outcome.log).toEqual([130, 'interrupted']);
    expect(pushes).toBe(1);
    const { records, intents, lease } = await shop.ledger('pr-12');
    expect([records.size, intents.size]).toEqual([0, 1]);
    expect(lease?.released?.quietForMs).toBeGreaterThan(0);
    expect(shop.added()).toEqual({});
    // It lands after all, while nobody is there.
    answer();
    const next = await shop.run(event, { also: terms });
    expect([next.code, next.outputs.status], next.log).toEqual([0, 'complete']);
    expect(next.outputs.result).toContain('"verdict":"claim"');
    expect(shop.added()).toEqual(made);
  });
});

describe.concurrent('of two jobs of one pull request', () => {
  it('the one that waits can be cancelled, and the other one ends as if nobody had been there', async (context) => {
    const { shop, event, running, answer } = await begun(context);
    const other = await shop.start(event);
    await other.said('goes on at');
    const { outcome, pushes } = await cancelled(shop, other);
    expect([outcome.code, outcome.outputs.status], outcome.log).toEqual([130, 'interrupted']);
    expect(pushes).toBe(0);
    answer();
    const first = await running.ended;
    expect([first.code, first.outputs.status], first.log).toEqual([0, 'complete']);
    expect(shop.added()).toEqual(made);
    expect(shop.host.comments(12)).toHaveLength(1);
  });

  it('both end well when neither is cancelled, and the comment is the word of the later one', async (context) => {
    const { shop, event, running, answer } = await begun(context);
    const other = await shop.start(event);
    await other.said('goes on at');
    const ended = moment();
    context.onTestFinished(() => ended.reach());
    shop.world.unleash.watch(async ({ phase }) => {
      if (phase === 'before' && shop.world.cloudflare.writes().length > 0) await ended.reached;
    });
    answer();
    const first = await running.ended;
    // The host's clock tells seconds: the word of a run that ended a second later is the later one.
    await pause(1_100);
    ended.reach();
    const outcomes = [first, await other.ended];
    expect(outcomes.map(({ code, outputs }) => [code, outputs.status])).toEqual([
      [0, 'complete'],
      [0, 'complete'],
    ]);
    expect(shop.added()).toEqual(made);
    const [comment, ...more] = shop.host.comments(12);
    expect(more).toEqual([]);
    expect(comment?.body).toContain((outcomes[1]?.outputs.receipt ?? '-').slice(0, 12));
  });
});

describe.concurrent('a job whose machine vanishes', () => {
  it('costs the next one its lease and its deadline at most, which says until when it waits', async (context) => {
    const { shop, event, running, answer } = await begun(context, brief);
    await running.vanish();
    const began = Date.now();
    const next = await shop.start(event, { also: brief });
    await next.said('goes on at');
    const heard = Date.now();
    answer();
    const outcome = await next.ended;
    const ended = Date.now();
    expect([outcome.code, outcome.outputs.status], outcome.log).toEqual([0, 'complete']);
    expect(shop.added()).toEqual(made);
    const [, told = ''] = /goes on at (\d\d:\d\d:\d\d) UTC/.exec(outcome.log) ?? [];
    const goesOn = Date.parse(`${new Date(heard).toISOString().slice(0, 11)}${told}Z`);
    // Between these two the run saw the lease first. It tells whole seconds.
    const lease = Number(brief.PILOTFISH_LEASE_MS);
    expect(goesOn).toBeGreaterThan(began + lease - 1_000);
    expect(goesOn).toBeLessThanOrEqual(heard + lease + Number(brief.PILOTFISH_REQUEST_DEADLINE_MS));
    expect(ended).toBeGreaterThanOrEqual(goesOn);
    const ledger = await shop.ledger('pr-12');
    expect([ledger.lease?.released, ledger.intents.size]).toEqual([{ quietForMs: 0 }, 0]);
  });
});
