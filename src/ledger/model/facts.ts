import type { Json } from '../../core/json.ts';
import type { ProviderBlock } from '../../http/types.ts';
import type { Reach } from '../../remote/reach.ts';
import type { Needs } from './version.ts';

/** A `from:` edge as last applied: equal means that the value is unchanged and not needed again. */
export interface Edge {
  readonly field: string;
  readonly line: string;
  readonly output: string;
  /** Identity hash of the producer's record. */
  readonly producer: string;
  readonly recordId: string;
  readonly generation: number;
}

/** An object that a newer one has taken the place of and that is still to be removed. */
export interface Superseded {
  readonly recordId: string;
  readonly objectId: string;
  readonly reach: Reach;
}

/** An object that pilotfish made or adopted, as the next run on any machine needs it. A record holds no secret. */
export interface LedgerRecord {
  readonly v: 1 | 2;
  /** sha256 (hex) of the canonical JSON of adapter, provider block and key. */
  readonly identity: string;
  readonly adapter: string;
  readonly op: string;
  readonly recipe: string | null;
  readonly key: string;
  readonly provider: ProviderBlock;
  /** Line id when last applied: information, never identity. */
  readonly line: string;
  /** Hash of the line as written, references unresolved: equal with another key means that only values moved the key. */
  readonly template: string;
  /** Top-level `name:` of the plan. */
  readonly plan: string | null;
  /** The request that removes the object; for items the locator. */
  readonly recordId: string;
  readonly objectId: string;
  readonly reach: Reach;
  readonly lock: string | null;
  readonly destroy: 'delete' | 'keep' | 'never';
  /** False for adopted objects: never deleted. */
  readonly owned: boolean;
  readonly kind: 'object' | 'item' | 'action' | 'wait';
  /** sha256 of the canonical JSON of the declared fields, secrets as fingerprints. */
  readonly hash: string;
  /** Field → short hash of its value as last applied; secret fields stand in `fingerprints` alone. */
  readonly fields: { readonly [field: string]: string };
  /**
   * Field → short hash of the form in which the provider keeps its value, where that is another one than was sent; a print for secrets.
   * Live in this form is as planned.
   */
  readonly kept?: { readonly [field: string]: string };
  /** Field → short hash of what stands there since the provider did not keep the value that was sent, twice: no run sends it again. */
  readonly unkept?: { readonly [field: string]: string };
  /** Field → short hash of what stood there when its value was last put back: should it stand there again, it is read after the write. */
  readonly stood?: { readonly [field: string]: string };
  /** The object was made and not yet ready when the run ended. */
  readonly unready: boolean;
  /**
   * Its delete is about to be sent, or was sent, and the object was not seen gone since: stored before a delete that its provider does
   * later. The object under this id is on its way out, however it looks.
   */
  readonly removing?: true;
  /** Its line says `drift: report`: a run that is about to delete the object stores `mayBeGone` first. */
  readonly reportsDrift?: true;
  /** A run was about to delete the object, and none saw what came of it: where it is gone, nobody else may have taken it. */
  readonly mayBeGone?: true;
  /** The features that a reader must know (`version.ts`). */
  readonly needs?: Needs;
  /** Field → `scrypt:<salt>:<tag>` for secret-valued fields. */
  readonly fingerprints: { readonly [field: string]: string };
  /** Outputs that may be stored. */
  readonly outputs: { readonly [name: string]: Json };
  readonly edges: readonly Edge[];
  /** Identities of the lines this one came after (`from`, `depends_on`), for the order of destroy. */
  readonly after: readonly string[];
  /** Raised whenever the object or a sensitive output of it changed. */
  readonly generation: number;
  readonly superseded: readonly Superseded[];
  /** The source of the line's own credential: `block`, a secret reference, or an output (then destroy must be keep). */
  readonly credential: 'block' | { readonly secret: string } | { readonly from: string };
  /** The object's revision when it was last written or looked at, where its provider tells one. */
  readonly revision?: string;
  /** When the object was last written, by the clock of the machine that did. It is shown, and compared with nothing. */
  readonly writtenAt: string;
  /** The same by the clock of a host, under its origin: a deployment that began there before does not have it. */
  readonly writtenAtHosts?: { readonly [address: string]: string };
  readonly run: string;
}

/** An object of ours that a destroy let stay, as its line said. Nothing is owed for it; an apply of this scope may take it back. */
export interface LeftObject {
  readonly v: 1;
  readonly identity: string;
  readonly key: string;
  readonly recordId: string;
  readonly objectId: string;
  readonly at: string;
  readonly run: string;
}

/**
 * Deletes that were accepted in one push of a run. Their records stand in an older commit of the branch: its own history says how each
 * object is found and removed, and costs a later run one read, only where that must know.
 */
export interface SentDeletes {
  readonly v: 1;
  /** Rises with each. */
  readonly n: number;
  readonly run: string;
  /** The commit before the one that forgot the objects. */
  readonly head: string;
  /** The first signs of the identities, with a space between: thousands of objects may go in one push. */
  readonly of: string;
  /** A provider said only that it will delete, or an object was seen since: a destroy looks whether they are gone. */
  readonly open?: true;
  /** Of objects that only an unfinished create named, which no commit has a record of. */
  readonly records?: readonly LedgerRecord[];
}

/** A create that is about to be sent, or was sent and not yet recorded. */
export interface Intent {
  readonly v: 1 | 2;
  readonly identity: string;
  readonly adapter: string;
  readonly op: string;
  readonly recipe: string | null;
  readonly key: string;
  readonly provider: ProviderBlock;
  readonly line: string;
  readonly plan: string | null;
  readonly reach: Reach;
  readonly lock: string | null;
  readonly destroy: 'delete' | 'keep' | 'never';
  readonly kind: LedgerRecord['kind'];
  readonly after: readonly string[];
  readonly credential: LedgerRecord['credential'];
  /** Raised by each new intent of this identity; part of the idempotency key. */
  readonly generation: number;
  readonly idempotencyKey: string | null;
  /** Ids that existed when the intent was written and are not what it announces. */
  readonly not: readonly string[];
  /**
   * Field → short hash of its value, for those that what it makes keeps as long as it stands and that hold no secret. Nobody may be
   * able to read them, and the plan of who finds it may be another one.
   */
  readonly fixed?: { readonly [field: string]: string };
  readonly at: string;
  /** The time at the provider's own host then, as its answers told it: what it made before is not what this announces. */
  readonly atHost?: string;
  readonly run: string;
}

export interface Lease {
  readonly v: 1;
  readonly holder: string;
  readonly run: string;
  readonly durationMs: number;
  readonly deadlineMs: number;
  /** Raised by each renewal, so that a renewed lease moves the head. */
  readonly renewal: number;
  /** `null` while held; set by the release. */
  readonly released: null | { readonly quietForMs: number };
  readonly at: string;
}

/** One compact line of a receipt: at most 300 bytes. */
export interface ReceiptLine {
  readonly id: string;
  readonly verdict: string;
  readonly state: string;
  readonly ms: number;
  readonly requests: number;
  readonly code?: string;
  /** What others had done to the object, which the run told and left: `changed` or `missing`. */
  readonly driftLeft?: string;
  readonly status?: number;
  readonly states?: readonly (readonly [string, number])[];
}

export interface Receipt {
  readonly v: 1;
  readonly run: string;
  readonly command: 'apply' | 'destroy';
  readonly environment: string;
  readonly scope: string;
  readonly plan: string | null;
  readonly commit: string | null;
  readonly branch: string | null;
  readonly pr: number | null;
  readonly status: string;
  readonly digest: string;
  readonly approvedBy: string | null;
  readonly startedAt: string;
  readonly ms: number;
  readonly lines: readonly ReceiptLine[];
  /** The command that writes back what others had changed and the run left. */
  readonly putBack?: string;
  /** Origins that the run sent to and that are not the providers' own. */
  readonly hosts?: readonly string[];
  readonly stats: { readonly requests: number; readonly writes: number };
}

/** One line of history: outlives destroy. */
export interface HistoryEntry {
  readonly run: string;
  readonly at: string;
  readonly commit: string | null;
  readonly pr: number | null;
  readonly repository: string | null;
  readonly event: string | null;
  readonly outcome: string;
  /** The order of the pull request's events, by the host's clock: when it had changed, or when a pipeline for it was made or a job began. */
  readonly eventAt?: string;
  /** The pull request as the code host told it to this run. */
  readonly pull?: 'open' | 'closed';
  /** Run of the last line that this run knew of; `null` when there was none. */
  readonly after?: string | null;
}

/** The state of each line: a position, never the truth. */
export interface Snapshot {
  readonly v: 1;
  readonly run: string;
  readonly digest: string;
  readonly commit: string | null;
  readonly machine: number;
  readonly lines: readonly {
    readonly id: string;
    readonly state: string;
    readonly verdict: string;
    readonly identity: string | null;
    readonly generation: number;
  }[];
}

/** Everything of one scope. */
export interface LedgerState {
  readonly records: ReadonlyMap<string, LedgerRecord>;
  readonly intents: ReadonlyMap<string, Intent>;
  readonly left: ReadonlyMap<string, LeftObject>;
  /** Oldest first; left out where there are none. Nobody has looked since whether all of these objects are gone. */
  readonly deletes?: readonly SentDeletes[];
  readonly lease: Lease | null;
  readonly snapshot: Snapshot | null;
  readonly history: readonly HistoryEntry[];
  readonly receipt: Receipt | null;
}
