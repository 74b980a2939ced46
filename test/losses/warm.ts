import type { History, Step } from './history.ts';
import { liveThrough } from './seed.ts';

const step = (act: Step['act'], more: Partial<Step> = {}): Step => ({
  repository: 0,
  pull: 12,
  after: 5,
  act,
  delivery: 'at once',
  late: 0,
  fate: null,
  ...more,
});

const main = [{ id: 'l0', name: 'l0', kind: 'thing', note: 0 }] as const;

/** Takes every common way through the program. */
const rehearsal: History = {
  seed: 1,
  begin: 600,
  credential: 'lasting',
  weather: 'bad',
  who: 'all',
  idleHours: null,
  main,
  steps: [
    step({ kind: 'open', lines: main, from: 'here', draft: false, label: true }),
    step({ kind: 'deployed' }),
    step({ kind: 'push', lines: [...main, { ...main[0], id: 'l1', name: 'l1', kind: 'entry' }] }, { fate: { kind: 'cancel', effect: 6 } }),
    step({ kind: 'merge' }, { pull: 12 }),
    step({ kind: 'open', lines: main, from: 'fork', draft: false, label: true }, { pull: 13 }),
  ],
};

/**
 * Loads what the program loads on its way, before the first history. Reading a file takes turns of this process that a seed does not
 * decide, so a history that had to wait for one would not be the same each time.
 */
export const warmUp = async (): Promise<void> => void (await liveThrough(rehearsal, null));
