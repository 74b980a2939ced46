import type { MachineWords } from '../words.ts';

/** What the names of the readiness machine mean. */
export const readinessWords: MachineWords = {
  states: {
    looking: 'The provider is asked how it stands.',
    kicking: 'What was built before the state that it needs is built again, once.',
    pausing: 'Time passes, more of it after each look. A run in which only such lines are left gives its lease back meanwhile.',
    ready: 'It is ready.',
    failed: 'It failed at the provider and will not become ready by itself.',
    broken: 'Looking ends without an answer: a request failed, the time is over, or the code host will report the deployment.',
  },
  events: {
    done: 'The work of the state succeeded.',
    error: 'The work of the state failed.',
  },
  guards: {
    lookIs: 'The look found that very state: `ready`, or `failed`.',
    isFirstStale: 'It was built before the state that it needs, and was not built again yet.',
  },
  actions: {
    countPoll: 'Counts the looks.',
    noteDetail: 'Keeps what is waited for, in words.',
    noteKick: 'Notes that a new build was asked for.',
    keepError: 'Keeps why the look could not be made.',
  },
};
