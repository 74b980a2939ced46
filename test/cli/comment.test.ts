import { EventEmitter } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { createOutput } from '../../src/cli/output.ts';
import type { Runner } from '../../src/cli/world.ts';
import { Failure } from '../../src/core/errors.ts';
import type { ApplyDoc, ApplyLineDoc } from '../../src/engine/document.ts';
import { runApply, runPlan } from '../../src/engine/run.ts';
import type { RunWorld } from '../../src/engine/types.ts';
import { markOf } from '../../src/host/comment-mark.ts';
import { expectContracts } from '../contracts/expect.ts';
import { openPulls, type Pulls, shaA } from '../lifecycle/pulls.ts';
import { lines, planOf } from '../lifecycle/shop.ts';

let shop: Pulls;
beforeEach(async () => {
  shop = await openPulls(planOf(lines.dns));
  shop.pulls.world.open(12, shaA);
});
afterEach(async () => {
  shop.verify();
  expectContracts([shop.pulls]);
  await shop.close();
});

interface Typed {
  readonly env?: NodeJS.ProcessEnv;
  readonly runner?: Partial<Runner>;
  /** A signal is sent during the run, or as soon as the code host is asked for the comments. */
  readonly signalAt?: 'run' | 'comment';
}

/** Types a command line in a job of `acme/shop`; the run's connections and its time are the stage's. */
async function pilotfish(line: string, { env = {}, runner = {}, signalAt }: Typed = {}) {
  const text = { out: '', error: '' };
  const screen = (name: keyof typeof text): Writable =>
    new Writable({
      write: (part: Buffer, _, done) => {
        text[name] += part.toString();
        done();
      },
    });
  const signals = new EventEmitter();
  const { dispatcher, clock } = shop;
  const worldOf = (world: RunWorld = {}): RunWorld => ({ ...world, dispatcher, clock, store: shop.store(), repository: null });
  const world = {
    cwd: shop.folder,
    env: { PATH: process.env.PATH, HOME: shop.folder, ...shop.env, GITHUB_REPOSITORY: 'acme/shop', ...env },
    stdout: screen('out'),
    stderr: screen('error'),
    signals,
    now: () => clock.mono(),
    exit: null,
    network: { dispatcher, clock },
    loadRunner: () =>
      Promise.resolve({
        runPlan: (request, given) => runPlan(request, worldOf(given)),
        runApply: (request, given) => runApply(request, worldOf(given)),
        runClosed: () => Promise.reject(new Error('nobody asked for this')),
        ...runner,
      } satisfies Runner).finally(() => signalAt === 'run' && signals.emit('SIGINT')),
  };
  const stop = shop.pulls.watch(({ phase, path: asked }) => {
    if (signalAt === 'comment' && phase === 'before' && asked.endsWith('/comments')) signals.emit('SIGTERM');
  });
  const argv = [...line.split(' '), '--progress=none'];
  const began = clock.now();
  const code = await main(argv, world, createOutput(world, argv));
  stop();
  return { code, ...text, ms: clock.now() - began };
}

const bodies = (): readonly string[] => shop.pulls.world.comments(12).map(({ body }) => body);
const only = (): string => {
  expect(bodies()).toHaveLength(1);
  return bodies()[0] ?? '';
};

const doc = (change: Partial<ApplyDoc> = {}): ApplyDoc => ({
  schema: 1,
  ok: true,
  command: 'apply',
  status: 'complete',
  environment: 'preview',
  scope: 'pr-12',
  runId: 'run-1',
  digest: 'abc123',
  lines: [],
  outputs: {},
  receipt: { branch: 'pilotfish-receipts/preview/pr-12', commit: 'f00' },
  stats: { requests: 0, writes: 0, fetches: 1, pushes: 1, lockPushes: 0, ms: 12 },
  warnings: [],
  orphans: [],
  ...change,
});
const saying = (document: ApplyDoc, secrets: readonly string[] = []): Partial<Runner> => ({
  runApply: (_, world) => {
    for (const secret of secrets) world?.onSecret?.(secret);
    return Promise.resolve(document);
  },
});

describe('--comment', () => {
  it('writes plan, receipt and destroy into one comment of the pull request', async () => {
    expect(await pilotfish('plan --pr=12 --comment')).toMatchObject({ code: 0, error: '' });
    expect(only()).toContain('Plan for');
    expect(markOf(only())).toMatchObject({ environment: 'preview', scope: 'pr-12', plan: null, run: null, receipt: null });

    expect(await pilotfish('apply --pr=12 --comment')).toMatchObject({ code: 0, error: '' });
    expect(only()).not.toContain('Plan for');
    const applied = markOf(only());
    expect(applied).toMatchObject({ scope: 'pr-12', run: expect.any(String), receipt: { branch: 'pilotfish-receipts/preview/pr-12' } });

    await shop.later();
    expect(await pilotfish('plan --pr=12 --comment')).toMatchObject({ code: 0, error: '' });
    expect(markOf(only())?.receipt).toEqual(applied?.receipt);

    await shop.later();
    expect(await pilotfish('apply --destroy --pr=12 --comment')).toMatchObject({ code: 0, error: '' });
    expect(only()).toContain('Destroy');
    expect(markOf(only())?.receipt).not.toEqual(applied?.receipt);
  });

  it('asks the code host for nothing without the flag', async () => {
    await pilotfish('apply --pr=12');
    expect(shop.pulls.log.filter(({ path: asked }) => asked.includes('comments'))).toEqual([]);
  });

  it('takes the number from the event, and links the job and what it uploaded', async () => {
    const env = { ...(await shop.pullEvent('opened')), GITHUB_SERVER_URL: 'https://github.com', GITHUB_RUN_ID: '4711' };
    expect(await pilotfish('apply --comment --trace=trace', { env })).toMatchObject({ code: 0, error: '' });
    expect(only()).toContain('https://github.com/acme/shop/actions/runs/4711');
    expect(only()).toMatch(/actions\/runs\/4711&#35;artifacts">Trace<\/a>/);
    expect(markOf(only())).toMatchObject({ scope: 'pr-12' });
    await shop.later();
    await pilotfish('apply --comment', { env });
    expect(only()).not.toContain('Trace</a>');
  });

  it('tells of a run that ended before its first request', async () => {
    await shop.write(`${planOf(lines.dns)}\n  - id: broken\n    recipe: nobody.knows\n`);
    expect(await pilotfish('apply --pr=12 --comment')).toMatchObject({ code: 2 });
    expect(only()).toContain('did not begin');
    expect(only()).toContain('nobody.knows');
    expect(markOf(only())).toMatchObject({ scope: 'pr-12', run: null, receipt: null });
  });

  it('is one for each named plan, also where the plan is wrong', async () => {
    await pilotfish('apply --pr=12 --comment');
    await shop.write(`name: api\n${planOf(lines.dns)}`);
    await pilotfish('apply --pr=12 --comment');
    await shop.later();
    await shop.write(`name: api\n${planOf(lines.dns)}\n  - id: broken\n    recipe: nobody.knows\n`);
    await pilotfish('apply --pr=12 --comment');
    expect(bodies().map((body) => [markOf(body)?.plan, body.includes('did not begin')])).toEqual([
      [null, false],
      ['api', true],
    ]);
  });

  it('says nothing where the run came too late', async () => {
    shop.pulls.world.close(12);
    const env = await shop.pullEvent('synchronize');
    const { code, error, out } = await pilotfish('apply --comment', { env });
    expect([code, error]).toEqual([0, '']);
    expect(out).toContain('stale');
    expect(bodies()).toEqual([]);
  });

  it('fits into what the host takes, however long the document is', async () => {
    const line: ApplyLineDoc = {
      id: 'x',
      adapter: 'http',
      op: 'resource',
      state: 'settled',
      verdict: 'create',
      drift: 'none',
      changes: [],
      ms: 1,
      requests: 1,
      notes: ['🐟'.repeat(300)],
    };
    const many = Array.from({ length: 3_000 }, (_, n) => ({ ...line, id: `line-${n}` }));
    expect(await pilotfish('apply --pr=12 --comment', { runner: saying(doc({ lines: many })) })).toMatchObject({ code: 0, error: '' });
    expect(only().length).toBeGreaterThan(10_000);
    expect(only().length).toBeLessThanOrEqual(65_536);
  });

  it('contradicts --closed', async () => {
    const { code, error } = await pilotfish('apply --destroy --closed --comment');
    expect(code).toBe(2);
    expect(error).toContain('`--comment` has no use in `pilotfish apply --destroy --closed`');
  });
});

describe('a secret is in no comment', () => {
  const planted = 'planted-secret-0123456789';

  it('that the run came to know, wherever its document holds it', async () => {
    const document = doc({ warnings: [`the host said ${planted}`], outputs: { web: { url: `https://x.example/${planted}` } } });
    await pilotfish('apply --pr=12 --comment', { runner: saying(document, [planted]) });
    expect(only()).toContain('the host said');
    expect(only()).not.toContain(planted);
    expect(JSON.stringify(shop.pulls.log)).not.toContain(planted);
  });

  it('that a provider gives back in its refusal', async () => {
    const token = shop.world.credentials.CLOUDFLARE_API_TOKEN ?? 'none';
    const refusal = { success: false, errors: [{ code: 9109, message: `Invalid access token ${token}` }], messages: [], result: null };
    shop.world.cloudflare.faults.times(9, { method: 'POST' }, 400, refusal);
    const { code, out } = await pilotfish('apply --pr=12 --comment');
    expect(code).toBe(1);
    for (const text of [out, only()]) {
      expect(text).toContain('Invalid access token');
      expect(text).not.toContain(token);
    }
  });

  it('that stands in a variable, and in the words of a run that never began', async () => {
    const runner: Partial<Runner> = {
      runApply: () => Promise.reject(new Failure('PLAN_INVALID', { detail: `There is no ${planted} here.`, fix: `Remove ${planted}.` })),
    };
    await pilotfish('apply --pr=12 --comment', { runner, env: { SHOP_API_TOKEN: planted } });
    expect(only()).toContain('There is no');
    expect(only()).not.toContain(planted);
  });

  it('that is the token of the host itself', async () => {
    const token = shop.pulls.tokens.full;
    await pilotfish('apply --pr=12 --comment', { runner: saying(doc({ warnings: [`sent ${token}`] })) });
    expect(only()).toContain('sent');
    expect(only()).not.toContain(token);
  });
});

describe('a comment that cannot be written is one line and changes nothing else', () => {
  const failing = saying(doc({ status: 'failed', ok: false }));
  const cases: readonly (readonly [what: string, line: string, env: NodeJS.ProcessEnv, says: string])[] = [
    ['no pull request', 'apply --scope=x --comment', {}, 'pilotfish does not know the pull request. Pass `--pr <number>`'],
    ['no token', 'apply --pr=12 --comment', { GITHUB_TOKEN: '' }, 'GITHUB_TOKEN is not set'],
    ['no host', 'apply --pr=12 --comment', { GITHUB_REPOSITORY: '' }, 'the repository is not on github.com'],
    ['a wrong token', 'apply --pr=12 --comment', { GITHUB_TOKEN: 'ghs_of_yesterday' }, 'Check GITHUB_TOKEN'],
    ['a pull request that is not there', 'apply --pr=13 --comment', {}, '404'],
  ];
  it.each(cases)('%s', async (_, line, env, says) => {
    for (const [runner, exit] of [
      [saying(doc()), 0],
      [failing, 1],
    ] as const) {
      const { code, error } = await pilotfish(line, { env, runner });
      expect([code, error.split('\n').length]).toEqual([exit, 2]);
      expect(error).toContain('pilotfish did not write the comment: ');
      expect(error).toContain(says);
    }
  });

  it('a token that may only read; the fix names the permission', async () => {
    const { code, error } = await pilotfish('apply --pr=12 --comment', {
      env: { GITHUB_TOKEN: shop.pulls.tokens.readOnly },
      runner: saying(doc()),
    });
    expect(code).toBe(0);
    expect(error).toContain('`pull-requests: write`');
    expect(bodies()).toEqual([]);
  });

  it('production without a pull request is nothing to tell of', async () => {
    const { code, error } = await pilotfish('apply --env=production --approved-by=ann --comment', { runner: saying(doc()) });
    expect([code, error]).toEqual([0, '']);
  });

  it('a host that never answers costs a minute and a half, and two seconds after a signal', async () => {
    shop.pulls.faults.hang('GET /repos/acme/shop/issues/12/comments', 99);
    const slow = await pilotfish('apply --pr=12 --comment', { runner: saying(doc()) });
    expect([slow.code, slow.ms]).toEqual([0, 90_000]);
    expect(slow.error).toContain('within 90 s');
    const hurried = await pilotfish('apply --pr=12 --comment', { runner: saying(doc()), signalAt: 'comment' });
    expect([hurried.code, hurried.ms]).toEqual([0, 2_000]);
    expect(hurried.error).toContain('within 2 s');
  });

  it('a run that a signal ended has two seconds for its comment', async () => {
    const runner = saying(doc({ status: 'interrupted', ok: false }));
    expect(await pilotfish('apply --pr=12 --comment', { runner, signalAt: 'run' })).toMatchObject({ code: 130 });
    expect(only()).toContain('interrupted');
    shop.pulls.faults.hang('GET /repos/acme/shop/issues/12/comments', 99);
    const hung = await pilotfish('apply --pr=12 --comment', { runner, signalAt: 'run' });
    expect([hung.code, hung.ms]).toEqual([130, 2_000]);
    expect(hung.error).toContain('within 2 s');
  });
});

describe('the limits of the host', () => {
  it.each([
    ['retry-after', 20_000, 20_000],
    ['message', 20_000, 60_000],
  ] as const)('told by %s are waited out', async (how, forMs, waits) => {
    shop.pulls.world.slowDown(forMs, how);
    const { code, error, ms } = await pilotfish('apply --pr=12 --comment', { runner: saying(doc()) });
    expect([code, error]).toEqual([0, '']);
    expect(ms).toBeGreaterThanOrEqual(waits);
    expect(bodies()).toHaveLength(1);
  });

  it('that last longer are told, with the time', async () => {
    shop.pulls.world.spend(0, 1_800_000);
    const { code, error, ms } = await pilotfish('apply --pr=12 --comment', { runner: saying(doc()) });
    expect(code).toBe(0);
    expect(error).toContain('Wait 1800 s');
    expect(ms).toBeLessThan(1_000);
  });
});

it('the plan is read for its name alone where there is one', async () => {
  await writeFile(path.join(shop.folder, 'other.yaml'), `name: "zwei"\nversion: 1\nchanges: [`);
  await pilotfish('apply --pr=12 --comment --plan=other.yaml');
  expect(markOf(only())).toMatchObject({ plan: 'zwei' });
});
