import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { TraceDoc } from '../../src/cli/earlier-run.ts';
import type { ErrorData } from '../../src/core/errors.ts';
import type { RunEvent } from '../../src/engine/document.ts';
import type { PageData } from '../../src/report/trace/page/data.ts';
import { traceFiles } from '../../src/report/trace/trace.ts';
import { type Ended, execute, pilotfish } from '../cli/program.ts';
import { madeSecrets } from '../demo/standing.ts';
import { openScene, type Scene, scope, shortTerms } from './scene.ts';

/** A sensitive output goes from one provider to another, and a secret of the environment to a third. */
const lines = `
  - { id: payments, recipe: stripe.webhook_endpoint, name: "shop-\${ctx.scope}", url: "https://\${ctx.scope}.preview.acme.example", enabled_events: [charge.refunded] }
  - { id: payments-secret, adapter: vercel, op: env, project: shop, key: STRIPE_WEBHOOK_SECRET, value: { from: payments.secret }, type: sensitive, git_branch: "\${ctx.git.branch}" }
  - { id: pushes, recipe: github.repo_webhook, repo: acme/shop, url: "https://\${ctx.scope}.preview.acme.example", secret: { secret: env://PREVIEW_WEBHOOK_SECRET } }`;

/** Asks for the trace of a run that is over, in a process that can reach no provider. */
async function traceOf(scene: Scene, run: string, { cwd = scene.team.checkout, more = [] as readonly string[] } = {}): Promise<Ended> {
  const { env } = scene.team;
  const reachable = Object.fromEntries(Object.entries(env).filter(([name]) => !name.endsWith('_URL') && !name.endsWith('_BASE_URL')));
  return await pilotfish(['plan', '--trace', 'seen', '--run', run, '--json', ...more], { cwd, env: reachable });
}

async function filesIn(cwd: string): Promise<{ readonly [name in (typeof traceFiles)[number]]: string }> {
  const folder = join(cwd, 'seen');
  expect((await readdir(folder)).toSorted()).toEqual(traceFiles.toSorted());
  const [events, trace, otlp, machines, diagram, page] = await Promise.all(traceFiles.map((name) => readFile(join(folder, name), 'utf8')));
  return {
    'events.jsonl': events ?? '',
    'trace.json': trace ?? '',
    'otlp.json': otlp ?? '',
    'machines.ts': machines ?? '',
    'machines.mmd': diagram ?? '',
    'trace.html': page ?? '',
  };
}

const eventsOf = (text: string): readonly RunEvent[] => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
const dataOf = (page: string): PageData => JSON.parse(page.match(/<script type="application\/json" id="data">(.*?)<\/script>/s)?.[1] ?? '');
const documentOf = ({ code, stdout, stderr }: Ended): TraceDoc => {
  expect(code, stdout + stderr).toBe(0);
  return JSON.parse(stdout);
};
const errorOf = ({ code, stdout }: Ended): { readonly code: number; readonly error: ErrorData } => ({
  code,
  error: JSON.parse(stdout).error,
});

describe('the trace of a run that is over', () => {
  it('has every event of the last one of this checkout, and no secret', async (context) => {
    const scene = await openScene(context, lines);
    const { code, document } = await (await scene.run(['apply'])).done;
    expect(code).toBe(0);
    const told = documentOf(await traceOf(scene, 'last'));
    expect(told).toMatchObject({ mode: 'trace', source: 'events', run: document.runId, title: `apply preview/${scope}` });
    const files = await filesIn(scene.team.checkout);
    const events = eventsOf(files['events.jsonl']);
    expect(events.filter(({ type }) => type === 'request')).toHaveLength(document.stats.requests);
    expect(dataOf(files['trace.html']).events).toEqual(events);
    const { fetches, pushes } = document.stats;
    const ledger = events.flatMap((event) => (event.type === 'ledger' ? [event.what] : []));
    expect(ledger.toSorted()).toEqual([...Array(fetches).fill('fetch'), ...Array(pushes).fill('push')]);
    const secrets = [
      ...scene.team.secrets,
      ...madeSecrets(scene.team),
      ...scene.team.world.stripe.world.endpoints().map(({ secret }) => secret),
    ];
    expect(secrets.length).toBeGreaterThan(4);
    for (const [name, text] of Object.entries(files)) for (const secret of secrets) expect(text.includes(secret), name).toBe(false);
    // The same by its id; and the checkout has nothing new that git would take.
    expect(documentOf(await traceOf(scene, document.runId)).source).toBe('events');
    const { cwd, env } = { cwd: scene.team.checkout, env: scene.team.env };
    expect((await execute('git', ['status', '--porcelain', '--', '.pilotfish/last-run'], { cwd, env })).stdout).toBe('');
  });

  it('is there of one that was killed: up to where it came, as cut off', async (context) => {
    const scene = await openScene(context, lines);
    const killed = await scene.run(['apply'], {
      env: shortTerms,
      ends: {
        before: async ({ kind }, run) => {
          if (kind !== 'write') return;
          // Events reach the disk some ten milliseconds after they happened.
          await pause(200);
          await run.die();
        },
      },
    });
    await killed.done;
    const told = documentOf(await traceOf(scene, 'last'));
    expect(told.source).toBe('events');
    const events = eventsOf((await filesIn(scene.team.checkout))['events.jsonl']);
    expect(events.some((event) => event.type === 'line' && event.to === 'creating')).toBe(true);
    expect(events.some((event) => event.type === 'line' && event.to === 'settled')).toBe(false);
  });

  it('is made of the receipt where another machine ran it, also when others came after, and says what it lacks', async (context) => {
    const scene = await openScene(context, lines);
    const first = await (await scene.run(['apply'])).done;
    for (let again = 0; again < 3; again += 1) expect((await (await scene.run(['apply'])).done).code).toBe(0);
    expect((await (await scene.run(['apply', '--destroy'])).done).code).toBe(0);
    const cwd = await scene.team.emptyClone();
    const { runId, stats } = first.document;
    const told = documentOf(await traceOf(scene, runId, { cwd, more: ['--scope', scope] }));
    expect(told).toMatchObject({ source: 'receipt', run: runId, title: `apply preview/${scope}` });
    const data = dataOf((await filesIn(cwd))['trace.html']);
    expect(data.about.receipt).toMatchObject({ run: runId, status: 'complete', stats: { requests: stats.requests, writes: stats.writes } });
    expect(data.events.find(({ type }) => type === 'lines')).toMatchObject({
      lines: [
        { id: 'payments', after: [], recipe: 'stripe.webhook_endpoint' },
        { id: 'payments-secret', after: ['payments'], adapter: 'vercel', op: 'env' },
        { id: 'pushes', after: [], recipe: 'github.repo_webhook' },
      ],
    });
    // Without a scope it is looked for in all of the environment.
    expect(documentOf(await traceOf(scene, runId, { cwd })).run).toBe(runId);
  });

  it('is there of a plan that was told to stop, which is no plan: it ends with 130 and has no digest to apply', async (context) => {
    const scene = await openScene(context, lines);
    let isTold = false;
    const stopped = await scene.run(['plan'], {
      ends: {
        before: async ({ kind }, run) => {
          if (kind !== 'read' || isTold) return;
          isTold = true;
          run.kill('SIGINT');
          await pause(500);
        },
      },
    });
    const { code, failure } = await stopped.done;
    expect([code, failure.error.code, 'digest' in failure]).toEqual([130, 'INTERRUPTED', false]);
    const told = documentOf(await traceOf(scene, 'last'));
    expect([told.title, told.source]).toEqual([`plan preview/${scope}`, 'events']);
  });

  it('is refused for a run that nobody knows, with those that are known', async (context) => {
    const scene = await openScene(context, lines);
    expect(errorOf(await traceOf(scene, 'last'))).toMatchObject({
      code: 2,
      error: { code: 'USAGE', fix: expect.stringContaining('--run') },
    });
    const { runId } = (await (await scene.run(['apply'])).done).document;
    const { code, error } = errorOf(await traceOf(scene, 'ffffffffffff', { more: ['--scope', scope] }));
    expect([code, error.code]).toEqual([2, 'USAGE']);
    expect(error.detail).toContain(runId);
  });
});
