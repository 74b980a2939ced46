/** Two runs of one scope, and the one that comes when both have ended and that nothing disturbs. */
export type Name = 0 | 1 | 2;
export const names = ['A', 'B', 'The last run'] as const;
export const last: Name = 2;

/** Whoever acted before the model begins. */
export const earlier = 3;

export interface Lease {
  readonly run: number;
  readonly held: boolean;
  /** Deadlines that an unanswered write of the holder may still need to land, as the release told. */
  readonly quietFor: number;
}

/** What the branch of the scope says. A fact is told from another by the run that wrote it: a run writes each at most once. */
export interface Ledger {
  readonly lease: Lease | null;
  readonly record: null | { readonly object: number; readonly run: number };
  readonly intent: number | null;
}

export type Place =
  | 'off'
  /** Another run holds the lease. */
  | 'waiting'
  | 'looking'
  /** Nothing was seen: the intent is to be pushed. */
  | 'announcing'
  | 'creating'
  | 'sent'
  /** What became of the create is unclear. */
  | 'relooking'
  /** A destroy that needs the lease. */
  | 'leasing'
  | 'removing'
  | 'deleting'
  /** A create that nobody announced (only without that rule). */
  | 'confessing'
  /** The last push: facts, receipt and release. */
  | 'ending'
  | 'done';

export interface Run {
  readonly at: Place;
  readonly purpose: 'apply' | 'destroy';
  /** The ledger as last read. */
  readonly known: Ledger;
  /** The head is still the one that was read. */
  readonly isFresh: boolean;
  /** Deadlines since the push that took or renewed the lease was sent; `null` when the lease is not held. */
  readonly held: number | null;
  /** The push landed and its answer did not come yet (only where a lease is counted from the answer). */
  readonly isUnheard: boolean;
  /** While waiting: deadlines since this head was first seen. */
  readonly seen: number;
  /** Deadlines before which no write is sent and no absence is believed. */
  readonly quiet: number;
  /** Deadlines in which a write of ours without an answer may still land. */
  readonly unanswered: number;
  /** Deadlines since the request under way was sent. */
  readonly age: number;
  /** What the request under way did at the provider. */
  readonly outcome: 'none' | 'landed' | 'conflict' | 'refused';
  readonly sends: number;
  /** A create of ours was sent and may stand. */
  readonly mayStand: boolean;
  /** An earlier run announced it too, and what stands may be that one's. */
  readonly wasAnnounced: boolean;
  /** Why the outcome of the create is unclear. */
  readonly unclear: 'no' | 'lost' | 'conflict';
  readonly fact: 'none' | 'record' | 'withdraw' | 'forget';
  /** The object that was made, claimed, or is to be removed. */
  readonly object: number | null;
  readonly isStopping: boolean;
  readonly end: 'none' | 'settled' | 'refused' | 'failed';
}

export interface Thing {
  readonly id: number;
  readonly by: 'us' | 'person' | 'other';
  /** Made long before it got this name: a provider that tells when says so. */
  readonly isOld: boolean;
  /** The runs (bits) whose look, on which their intent rests, was before this appeared. */
  readonly after: number;
}

/** A request whose sender no longer waits for it. */
export interface Late {
  readonly does: 'create' | 'delete';
  readonly age: number;
  readonly object: number | null;
}

/** Another scope that wants an object of the same name. */
export interface Other {
  readonly at: 'idle' | 'announced' | 'made' | 'recorded' | 'over';
  readonly object: number | null;
}

export interface State {
  readonly ledger: Ledger;
  readonly runs: readonly [Run, Run, Run];
  readonly things: readonly Thing[];
  readonly late: readonly Late[];
  readonly personActed: boolean;
  readonly other: Other;
  /** The claim that the last step broke. */
  readonly broken: string | null;
}

export const emptyLedger: Ledger = { lease: null, record: null, intent: null };

export const offRun: Run = {
  at: 'off',
  purpose: 'apply',
  known: emptyLedger,
  isFresh: false,
  held: null,
  isUnheard: false,
  seen: 0,
  quiet: 0,
  unanswered: 0,
  age: 0,
  outcome: 'none',
  sends: 0,
  mayStand: false,
  wasAnnounced: false,
  unclear: 'no',
  fact: 'none',
  object: null,
  isStopping: false,
  end: 'none',
};

/** A run that is over keeps only how it ended. */
export const overRun = (end: Run['end'], purpose: Run['purpose']): Run => ({ ...offRun, at: 'done', end, purpose });

export const isActive = ({ at }: Run): boolean => at !== 'off' && at !== 'done';

export const withRun = (state: State, name: Name, run: Run): State => ({
  ...state,
  runs: [name === 0 ? run : state.runs[0], name === 1 ? run : state.runs[1], name === 2 ? run : state.runs[2]],
});

/** Every number that stands for an object, whether it is still there or only named. */
export function idsOf(state: State): number[] {
  const ids = new Set(state.things.map(({ id }) => id));
  const note = (id: number | null | undefined): void => {
    if (id !== null && id !== undefined) ids.add(id);
  };
  note(state.ledger.record?.object);
  note(state.other.object);
  for (const late of state.late) note(late.object);
  for (const run of state.runs) {
    note(run.object);
    note(run.known.record?.object);
  }
  return [...ids].sort((a, b) => a - b);
}
