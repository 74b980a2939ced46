import type { MachineWords } from '../words.ts';

/** What the names of the parent's machine mean. */
export const parentWords: MachineWords = {
  states: {
    idle: 'No line asks for a change.',
    gathering: 'The lines that ask at this moment become one batch.',
    locking: 'The lock of the shared object is taken, which runs of other scopes take too.',
    reading: 'The object is read under the lock, and each change is judged again.',
    writing: 'All changes of the batch are written at once; other entries go back as they were read.',
    verifying: 'The object is read again: a write counts only when its entries are seen.',
    unlocking: 'The lock is given back, once no unanswered write under it can land any more.',
    answering: 'Each line of the batch is told how its entry stands.',
  },
  events: {
    'parent.ask': 'A line wants an entry to stand, to change or to go.',
    done: 'The work of the state succeeded.',
    error: 'The work of the state failed.',
  },
  guards: {
    mustWrite: 'At least one entry is not as it should be.',
    isDropped: 'Somebody outside wrote over our entry, and fewer than four writes were sent.',
    hasMore: 'Lines asked meanwhile: they are the next batch.',
    isAsked: 'A line asked while the batch was answered.',
  },
  actions: {
    startBatch: 'Forgets the writes and the error of the batch before.',
    takeAsks: 'Who asked so far is in this batch.',
    keepError: 'Keeps the error for the lines of the batch.',
    countWrite: 'Counts the writes of the batch.',
    startAnswer: 'From here on whoever asks is in the next batch.',
    noteAsk: 'Notes that a line asked too late for this batch.',
  },
};
