import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import { maxWrites, parentMachine, type ReadUnderLock, type Verified } from './parent.machine.ts';

type Step = 'gather' | 'lock' | 'read' | 'write' | 'verify' | 'unlock' | 'answer';

/** A parent whose steps do as they are told, and everything that it did in order. */
function start(steps: { readonly [step in Step]?: (batch: number) => unknown } = {}) {
  const did: Step[] = [];
  let batch = 0;
  const play = <T>(step: Step, otherwise: T) =>
    fromPromise<T, { readonly parent: string }>(async ({ input }) => {
      expect(input).toEqual({ parent: 'app' });
      did.push(step);
      if (step === 'gather') batch += 1;
      const given = steps[step]?.(batch);
      await Promise.resolve();
      if (given instanceof Error) throw given;
      return (given ?? otherwise) as T;
    });
  const actor = createActor(
    parentMachine.provide({
      actors: {
        gather: play<void>('gather', undefined),
        lock: play<void>('lock', undefined),
        read: play<ReadUnderLock>('read', { mustWrite: true }),
        write: play<void>('write', undefined),
        verify: play<Verified>('verify', { dropped: 0 }),
        unlock: play<void>('unlock', undefined),
        answer: play<{ readonly more: boolean }>('answer', { more: false }),
      },
    }),
    { input: { parent: 'app' } },
  );
  actor.start();
  const idle = () =>
    new Promise<void>((resolve) => {
      actor.subscribe((snapshot) => {
        if (snapshot.value === 'idle') resolve();
      });
    });
  const run = async (): Promise<string> => {
    const ended = idle();
    actor.send({ type: 'parent.ask' });
    await ended;
    return did.join(' ');
  };
  return { actor, did, run, idle };
}

describe('a shared parent', () => {
  it('is locked, read, written, read again and released', async () => {
    expect(await start().run()).toBe('gather lock read write verify unlock answer');
  });

  it('is not written when everything stands already', async () => {
    expect(await start({ read: () => ({ mustWrite: false }) }).run()).toBe('gather lock read unlock answer');
  });

  it('is read anew before what was dropped is written again', async () => {
    let dropped = 1;
    const { run } = start({ verify: () => ({ dropped: dropped-- }) });
    expect(await run()).toBe('gather lock read write verify read write verify unlock answer');
  });

  it('is given up after four writes that were dropped, and the count starts over with the next batch', async () => {
    const { run, actor } = start({ verify: () => ({ dropped: 1 }) });
    expect((await run()).split(' ').filter((step) => step === 'write')).toHaveLength(maxWrites);
    expect((await run()).split(' ').filter((step) => step === 'write')).toHaveLength(2 * maxWrites);
    expect(actor.getSnapshot().context.writes).toBe(maxWrites);
  });

  it.each(['read', 'write', 'verify'] as const)('is released and answered when %s fails', async (step) => {
    const { run, actor } = start({ [step]: () => new Error('no') });
    expect((await run()).split(' ').slice(-3)).toEqual([step, 'unlock', 'answer']);
    expect(actor.getSnapshot().context.error).toBe('no');
  });

  it('is answered without a release when the lock was never got, and when the release fails', async () => {
    expect(await start({ lock: () => new Error('held') }).run()).toBe('gather lock answer');
    expect(await start({ unlock: () => new Error('no') }).run()).toBe('gather lock read write verify unlock answer');
  });

  it('serves those who asked meanwhile as the next batch', async () => {
    const { run } = start({ answer: (batch) => ({ more: batch < 3 }) });
    expect((await run()).split(' ').filter((step) => step === 'gather')).toHaveLength(3);
  });

  it('loses nobody, whenever they ask, and takes the lock for nobody in vain', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 8 }), async (turns) => {
        let waiting = 0;
        let served = 0;
        let taken = 0;
        let empty = 0;
        const { actor } = start({
          gather: () => {
            taken = waiting;
            waiting = 0;
            if (taken === 0) empty += 1;
          },
          answer: () => {
            served += taken;
            taken = 0;
            return { more: waiting > 0 };
          },
        });
        for (const turn of turns) {
          for (let i = 0; i < turn; i += 1) await Promise.resolve();
          waiting += 1;
          actor.send({ type: 'parent.ask' });
        }
        for (let i = 0; i < 400; i += 1) await Promise.resolve();
        expect(served).toBe(turns.length);
        expect(empty).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
