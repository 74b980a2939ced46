import type { ApplyDoc, PlanDoc, RunEvent } from '../../src/engine/document.ts';
import { documentOf, firstHalf, made, secondHalf } from './made.ts';
import { manyChanges, refusedPlan } from './plans.ts';

/** What a made run may do. */
export interface Stage {
  tell(events: readonly RunEvent[]): void;
  /** Time goes on. */
  pass(ms: number): void;
  /** Stands still until the test goes on, or until the signal comes. */
  pause(point: string, signal?: AbortSignal): Promise<void>;
  readonly signal: AbortSignal;
}

export interface Play {
  readonly plan?: (stage: Stage) => Promise<PlanDoc>;
  readonly apply?: (stage: Stage) => Promise<ApplyDoc>;
}

/** A run that is looked at in its middle, and then goes on to its end. */
const whole = (count: number, fails = false): Play => ({
  apply: async (stage) => {
    const run = made(count, { fails });
    stage.tell(firstHalf(run));
    stage.pass(12_400);
    await stage.pause('middle');
    stage.tell(secondHalf(run));
    return documentOf(run, fails ? 'failed' : 'complete');
  },
});

/** A run that is told to stop, and takes its time to do so. */
const interrupted: Play = {
  apply: async (stage) => {
    const run = made(5);
    stage.tell(firstHalf(run));
    stage.pass(3_000);
    await stage.pause('middle', stage.signal);
    await stage.pause('draining');
    return documentOf(run, 'interrupted');
  },
};

const waiting: Play = {
  apply: async (stage) => {
    const detail = 'run r-20261121-203255 of ci-runner-7 holds this scope; if it is dead, this run goes on at 20:36:15 UTC';
    stage.tell([...firstHalf(made(5)), { type: 'run', state: 'waiting', detail, at: 0 }]);
    await stage.pause('middle');
    return documentOf(made(5), 'complete');
  },
};

/** Text of others that would move the cursor, turn the direction of reading or clear the screen; and letters of every width. */
const hostile: Play = {
  apply: async (stage) => {
    const run = made(5);
    const names = ['大小-データベース', 'e\u0301te\u0301-\u{1f600}', 'x\u001b[2J\u001b[Hy', 'a\u202eb\u200bc', 'plain'];
    const lines = run.lines.map((line, i) => ({
      ...line,
      id: names[i] ?? '',
      after: [],
      middle: 'awaiting',
      wait: `\u001b]0;title\u0007\r\n\u001b[1A${'宽'.repeat(60)}`,
    }));
    stage.tell(firstHalf({ lines }));
    await stage.pause('middle');
    return documentOf({ lines }, 'complete');
  },
};

const crash: Play = {
  apply: async (stage) => {
    stage.tell(firstHalf(made(5)));
    await stage.pause('middle');
    setTimeout(() => {
      throw new Error('thrown where nobody catches');
    });
    await stage.pause('never');
    return documentOf(made(5), 'complete');
  },
};

const planned = (document: PlanDoc): Play => ({ plan: () => Promise.resolve(document) });

export const plays: { readonly [name: string]: Play } = {
  five: whole(5),
  sixty: whole(60),
  'five-hundred': whole(500),
  'five-fail': whole(5, true),
  'sixty-fail': whole(60, true),
  'five-hundred-fail': whole(500, true),
  interrupted,
  waiting,
  hostile,
  crash,
  changes: planned(manyChanges()),
  refused: planned(refusedPlan(500)),
};
