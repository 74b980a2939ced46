import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createActor, type InspectionEvent } from 'xstate';
import type { ErrorData } from '../../core/errors.ts';
import { withSteps } from './line.machine.ts';
import type { LineInput } from './line-setup.ts';
import type { Judgement, Step, Steps } from './steps.ts';

/** The outcome of a step at each start: an answer, or an error that it rejects with. The last one stays. */
type Script = { readonly [step in Step]?: readonly unknown[] };

class Named extends Error {
  constructor(name: string) {
    super(`secret-looking text of ${name}`);
    this.name = name;
  }
}
const moved = new Named('LedgerMoved');
const interrupted = new Named('Interrupted');
const data: ErrorData = { code: 'PROVIDER_INVALID', summary: 'refused', detail: 'It is refused.', fix: 'Correct it.' };
const refusedByProvider = Object.assign(new Error('secret-looking text'), { data });

const judgement = (verdict: Judgement['verdict'], more: Partial<Judgement> = {}): Judgement => ({
  verdict,
  drift: 'none',
  why: 'because',
  needsUpdate: false,
  needsRecord: false,
  ...more,
});
const easy: Script = {
  create: [{ outcome: 'made' }],
  relocate: [{ outcome: 'claimed', needsUpdate: false }],
  awaitReady: [{ outcome: 'ready' }],
};

/** Drives one line to its end over a script, and tells every state that it was in. */
async function drive(script: Script, o: { purpose?: LineInput['purpose']; restored?: LineInput['restored'] } = {}) {
  const runs = new Map<string, number>();
  const sawState: string[] = ['waiting'];
  const snapshots: string[] = [];
  const play =
    <S extends Step>(step: S) =>
    async (line: string): Promise<Awaited<ReturnType<Steps[S]>>> => {
      expect(line).toBe('hook');
      const outcomes = script[step] ?? easy[step] ?? [undefined];
      const run = runs.get(step) ?? 0;
      runs.set(step, run + 1);
      await Promise.resolve();
      const outcome = outcomes[Math.min(run, outcomes.length - 1)];
      if (outcome instanceof Error) throw outcome;
      return outcome as Awaited<ReturnType<Steps[S]>>;
    };
  const inspect = (event: InspectionEvent): void => {
    if (event.type !== '@xstate.microstep' || !('value' in event.snapshot)) return;
    const state = String(event.snapshot.value);
    if (state !== sawState.at(-1)) sawState.push(state);
  };
  const actor = createActor(
    withSteps({
      observe: play('observe'),
      recordIntent: play('recordIntent'),
      create: play('create'),
      relocate: play('relocate'),
      update: play('update'),
      verify: play('verify'),
      removeFirst: play('removeFirst'),
      send: play('send'),
      awaitReady: play('awaitReady'),
      record: play('record'),
      recordUnready: play('recordUnready'),
      remove: play('remove'),
      recordRemoval: play('recordRemoval'),
    }),
    { input: { line: 'hook', purpose: o.purpose ?? 'apply', ...(o.restored && { restored: o.restored }) }, inspect },
  );
  const done = new Promise<void>((resolve, reject) => actor.subscribe({ complete: resolve, error: reject }));
  actor.subscribe({ next: () => void snapshots.push(JSON.stringify(actor.getPersistedSnapshot())) });
  actor.start();
  return { actor, done, sawState, snapshots, runs, start: () => actor.send({ type: 'line.start' }) };
}

async function statesOf(script: Script, o?: Parameters<typeof drive>[1]): Promise<string> {
  const { done, sawState, start } = await drive(script, o);
  start();
  await done;
  return sawState.join(' ');
}

describe('one line', () => {
  it('walks from intent to record when it creates', async () => {
    expect(await statesOf({ observe: [judgement('create')] })).toBe(
      'waiting observing judged recordingIntent creating verifying awaiting recording settled',
    );
  });

  it.each([
    ['nothing to do', judgement('none'), 'settled'],
    ['nothing to do but a record that says something else', judgement('none', { needsRecord: true }), 'recording settled'],
    ['one that an earlier run left unready', judgement('none', { needsRecord: true, needsReady: true }), 'awaiting recording settled'],
    ['an adoption', judgement('adopt', { needsRecord: true }), 'recording settled'],
    ['a new delete request', judgement('reconcile', { needsRecord: true }), 'recording settled'],
    ['an update', judgement('update', { needsUpdate: true }), 'updating verifying awaiting recording settled'],
    ['a claim', judgement('claim'), 'awaiting recording settled'],
    ['a claim that differs', judgement('claim', { needsUpdate: true }), 'updating verifying awaiting recording settled'],
    ['a replacement', judgement('replace'), 'removingFirst recordingIntent creating verifying awaiting recording settled'],
    ['an action', judgement('send'), 'sending recording settled'],
    ['a wait', judgement('pending'), 'awaiting recording settled'],
    ['a delete', judgement('delete'), 'removing recordingRemoval settled'],
    ['a forget', judgement('forget'), 'recordingRemoval settled'],
    ['a refusal', judgement('refused', { error: data }), 'refused'],
  ])('goes its way for %s', async (_, verdict, rest) => {
    expect(await statesOf({ observe: [verdict] })).toBe(`waiting observing judged ${rest}`);
  });

  it('stops at the verdict when it plans, and at the refusal when it is refused', async () => {
    expect(await statesOf({ observe: [judgement('create')] }, { purpose: 'plan' })).toBe('waiting observing judged planned');
    expect(await statesOf({ observe: [judgement('refused', { error: data })] }, { purpose: 'plan' })).toBe(
      'waiting observing judged refused',
    );
  });

  it('looks before it creates again when a create is unclear', async () => {
    const unclear = { outcome: 'unclear' };
    expect(await statesOf({ observe: [judgement('create')], create: [unclear] })).toBe(
      'waiting observing judged recordingIntent creating relocating claimed awaiting recording settled',
    );
    expect(
      await statesOf({ observe: [judgement('create')], create: [unclear], relocate: [{ outcome: 'claimed', needsUpdate: true }] }),
    ).toBe('waiting observing judged recordingIntent creating relocating claimed updating verifying awaiting recording settled');
    expect(
      await statesOf({ observe: [judgement('create')], create: [unclear, { outcome: 'made' }], relocate: [{ outcome: 'absent' }] }),
    ).toBe('waiting observing judged recordingIntent creating relocating creating verifying awaiting recording settled');
  });

  it('ends paused when somebody else reports the deployment', async () => {
    expect(await statesOf({ observe: [judgement('pending')], awaitReady: [{ outcome: 'waiting' }] })).toBe(
      'waiting observing judged awaiting paused',
    );
  });

  it('keeps the record of an object that did not become ready', async () => {
    expect(await statesOf({ observe: [judgement('create')], awaitReady: [refusedByProvider] })).toBe(
      'waiting observing judged recordingIntent creating verifying awaiting recordingUnready failed',
    );
    expect(await statesOf({ observe: [judgement('create')], awaitReady: [interrupted] })).toBe(
      'waiting observing judged recordingIntent creating verifying awaiting recordingInterrupted interrupted',
    );
  });

  it('keeps the record of an object whose write could not be verified', async () => {
    const created = 'waiting observing judged recordingIntent creating verifying';
    expect(await statesOf({ observe: [judgement('create')], verify: [refusedByProvider] })).toBe(`${created} recordingUnready failed`);
    expect(await statesOf({ observe: [judgement('create')], verify: [interrupted] })).toBe(`${created} recordingInterrupted interrupted`);
  });

  it('settles without a look when an interrupted run settled it', async () => {
    expect(await statesOf({}, { restored: 'none' })).toBe('waiting settled');
  });

  it.each([
    ['line.skip', 'skipped'],
    ['line.pause', 'paused'],
  ] as const)('ends before its turn at %s, with no error of its own', async (type, state) => {
    const { actor, done } = await drive({});
    actor.send({ type });
    await done;
    expect(actor.getSnapshot().value).toBe(state);
    expect(actor.getSnapshot().context).toMatchObject({ verdict: null, error: null });
  });

  it('stops at once where nothing was sent, and goes on to a durable point where something was', async () => {
    const waiting = await drive({});
    waiting.actor.send({ type: 'line.interrupt' });
    await waiting.done;
    expect(waiting.sawState.join(' ')).toBe('waiting interrupted');

    const observing = await drive({ observe: [judgement('create')] });
    observing.start();
    observing.actor.send({ type: 'line.interrupt' });
    await observing.done;
    expect(observing.sawState.join(' ')).toBe('waiting observing interrupted');

    const sent = await drive({ observe: [judgement('create')], create: [{ outcome: 'made' }] });
    sent.actor.subscribe((snapshot) => {
      if (snapshot.value === 'creating') queueMicrotask(() => sent.actor.send({ type: 'line.interrupt' }));
    });
    sent.start();
    await sent.done;
    expect(sent.sawState.at(-1)).toBe('settled');
  });
});

/** A verdict that leads to each step that may reject, and the step. */
const ways: readonly [Step, Judgement, Script][] = [
  ['observe', judgement('create'), {}],
  ['recordIntent', judgement('create'), {}],
  ['create', judgement('create'), {}],
  ['relocate', judgement('create'), { create: [{ outcome: 'unclear' }] }],
  ['update', judgement('update', { needsUpdate: true }), {}],
  ['verify', judgement('create'), {}],
  ['removeFirst', judgement('replace'), {}],
  ['send', judgement('send'), {}],
  ['record', judgement('create'), {}],
  ['remove', judgement('delete'), {}],
  ['recordRemoval', judgement('forget'), {}],
];

describe('a step that rejects', () => {
  it.each(ways)('%s fails the line with the error that it carries', async (step, verdict, script) => {
    const { actor, done, start } = await drive({ observe: [verdict], ...script, [step]: [refusedByProvider] });
    start();
    await done;
    expect(actor.getSnapshot().value).toBe('failed');
    expect(actor.getSnapshot().context.error).toEqual(data);
  });

  it.each(ways)('%s ends interrupted, without an error, when the run was asked to stop', async (step, verdict, script) => {
    const { actor, done, start } = await drive({ observe: [verdict], ...script, [step]: [interrupted] });
    start();
    await done;
    expect(actor.getSnapshot().value).toBe('interrupted');
    expect(actor.getSnapshot().context.error).toBeNull();
  });

  it.each(ways.filter(([step]) => !['observe', 'create', 'relocate', 'verify'].includes(step)))(
    '%s looks again when the ledger moved before the lease was held',
    async (step, verdict, script) => {
      const states = await statesOf({ observe: [verdict, judgement('none')], ...script, [step]: [moved] });
      expect(states.endsWith('observing judged settled')).toBe(true);
      expect(states.split(' ').filter((state) => state === 'observing')).toHaveLength(2);
    },
  );

  it('observe looks again when what it would refuse rests on a ledger that moved', async () => {
    const { actor, done, start } = await drive({ observe: [moved, moved, judgement('none')] });
    start();
    await done;
    expect(actor.getSnapshot().value).toBe('settled');
  });

  it('an unknown error is a defect of ours and says so', async () => {
    const { actor, done, start } = await drive({ observe: [new Error('boom')] });
    start();
    await done;
    expect(actor.getSnapshot().context.error?.code).toBe('INTERNAL');
  });
});

describe('whatever the steps answer', () => {
  const failures = fc.constantFrom<unknown>(refusedByProvider, interrupted, new Error('boom'));
  const script: fc.Arbitrary<Script> = fc
    .record({
      verdict: fc.constantFrom(
        judgement('create'),
        judgement('replace'),
        judgement('claim'),
        judgement('update', { needsUpdate: true }),
        judgement('none', { needsRecord: true }),
        judgement('send'),
        judgement('delete'),
        judgement('pending'),
        judgement('refused', { error: data }),
      ),
      recordIntent: fc.array(fc.oneof(fc.constant(undefined), fc.constant(moved), failures), { minLength: 1, maxLength: 3 }),
      create: fc.array(fc.oneof(fc.constant({ outcome: 'made' }), fc.constant({ outcome: 'unclear' }), failures), {
        minLength: 1,
        maxLength: 3,
      }),
      relocate: fc.array(fc.oneof(fc.constant({ outcome: 'claimed', needsUpdate: true }), fc.constant({ outcome: 'absent' }), failures), {
        minLength: 1,
        maxLength: 3,
      }),
      update: fc.array(fc.oneof(fc.constant(undefined), failures), { minLength: 1, maxLength: 2 }),
      verify: fc.array(fc.oneof(fc.constant(undefined), failures), { minLength: 1, maxLength: 2 }),
      awaitReady: fc.array(fc.oneof(fc.constant({ outcome: 'ready' }), failures), { minLength: 1, maxLength: 2 }),
      record: fc.array(fc.oneof(fc.constant(undefined), failures), { minLength: 1, maxLength: 2 }),
    })
    .map(({ verdict, ...rest }) => ({
      observe: [verdict, verdict, verdict, judgement('none')],
      ...rest,
      // An unlucky line comes to an end all the same: the last outcome is the one that stays.
      recordIntent: [...rest.recordIntent, undefined],
      create: [...rest.create, { outcome: 'made' }],
    }));

  it('a create is entered only after its intent was stored, or after a look under that intent', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (one) => {
        const { done, sawState, start, runs } = await drive(one);
        start();
        await done;
        sawState.forEach((state, i) => {
          if (state === 'creating') expect(['recordingIntent', 'relocating']).toContain(sawState[i - 1]);
          if (state === 'relocating') expect(sawState[i - 1]).toBe('creating');
        });
        expect((runs.get('create') ?? 0) === 0 || (runs.get('recordIntent') ?? 0) > 0).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('an object that this run wrote stands in no bad end without an attempt to record it', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (one) => {
        const { done, sawState, start } = await drive(one);
        start();
        await done;
        const wrote = sawState.lastIndexOf('verifying');
        if (wrote >= 0) expect(sawState.slice(wrote).some((state) => state.startsWith('recording'))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('a snapshot holds ids and error data, never an error or its text', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (one) => {
        const { done, snapshots, start } = await drive(one);
        start();
        await done;
        for (const snapshot of snapshots) {
          expect(snapshot).not.toContain('secret-looking');
          expect(snapshot).not.toContain('"stack"');
        }
        expect(snapshots.length).toBeGreaterThan(1);
      }),
      { numRuns: 200 },
    );
  });
});
