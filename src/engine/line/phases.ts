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
import { subjectOfLine } from './subject.ts';

/*
 * A run's knowledge of a line, in memory, while its machine holds ids and verdicts alone. A step takes one phase and keeps the next, and
 * the run has the last one of each line (`Session.works`):
 *
 *   a line of the plan      Unjudged → Judged → Written → Settled
 *   a line of a destroy     Unjudged → Doomed → Settled
 */
export type LinePhase = Unjudged | Unseen | Judged | Written | Doomed | Settled;

/** The facts that each phase has of its line. `null` stands for a fact that is not known yet, or no longer needed. */
export interface PhaseFacts {
  readonly id: string;
  /** Names the object of the line for people. */
  readonly subject: string;
  /** `null` for a line of a destroy: it comes from the ledger alone. */
  readonly prepared: PreparedLine | null;
  readonly place: Place | null;
  /** Nothing new begins for the line once this is aborted: the run was told to stop, or its lines begin anew. */
  readonly stopping: AbortSignal;
  /** Ids of the lines that this one comes after. */
  readonly after: readonly string[];
  /** The line is judged with all others before any of them writes. The objects that they will make do not exist yet. */
  readonly isAhead: boolean;
  /** The line goes on from its judgement, and does not look a second time. */
  readonly isHeld: boolean;
  /** The line's phase when all lines were judged ahead. Its writes must stay within that. */
  readonly expected: LinePhase | null;
  /** The writer's epoch when the present look began. */
  readonly epoch: number;
  readonly block: ProviderBlock | null;
  readonly http: Http | null;
  readonly resolved: Resolved | null;
  readonly bound: Bound | null;
  readonly identity: string | null;
  readonly record: LedgerRecord | null;
  /** The intent of an earlier run, or of this run once it is stored. */
  readonly intent: Intent | null;
  /** The object that an earlier destroy of this scope let stay under this identity. */
  readonly left: LeftObject | null;
  /** The object as it was last seen. */
  readonly live: Live | null;
  readonly wrote: Moment;
  /** How the provider keeps what this run wrote; `null` before its first write. */
  readonly keeps: Keeps | null;
  /** For the report. */
  readonly drift: Drift;
  readonly changes: readonly FieldChange[];
  readonly recordChanges: readonly FieldChange[];
  readonly unmanaged: readonly string[];
  readonly notes: string[];
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

/** Field → short hash, or print of a secret. */
type Hashed = { readonly [field: string]: string };

/** How a provider keeps the values of a write. */
export interface Keeps {
  /** Fields whose form is known. */
  readonly fields: readonly string[];
  /** Fields that are kept in another form, with that form. */
  readonly kept: Hashed;
  /** Fields that are not kept, with what stands there. */
  readonly unkept: Hashed;
  /** Fields that were put back, with what stood there. */
  readonly stood: Hashed;
}

/** The moment of this run's last write of the object. */
export interface Moment {
  /** Milliseconds since 1970; `null` before the first write. */
  readonly at: number | null;
  /** The same by the monotonic clock. */
  readonly mono: number;
  /** The same by the clocks of hosts, each under its origin. */
  readonly there: { readonly [origin: string]: number };
}

/** A line before its look, within it, or after a failed one, with what was found out until then. */
export interface Unjudged extends PhaseFacts {
  readonly phase: 'unjudged';
}

/** A line of the plan that is bound and has a client: it can look. */
export type Ready<B extends Bound = Bound> = Unjudged & Usable<B>;

/** Whether the line is bound as this kind of thing. */
export const isOf = <K extends Bound['kind'], L extends { readonly bound: Bound }>(
  line: L,
  kind: K,
): line is L & { readonly bound: Extract<Bound, { kind: K }> } => line.bound.kind === kind;

interface Usable<B extends Bound = Bound> {
  readonly prepared: PreparedLine;
  readonly block: ProviderBlock;
  readonly http: Http;
  readonly resolved: Resolved;
  readonly bound: B;
  readonly identity: string;
}

/** The result of a look, and its part of the digest. */
interface Verdicted {
  readonly judgement: Judgement;
  readonly part: LinePart;
}

/** A line that is judged by plan and ledger alone, because the object or a value of its look does not exist yet. */
export interface Unseen extends PhaseFacts, Verdicted {
  readonly phase: 'unseen';
}

/** The findings of a look. */
export interface Findings {
  readonly live: Live | null;
  /** Declared fields that differ. */
  readonly changed: readonly string[];
  /** Ids that were found and whose delete this scope sent: they are on their way out. */
  readonly going: readonly string[];
  /** The ledger's numbers of those deletes. */
  readonly goingOf: readonly number[];
  /** Ids of objects whose names are other forms of ours, and that stood there before anything was announced. */
  readonly alikes: readonly string[];
  /** The object that a replacement takes the place of, while it still stands. */
  readonly replaced: Superseded | null;
  /** For a line that waits: the state from when this run had written was seen, so every later state is newer. */
  readonly isPassed: boolean;
}

/** A line of the plan after its look. */
export interface Judged extends Omit<PhaseFacts, keyof Usable>, Usable, Verdicted, Findings {
  readonly phase: 'judged';
  readonly made: null;
  readonly generation: null;
  /** This run removed the object to make it anew, where the provider does not allow both. */
  readonly isRemovedFirst: boolean;
  /** That object as it stood. */
  readonly wentFirst: Live | null;
  /** The reason why the line fails after its object is recorded. */
  readonly flaw: unknown;
  readonly attempt: Attempt;
}

/** The object stands: this run wrote it, or found it as planned. It can be recorded, and its outputs used. */
export interface Written extends Omit<Judged, 'phase' | 'live' | 'made' | 'generation'> {
  readonly phase: 'written';
  readonly live: Live;
  readonly made: Made;
  /** The generation of the record that this run writes. It never changes once known, because the record must not raise it again. */
  readonly generation: number;
  /** This run's last write of an object; `null` where it wrote none, or the object's parent verified the write. */
  readonly sent: ObjectWrite | null;
}

/** A write of an object, for the step that verifies it. */
export interface ObjectWrite {
  /** The object before it; `null` before a create. */
  readonly before: Live | null;
  /** Names of the fields that it wrote. */
  readonly fields: readonly string[];
  /** The object that a create took the place of. */
  readonly replaced: Live | null;
}

/** How this run came by an object. */
export type Made = 'created' | 'claimed' | 'updated' | 'found' | 'sent';

/** The sends of one create, and what they may have left at the provider. It changes while requests are under way. */
export interface Attempt {
  sends: number;
  /** The failure of the last send, when its outcome is unclear. */
  unclear: HttpFailure | null;
  /** A write that held the line's entry landed, or may have. */
  mayStand: boolean;
  /** The provider answered the last create with a success, so the object that it made is this line's. */
  isMade: boolean;
  /** An earlier run had announced the object, too, so an object that appears may be that run's. */
  wasAnnounced: boolean;
  /** The time to give up a create that is refused as a duplicate of an object that this scope removed; `null` before the first refusal. */
  heldUntil: number | null;
}

export const newAttempt = (): Attempt => ({
  sends: 0,
  unclear: null,
  mayStand: false,
  isMade: false,
  wasAnnounced: false,
  heldUntil: null,
});

/** A line of a destroy once it is judged. */
export interface Doomed extends PhaseFacts, Verdicted {
  readonly phase: 'doomed';
  readonly prepared: null;
  readonly identity: string;
  /** No record or intent of the line is left, and the line looks after an earlier delete. */
  readonly isPast: boolean;
  /** Nobody could see whether the object of the earlier delete is gone. */
  readonly isPastUnseen: boolean;
  /** How deletes of this run were answered; `null` where none was accepted. */
  readonly deleted: Deleted | null;
}

/** Nothing more is sent for the line: its record and its outputs stay. */
export interface Settled extends PhaseFacts {
  readonly phase: 'settled';
  readonly http: null;
  readonly resolved: null;
  readonly bound: null;
  /** `null` where an interrupted run had settled it. */
  readonly judgement: Judgement | null;
  readonly part: LinePart | null;
  readonly isPastUnseen: boolean;
}

export const newLine = (id: string, prepared: PreparedLine | null, stopping: AbortSignal): Unjudged => ({
  phase: 'unjudged',
  id,
  subject: prepared ? subjectOfLine(prepared) : '',
  prepared,
  place: prepared?.line.place ?? null,
  stopping,
  after: prepared?.after ?? [],
  isAhead: false,
  isHeld: false,
  expected: null,
  epoch: 0,
  block: null,
  http: null,
  resolved: null,
  bound: null,
  identity: null,
  record: null,
  intent: null,
  left: null,
  live: null,
  wrote: { at: null, mono: 0, there: {} },
  keeps: null,
  drift: 'none',
  changes: [],
  recordChanges: [],
  unmanaged: [],
  notes: [],
  startedAt: null,
  endedAt: null,
});

/**
 * A settled line drops what it looked and wrote with. With thousands of lines waiting for the last push that would be most of the memory:
 * the facts are listed, so that nothing else of an earlier phase stays.
 */
export function settled(from: LinePhase): Settled {
  const { id, prepared, place, stopping, after, isAhead, isHeld, expected, epoch, block, identity, record, intent, left, wrote } = from;
  const { keeps, drift, changes, unmanaged, notes, startedAt, endedAt, live, subject, recordChanges } = from;
  return {
    phase: 'settled',
    ...{ id, prepared, place, stopping, after, isAhead, isHeld, expected, epoch, block, identity, record, intent, left, wrote },
    ...{ keeps, drift, changes, unmanaged, notes, startedAt, endedAt, subject, recordChanges },
    http: null,
    resolved: null,
    bound: null,
    live: live && { id: live.id, values: {}, outputs: live.outputs },
    judgement: judgementOf(from),
    part: from.phase === 'unjudged' ? null : from.part,
    isPastUnseen: isPastUnseen(from),
  };
}

export const judgementOf = (line: LinePhase): Judgement | null => (line.phase === 'unjudged' ? null : line.judgement);

export const isPastUnseen = (line: LinePhase): boolean => (line.phase === 'doomed' || line.phase === 'settled') && line.isPastUnseen;

/** The client and signal of an op, for reads (the run's signal) or writes (a signal that leaves them time to finish). */
export function ioOf(
  { id, http, notes }: Pick<PhaseFacts, 'id' | 'http' | 'notes'>,
  signal: AbortSignal,
  extra: Omit<Partial<Io>, 'http' | 'signal' | 'note'> = {},
): Io {
  if (!http) throw new Error(`line ${id} has no client yet`);
  return {
    http,
    signal,
    note: (text) => {
      if (!notes.includes(text)) notes.push(text);
    },
    ...extra,
  };
}

/** The same, with `write` for its writes. It shares its reads with nobody. */
export const sendingBy = (io: Io, write: Http['send']): Io => {
  const { http } = io;
  const send: Http['send'] = (request, options) => (options.purpose === 'write' ? write(request, options) : http.send(request, options));
  const time = (): number | null => http.time?.() ?? null;
  const quote = (body: unknown): string => http.quote?.(body) ?? '';
  const { pause } = http;
  return { ...io, http: { block: http.block, send, time, quote, ...(pause && { pause: pause.bind(http) }) } };
};

/** A digest's part of one line: few values, because there may be thousands of lines. All of them are hashed together. */
export type LinePart = readonly unknown[];

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
