import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifyHandled, type Watcher } from 'pilotfish-sandbox/kit/index';
import { describe, expect, it, type TestContext } from 'vitest';
import type { ApplyDoc } from '../../src/engine/document.ts';
import type { Ended } from '../cli/program.ts';
import { branchOf } from '../demo/measure.ts';
import { standing, whatOthersMade } from '../demo/standing.ts';
import { startTeam, type Team } from '../demo/team.ts';
import { some } from '../support/whole.ts';
import { type Child, start } from './child.ts';
import { shortTerms } from './scene.ts';

type Providers = keyof Team['world'] & ('neon' | 'stripe' | 'github' | 'cloudflare' | 'unleash' | 'vercel' | 'auth0');

/** A create of one provider, with what comes before and after it. */
interface Subject {
  readonly provider: Providers;
  readonly method: string;
  /** The path of its write. */
  readonly path: RegExp;
  /** Lines of the plan, the killed one first among its provider's. */
  readonly lines: string;
  /** The line whose create is cut. */
  readonly line: string;
}

const scope = 'pr-12';
const host = '${ctx.scope}.preview.acme.example';
const database = `
  - { id: database, adapter: neon, op: branch, project_id: quiet-river-12345678, name: "shop-\${ctx.scope}" }
  - { id: database-url, adapter: vercel, op: env, project: shop, key: DATABASE_URL, value: { from: database.connection_uri }, git_branch: "\${ctx.git.branch}" }`;
const payments = `
  - { id: payments, recipe: stripe.webhook_endpoint, name: "shop-\${ctx.scope}", url: "https://${host}", enabled_events: [charge.refunded] }
  - { id: payments-secret, adapter: vercel, op: env, project: shop, key: STRIPE_WEBHOOK_SECRET, value: { from: payments.secret }, type: sensitive, git_branch: "\${ctx.git.branch}" }`;

const subjects = {
  'neon.branch': { provider: 'neon', method: 'POST', path: /\/branches$/, line: 'database', lines: database },
  'vercel.env': { provider: 'vercel', method: 'POST', path: /\/env$/, line: 'database-url', lines: database },
  'stripe.webhook_endpoint': { provider: 'stripe', method: 'POST', path: /\/webhook_endpoints$/, line: 'payments', lines: payments },
  'github.repo_webhook': {
    provider: 'github',
    method: 'POST',
    path: /\/hooks$/,
    line: 'pushes',
    lines: `
  - { id: pushes, recipe: github.repo_webhook, repo: acme/shop, url: "https://${host}", secret: { secret: env://PREVIEW_WEBHOOK_SECRET } }`,
  },
  'cloudflare.dns_cname': {
    provider: 'cloudflare',
    method: 'POST',
    path: /\/dns_records$/,
    line: 'dns',
    lines: `
  - { id: dns, recipe: cloudflare.dns_cname, zone_id: 5f0c1d2e3b4a59687786a5b4c3d2e1f0, name: "${host}", target: cname.vercel-dns.com }`,
  },
  'unleash.flag_strategy': {
    provider: 'unleash',
    method: 'POST',
    path: /\/strategies$/,
    line: 'new-checkout',
    lines: `
  - { id: new-checkout, recipe: unleash.flag_strategy, project: shop, feature: checkout, environment: development, title: "shop \${ctx.scope}" }`,
  },
  'auth0.callback_url': {
    provider: 'auth0',
    method: 'PATCH',
    path: /\/clients\//,
    line: 'sign-in',
    lines: `
  - { id: sign-in, recipe: auth0.callback_url, client_id: shopWebAbCdEfGhIjKlMnOpQrStUvWxY, url: "https://${host}/callback" }
  - { id: sign-out, recipe: auth0.logout_url, client_id: shopWebAbCdEfGhIjKlMnOpQrStUvWxY, url: "https://${host}" }`,
  },
} as const satisfies { readonly [op: string]: Subject };

/** When the process dies. `lands` tells whether the object is there afterwards. */
const moments = {
  'with its request under way, which never lands': { at: 'before', lands: false },
  'with its request under way, which lands after its death': { at: 'before', lands: true },
  'when the object is made and not answered': { at: 'after', lands: true },
  'with the push of its record under way, which never lands': { at: 'push', lands: false },
  'with the push of its record under way, which lands after its death': { at: 'push', lands: true },
  'when the push of its record is stored and not answered': { at: 'pushed', lands: true },
} as const;

type Cut = readonly [op: keyof typeof subjects, moment: keyof typeof moments];

const cuts = some<Cut>(
  [
    ['neon.branch', 'with its request under way, which lands after its death'],
    ['neon.branch', 'when the object is made and not answered'],
    ['neon.branch', 'with the push of its record under way, which never lands'],
    ['vercel.env', 'when the object is made and not answered'],
    ['github.repo_webhook', 'with the push of its record under way, which lands after its death'],
    ['cloudflare.dns_cname', 'with its request under way, which never lands'],
    ['cloudflare.dns_cname', 'when the push of its record is stored and not answered'],
    ['unleash.flag_strategy', 'when the object is made and not answered'],
    ['auth0.callback_url', 'with its request under way, which lands after its death'],
    ['auth0.callback_url', 'with the push of its record under way, which never lands'],
  ],
  4,
);

const onceOnly = some<Cut>(
  [
    ['stripe.webhook_endpoint', 'with its request under way, which lands after its death'],
    ['stripe.webhook_endpoint', 'when the object is made and not answered'],
    ['stripe.webhook_endpoint', 'with the push of its record under way, which never lands'],
  ],
  1,
);

/** Long times for the rest, so that a busy machine does not lose them their lease. */
const steady = { PILOTFISH_LEASE_MS: '45000', PILOTFISH_REQUEST_DEADLINE_MS: '10000' };

async function teamWith(lines: string, { onTestFinished }: TestContext): Promise<Team> {
  const team = await startTeam();
  onTestFinished(() => team.stop());
  whatOthersMade(team.world);
  await writeFile(
    join(team.checkout, 'release.plan.yaml'),
    `version: 1\nproviders:\n  http:\n    auth0: {}\n    unleash: {}\nchanges:${lines}\n`,
  );
  return team;
}

const begin = (team: Team, args: readonly string[], env = {}): Child =>
  start([...args, ...(args.includes('--scope') ? [] : ['--scope', scope]), '--json'], { cwd: team.checkout, env: { ...team.env, ...env } });

const documentOf = ({ stdout }: Ended): ApplyDoc => JSON.parse(stdout);

/** Applies, and kills the process at the moment. Resolves when it is gone and what was under way has landed, or not. */
async function killedApply(team: Team, [op, moment]: Cut): Promise<void> {
  const { provider, method, path } = subjects[op];
  const { at, lands } = moments[moment];
  const child = begin(team, ['apply'], shortTerms);
  const { promise: isOver, resolve: over, reject } = Promise.withResolvers<void>();
  let isKilled = false;
  const die = async (): Promise<void> => {
    isKilled = true;
    child.process.kill('SIGKILL');
    await child.ended;
  };
  const cutHere = async (): Promise<void> => {
    await die();
    if (!lands) throw new Error('the connection broke before it had an effect');
  };
  const watcher: Watcher = async (event) => {
    if (event.method !== method || !path.test(event.path)) return;
    if (isKilled) over();
    else if (event.phase === 'before' && at === 'before') await cutHere().finally(() => lands || over());
    else if (event.phase === 'before') return;
    else if (at === 'push') void team.remote.atNextPush(cutHere).then(over);
    else if (at === 'pushed') team.remote.cutNextPushAnswer(() => die().finally(over));
    else await die().finally(over);
  };
  const stopWatching = team.world[provider].watch(watcher);
  void child.ended.then(({ stdout, stderr }) => {
    if (!isKilled) reject(new Error(`it ended by itself: ${stdout}${stderr}`));
  });
  await isOver;
  stopWatching();
  expect((await child.ended).code).toBe(-1);
}

/** Whether the ledger, as the dead process left it, has a record of the line. */
async function isRecorded({ remote }: Team, line: string): Promise<boolean> {
  const lines = await remote.git('grep', '-h', '"line":', branchOf(scope), '--', '.pilotfish/records').catch(() => '');
  return lines.includes(`"${line}"`);
}

/** How many objects stand for each place that the plan touches, those of others not counted. */
const added = (before: ReturnType<typeof standing>, after: ReturnType<typeof standing>): { readonly [where: string]: number } =>
  Object.fromEntries(
    Object.entries(after).flatMap(([where, names]) => {
      const more = names.length - (before[where]?.length ?? 0);
      return more === 0 ? [] : [[where, more]];
    }),
  );

const expected: { readonly [lines: string]: { readonly [where: string]: number } } = {
  [database]: { 'neon branches': 1, 'vercel variables': 1 },
  [payments]: { 'stripe endpoints': 1, 'vercel variables': 1 },
  [subjects['github.repo_webhook'].lines]: { 'github hooks': 1 },
  [subjects['cloudflare.dns_cname'].lines]: { 'cloudflare records': 1 },
  [subjects['unleash.flag_strategy'].lines]: { 'unleash strategies': 1 },
  [subjects['auth0.callback_url'].lines]: { 'auth0 callback URLs': 1, 'auth0 logout URLs': 1 },
};

async function destroyLeavesNothing(team: Team, before: ReturnType<typeof standing>): Promise<void> {
  const destroyed = documentOf(await begin(team, ['apply', '--destroy'], steady).ended);
  expect(destroyed).toMatchObject({ ok: true, status: 'complete' });
  expect(standing(team)).toEqual(before);
  verifyHandled(team.world.simulations);
}

describe.concurrent('an apply that was killed', () => {
  it.for(cuts)('while it makes a %s, %s, leaves one object that the next apply has', async ([op, moment], context) => {
    const { lines, line } = subjects[op];
    const team = await teamWith(lines, context);
    const before = standing(team);
    await killedApply(team, [op, moment]);
    const { at, lands } = moments[moment];
    const verdict = (await isRecorded(team, line)) ? 'none' : lands || at === 'push' ? 'claim' : 'create';

    const again = await begin(team, ['apply'], steady).ended;
    const document = documentOf(again);
    expect([document.status, again.code], again.stdout).toEqual(['complete', 0]);
    expect(document.lines.find(({ id }) => id === line)).toMatchObject({ state: 'settled', verdict });
    expect(added(before, standing(team))).toEqual(expected[lines]);
    await destroyLeavesNothing(team, before);
  });

  it.for(onceOnly)(
    'while it makes a %s, %s, has lost its secret: the next one says so and how to get a new one',
    async ([op, moment], context) => {
      const team = await teamWith(payments, context);
      const before = standing(team);
      await killedApply(team, [op, moment]);
      expect(added(before, standing(team))).toEqual({ 'stripe endpoints': 1 });

      const again = await begin(team, ['apply'], steady).ended;
      const refused = documentOf(again).lines.find(({ id }) => id === 'payments-secret');
      expect([again.code, refused?.error?.code], again.stdout).toEqual([1, 'OUTPUT_UNAVAILABLE']);
      const [, command = ''] = /`pilotfish ([^`]+)`/.exec(refused?.error?.fix ?? '') ?? [];
      expect(command).toBe(`apply --recreate payments --scope ${scope}`);

      const repaired = await begin(team, command.split(' '), steady).ended;
      expect(repaired.code, repaired.stderr + repaired.stdout).toBe(0);
      expect(added(before, standing(team))).toEqual(expected[payments]);
      const endpoint = team.world.stripe.world.endpoints().find(({ url }) => url.includes(scope));
      expect(team.world.vercel.world.env('STRIPE_WEBHOOK_SECRET')?.value).toBe(endpoint?.secret);
      await destroyLeavesNothing(team, before);
    },
  );
});

describe.concurrent('an apply that is asked to stop', () => {
  const { method, path, line, lines } = subjects['cloudflare.dns_cname'];
  const isCreate = (event: { readonly method: string; readonly path: string }): boolean => event.method === method && path.test(event.path);

  it.for([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('by %s in the middle of a create records it, gives the lease back, and exits %i', async ([signal, code], context) => {
    const team = await teamWith(`${lines}${database}`, context);
    const child = begin(team, ['apply']);
    const stop = team.world.cloudflare.watch(async (event) => {
      if (event.phase !== 'before' || !isCreate(event)) return;
      child.process.kill(signal);
      await child.said('stopping on');
    });
    const ended = await child.ended;
    stop();
    expect([ended.code, documentOf(ended).status]).toEqual([code, 'interrupted']);

    // The lease is of the usual two minutes: an apply that goes on at once did not wait for it.
    const again = await begin(team, ['apply', '--lease-timeout', '1s']).ended;
    expect([again.code, documentOf(again).status], again.stdout).toEqual([0, 'complete']);
    expect(documentOf(again).lines.find(({ id }) => id === line)).toMatchObject({ verdict: 'none' });
  });

  it('twice ends at once', async (context) => {
    const team = await teamWith(lines, context);
    const child = begin(team, ['apply']);
    const stop = team.world.cloudflare.watch(async (event) => {
      if (event.phase !== 'before' || !isCreate(event)) return;
      child.process.kill('SIGTERM');
      await child.said('stopping on');
      child.process.kill('SIGTERM');
      // The answer is held back until the process is gone: it did not wait for it.
      await child.ended;
    });
    const { code } = await child.ended;
    stop();
    expect(code).toBe(143);
  });
});
