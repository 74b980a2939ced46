import { type LineTag, lineSetup, newLine } from './line-setup.ts';
import { type Step, type Steps, stepRunner } from './steps.ts';

/** Raised whenever states or their meaning change: a snapshot of another version is dropped. */
export const lineMachineVersion = 4;

/** The entry of a state in which a step is under way; `<step>.done` or `<step>.error` tells how it ended. */
const begin = <S extends Step>(step: S) => ({ type: 'begin', params: { step } }) as const;

type Rejection = { readonly event: { readonly error: unknown } };
const errorOf = ({ event }: Rejection): { error: unknown } => ({ error: event.error });

/** The ledger moved before this run's lease, so the look may be out of date. */
const lookAgain = [{ guard: { type: 'isMoved', params: errorOf }, target: 'observing' }] as const;
/** A step that was not begun because the run stops, or one that failed. */
const endBadly = [
  { guard: { type: 'isInterruption', params: errorOf }, target: 'interrupted' },
  { target: 'failed', actions: { type: 'keepError', params: errorOf } },
] as const;

/** The same for an object that stands: its record must not be lost with the error. */
const recordAndEnd = [
  { guard: { type: 'isInterruption', params: errorOf }, target: 'recordingInterrupted' },
  { target: 'recordingUnready', actions: { type: 'keepError', params: errorOf } },
] as const;

/**
 * One line of the plan: looks, is judged, and, when applying, walks intent → create → verify → ready → record.
 * `creating` is entered only from `recordingIntent` (or after a look that found nothing under that same intent).
 * A step that learns that the ledger moved before this run held its lease sends nothing: the line looks again. So does a refused line. An
 * apply makes all lines anew then, so only the lines of a plan look again.
 * A line begins its steps on entry and does not invoke them: an invoked promise is an actor of its own, and takes as long again as the line.
 */
export const lineMachine = lineSetup.createMachine({
  id: 'line',
  context: ({ input }) => newLine(input),
  initial: 'waiting',
  states: {
    waiting: {
      description: 'The line waits for the lines that it needs.',
      tags: 'idle',
      on: {
        'line.start': [{ guard: 'isRestored', target: 'settled' }, { target: 'observing' }],
        'line.skip': 'skipped',
        'line.pause': 'paused',
        'line.interrupt': 'interrupted',
      },
    },
    observing: {
      description: 'The step resolves references, looks for the live object and judges the look.',
      entry: begin('observe'),
      on: {
        'line.interrupt': 'interrupted',
        'observe.done': { target: 'judged', actions: { type: 'judge', params: ({ event }) => ({ judgement: event.output }) } },
        // A line that will not be written reports by the ledger, too.
        'observe.error': [{ ...lookAgain[0], reenter: true }, ...endBadly],
      },
    },
    judged: {
      description: 'The verdict says where the line goes. The line leaves this state at once.',
      always: [
        { guard: { type: 'verdictIs', params: { want: ['refused'] } }, target: 'refused' },
        { guard: 'isPlanning', target: 'planned' },
        { guard: { type: 'verdictIs', params: { want: ['create'] } }, target: 'recordingIntent' },
        { guard: { type: 'verdictIs', params: { want: ['replace'] } }, target: 'removingFirst' },
        { guard: { type: 'verdictIs', params: { want: ['send'] } }, target: 'sending' },
        { guard: { type: 'verdictIs', params: { want: ['delete'] } }, target: 'removing' },
        { guard: { type: 'verdictIs', params: { want: ['forget'] } }, target: 'recordingRemoval' },
        { guard: { type: 'verdictIs', params: { want: ['pending'] } }, target: 'awaiting' },
        { guard: 'needsUpdate', target: 'updating' },
        { guard: { type: 'verdictIs', params: { want: ['claim'] } }, target: 'awaiting' },
        { guard: 'needsReady', target: 'awaiting' },
        { guard: 'needsRecord', target: 'recording' },
        { target: 'settled' },
      ],
    },
    removingFirst: {
      description:
        'A replacement removes the old object first where the provider does not allow two. Where it does, this step ends at once, and the old object goes after the dependents took the new one.',
      entry: begin('removeFirst'),
      on: {
        'removeFirst.done': 'recordingIntent',
        'removeFirst.error': [...lookAgain, ...endBadly],
      },
    },
    recordingIntent: {
      description: 'The intent announces the create. The step ends once the next machine would see the intent.',
      entry: begin('recordIntent'),
      on: {
        'recordIntent.done': 'creating',
        'recordIntent.error': [...lookAgain, ...endBadly],
      },
    },
    creating: {
      description: 'The step sends the create, only under a stored intent.',
      entry: ['countCreate', begin('create')],
      on: {
        'create.done': [
          { guard: { type: 'isUnclear', params: ({ event }) => ({ outcome: event.output.outcome }) }, target: 'relocating' },
          { target: 'verifying' },
        ],
        'create.error': [...endBadly],
      },
    },
    relocating: {
      description: 'The answer was lost, or said that the object exists. The step looks for the object before anything else is sent.',
      entry: begin('relocate'),
      on: {
        'relocate.done': [
          {
            guard: { type: 'isAbsent', params: ({ event }) => ({ outcome: event.output.outcome }) },
            target: 'creating',
          },
          {
            target: 'claimed',
            actions: {
              type: 'noteClaim',
              params: ({ event }) => ({ needsUpdate: event.output.outcome === 'claimed' && event.output.needsUpdate }),
            },
          },
        ],
        'relocate.error': [...endBadly],
      },
    },
    claimed: {
      description: 'The object that the look found is ours by the intent. The line leaves this state at once.',
      always: [{ guard: 'needsUpdate', target: 'updating' }, { target: 'awaiting' }],
    },
    updating: {
      description: 'The step writes the declared fields that differ.',
      entry: begin('update'),
      on: {
        'update.done': 'verifying',
        'update.error': [...lookAgain, ...endBadly],
      },
    },
    verifying: {
      description: 'The step reads again what the answer to the write does not show as planned, and sends it once more where it differs.',
      entry: begin('verify'),
      on: {
        'verify.done': 'awaiting',
        'verify.error': recordAndEnd,
      },
    },
    sending: {
      description: 'The step sends the request of an action.',
      entry: begin('send'),
      on: {
        'send.done': 'recording',
        'send.error': [...lookAgain, ...endBadly],
      },
    },
    awaiting: {
      description: 'The step polls the object, or the deployment that the line waits for, until it is ready.',
      tags: 'polling',
      entry: begin('awaitReady'),
      on: {
        'awaitReady.done': [
          { guard: { type: 'isWaiting', params: ({ event }) => ({ outcome: event.output.outcome }) }, target: 'paused' },
          { target: 'recording' },
        ],
        'awaitReady.error': recordAndEnd,
      },
    },
    recordingInterrupted: {
      description: 'The run stops while the object is not ready. The step stores its record.',
      entry: begin('recordUnready'),
      on: {
        'recordUnready.done': 'interrupted',
        'recordUnready.error': 'interrupted',
      },
    },
    recordingUnready: {
      description: 'The object stands and is not ready. The step stores its record, so that it is not lost with the error.',
      entry: begin('recordUnready'),
      on: {
        'recordUnready.done': 'failed',
        'recordUnready.error': 'failed',
      },
    },
    recording: {
      description: 'The step stores the record. The lines after this one may already use its outputs.',
      tags: 'available',
      entry: begin('record'),
      on: {
        'record.done': 'settled',
        'record.error': [...lookAgain, ...endBadly],
      },
    },
    removing: {
      description: 'The step sends the recorded delete request.',
      entry: begin('remove'),
      on: {
        'remove.done': 'recordingRemoval',
        'remove.error': [...lookAgain, ...endBadly],
      },
    },
    recordingRemoval: {
      description: 'The step stores that nothing is left of the record.',
      tags: 'available',
      entry: begin('recordRemoval'),
      on: {
        'recordRemoval.done': 'settled',
        'recordRemoval.error': [...lookAgain, ...endBadly],
      },
    },
    planned: { description: 'A plan ends here, with the verdict.', type: 'final', tags: ['final', 'available'] },
    settled: { description: 'The object stands as planned, or is gone as asked.', type: 'final', tags: ['final', 'available'] },
    refused: { description: 'The verdict is a refusal; nothing was written.', type: 'final', tags: 'final' },
    failed: { description: 'A step failed; the error says which and why.', type: 'final', tags: 'final' },
    skipped: { description: 'A line that this one needs did not succeed. Nothing was written for this one.', type: 'final', tags: 'final' },
    interrupted: { description: 'The run was told to stop. The next run goes on from here.', type: 'final', tags: 'final' },
    paused: {
      description: 'The line, or a line that it needs, waits for a deployment. A later run goes on from here.',
      type: 'final',
      tags: 'final',
    },
  },
});

/** Whether the chart gives the state this tag. */
export const hasTag = (state: string, tag: LineTag): boolean =>
  (lineMachine.states as { readonly [state: string]: { readonly tags: readonly string[] } })[state]?.tags.includes(tag) ?? false;

/** The line machine with what its steps do. */
export const withSteps = (steps: Steps): typeof lineMachine => lineMachine.provide({ actions: { begin: stepRunner(steps) } });
