import { describe, expect, it } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import { type Look, readinessMachine } from './readiness.machine.ts';

/** Looks at the given states one after the other; the last one stays until `pause` gives up. */
async function watch(looks: readonly (Look['state'] | Error)[], o: { pauses?: number; kick?: Error } = {}) {
  const did: string[] = [];
  let pauses = 0;
  const actor = createActor(
    readinessMachine.provide({
      actors: {
        look: fromPromise<Look, { readonly line: string; readonly polls: number }>(({ input }) => {
          const look = looks[Math.min(input.polls, looks.length) - 1] ?? 'wait';
          did.push(look instanceof Error ? 'broken' : look);
          return look instanceof Error ? Promise.reject(look) : Promise.resolve({ state: look, detail: `it is ${look}` });
        }),
        kick: fromPromise<void, { readonly line: string; readonly polls: number }>(() => {
          did.push('kick');
          return o.kick ? Promise.reject(o.kick) : Promise.resolve();
        }),
        pause: fromPromise<void, { readonly line: string; readonly polls: number }>(() => {
          pauses += 1;
          return pauses > (o.pauses ?? 10) ? Promise.reject(new Error('too long')) : Promise.resolve();
        }),
      },
    }),
    { input: { line: 'deploy' } },
  );
  const done = new Promise<void>((resolve, reject) => actor.subscribe({ complete: resolve, error: reject }));
  actor.start();
  await done;
  const { value, context } = actor.getSnapshot();
  return { end: value, did: did.join(' '), detail: context.detail, polls: context.polls };
}

describe('waiting for a deployment', () => {
  it('is done when it is ready, with one look when it was ready before', async () => {
    expect(await watch(['ready'])).toMatchObject({ end: 'ready', polls: 1 });
    expect(await watch(['wait', 'wait', 'ready'])).toMatchObject({ end: 'ready', polls: 3 });
  });

  it('fails with what the provider says', async () => {
    expect(await watch(['wait', 'failed'])).toMatchObject({ end: 'failed', detail: 'it is failed' });
  });

  it('starts a build that lacks our state again once, and waits for the new one', async () => {
    expect(await watch(['stale', 'wait', 'ready'])).toMatchObject({ end: 'ready', did: 'stale kick wait ready' });
    expect((await watch(['stale', 'stale', 'stale', 'ready'])).did).toBe('stale kick stale stale ready');
  });

  it('ends when the time is up, a look cannot be made, or the build cannot be started', async () => {
    expect(await watch(['wait'], { pauses: 2 })).toMatchObject({ end: 'broken', did: 'wait wait wait', detail: 'too long' });
    expect(await watch([new Error('no network')])).toMatchObject({ end: 'broken', detail: 'no network' });
    expect(await watch(['stale'], { kick: new Error('not allowed') })).toMatchObject({ end: 'broken', detail: 'not allowed' });
  });
});
