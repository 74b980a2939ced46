/** What the names of a machine mean, for people who read its chart. Each name has words, and no words are left over. */
export interface MachineWords {
  /** What happens there, or, for a final state, what its result is. */
  readonly states: { readonly [state: string]: string };
  readonly events: { readonly [event: string]: string };
  readonly guards: { readonly [guard: string]: string };
  readonly actions: { readonly [action: string]: string };
}

/** What the names of the line's machine mean. */
const lineWords: MachineWords = {
  states: {
    waiting: 'The lines that it needs are not available yet.',
    observing: 'Its references become values, the live object is looked for, and the look is judged.',
    judged: 'Left at once: the verdict says where to.',
    removingFirst:
      'The old object of a replacement goes first where two cannot stand side by side. Where they can, this ends at once, and the old one goes after the dependents took the new one.',
    recordingIntent: 'The create is announced; it ends when the intent is stored where the next machine will see it.',
    creating: 'The create is sent. It is entered only under a stored intent.',
    relocating: 'The answer was lost, or said that the object exists: it is looked for before anything else is sent.',
    claimed: 'Left at once: what was found is ours by the intent.',
    updating: 'The declared fields that differ are written.',
    sending: 'The request of an action is sent.',
    awaiting: 'The object, or what the line waits for, is asked again and again until it is ready.',
    recordingInterrupted: 'The run stops while the object is not ready: its record is stored.',
    recordingUnready: 'Waiting failed and the object stands: its record is stored, so that it is not lost with the error.',
    recording: 'The record is stored. The lines after this one may already use its outputs.',
    removing: 'The object is removed with its recorded delete request.',
    recordingRemoval: 'The end of the record is stored.',
    planned: 'A plan ends here, with the verdict.',
    settled: 'It stands as planned, or is gone as asked.',
    refused: 'The verdict is a refusal; nothing was written.',
    failed: 'A step failed; the error says which and why.',
    skipped: 'A line that it needs did not succeed; nothing was written for it.',
    interrupted: 'The run was told to stop; the next one goes on.',
    paused: 'A deployment is under way that the code host will report; that run goes on from here.',
  },
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

/** What the names of the readiness machine mean. */
const readinessWords: MachineWords = {
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

/** What the names of the coordinator's machine mean. */
const coordinatorWords: MachineWords = {
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

/** The words of every machine, by its name. */
export const machineWords: { readonly [machine: string]: MachineWords } = {
  line: lineWords,
  parent: parentWords,
  readiness: readinessWords,
  coordinator: coordinatorWords,
};
