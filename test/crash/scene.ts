import type { Simulation } from 'pilotfish-sandbox/kit/types';
import type { Clock } from '../../src/core/clock.ts';
import type { RunRequest } from '../../src/engine/types.ts';

/** A plan at its providers in a fresh world, with everything that may happen to it. What is left out cannot happen to it. */
export interface Site {
  readonly simulations: readonly Simulation[];
  readonly env: Readonly<Record<string, string>>;
  readonly run?: Partial<RunRequest>;
  readonly plans: {
    readonly first: string;
    /** Another value of a field that is changed in place. */
    readonly updated?: string;
    /** Another value of a field that makes a new object. */
    readonly replaced?: string;
    /** It loses, renames and moves lines of the first. */
    readonly moved?: string;
  };
  /** Lines that `--recreate` makes anew. */
  readonly recreate?: readonly string[];
  /** Somebody changes at the provider what the plan declares. */
  drift?(): void;
  /** Somebody removes it at the provider. */
  remove?(): void;
  /** What the plan made, in an order of its own. */
  mine(): readonly unknown[];
  /** Members of these, and outputs, that count writes: how many led to an end says nothing about it. */
  readonly counters?: readonly string[];
  /** Everything else there. */
  others(): unknown;
}

/** One row of the table: what is planned where. */
export interface Scene {
  /** `<family>.<op>`, or what else is planned. */
  readonly family: string;
  /** `kept` is left by destroy, `message` has no object behind it and may arrive twice, `wait` makes nothing. */
  readonly kind: 'object' | 'kept' | 'message' | 'wait';
  open(clock: Clock): Site;
}
