import type { Method } from './types.ts';

/** What is known about the refusals of a provider beside its API block; nothing of it is identity or kept in the ledger. */
export interface Known {
  /** The permissions that its credential needs, and no more. */
  readonly needs?: string;
  /** Whether a refused write means that there is no room for another object. */
  isFull?(refused: Refused): boolean;
}

export interface Refused {
  readonly method: Method;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}
