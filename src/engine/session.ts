import type { Clock } from '../core/clock.ts';
import { Interrupted } from '../core/errors.ts';
import type { Redactor } from '../core/redact.ts';
import type { Sealed } from '../core/sealed.ts';
import type { Client } from '../http/client.ts';
import type { PullOf } from '../ledger/model/facts.ts';
import type { Store } from '../ledger/stores/store.ts';
import type { LeaseTerms } from '../ledger/writer/lease.ts';
import type { Writer } from '../ledger/writer/writer.ts';
import type { Registry } from '../ops/registry.ts';
import type { Barrier } from './barrier.ts';
import type { RunEvent } from './document.ts';
import type { RunGate } from './gate.ts';
import type { EarlyLooks } from './line/early-looks.ts';
import type { LinePhase } from './line/phases.ts';
import type { ApprovedCommands } from './prepare/approved-commands.ts';
import type { Hosts } from './prepare/hosts.ts';
import type { Vault } from './prepare/vault.ts';
import type { Stop } from './schedule/stop.ts';
import type { Upcoming } from './schedule/upcoming.ts';
import type { Trust } from './trust/trust.ts';

/** One run: what its parts share. Made by `open-session.ts`, never global. */
export interface Session {
  readonly runId: string;
  readonly purpose: 'plan' | 'apply' | 'destroy';
  readonly environment: string;
  readonly scope: string;
  readonly planName: string | null;
  readonly planFile: string | null;
  /** The plan says `ledger: sealed`. */
  readonly isSealedOnly: boolean;
  readonly sha: string | null;
  readonly branch: string | null;
  /** Remote without user info, or the folder: it salts fingerprints. */
  readonly repository: string;
  /** The pull request that the run works for. */
  readonly pull: PullOf | null;
  readonly receiptsBranch: string;
  /** Folder that `.pilotfish/` stands in: the top of the checkout, or the working directory. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly approved: ApprovedCommands;
  /** Commands that the plan's API blocks name. */
  readonly commands: ReadonlySet<string>;
  readonly clock: Clock;
  readonly registry: Registry;
  readonly redactor: Redactor;
  readonly client: Client;
  readonly store: Store;
  /** Holds the locks of shared parents; another remote with `PILOTFISH_LOCK_REMOTE`. */
  readonly lockStore: Store;
  /** Knows which lines are at work. The writer pushes when none is. */
  readonly barrier: Barrier;
  readonly writer: Writer;
  /** Opens connections for writes that wait for the ledger. */
  readonly upcoming: Upcoming;
  readonly gate: RunGate;
  readonly terms: LeaseTerms;
  /** Tells which facts of the ledger are this run's to act on. */
  readonly trust: Trust;
  readonly vault: Vault;
  readonly hosts: Hosts;
  /** The last phase of each line. */
  readonly works: Map<string, LinePhase>;
  /** Lines that others of this run come after. */
  readonly awaited: Set<string>;
  /** Looks that lines took before their turn. */
  readonly early: EarlyLooks;
  /** Identity → line that has it in this run: one identity, one line. */
  readonly identities: Map<string, string>;
  readonly recreate: ReadonlySet<string>;
  readonly reconcile: boolean;
  /** Whether this run writes back what others changed, even if the line says `drift: report`. */
  readonly isPutBack: (line: string) => boolean;
  /** `--put-back` was given. */
  readonly putBack: boolean;
  /** Aborted by the first signal: no new write, reads stop. */
  readonly stopping: AbortSignal;
  /** Aborted 4 s later: writes in flight are given up. */
  readonly ending: AbortSignal;
  /** The monotonic time at which waiting ends, and the length of the wait. */
  readonly waitUntil: number;
  readonly waitTimeoutMs: number;
  readonly leaseTimeoutMs: number;
  /** The code host will start a later run when a deployment is reported, so this one need not wait. */
  readonly isReported: boolean;
  readonly warnings: string[];
  /** The hash of the ledger's facts for the end of this run, as they were when its lines began. */
  readonly leftovers: { hash: string };
  readonly stop: Stop;
  /** The reason why this run must write nothing; `null` while it is in time. */
  readonly stale: { why: string | null };
  /** Reads a secret reference, once in a run. */
  readonly readSecret: (reference: string) => Promise<Sealed>;
  tell(event: RunEvent): void;
}

export function workOf({ works }: Pick<Session, 'works'>, id: string): LinePhase {
  const work = works.get(id);
  if (!work) throw new Error(`no line ${id} in this run`);
  return work;
}

/** Keeps the next phase of a line, and gives it back. */
export function keep<L extends LinePhase>({ works }: Pick<Session, 'works'>, line: L): L {
  works.set(line.id, line);
  return line;
}

/** Ends the run as stale: nothing new is sent, and neither receipt nor history is written. */
export function endAsStale({ stale, stop }: Pick<Session, 'stale' | 'stop'>, why: string): void {
  stale.why ??= why;
  stop.begin();
}

/** Throws `Interrupted` once a line, or the run, was asked to stop: nothing new is begun. */
export function mustGoOn({ stopping }: { readonly stopping: AbortSignal }): void {
  if (stopping.aborted) throw new Interrupted();
}
