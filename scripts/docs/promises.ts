/** A test that holds a promise: its name in docs/guarantees.md, and its place in the repository. */
export interface Holder {
  readonly name: string;
  readonly path: string;
}

export interface Promised {
  readonly says: string;
  /** The mechanism in the program that keeps the promise. */
  readonly how: string;
  readonly heldBy: readonly Holder[];
}

export interface Guarantee {
  /** `G1`. The tests under this name in `test/lifecycle/guarantees.test.ts` hold it. */
  readonly name: string;
  readonly says: string;
  readonly how: string;
}

const of = (name: string, path: string): Holder => ({ name, path: `test/${path}` });
const guaranteesTest = of('guarantees', 'lifecycle/guarantees.test.ts');
const lifecycle = (name: string, file: string): Holder => of(name, `lifecycle/${file}.test.ts`);

/** The guarantees for every adapter. */
export const guarantees: readonly Guarantee[] = [
  {
    name: 'G1',
    says: 'Intents are recorded before creates, so a create whose answer was lost is found and claimed, not duplicated.',
    how: 'The state `creating` of a line is entered only under an intent that is on the ledger: from `recordingIntent`, or from `relocating` when a look under that intent found nothing.',
  },
  {
    name: 'G2',
    says: 'Apply is idempotent: applying an unchanged plan again writes nothing.',
    how: 'One pure function, `decide()`, judges every line for plan, apply and destroy; with nothing changed its verdict is `none`.',
  },
  {
    name: 'G3',
    says: 'Drift is detected by a hash of the declared fields only. Fields that are not declared do not belong to the tool.',
    how: 'pilotfish compares, hashes and sends only the fields that the plan names. Secret fields are compared by a fingerprint that only a holder of the credential can check.',
  },
  {
    name: 'G4',
    says: 'Destroy removes only what the tool created, except for lines with `destroy: keep` and values that an adoption kept.',
    how: 'Destroy goes through the records and intents of the scope, not through the lists of a provider.',
  },
  {
    name: 'G5',
    says: 'Secrets are references. A value never reaches output, receipts or logs, and sensitive outputs are never in the ledger.',
    how: 'Values live in memory for the run. The redactor knows each before its first use, and the machines never see one.',
  },
  {
    name: 'G6',
    says: 'Destroy needs only the ledger, not the plan.',
    how: 'An intent and a record hold the delete request, the order, the lock and the names of the credential variables. They count if a key of the run sealed them: a key derived from the same credential, or `PILOTFISH_LEDGER_KEY`. If the credential seals nothing (a token that a command prints, a session key, no credential) and that key is not set, a destroy also needs the plan, or `--trust-ledger`. Only GitHub, and a machine that saw a later commit, notice a branch that was moved back by force.',
  },
  {
    name: 'G7',
    says: 'Every apply records what it did.',
    how: 'The last push of a run holds its receipt, even if the run failed or was interrupted.',
  },
];

/** The promises, with the tests that hold them. */
export const promises: readonly Promised[] = [
  {
    says: 'Nothing is made twice. A create is announced before it is sent. The next run finds and claims a create whose answer was lost, or whose process died.',
    how: 'Intents stand in the ledger before their create. An earlier run’s intent ends by a claim, by a deletion, or by a look that may be believed.',
    heldBy: [
      guaranteesTest,
      lifecycle('intents and claims', 'protocol-intents'),
      of('late writes', 'e2e/late.test.ts'),
      of('kills', 'e2e/kill.test.ts'),
    ],
  },
  {
    says: 'A person who can push to the ledger gains nothing: no credential goes to a host that only a ledger names, no object of others is removed, and facts that are taken out of the ledger come back.',
    how: 'Each push seals its facts, by keys derived from the credentials that their own requests need. A fact that no key of the run sealed counts only if the plan’s own look finds the object, or a person says so.',
    heldBy: [
      of('forged ledgers at a destroy', 'attacks/forged-destroy.test.ts'),
      of('at an apply', 'attacks/forged-apply.test.ts'),
      of('facts taken away or put back', 'attacks/replayed-ledger.test.ts'),
      of('the sweep', 'attacks/forged-sweep.test.ts'),
      of('other credentials', 'attacks/seals.test.ts'),
      of('random forgeries', 'fuzz/fuzz.test.ts'),
    ],
  },
  {
    says: 'A second apply writes nothing, and a plan never does.',
    how: 'Plan and apply are one machine and one decision; a plan stops at its verdicts.',
    heldBy: [guaranteesTest],
  },
  {
    says: 'A change from outside is shown as drift and put back. Fields that the plan does not name are left alone.',
    how: 'The live object is compared with the plan and with the record. An outside change that equals the plan is no drift. A line that says `drift: report` tells the drift and [leaves it](guide/production.md#drift-that-is-told-and-left).',
    heldBy: [guaranteesTest],
  },
  {
    says: 'All of this also holds at a provider that keeps names and values in other forms than they were sent.',
    how: 'The recorded id is the object. The record remembers the form in which the provider keeps a value. A value that the provider does not keep fails its line by name.',
    heldBy: [of('untidy worlds', 'untidy'), of('the shared suite of every recipe', 'support/untidy/story.ts')],
  },
  {
    says: 'Destroy removes every object that pilotfish made, and nothing else.',
    how: 'Destroy goes through every record and every intent of the scope, also of lines that left the plan.',
    heldBy: [guaranteesTest, of('the shared suite of every recipe', 'support/suite/lifecycle.ts')],
  },
  {
    says: 'An object that is not ours is never changed, deleted or taken over.',
    how: 'An object that no record or intent of this scope names is refused. No other scope, date or mark may contradict a claim.',
    heldBy: [lifecycle('lines', 'lines'), of('claims', 'recipes/claims.test.ts'), of('races', 'e2e/races.test.ts')],
  },
  {
    says: 'Destroy needs only the ledger: not the plan, and not the plugin that made an object.',
    how: 'The resolved requests are data in the record.',
    heldBy: [guaranteesTest, of('plugins', 'bad-input/plugins.test.ts')],
  },
  {
    says: 'A secret reaches no output, no log, no ledger and no receipt.',
    how: 'No secret may name anything or stand in a stored request; all output is redacted before it is cut.',
    heldBy: [of('leaks', 'leaks/leaks.test.ts')],
  },
  {
    says: 'Every apply leaves a receipt. A run that came too late leaves nothing.',
    how: 'Before its first write a run in CI asks the code host for its pull request as it is now.',
    heldBy: [guaranteesTest, lifecycle('history', 'history')],
  },
  {
    says: 'Two runs of one scope never write at once. A run that lost its lease, or slept through it, sends nothing more.',
    how: 'One lease a scope, taken by a push that only one can win. Every write checks, in the turn in which it is sent, whether enough of the lease is left.',
    heldBy: [lifecycle('the lease', 'protocol-lease'), of('suspended processes', 'e2e/suspended.test.ts'), lifecycle('runs', 'runs')],
  },
  {
    says: 'A write of a dead run may still land. The next run believes and writes nothing until it no longer can.',
    how: 'After a takeover, and after a lost answer, a full request deadline must pass before "nothing found" counts.',
    heldBy: [lifecycle('the quiet moment', 'protocol-quiet')],
  },
  {
    says: 'Pull requests that share a list all keep their entries in it, beside the entries of people.',
    how: 'One lock for each shared object, in the git remote; read, write, and read again under it.',
    heldBy: [lifecycle('locks', 'protocol-locks'), of('eight processes at one list', 'e2e/shared-list.test.ts')],
  },
  {
    says: 'A replacement exists before the old object is removed, so no credential is missing in between, if the provider allows both at once.',
    how: 'The old object stays as superseded until the lines after it have taken the new outputs.',
    heldBy: [lifecycle('replacement', 'protocol-replacement')],
  },
  {
    says: 'A wrong, weaker or rotated token never makes a run forget an object or create it again.',
    how: '"Absent" needs a witness: a read of the same run with the same credential that proves that the credential can see.',
    heldBy: [of('the shared suite of every recipe', 'support/suite/weather.ts')],
  },
  {
    says: 'The next run continues an interrupted or killed run.',
    how: 'Records and intents are the truth, so the next run only has to look.',
    heldBy: [of('cuts', 'crash/cuts.test.ts'), lifecycle('runs', 'runs')],
  },
  {
    says: 'A scope that is opened again while its provider still deletes waits for the end of the delete, and makes the line anew.',
    how: 'The ledger notes each accepted delete by the id of the object. The run waits for that object, and refuses every other object of the name.',
    heldBy: [of('opened again', 'faults/16c-reopened-while-going.test.ts'), of('slow deletes', 'faults/16c-slow-deletes.test.ts')],
  },
  {
    says: 'A damaged, refused or deleted ledger stops everything with a clear error. Facts that could not be stored are kept.',
    how: 'Reads never fail open, a run never guesses from a damaged branch, and facts that cannot be stored go to `.pilotfish/unpushed/`.',
    heldBy: [lifecycle('damage', 'damage'), lifecycle('git hosts', 'damage-git'), lifecycle('disks', 'damage-disk')],
  },
  {
    says: 'A late event for a closed pull request does nothing. `--closed` removes the objects that closed pull requests left.',
    how: 'The history of a scope outlives its destroy, and only the code host can say that a pull request is closed.',
    heldBy: [lifecycle('history', 'history'), lifecycle('closed', 'closed')],
  },
  {
    says: 'A scope belongs to its pull request from the first push on, and a sweep without `--expired` ends it only when all named pull requests are closed.',
    how: 'Lease and announcements name the pull request before the first create. Where seals name none, no other fact may.',
    heldBy: [lifecycle('whose a scope is', 'closed-whose'), of('a forged sweep', 'attacks/forged-sweep.test.ts')],
  },
  {
    says: 'A sweep with `--expired` ends a scope of an open pull request only when its time is over, no label keeps it, and nobody wrote to it since.',
    how: 'Each apply stores the time of the code host under a code that names the commit below. The sweep asks for the labels again under the lease.',
    heldBy: [
      lifecycle('lifetime', 'lifetime'),
      lifecycle('expired', 'expired'),
      of('a forged lifetime', 'attacks/forged-lifetime.test.ts'),
    ],
  },
  {
    says: 'A prune removes only what has left the plan, by a record that the run trusts, and only after every line of the plan stands.',
    how: 'Orphans are lines of a destroy. They begin when the lines of the plan have settled, and the digest names them.',
    heldBy: [lifecycle('prune', 'prune'), of('forged orphans', 'attacks/forged-prune.test.ts'), of('cuts', 'crash/cuts.test.ts')],
  },
  {
    says: 'Production is not touched without an approval.',
    how: 'A run without approval is refused before any request. The receipt names the approver.',
    heldBy: [lifecycle('lines', 'lines')],
  },
  {
    says: 'Bad input gives an error with its place and its fix, never a stack trace.',
    how: 'All mistakes of a plan are collected with their line and column before the first request.',
    heldBy: [of('bad input', 'bad-input'), of('fuzz', 'fuzz')],
  },
];
