import { cloudflare } from 'pilotfish-sandbox/cloudflare';
import { expect, it, onTestFinished } from 'vitest';
import { describeRecipe } from '../support/describe-recipe.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';

const zone_id = '5f0c1d2e3b4a59687786a5b4c3d2e1f0';
const name = 'pr-12.acme.example';
const crowd = 'one of many';

describeRecipe('cloudflare.dns_cname', {
  simulate: cloudflare,
  subject: ({ world }) => {
    world.addZone('acme.example', zone_id);
    world.addRecord(zone_id, { type: 'CNAME', name: 'pr-13.acme.example', content: 'cname.vercel-dns.com' });
    world.addRecord(zone_id, { type: 'TXT', name, content: 'v=spf1 -all' });
    const isMine = (one: { readonly type: string; readonly name: string }) => one.type === 'CNAME' && one.name === name;
    const mine = () => world.records(zone_id).filter(isMine);
    return {
      credential: 'CLOUDFLARE_API_TOKEN',
      params: { zone_id, name, target: 'cname.vercel-dns.com', ttl: 300, comment: 'preview 12' },
      mine,
      others: () => world.records(zone_id).filter((one) => !isMine(one) && one.comment !== crowd),
      stands: { type: 'CNAME', name, content: 'cname.vercel-dns.com', ttl: 300, proxied: false, comment: 'preview 12' },
      edits: {
        content: { content: 'elsewhere.example' },
        ttl: { ttl: 60 },
        proxied: { proxied: true },
        comment: { comment: 'changed' },
      },
      changes: { content: { target: 'next.acme.example' }, ttl: { ttl: 600 }, comment: { comment: 'preview 12, changed' } },
      undeclared: { tags: ['team:web'] },
      remove: () => {
        for (const { id } of mine()) world.removeRecord(zone_id, id);
      },
      fill: () => Object.assign(world.state, { recordLimit: 2 }),
      foreign: () => world.addRecord(zone_id, { type: 'CNAME', name, content: 'elsewhere.example' }),
      isUnique: true,
      crowd: {
        fill: () => {
          for (let n = 0; n < 120; n += 1) {
            world.addRecord(zone_id, { type: 'CNAME', name: `a-${n}.acme.example`, content: 'cname.vercel-dns.com', comment: crowd });
            world.addRecord(zone_id, { type: 'TXT', name, content: `note ${n}`, comment: crowd });
          }
        },
        looks: 1,
      },
    };
  },
  skip: { twoMatches: 'a host name holds one CNAME record' },
});

it('a host name outside of the zone is told: Cloudflare completes it, and it is not found again', async () => {
  const simulation = cloudflare();
  simulation.world.addZone('acme.example', zone_id);
  const address = { id: 'address', recipe: 'cloudflare.dns_cname', zone_id, name: 'pr-12.acme.com', target: 'cname.vercel-dns.com' };
  const stage = await openStage({
    simulations: [simulation],
    env: { CLOUDFLARE_API_TOKEN: simulation.tokens.full },
    plan: JSON.stringify({ version: 1, changes: [address] }),
    clock: new LeapingClock(),
  });
  onTestFinished(() => stage.close());
  const { lines } = await stage.apply();
  expect(lines[0]?.notes).toEqual([
    'The provider made it as "pr-12.acme.com.acme.example", not as "pr-12.acme.com". Correct the plan if you do not mean that.',
  ]);
  await stage.destroy();
  expect(simulation.world.records(zone_id)).toEqual([]);
});

/** A line that is applied, or could be, in a zone of its own. */
async function openZone() {
  const simulation = cloudflare();
  const { world } = simulation;
  world.addZone('acme.example', zone_id);
  const plan = (target: string): string =>
    JSON.stringify({ version: 1, changes: [{ id: 'address', recipe: 'cloudflare.dns_cname', zone_id, name, target }] });
  const stage = await openStage({
    simulations: [simulation],
    env: { CLOUDFLARE_API_TOKEN: simulation.tokens.full },
    plan: plan('cname.vercel-dns.com'),
    clock: new LeapingClock(),
  });
  onTestFinished(() => stage.close());
  return { simulation, world, stage, change: (target: string) => stage.write(plan(target)) };
}

const saying = (code: number) => ({ result: null, success: false, errors: [{ code, message: 'words that may change' }], messages: [] });

it.each([81053, 81054, 81057, 81058])('a name that is taken, told by %i, is a conflict with what stands there', async (code) => {
  const { simulation, world, stage } = await openZone();
  // A find of CNAME records does not see it.
  world.addRecord(zone_id, { type: 'A', name, content: '192.0.2.1' });
  simulation.faults.once({ method: 'POST' }, 400, saying(code));
  expect(await stage.apply()).toMatchObject({
    ok: false,
    error: { code: 'PROVIDER_CONFLICT', detail: expect.stringContaining('it has another kind') },
  });
  expect(world.records(zone_id)).toMatchObject([{ type: 'A', content: '192.0.2.1' }]);
  const { records, intents } = await stage.ledger();
  expect([records.size, intents.size]).toEqual([0, 0]);
});

it('a record that is not there any more is told by its code, whatever the status is', async () => {
  const { simulation, world, stage } = await openZone();
  await stage.apply();
  for (const { id } of world.records(zone_id)) world.removeRecord(zone_id, id);
  const told = simulation.faults.once({ method: 'DELETE' }, 400, saying(81044));
  expect(await stage.destroy()).toMatchObject({ ok: true, status: 'complete' });
  expect(told.hits).toBe(1);
  expect((await stage.ledger()).records.size).toBe(0);
});

it('a change says type and name again, which the official client requires', async () => {
  const { simulation, world, stage, change } = await openZone();
  await stage.apply();
  await change('next.acme.example');
  expect(await stage.apply()).toMatchObject({ ok: true, lines: [{ verdict: 'update' }] });
  expect(world.records(zone_id)).toMatchObject([{ content: 'next.acme.example' }]);
  const [sent] = simulation.log.filter(({ method }) => method === 'PATCH');
  expect(sent?.body).toMatchObject({ type: 'CNAME', name, content: 'next.acme.example' });
});
