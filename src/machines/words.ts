/** The meaning of a machine's names, for people who read its chart. Each name has words, and no words are left over. */
export interface MachineWords {
  /** The work of each state, or the result of a final one. */
  readonly states: { readonly [state: string]: string };
  readonly events: { readonly [event: string]: string };
  readonly guards: { readonly [guard: string]: string };
  readonly actions: { readonly [action: string]: string };
}

/** The meaning of the names in the line's machine. */
const lineWords: MachineWords = {
  states: {
    waiting: 'The lines that this line needs are not available yet.',
    observing: 'The line resolves its references, looks for the live object, and judges the look.',
    judged: 'The line leaves at once, to the state that the verdict names.',
    removingFirst:
      'The line removes the old object of a replacement first, where two cannot stand side by side. Where they can, this state ends at once, and the old object goes after the dependents took the new one.',
    recordingIntent: 'The line announces the create. The state ends when the intent is stored where the next machine will see it.',
    creating: 'The line sends the create, and only under a stored intent.',
    relocating: 'The answer was lost, or said that the object exists. The line looks for the object before it sends anything else.',
    claimed: 'The line leaves at once: the found object is ours by the intent.',
    updating: 'The line writes the declared fields that differ.',
    sending: 'The line sends the request of an action.',
    awaiting: 'The line asks again and again until the object, or the thing that it waits for, is ready.',
    recordingInterrupted: 'The run stops while the object is not ready. The line stores its record.',
    recordingUnready: 'The wait failed, but the object stands. The line stores its record, so that the object is not lost with the error.',
    recording: 'The line stores its record. The lines after this one may already use its outputs.',
    removing: 'The line removes the object with its recorded delete request.',
    recordingRemoval: 'The line stores the end of its record.',
    planned: 'A plan ends here, with the verdict.',
    settled: 'The object stands as planned, or is gone as asked.',
    refused: 'The verdict is a refusal, and the line wrote nothing.',
    failed: 'A step failed. The error says which step, and why.',
    skipped: 'A line that this line needs did not succeed, so this line wrote nothing.',
    interrupted: 'The run was told to stop. The next run goes on.',
    paused: 'A deployment is under way, and the code host will report it. The run of that report goes on from here.',
  },
  events: {
    'line.start': 'The coordinator found that every line that this one needs is available.',
    'line.skip': 'A line that this one needs did not succeed.',
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
    isWaiting: 'The object is not ready, and the code host will report when it is.',
    isUnclear: 'The answer was lost, or said that the object exists.',
    isAbsent: 'The look found nothing, so the create did not happen.',
  },
  actions: {
    judge: 'Keeps the verdict, its reason and the work that is left.',
    countCreate: 'Counts the creates that were sent.',
    noteClaim: 'Turns the verdict into a claim.',
    keepError: 'Keeps the error, already redacted.',
    skip: 'Keeps the error, which names the line that did not succeed.',
  },
};

/** The meaning of the names in the parent's machine. */
const parentWords: MachineWords = {
  states: {
    idle: 'No line asks for a change.',
    gathering: 'The lines that ask at this moment become one batch.',
    locking: 'The run takes the lock of the shared object. Runs of other scopes take the same lock.',
    reading: 'The run reads the object under the lock, and judges each change again.',
    writing: 'The run writes all changes of the batch at once. Other entries go back as they were read.',
    verifying: 'The run reads the object again: a write counts only when its entries are seen.',
    unlocking: 'The run gives the lock back, once no unanswered write under it can still land.',
    answering: 'The run tells each line of the batch how its entry stands.',
  },
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
  states: {
    looking: 'The run asks the provider how the object stands.',
    kicking: 'The run starts a build again, once, when it is older than the state that it needs.',
    pausing: 'Time passes, and more of it after each look. A run with only such lines left gives its lease back meanwhile.',
    ready: 'The object is ready.',
    failed: 'The object failed at the provider and will not become ready by itself.',
    broken: 'The looks end without an answer: a request failed, the time is over, or the code host will report the deployment.',
  },
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
  states: {
    running: 'Lines start as soon as every line that they need is available.',
    draining: 'No line starts any more. Lines that write come to their next durable point.',
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
    startReady: 'Starts the lines that wait for no other line.',
    release: 'Ends the wait of the lines after these lines.',
    close: 'Skips the lines that need a line that did not succeed.',
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
