import { expect, it, onTestFinished } from 'vitest';
import { cloudflare } from '../simulate/cloudflare.ts';
import { describeRecipe } from '../support/describe-recipe.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';

const zone_id = '5f0c1d2e3b4a59687786a5b4c3d2e1f0';
const name = 'pr-12.acme.example';

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
      others: () => world.records(zone_id).filter((one) => !isMine(one)),
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
    'It was made as "pr-12.acme.com.acme.example" and not as "pr-12.acme.com", so no run will find it by that. Correct the plan.',
  ]);
  await stage.destroy();
  expect(simulation.world.records(zone_id)).toEqual([]);
});
