import type { Place } from '../../core/errors.ts';
import type { Sealed } from '../../core/sealed.ts';
import type { HttpFailure } from '../../http/failure.ts';
import type { Http, ProviderBlock } from '../../http/types.ts';
import type { Edge, Intent, LedgerRecord, LeftObject, Superseded } from '../../ledger/model/facts.ts';
import type { Deleted } from '../../ledger/model/sent-deletes.ts';
import type { Judgement } from '../../machines/line/steps.ts';
import type { Bound, Io, Params } from '../../ops/bound.ts';
import type { Live } from '../../remote/live-object.ts';
import type { Pending } from '../../remote/value.ts';
import type { Drift, FieldChange } from '../document.ts';
import type { PreparedLine } from '../types.ts';

/**
 * Everything about one line that its machine may not hold: values, clients, what was found. In memory, for one run.
 * A line of a destroy has no `prepared`: it comes from the ledger alone.
 */
export interface LineWork {
  readonly id: string;
  readonly prepared: PreparedLine | null;
  readonly place: Place | null;
  /** Nothing new begins for the line once this is aborted: the run was told to stop, or its lines begin anew. */
  readonly stopping: AbortSignal;
  block: ProviderBlock | null;
  http: Http | null;
  bound: Bound | null;
  resolved: Resolved | null;
  identity: string | null;
  /** The writer's, when the present look began. */
  epoch: number;
  record: LedgerRecord | null;
  /** An earlier run's, or this run's own once written. */
  intent: Intent | null;
  live: Live | null;
  changed: readonly string[];
  /** How this run came by the object. */
  made: 'created' | 'claimed' | 'updated' | 'found' | 'sent' | null;
  /** The object that a replacement takes the place of, while it still stands. */
  replaced: Superseded | null;
  /** Of the record that this run writes; `null` until it is known. */
  generation: number | null;
  /** When this run last wrote it (ms since 1970). */
  wroteAt: number | null;
  /** The same by the monotonic clock. */
  wroteMono: number;
  /** The same by the clocks of hosts, each under its origin. */
  wroteThere: { readonly [origin: string]: number };
  /** Of a line that waits: what stood there when this run had written was seen, and all that comes is newer. */
  isPassed: boolean;
  unready: boolean;
  /** Why the line fails once what it made is recorded. */
  flaw: unknown;
  /** Sends of the create, and the last one's failure when what became of it is unclear. */
  creates: number;
  unclear: HttpFailure | null;
  /** A write that held the line's entry landed, or may have. */
  mayStand: boolean;
  /** The provider answered the last create with a success: what it made is this line's. */
  isMade: boolean;
  /** An earlier run had announced the object, too, so what appears may be its. */
  wasAnnounced: boolean;
  /** What an earlier destroy of this scope let stay under this identity. */
  left: LeftObject | null;
  /** Ids that its look found and whose delete this scope sent: they are on their way out. */
  going: readonly string[];
  /** The ledger's numbers of those deletes. */
  goingOf: readonly number[];
  /** This run removed the object to make it anew, where the provider does not allow both. */
  isRemovedFirst: boolean;
  /** When a create is given up that is refused as a duplicate of what this scope removed; `null` before the first refusal. */
  heldUntil: number | null;
  /** Of a destroy: no record or intent is left of it, and an earlier delete is looked after. */
  isPast: boolean;
  /** Nobody could see whether what the earlier delete was of is gone. */
  unseenPast: boolean;
  /** How deletes of this run were answered; `null` where none was accepted. */
  deleted: Deleted | null;
  /** Ids of the lines that this one comes after. */
  after: readonly string[];
  /** What its look came to. */
  judged: Judged | null;
  /** Its judgement rests on the plan and the ledger alone: what it is to look for, or with, does not exist yet. */
  isUnseen: boolean;
  /** It is judged among all lines before any of them writes. What they will make is not there yet. */
  isAhead: boolean;
  /** It goes on from the judgement that it has, and looks no second time. */
  isHeld: boolean;
  /** What it came to when all lines were judged ahead; what it writes must stay within that. */
  expected: LineWork | null;
  /** For the report. */
  drift: Drift;
  changes: readonly FieldChange[];
  unmanaged: readonly string[];
  waitingOn: readonly string[];
  notes: string[];
  startedAt: number | null;
  endedAt: number | null;
}

export const newWork = (id: string, prepared: PreparedLine | null, stopping: AbortSignal): LineWork => ({
  id,
  prepared,
  stopping,
  place: prepared?.line.place ?? null,
  block: null,
  http: null,
  bound: null,
  resolved: null,
  identity: null,
  epoch: 0,
  record: null,
  intent: null,
  live: null,
  changed: [],
  made: null,
  replaced: null,
  generation: null,
  wroteAt: null,
  wroteMono: 0,
  wroteThere: {},
  isPassed: false,
  unready: false,
  flaw: null,
  creates: 0,
  unclear: null,
  mayStand: false,
  isMade: false,
  wasAnnounced: false,
  left: null,
  going: [],
  goingOf: [],
  isRemovedFirst: false,
  heldUntil: null,
  isPast: false,
  unseenPast: false,
  deleted: null,
  after: prepared?.after ?? [],
  judged: null,
  isUnseen: false,
  isAhead: false,
  isHeld: false,
  expected: null,
  drift: 'none',
  changes: [],
  unmanaged: [],
  waitingOn: [],
  notes: [],
  startedAt: null,
  endedAt: null,
});

/**
 * A line that has nothing more to send lets go of what it looked and wrote with: of thousands that wait for the last push it would be most
 * of what they take. Its record and its outputs stay.
 */
export function letGo(work: LineWork): void {
  const { live } = work;
  Object.assign(work, { http: null, bound: null, resolved: null, live: live && { id: live.id, values: {}, outputs: live.outputs } });
}

/** What an op works with, for reads (the run's signal) or writes (a signal that leaves them time to finish). */
export function ioOf(work: LineWork, signal: AbortSignal, extra: { idempotencyKey?: string; share?: false } = {}): Io {
  if (!work.http) throw new Error(`line ${work.id} has no client yet`);
  return {
    http: work.http,
    signal,
    note: (text) => {
      if (!work.notes.includes(text)) work.notes.push(text);
    },
    ...extra,
  };
}

/** The same, whose writes are sent by `send`. Its reads are nobody else's. */
export const sendingBy = (io: Io, write: Http['send']): Io => {
  const { http } = io;
  const send: Http['send'] = (request, options) => (options.purpose === 'write' ? write(request, options) : http.send(request, options));
  return { ...io, http: { block: http.block, send, time: () => http.time?.() ?? null, quote: (body) => http.quote?.(body) ?? '' } };
};

/** What a digest holds of one line: few values, because there may be thousands of lines. All of them are hashed together. */
export type LinePart = readonly unknown[];

/** What a look came to, and its part of the digest. */
export interface Judged {
  readonly judgement: Judgement;
  readonly part: LinePart;
}

export interface Resolved {
  readonly params: Params;
  /** The line's own credential, when it has one. */
  readonly credential: Sealed | Pending | null;
  /** Edges to sensitive outputs, as a record would keep them now. */
  readonly edges: readonly Edge[];
  /** A once-only output that nobody has any more, as `<line>.<output>`. */
  readonly gone: { readonly line: string; readonly output: string } | null;
  /** Producers whose outputs do not exist yet. */
  readonly waitingOn: readonly string[];
}
