import type { MachineWords } from '../words.ts';

/** What the names of the coordinator's machine mean. */
export const coordinatorWords: MachineWords = {
  states: {
    running: 'Lines start as soon as every line that they need is available.',
    draining: 'No line starts any more; those that write come to their next durable point.',
    finished: 'Every line has ended.',
    interrupted: 'Every line has ended after the run was told to stop.',
  },
  events: {
    'lines.available': 'The outputs of some lines can be used.',
    'lines.ended': 'Some lines are in a final state.',
    'run.interrupt': 'The run was told to stop.',
  },
  guards: { isDone: 'No line is left.' },
  actions: {
    startReady: 'Starts the lines that wait for nobody.',
    release: 'Lets the lines after them wait for those no more.',
    close: 'Skips the lines that need one that did not succeed.',
    interruptLines: 'Tells every line that the run stops.',
    count: 'Counts the lines that ended and those that did not succeed.',
  },
};
