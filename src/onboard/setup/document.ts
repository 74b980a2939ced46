import type { InitDoc } from '../../engine/document.ts';

/**
 * What is known of one credential. `works`: its check request was answered. `uncheckable`: no request would prove it.
 * `waiting`: the settings of its API hold placeholders. `unauthorized`: the provider refused it. `refused`: it was not sent.
 * `unchecked`: no answer said anything about it.
 */
export type CredentialStatus = 'missing' | 'works' | 'uncheckable' | 'waiting' | 'unauthorized' | 'refused' | 'unchecked';

export interface SetupCredential {
  /** `null` where a program prints the credential. */
  readonly variable: string | null;
  readonly provider: string;
  readonly status: CredentialStatus;
  /** `null` where there is none. A typed one is forgotten with this process. */
  readonly source: 'environment' | 'typed' | null;
  /** Where it is made, and the least it needs. */
  readonly page: string | null;
  readonly needs: string | null;
  readonly problem?: string;
  /** What the check of one that works does not tell: one read shows no right to write. */
  readonly unproven?: string;
}

export interface SetupSecrets {
  /** `owner/name` of `origin`; `null` where that is not known. */
  readonly repository: string | null;
  /** Names of the secrets that were stored now. */
  readonly stored: readonly string[];
  /** Names of those that the host had and that stay as they are. */
  readonly kept: readonly string[];
  readonly failed: readonly { readonly name: string; readonly problem: string }[];
  /** What is still to be done, a name each; `command` where a program of this host does it. */
  readonly left: readonly { readonly name: string; readonly command: string | null }[];
  /** Why these are left: the program is missing or signed out, the host is unknown, an offer was refused. */
  readonly why: string | null;
}

/** Whether the remote takes what a run records. */
export interface SetupLedger {
  /** The remote without user info; `null` where none was opened. */
  readonly location: string | null;
  /** `refused`: a rule of the host stops the branches of the ledger. */
  readonly status: 'works' | 'refused' | 'not tried';
  /** What was refused and the exception that the rule needs, or why it was not tried. */
  readonly problem: string | null;
  /**
   * The secret `PILOTFISH_LEDGER_KEY`. `made` and `stored`, that of the environment, tell of this run; `kept`: the host had one; `left`:
   * it is needed, and was not stored.
   */
  readonly key: { readonly status: 'not needed' | 'made' | 'stored' | 'kept' | 'left'; readonly why: string | null };
}

export interface SetupWorkflow {
  /** Absolute. */
  readonly path: string;
  readonly status: 'written' | 'kept' | 'declined' | 'not offered';
  readonly why: string | null;
}

/** The report of `pilotfish init --setup`: that of `init`, with what became of credentials, secrets and workflow. */
export interface SetupDoc extends Omit<InitDoc, 'ok' | 'credentials' | 'next'> {
  readonly ok: boolean;
  readonly credentials: readonly SetupCredential[];
  /** Places that secrets of the plan are read from, where CI signs in by itself: `vault`. */
  readonly sources: readonly string[];
  readonly secrets: SetupSecrets;
  readonly ledger: SetupLedger;
  readonly workflow: SetupWorkflow;
  readonly interrupted: boolean;
  /** `why` begins with "Not ready yet" exactly where `ok` is false. */
  readonly next: InitDoc['next'];
}
