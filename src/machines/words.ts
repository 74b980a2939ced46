/** The meaning of a machine's names, for people who read its chart. Each name has words, and no words are left over. */
export interface MachineWords {
  readonly events: { readonly [event: string]: string };
  readonly guards: { readonly [guard: string]: string };
  readonly actions: { readonly [action: string]: string };
}

/** The meaning of the names in the line's machine. */
const lineWords: MachineWords = {
  events: {
    'line.start': 'The coordinator found that every line that this one needs is available.',
    'line.skip': 'A line that this one needs did not succeed.',
    'line.pause': 'A line that this one needs waits for a deployment, and the run does not.',
    'line.interrupt': 'The run was told to stop.',
    done: 'The work of the state succeeded.',
    error: 'The work of the state failed.',
  },
  guards: {
    isRestored: 'An interrupted run settled the line, and its record is still the same.',
    verdictIs: 'The verdict is the named one.',
    isPlanning: 'This is a plan.',
    needsUpdate: 'Declared fields differ from the live object.',
    needsReady: 'The object stands as planned, but an earlier run left before it was ready.',
    needsRecord: 'The line must write its record anew, although it sent nothing.',
    isMoved: 'The ledger moved before this run held its lease, so the look may be out of date.',
    isInterruption: 'The step did not begin, because the run stops.',
    isWaiting: 'The object is not ready, and a later run will wait for it.',
    isUnclear: 'The answer was lost, or said that the object exists.',
    isAbsent: 'The look found nothing, so the create did not happen.',
  },
  actions: {
    judge: 'Keeps the verdict, its reason and the work that is left.',
    countCreate: 'Counts the creates that were sent.',
    noteClaim: 'Turns the verdict into a claim.',
    keepError: 'Keeps the error, already redacted.',
  },
};

/** The meaning of the names in the parent's machine. */
const parentWords: MachineWords = {
  events: {
    'parent.ask': 'A line wants an entry to stand, to change or to go.',
    done: 'The work of the state succeeded.',
    error: 'The work of the state failed.',
  },
  guards: {
    mustWrite: 'At least one entry is not as it should be.',
    isDropped: 'Another writer wrote over our entry, and fewer than four writes were sent.',
    hasMore: 'Lines asked meanwhile, and become the next batch.',
    isAsked: 'A line asked while the batch was answered.',
  },
  actions: {
    startBatch: 'Forgets the writes and the error of the batch before.',
    takeAsks: 'Puts the lines that asked so far into this batch.',
    keepError: 'Keeps the error for the lines of the batch.',
    countWrite: 'Counts the writes of the batch.',
    startAnswer: 'Leaves the lines that ask from now on to the next batch.',
    noteAsk: 'Notes that a line asked too late for this batch.',
  },
};

/** The meaning of the names in the readiness machine. */
const readinessWords: MachineWords = {
  events: {
    done: 'The work of the state succeeded.',
    error: 'The work of the state failed.',
  },
  guards: {
    lookIs: 'The look found the named state: `ready` or `failed`.',
    isFirstStale: 'The build is older than the state that it needs, and was not started again yet.',
  },
  actions: {
    countPoll: 'Counts the looks.',
    noteDetail: 'Keeps in words what the line waits for.',
    noteKick: 'Notes that a new build was asked for.',
    keepError: 'Keeps the reason why no look could be made.',
  },
};

/** The meaning of the names in the coordinator's machine. */
const coordinatorWords: MachineWords = {
  events: {
    'lines.available': 'The outputs of some lines can be used.',
    'lines.ended': 'Some lines are in a final state.',
    'run.interrupt': 'The run was told to stop.',
  },
  guards: { isDone: 'No line is left.' },
  actions: {
    startReady: 'Starts the lines that wait for no other line.',
    release: 'Ends the wait of the lines after these lines.',
    close: 'Skips the lines that need a line that did not succeed, and pauses the lines that need a paused one.',
    interruptLines: 'Tells every line that the run stops.',
    count: 'Counts the lines that ended and those that did not succeed.',
  },
};

/** The words of every machine, by its name. */
export const machineWords: { readonly [machine: string]: MachineWords } = {
  line: lineWords,
  parent: parentWords,
  readiness: readinessWords,
  coordinator: coordinatorWords,
};
