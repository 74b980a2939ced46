import { describe, expect, it } from 'vitest';
import { standing } from '../demo/standing.ts';
import { moment, openScene, type RunEnds, type Scene } from './scene.ts';
import type { Passage } from './wire.ts';

const host = '${ctx.scope}.preview.acme.example';
const dns = `
  - { id: dns, recipe: cloudflare.dns_cname, zone_id: 5f0c1d2e3b4a59687786a5b4c3d2e1f0, name: "${host}", target: cname.vercel-dns.com }`;
const dnsToo = `
  - { id: dns-too, recipe: cloudflare.dns_cname, zone_id: 5f0c1d2e3b4a59687786a5b4c3d2e1f0, name: "two.${host}", target: cname.vercel-dns.com, depends_on: [flag] }`;
const flag = `
  - { id: flag, recipe: unleash.flag_strategy, project: shop, feature: checkout, environment: development, title: "shop \${ctx.scope}" }`;
const branch = `
  - { id: database, adapter: neon, op: branch, project_id: quiet-river-12345678, name: "shop-\${ctx.scope}" }`;
const hook = `
  - { id: pushes, recipe: github.repo_webhook, repo: acme/shop, url: "https://${host}", secret: { secret: env://PREVIEW_WEBHOOK_SECRET } }`;
const callback = `
  - { id: sign-in, recipe: auth0.callback_url, client_id: shopWebAbCdEfGhIjKlMnOpQrStUvWxY, url: "https://${host}/callback" }`;
const wave = `${dns}${flag}${branch}${hook}${callback}`;
const made = {
  'cloudflare records': 1,
  'unleash strategies': 1,
  'neon branches': 1,
  'github hooks': 1,
  'auth0 callback URLs': 1,
};

const isWriteOf =
  (path: RegExp) =>
  ({ kind, url }: Passage): boolean =>
    kind === 'write' && path.test(url.pathname);

describe.concurrent('two runs of one scope at once', () => {
  it('of the same plan make each object once, and both end well', async (context) => {
    const scene = await openScene(context, wave);
    const runs = await Promise.all([scene.run(['apply']), scene.run(['apply'])]);
    const ended = await Promise.all(runs.map(({ done }) => done));
    expect(ended.flatMap(({ document }) => document.lines.flatMap(({ error }) => (error ? [error] : [])))).toEqual([]);
    expect(ended.map(({ code, document }) => [code, document.status])).toEqual([
      [0, 'complete'],
      [0, 'complete'],
    ]);
    expect(scene.added()).toEqual(made);
    const creates = runs.map(({ wire }) => wire.passages.filter(isWriteOf(/\/(strategies|branches|hooks|dns_records)$/)).length);
    expect(creates.toSorted()).toEqual([0, 4]);
    await settles(scene);
  });

  it('of which one destroys end well: what stands has a record, and is all of the plan or nothing', async (context) => {
    const scene = await openScene(context, wave);
    expect((await (await scene.run(['apply'])).done).code).toBe(0);
    await scene.plan(`${wave}${dnsToo}`);
    const runs = await Promise.all([scene.run(['apply']), scene.run(['apply', '--destroy'])]);
    const [applied, destroyed] = await Promise.all(runs.map(({ done }) => done));
    expect([applied, destroyed].map((run) => [run?.code, run?.document.status])).toEqual([
      [0, 'complete'],
      [0, 'complete'],
    ]);
    const { records, intents } = await scene.ledger();
    const standing = Object.values(scene.added()).reduce((sum, n) => sum + n, 0);
    expect([intents.size, records.size]).toEqual([0, standing]);
    expect([0, 6]).toContain(standing);

    expect((await (await scene.run(['apply'])).done).document.status).toBe('complete');
    expect(scene.added()).toEqual({ ...made, 'cloudflare records': 2 });
    await settles(scene);
  });
});

describe.concurrent('Ctrl-C in the middle of a wave', () => {
  it('keeps what was made, sends nothing new, and the next apply makes the rest once', async (context) => {
    const scene = await openScene(context, `${wave}${dnsToo}`);
    let isPressed = false;
    const answered: string[] = [];
    const ends: RunEnds = {
      before: async (passage, run) => {
        if (passage.kind !== 'write') return;
        // The others of the wave are on their way; this one is answered while the run already stops.
        if (!isPressed && isWriteOf(/\/strategies$/)(passage)) {
          isPressed = true;
          run.kill('SIGINT');
          await run.child.said('stopping on');
        }
      },
      after: ({ kind, url }) => void (kind === 'write' && answered.push(url.pathname)),
    };
    const { code, document } = await (await scene.run(['apply'], { ends })).done;
    expect([code, document.status]).toEqual([130, 'interrupted']);
    expect(answered.length).toBeGreaterThan(0);
    expect(document.lines.find(({ id }) => id === 'dns-too')?.state).not.toBe('settled');
    const { records, intents } = await scene.ledger();
    // What was answered is recorded, and what may stand all the same is announced.
    const standing = Object.values(scene.added()).reduce((sum, n) => sum + n, 0);
    expect(records.size).toBeLessThanOrEqual(standing);
    expect(records.size + intents.size).toBeGreaterThanOrEqual(standing);

    const again = await (await scene.run(['apply', '--lease-timeout', '1s'])).done;
    expect([again.code, again.document.status]).toEqual([0, 'complete']);
    expect(scene.added()).toEqual({ ...made, 'cloudflare records': 2 });
    await settles(scene);
  });
});

/** A person makes an object of the same name, after the run has looked and before its create arrives. */
const persons = {
  'DNS record': {
    lines: dns,
    path: /\/dns_records$/,
    make: ({ team: { world } }: Scene) => {
      world.cloudflare.world.addRecord(world.seed.zone.id, {
        type: 'CNAME',
        name: 'pr-12.preview.acme.example',
        content: 'theirs.example',
      });
    },
  },
  webhook: {
    lines: hook,
    path: /\/hooks$/,
    make: ({ team: { world } }: Scene) => {
      world.github.world.addHook(world.seed.repository, { url: 'https://pr-12.preview.acme.example/api/webhooks/github' });
    },
  },
} as const;

describe.concurrent('an object that a person makes between the look and the create', () => {
  it.for(Object.entries(persons))(
    'is theirs: a %s is refused, not changed, and survives a destroy',
    async ([, { lines, path, make }], context) => {
      const scene = await openScene(context, lines);
      let isMade = false;
      const theirs = moment();
      const ends: RunEnds = {
        before: (passage) => {
          if (isMade || !isWriteOf(path)(passage)) return;
          isMade = true;
          make(scene);
          theirs.reach();
        },
      };
      const run = await scene.run(['apply'], { ends });
      await theirs.reached;
      const world = scene.team.world.simulations.map((simulation) => JSON.stringify(simulation.dump()));
      const { code, document } = await run.done;
      expect([code, document.lines[0]?.error?.code]).toEqual([1, 'RESOURCE_FOREIGN']);
      expect((await (await scene.run(['apply'])).done).document.lines[0]?.error?.code).toBe('RESOURCE_FOREIGN');
      expect((await (await scene.run(['apply', '--destroy'])).done).code).toBe(0);
      expect(scene.team.world.simulations.map((simulation) => JSON.stringify(simulation.dump()))).toEqual(world);
      expect((await scene.ledger()).records.size).toBe(0);
    },
  );
});

async function settles(scene: Scene): Promise<void> {
  if (Object.keys(scene.added()).length > 0) {
    const again = await (await scene.run(['apply'])).done;
    expect([again.code, again.document.stats.writes]).toEqual([0, 0]);
  }
  expect((await (await scene.run(['apply', '--destroy'])).done).code).toBe(0);
  expect(standing(scene.team)).toEqual(scene.before);
}
