import type { InitDoc } from '../../engine/init-document.ts';

/**
 * The status of one credential. `works`: the provider accepted its check request. `uncheckable`: no request proves it. `waiting`: the
 * settings of its API hold placeholders. `unauthorized`: the provider refused it. `refused`: it was not sent. `unchecked`: no answer said
 * anything about it.
 */
export type CredentialStatus = 'missing' | 'works' | 'uncheckable' | 'waiting' | 'unauthorized' | 'refused' | 'unchecked';

export interface SetupCredential {
  /** `null` if a program prints the credential. */
  readonly variable: string | null;
  readonly provider: string;
  readonly status: CredentialStatus;
  /** `null` without a value. A typed value is lost when this process ends. */
  readonly source: 'environment' | 'typed' | null;
  /** The page where a person makes the credential, and the rights that it needs at least. */
  readonly page: string | null;
  readonly needs: string | null;
  readonly problem?: string;
  /** The rights that the check of a working credential does not prove: one read proves no right to write. */
  readonly unproven?: string;
}

export interface SetupSecrets {
  /** `owner/name` of `origin`; `null` if unknown. */
  readonly repository: string | null;
  /** The names of the secrets that this setup stored. */
  readonly stored: readonly string[];
  /** The names of the secrets that the host already had. They stay as they are. */
  readonly kept: readonly string[];
  readonly failed: readonly { readonly name: string; readonly problem: string }[];
  /** The names of the secrets that a person must still store. `command` is set if a program of this host can store one. */
  readonly left: readonly { readonly name: string; readonly command: string | null }[];
  /** The reason why these are left: the program is missing or signed out, the host is unknown, or a person refused the offer. */
  readonly why: string | null;
}

/** Whether the remote accepts the records of a run. */
export interface SetupLedger {
  /** The remote without user info; `null` if none was opened. */
  readonly location: string | null;
  /** `refused`: a rule of the host stops the branches of the ledger. */
  readonly status: 'works' | 'refused' | 'not tried';
  /** The refusal and the exception that the rule needs, or the reason why nothing was tried. */
  readonly problem: string | null;
  /**
   * The secret `PILOTFISH_LEDGER_KEY`. `made`: this run made and stored a new key. `stored`: this run stored the key of the environment.
   * `kept`: the host already had a key. `left`: a key is needed, and was not stored.
   */
  readonly key: { readonly status: 'not needed' | 'made' | 'stored' | 'kept' | 'left'; readonly why: string | null };
}

export interface SetupWorkflow {
  /** The absolute path. */
  readonly path: string;
  readonly status: 'written' | 'kept' | 'declined' | 'not offered';
  readonly why: string | null;
}

/** The report of `pilotfish init --setup`: the report of `init`, with the results for credentials, secrets and workflow. */
export interface SetupDoc extends Omit<InitDoc, 'ok' | 'credentials' | 'next'> {
  readonly ok: boolean;
  readonly credentials: readonly SetupCredential[];
  /** Other sources of the plan's secrets, such as `vault`. CI signs in there by itself. */
  readonly sources: readonly string[];
  readonly secrets: SetupSecrets;
  readonly ledger: SetupLedger;
  readonly workflow: SetupWorkflow;
  readonly interrupted: boolean;
  /** `why` begins with "Not ready yet" if and only if `ok` is false. Programs must read `ok`, never the words. */
  readonly next: InitDoc['next'];
}
