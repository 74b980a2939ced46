/** A test that holds a promise: how the README calls it, and its place in the repository. */
export interface Holder {
  readonly name: string;
  readonly path: string;
}

export interface Promised {
  readonly says: string;
  /** What in the program keeps it. */
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

/** What holds for every adapter. */
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
    says: 'Drift is detected by a hash of the declared fields only. Fields that are not declared are not the tool’s.',
    how: 'Only what the plan names is compared, hashed and sent. Secret fields are compared by a fingerprint that only a holder of the credential can check.',
  },
  {
    name: 'G4',
    says: 'Destroy removes only what the tool created, but for lines with `destroy: keep` and what an adoption took as it was.',
    how: 'Destroy goes through the records and intents of the scope, not through what a provider lists.',
  },
  {
    name: 'G5',
    says: 'Secrets are references. A value never reaches output, receipts or logs, and sensitive outputs are never in the ledger.',
    how: 'Values live in memory for the run. The redactor knows each before its first use, and the machines never see one.',
  },
  {
    name: 'G6',
    says: 'Destroy needs only the ledger, not the plan.',
    how: 'An intent and a record hold the delete request, the order, the lock and the names of the credential variables. They count where a key of the run sealed them: one derived from the same credential, or `PILOTFISH_LEDGER_KEY`. Where the credential seals nothing (a token that a command prints, a session key, none at all) and that key is not set, a destroy needs the plan at hand as well, or `--trust-ledger`. A branch that was moved back by force is known by a machine that saw a later commit and by GitHub, and by nobody else.',
  },
  {
    name: 'G7',
    says: 'Every apply records what it did.',
    how: 'The last push of a run holds its receipt, also when it failed or was interrupted.',
  },
];

/** What the README promises, with the tests that hold it. Its table is held to this one by a test. */
export const promises: readonly Promised[] = [
  {
    says: 'Nothing is made twice. A create is announced before it is sent; one whose answer was lost, or whose process died, is found and claimed.',
    how: 'Intents stand in the ledger before their create. An earlier run’s intent ends by a claim, by a deletion, or by a look that may be believed.',
    heldBy: [
      guaranteesTest,
      lifecycle('intents and claims', 'protocol-intents'),
      of('late writes', 'e2e/late.test.ts'),
      of('kills', 'e2e/kill.test.ts'),
    ],
  },
  {
    says: 'Whoever can push to the ledger gains nothing: no credential goes to a host that only a ledger names, nothing of others is removed, and what is taken out of the ledger comes back.',
    how: 'Each push seals the facts that it leaves, by keys derived from the credentials that their own requests need. What no key of the run sealed counts only where the plan’s own look finds the object, or a person says so.',
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
    says: 'What others changed is shown as drift and put back; fields that the plan does not name are left alone.',
    how: 'The live object is compared with the plan and with the record. An outside change that equals the plan is no drift. A line that says `drift: report` tells it and [leaves it](guide/production.md#drift-that-is-told-and-left).',
    heldBy: [guaranteesTest],
  },
  {
    says: 'All of this holds at a provider that keeps names and values in other forms than it was sent.',
    how: 'The recorded id is the object. The record remembers how a value is kept, and what is not kept fails its line by name.',
    heldBy: [of('untidy worlds', 'untidy'), of('the shared suite of every recipe', 'support/untidy/story.ts')],
  },
  {
    says: 'Destroy removes what pilotfish made, all of it and nothing else.',
    how: 'Every record and every intent of the scope is gone through, also of lines that left the plan.',
    heldBy: [guaranteesTest, of('the shared suite of every recipe', 'support/suite/lifecycle.ts')],
  },
  {
    says: 'An object that is not ours is never changed, deleted or taken over.',
    how: 'What no record or intent of this scope names is refused. A claim must not be contradicted by another scope, a date or a mark.',
    heldBy: [lifecycle('lines', 'lines'), of('claims', 'recipes/claims.test.ts'), of('races', 'e2e/races.test.ts')],
  },
  {
    says: 'Destroy needs only the ledger: not the plan, and not the plugin that made a thing.',
    how: 'The resolved requests are data in the record.',
    heldBy: [guaranteesTest, of('plugins', 'bad-input/plugins.test.ts')],
  },
  {
    says: 'A secret reaches no output, no log, no ledger and no receipt.',
    how: 'No secret may name anything or stand in a stored request; all that leaves is redacted before it is cut.',
    heldBy: [of('leaks', 'leaks/leaks.test.ts')],
  },
  {
    says: 'Every apply leaves a receipt; a run that was late leaves nothing.',
    how: 'Before its first write a run in CI asks the code host for its pull request as it is now.',
    heldBy: [guaranteesTest, lifecycle('history', 'history')],
  },
  {
    says: 'Two runs of one scope never write at once. A run that lost its lease, or slept through it, sends nothing more.',
    how: 'One lease a scope, taken by a push that only one can win. Every write asks, in the turn in which it is sent, whether enough of it is left.',
    heldBy: [lifecycle('the lease', 'protocol-lease'), of('suspended processes', 'e2e/suspended.test.ts'), lifecycle('runs', 'runs')],
  },
  {
    says: 'What a dead run sent may still land: nothing is believed or written before it cannot any more.',
    how: 'After a takeover, and after a lost answer, a full request deadline passes before "nothing found" counts.',
    heldBy: [lifecycle('the quiet moment', 'protocol-quiet')],
  },
  {
    says: 'Pull requests that share a list all end up in it, beside the entries of people.',
    how: 'One lock for each shared object, in the git remote; read, write, and read again under it.',
    heldBy: [lifecycle('locks', 'protocol-locks'), of('eight processes at one list', 'e2e/shared-list.test.ts')],
  },
  {
    says: 'A replacement stands before the old object goes, and nobody is without a credential in between, where the provider lets both stand.',
    how: 'The old object is kept as superseded until the lines after it took the new outputs.',
    heldBy: [lifecycle('replacement', 'protocol-replacement')],
  },
  {
    says: 'A wrong, weaker or rotated token makes nothing be forgotten or created again.',
    how: 'Absent is a claim that needs a witness: a read of the same run and credential that proves that it can see.',
    heldBy: [of('the shared suite of every recipe', 'support/suite/weather.ts')],
  },
  {
    says: 'An interrupted or killed run is gone on with by the next.',
    how: 'Records and intents are the truth, so the next run only has to look.',
    heldBy: [of('cuts', 'crash/cuts.test.ts'), lifecycle('runs', 'runs')],
  },
  {
    says: 'A scope that is opened again while its provider is still deleting waits for that end, and makes the line anew.',
    how: 'The ledger notes each delete that was accepted, by the id of the object: that one is waited for, and every other one of the name is refused.',
    heldBy: [of('opened again', 'faults/16c-reopened-while-going.test.ts'), of('slow deletes', 'faults/16c-slow-deletes.test.ts')],
  },
  {
    says: 'A ledger that is damaged, refused or deleted stops everything with a clear error, and what could not be stored is kept.',
    how: 'Reads never fail open, nothing is guessed from a damaged branch, and facts without a place go to `.pilotfish/unpushed/`.',
    heldBy: [lifecycle('damage', 'damage'), lifecycle('git hosts', 'damage-git'), lifecycle('disks', 'damage-disk')],
  },
  {
    says: 'A late event for a closed pull request does nothing; `--closed` takes away what closed ones left.',
    how: 'The history of a scope outlives its destroy, and only an answer of the code host makes a pull request closed.',
    heldBy: [lifecycle('history', 'history'), lifecycle('closed', 'closed')],
  },
  {
    says: 'Production is not touched without an approval.',
    how: 'Refused before any request; the approver stands in the receipt.',
    heldBy: [lifecycle('lines', 'lines')],
  },
  {
    says: 'Bad input is an error with its place and its fix, never a stack trace.',
    how: 'All mistakes of a plan are collected with their line and column before the first request.',
    heldBy: [of('bad input', 'bad-input'), of('fuzz', 'fuzz')],
  },
];
