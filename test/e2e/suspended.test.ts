import { describe, expect, it } from 'vitest';
import { standing } from '../demo/standing.ts';
import { deadlineMs, leaseMs, moment, openScene, type RunEnds, shortTerms, writesOf } from './scene.ts';
import type { Passage } from './wire.ts';

const strategy = (rollout: string): string => `
  - { id: flag, recipe: unleash.flag_strategy, project: shop, feature: checkout, environment: development, title: "shop \${ctx.scope}", parameters: { rollout: "${rollout}" } }`;
const others = `
  - { id: dns, recipe: cloudflare.dns_cname, zone_id: 5f0c1d2e3b4a59687786a5b4c3d2e1f0, name: "\${ctx.scope}.preview.acme.example", target: cname.vercel-dns.com, depends_on: [flag] }
  - { id: sign-in, recipe: auth0.callback_url, client_id: shopWebAbCdEfGhIjKlMnOpQrStUvWxY, url: "https://\${ctx.scope}.preview.acme.example/callback", depends_on: [flag] }`;

const isCreate = ({ method, url }: Passage): boolean => method === 'POST' && url.pathname.endsWith('/strategies');
const isUpdate = ({ method, url }: Passage): boolean => method === 'PUT' && url.pathname.includes('/strategies/');
const isIntent = ({ kind, number }: Passage, pushes: { first: number }): boolean => {
  if (kind !== 'push') return false;
  pushes.first ||= number;
  return number === pushes.first;
};

/** Where the holder is when its machine goes to sleep. `earlier` is applied before; `lands` tells whether it wrote in its sleep. */
const sleeps = [
  { when: 'with its intent stored and nothing sent', isAt: isIntent, held: 'answer', earlier: null, writes: 0 },
  { when: 'with its create answered and not heard', isAt: isCreate, held: 'answer', earlier: null, writes: 1 },
  { when: 'with its update answered and not heard', isAt: isUpdate, held: 'answer', earlier: strategy('10'), writes: 1 },
] as const satisfies readonly {
  readonly isAt: (passage: Passage, pushes: { first: number }) => boolean;
  readonly [more: string]: unknown;
}[];

describe.concurrent('a holder that was suspended past its lease', () => {
  it.for(sleeps)('$when, sends no write when it wakes up, and ends LEASE_LOST with exit 3', async ({ isAt, earlier, writes }, context) => {
    const scene = await openScene(context, earlier ?? `${strategy('50')}${others}`);
    if (earlier !== null) {
      expect((await (await scene.run(['apply'])).done).code).toBe(0);
      await scene.plan(`${strategy('50')}${others}`);
    }
    const asleep = moment();
    const awake = moment();
    const pushes = { first: 0 };
    const ends: RunEnds = {
      after: async (passage, run) => {
        if (!isAt(passage, pushes)) return;
        run.kill('SIGSTOP');
        asleep.reach();
        await awake.reached;
      },
    };
    const holder = await scene.run(['apply'], { ends, env: shortTerms });
    await asleep.reached;
    const since = performance.now();

    const taker = await scene.run(['apply']);
    const taken = await taker.done;
    const waited = performance.now() - since;
    expect([taken.code, taken.document.status], taken.stderr).toEqual([0, 'complete']);
    // It waited out the lease, and then what the sleeper may have had under way.
    expect(waited).toBeGreaterThan(leaseMs);
    const wrote = taker.wire.passages.find(({ kind }) => kind === 'write');
    expect((wrote?.at ?? Number.POSITIVE_INFINITY) - since).toBeGreaterThan(leaseMs + deadlineMs);
    const sent = writesOf(holder.wire).length;
    expect(sent).toBe(writes);
    const world = standing(scene.team);

    holder.kill('SIGCONT');
    awake.reach();
    const { code, document } = await holder.done;
    expect([code, document.error?.code]).toEqual([3, 'LEASE_LOST']);
    expect(writesOf(holder.wire)).toHaveLength(sent);
    expect(standing(scene.team)).toEqual(world);
    expect(scene.added()).toEqual({ 'unleash strategies': 1, 'cloudflare records': 1, 'auth0 callback URLs': 1 });

    // The ledger is the taker's: nothing is left to do, and destroy takes all away.
    const again = await (await scene.run(['apply'])).done;
    expect([again.code, again.document.stats.writes]).toEqual([0, 0]);
    expect((await (await scene.run(['apply', '--destroy'])).done).code).toBe(0);
    expect(standing(scene.team)).toEqual(scene.before);
  });

  it('for a moment only goes on, and nobody took it over', async (context) => {
    const scene = await openScene(context, `${strategy('50')}${others}`);
    const ends: RunEnds = {
      after: async (passage, run) => {
        if (!isCreate(passage)) return;
        run.kill('SIGSTOP');
        run.kill('SIGCONT');
      },
    };
    const { code, document } = await (await scene.run(['apply'], { ends })).done;
    expect([code, document.status]).toEqual([0, 'complete']);
  });
});
