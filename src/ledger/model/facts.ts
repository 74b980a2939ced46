import type { Json } from '../../core/json.ts';
import type { ProviderBlock } from '../../http/types.ts';
import type { Birth } from '../../remote/birth.ts';
import type { Reach } from '../../remote/reach.ts';
import type { Needs } from './version.ts';

/** A `from:` edge as last applied. An equal edge means an unchanged value, which the run does not need again. */
export interface Edge {
  readonly field: string;
  readonly line: string;
  readonly output: string;
  /** Identity hash of the producer's record. */
  readonly producer: string;
  readonly recordId: string;
  readonly generation: number;
}

/** An object that a newer one replaced and that must still be removed. */
export interface Superseded {
  readonly recordId: string;
  readonly objectId: string;
  readonly reach: Reach;
  readonly birth?: Birth | null;
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
  /** Names the object for people: information, never identity. */
  readonly subject?: string;
  readonly provider: ProviderBlock;
  /** Line id when last applied: information, never identity. */
  readonly line: string;
  /** Hash of the line as written, with unresolved references. An equal hash beside another key means that only values changed the key. */
  readonly template: string;
  /** Top-level `name:` of the plan. */
  readonly plan: string | null;
  /** The request that removes the object; for items the locator. */
  readonly recordId: string;
  readonly objectId: string;
  /**
   * The provider's signs of which object this is, where its id is a name that another object may bear later. `null`: an update of ours
   * changed them, so they tell nothing.
   */
  readonly birth?: Birth | null;
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
   * Field → short hash of the form in which the provider keeps its value, where that form differs from what was sent; a fingerprint for
   * secrets. A live value in this form is as planned.
   */
  readonly kept?: { readonly [field: string]: string };
  /** Field → short hash of the value that stands there, where the provider twice did not keep the value that was sent. No run sends it again. */
  readonly unkept?: { readonly [field: string]: string };
  /** Field → short hash of the value that stood there when the planned one was last put back. If it returns, a run reads after its write. */
  readonly stood?: { readonly [field: string]: string };
  /** The object was made and not yet ready when the run ended. */
  readonly unready: boolean;
  /**
   * The delete is about to be sent, or was sent, and nobody has seen the object gone since. A run stores this before a delete that the
   * provider carries out later. The object under this id is on its way out, even if it looks whole.
   */
  readonly removing?: true;
  /** The line says `drift: report`, so a run stores `mayBeGone` before it deletes the object. */
  readonly reportsDrift?: true;
  /** A run was about to delete the object, and no run saw the result. So a missing object does not prove that somebody else deleted it. */
  readonly mayBeGone?: true;
  /** The features that a reader must know (`version.ts`). */
  readonly needs?: Needs;
  /** Field → `scrypt:<salt>:<tag>` for secret-valued fields. */
  readonly fingerprints: { readonly [field: string]: string };
  /** Field → short hash of what stands in a secret-valued field beside its secrets: `postgres://app:${database.password}@db.example`. */
  readonly around?: { readonly [field: string]: string };
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
  /** When the object was last written, by the clock of the machine that wrote it. People see this time; no code compares it. */
  readonly writtenAt: string;
  /** The same moment by the clock of each host, under its origin. A deployment that began there earlier does not have what was written. */
  readonly writtenAtHosts?: { readonly [address: string]: string };
  readonly run: string;
}

/** The pull request that a run works for, and its repository. Both tell whose a scope is while nothing else does. */
export interface PullOf {
  readonly repository: string;
  readonly number: number;
}

/** An object of ours that a destroy kept, because its line said so. Nobody must remove it; an apply of this scope may claim it again. */
export interface LeftObject {
  readonly v: 1;
  readonly identity: string;
  readonly key: string;
  readonly recordId: string;
  readonly objectId: string;
  readonly birth?: Birth | null;
  readonly at: string;
  readonly run: string;
}

/**
 * The deletes that one push noted. The records of their objects stand in an older commit of the branch, and tell how each object is
 * found and removed. A later run reads that commit only when it must know.
 */
export interface SentDeletes {
  readonly v: 1;
  /** Rises with each file. */
  readonly n: number;
  readonly run: string;
  /** The commit before the one that forgot the objects. */
  readonly head: string;
  /** The first characters of each identity, separated by spaces. Thousands of objects may go in one push. */
  readonly of: string;
  /** A provider only accepted a delete, or an object was seen since. So a destroy looks whether the objects are gone. */
  readonly open?: true;
  /** Records of objects that only an unfinished create named. No commit holds them. */
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
  readonly subject?: string;
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
  /** Ids of objects that existed when the intent was written. None of them is the announced object. */
  readonly not: readonly string[];
  /**
   * Field → short hash of its value, for fields that can never change and hold no secret. A later run may be unable to read them, and its
   * plan may differ from this one.
   */
  readonly fixed?: { readonly [field: string]: string };
  readonly at: string;
  /** The time at the provider's host then, as its answers told it. An object that the host made earlier is not the announced one. */
  readonly atHost?: string;
  readonly run: string;
  /** Absent where the run is for no pull request. */
  readonly pull?: PullOf;
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
  /** Of `run`; absent where that run is for no pull request. */
  readonly pull?: PullOf;
  /** The scope, where it is too long for the name of its branch. */
  readonly of?: LongName;
}

/** A scope and its plan, which the name of a branch does not tell. */
export interface LongName {
  readonly scope: string;
  readonly plan: string | null;
}

/** One compact line of a receipt: at most 300 bytes. */
export interface ReceiptLine {
  readonly id: string;
  readonly verdict: string;
  readonly state: string;
  readonly ms: number;
  readonly requests: number;
  readonly code?: string;
  /** What others did to the object, which the run told and left: `changed` or `missing`. */
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

/** An apply of a plan with `lifetime` says until when its scope stays. */
export interface Renewal {
  /** The end of the apply, by the clock of the code host. */
  readonly at: string;
  /** Milliseconds that the scope stays after that. */
  readonly staysMs: number;
  /** The label of the pull request that keeps the scope. */
  readonly label?: string;
  /** Key id → code: the keys that vouch for this line in this commit. */
  readonly seals?: { readonly [key: string]: string };
}

/** One line of history, which outlives a destroy. */
export interface HistoryEntry {
  readonly run: string;
  readonly at: string;
  readonly commit: string | null;
  readonly pr: number | null;
  readonly repository: string | null;
  readonly event: string | null;
  readonly outcome: string;
  /** Orders the events of a pull request by the host's clock: when it had changed, or when a pipeline for it was made or a job began. */
  readonly eventAt?: string;
  /** The event opened the pull request again. It comes after a close of the same second. */
  readonly reopened?: true;
  /** The pull request as the code host told it to this run. */
  readonly pull?: 'open' | 'closed';
  /** The run of the last line that this run knew; `null` when there was none. */
  readonly after?: string | null;
  readonly renewed?: Renewal;
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
  /** Oldest first; absent when there are none. No run has yet seen all of these objects gone. */
  readonly deletes?: readonly SentDeletes[];
  readonly lease: Lease | null;
  readonly snapshot: Snapshot | null;
  readonly history: readonly HistoryEntry[];
  readonly receipt: Receipt | null;
}
