import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { standing } from '../demo/standing.ts';
import { some } from '../support/whole.ts';
import { moment, openScene, type Run, type Scene, writesOf } from './scene.ts';
import type { Passage } from './wire.ts';

/**
 * A deadline long enough for a request to land while a later run is at work, and still within it. Real time passes here: what is
 * proven is that real processes wait for one another.
 */
const slow = { PILOTFISH_LEASE_MS: '24000', PILOTFISH_REQUEST_DEADLINE_MS: '8000' };

const flag = (rollout: string): string => `
  - { id: flag, recipe: unleash.flag_strategy, project: shop, feature: checkout, environment: development, title: "shop \${ctx.scope}", parameters: { rollout: "${rollout}" } }`;
const branch = `
  - { id: database, adapter: neon, op: branch, project_id: quiet-river-12345678, name: "shop-\${ctx.scope}" }`;
const callback = `
  - { id: sign-in, recipe: auth0.callback_url, client_id: shopWebAbCdEfGhIjKlMnOpQrStUvWxY, url: "https://\${ctx.scope}.preview.acme.example/callback" }`;

const objects = {
  'flag strategy, which nothing makes unique': { lines: flag('50'), path: /\/strategies$/, made: { 'unleash strategies': 1 } },
  'database branch': { lines: branch, path: /\/branches$/, made: { 'neon branches': 1 } },
  'entry of a shared list': { lines: callback, path: /\/clients\//, made: { 'auth0 callback URLs': 1 } },
} as const;

const isWriteOf =
  (path: RegExp) =>
  ({ kind, url }: Passage): boolean =>
    kind === 'write' && path.test(url.pathname);

/** A run whose write is held on its way until `land` is called; `isSent` tells when it left the process. */
async function heldRun(scene: Scene, isHeld: (passage: Passage) => boolean, env: Readonly<Record<string, string>>) {
  const [sent, go, landed] = [moment(), moment(), moment()];
  let isFirst = true;
  const run = await scene.run(['apply'], {
    env,
    ends: {
      before: async (passage) => {
        if (!isHeld(passage) || !isFirst) return;
        isFirst = false;
        sent.reach();
        await go.reached;
      },
      after: (passage) => {
        if (isHeld(passage)) landed.reach();
      },
    },
  });
  const land = async (): Promise<void> => {
    go.reach();
    await landed.reached;
  };
  // A run that ends before its write would be waited for in vain.
  const early = run.done.then(({ code }) => {
    throw new Error(`the run ended with ${code} before it sent its write`);
  });
  return { run, isSent: Promise.race([sent.reached, early]), land };
}

/** Resolves at a time of the monotonic clock; at once when it is over. */
const until = (time: number): Promise<void> => pause(Math.max(0, time - performance.now()));

const firstProviderPassage = ({ wire }: Run): Passage | undefined =>
  wire.passages.find(({ kind, url }) => (kind === 'read' || kind === 'write') && !url.pathname.endsWith('/oauth/token'));

describe.concurrent('a write that lands after its caller was killed, while the next run already waits', () => {
  it.for(some(Object.entries(objects), 2))('leaves one %s, which the next apply has', async ([, { lines, path, made }], context) => {
    const scene = await openScene(context, lines);
    const { run, isSent, land } = await heldRun(scene, isWriteOf(path), slow);
    await isSent;
    const sentAt = performance.now();
    await run.die();
    const next = await scene.run(['apply'], { env: slow });
    await next.child.said('holds this scope');
    await until(sentAt + 2000);
    expect(scene.added()).toEqual({});
    await land();
    const { code, document } = await next.done;
    expect([code, document.lines[0]?.verdict, document.lines[0]?.state]).toEqual([0, 'claim', 'settled']);
    expect(scene.added()).toEqual(made);
    await destroyed(scene);
  });

  it.for(some(Object.entries(objects), 2))('is seen by a destroy: no %s is left', async ([, { lines, path }], context) => {
    const scene = await openScene(context, lines);
    const { run, isSent, land } = await heldRun(scene, isWriteOf(path), slow);
    await isSent;
    const sentAt = performance.now();
    await run.die();
    const next = await scene.run(['apply', '--destroy'], { env: slow });
    await next.child.said('holds this scope');
    await until(sentAt + 2000);
    await land();
    expect((await next.done).code).toBe(0);
    expect(standing(scene.team)).toEqual(scene.before);
  });

  it('does not undo what the next run changed: an update of the dead comes before the update of the living', async (context) => {
    const scene = await openScene(context, flag('10'));
    expect((await (await scene.run(['apply'])).done).code).toBe(0);
    await scene.plan(flag('20'));
    const { run, isSent, land } = await heldRun(scene, ({ method }) => method === 'PUT', slow);
    await isSent;
    const sentAt = performance.now();
    await run.die();
    await scene.plan(flag('30'));
    const next = await scene.run(['apply'], { env: slow });
    await next.child.said('holds this scope');
    await until(sentAt + 2000);
    await land();
    const { code } = await next.done;
    expect(code).toBe(0);
    expect(rollouts(scene)).toEqual(['30']);
    await destroyed(scene);
  });
});

describe.concurrent('a write that lands after its caller was told to stop and gave up', () => {
  it('is waited for by the next run, which takes the released lease at once: one object', async (context) => {
    const scene = await openScene(context, flag('50'));
    const { run, isSent, land } = await heldRun(scene, isWriteOf(objects['flag strategy, which nothing makes unique'].path), slow);
    await isSent;
    const sentAt = performance.now();
    run.kill('SIGTERM');
    const stopped = await run.done;
    expect([stopped.code, stopped.document.status]).toEqual([143, 'interrupted']);
    const { lease } = await scene.ledger();
    // The release tells the next run for how long the create may still land.
    expect(lease?.released?.quietForMs).toBeGreaterThan(1000);

    const next = await scene.run(['apply'], { env: slow });
    // It looks only when nothing can land any more: its first read comes after the create's deadline.
    await until(sentAt + 6500);
    expect(firstProviderPassage(next)).toBeUndefined();
    await land();
    const { code, document } = await next.done;
    expect([code, document.lines[0]?.verdict]).toEqual([0, 'claim']);
    const first = firstProviderPassage(next);
    expect((first?.at ?? 0) - sentAt).toBeGreaterThan(Number(slow.PILOTFISH_REQUEST_DEADLINE_MS) - 200);
    expect(writesOf(next.wire)).toHaveLength(0);
    expect(scene.added()).toEqual({ 'unleash strategies': 1 });
    await destroyed(scene);
  });
});

function rollouts({ team: { world } }: Scene): readonly unknown[] {
  const { project, name, environment } = world.seed.flag;
  return world.unleash.world
    .environment(project, name, environment)
    .strategies.flatMap(({ title, parameters }) => (title?.includes('pr-12') ? [parameters?.rollout] : []));
}

async function destroyed(scene: Scene): Promise<void> {
  expect((await (await scene.run(['apply', '--destroy'])).done).code).toBe(0);
  expect(standing(scene.team)).toEqual(scene.before);
}
