/** What the names of a machine mean, for people who read its chart. Each name has words, and no words are left over. */
export interface MachineWords {
  readonly events: { readonly [event: string]: string };
  readonly guards: { readonly [guard: string]: string };
  readonly actions: { readonly [action: string]: string };
}

/** What the names of the line's machine mean. */
const lineWords: MachineWords = {
  events: {
    'line.start': 'The coordinator found every line available that this one needs.',
    'line.skip': 'A line that this one needs did not succeed.',
    'line.interrupt': 'The run was told to stop.',
    done: 'The work of the state succeeded.',
    error: 'The work of the state failed.',
  },
  guards: {
    isRestored: 'An interrupted run settled it, and its record is still that one.',
    verdictIs: 'The verdict is the one named.',
    isPlanning: 'This is a plan.',
    needsUpdate: 'Declared fields differ from the live object.',
    needsReady: 'It stands as planned, and an earlier run left before it was ready.',
    needsRecord: 'Its record is to be written anew, although nothing was sent.',
    isMoved: 'The ledger moved before this run held its lease, so what was seen may be out of date.',
    isInterruption: 'The step was not begun, because the run stops.',
    isWaiting: 'It is not ready, and somebody else will report when it is.',
    isUnclear: 'The answer was lost, or said that the object exists.',
    isAbsent: 'The look found nothing: the create did not happen.',
  },
  actions: {
    judge: 'Keeps verdict, reason and what has to be done.',
    countCreate: 'Counts the creates that were sent.',
    noteClaim: 'The verdict becomes a claim.',
    keepError: 'Keeps the error, already redacted.',
    skip: 'Keeps the error that names the line that did not succeed.',
  },
};

/** What the names of the parent's machine mean. */
const parentWords: MachineWords = {
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

/** What the names of the readiness machine mean. */
const readinessWords: MachineWords = {
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

/** What the names of the coordinator's machine mean. */
const coordinatorWords: MachineWords = {
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

/** The words of every machine, by its name. */
export const machineWords: { readonly [machine: string]: MachineWords } = {
  line: lineWords,
  parent: parentWords,
  readiness: readinessWords,
  coordinator: coordinatorWords,
};
