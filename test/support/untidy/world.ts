import type { Wire } from 'pilotfish-sandbox/untidy/wire';
import type { Bench } from '../suite/bench.ts';
import type { Subject } from '../suite/subject.ts';
import type { Kind } from './kinds.ts';

/** How an operation meets a world. */
export interface Meeting {
  /** `null` where the world needs none. */
  readonly wire: Wire | null;
  /** Why the world meant nothing, where the wire had nothing to change. */
  readonly never: string;
  /** Arms faults of the simulation; what they met counts like what the wire changed. */
  readonly arm?: (bench: Bench) => () => number;
  /** What the plan says in this world instead. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** `told`: the first apply fails with the name of this field, and no later one writes. */
  readonly told?: string;
  /** The recipe cannot know that the value is kept: what is `told` of one of these fields is as good as settled. */
  readonly mayTell?: readonly string[];
  /** The first apply may say that it does not see what it made; the next one goes on with that. */
  readonly mayMiss?: boolean;
  /** Writes that the second apply may still send. */
  readonly again?: number;
  /** The outside change of the story; `false` where nobody could see one. */
  readonly edit?: boolean;
  /** Fields of which an outside change cannot be seen or put back here. */
  readonly unseen?: readonly string[];
  /** Others' things in a form in which those are equal that mean the same in this world. */
  readonly alike?: (others: unknown) => unknown;
  /** What happens once the object stands. */
  readonly afterwards?: (bench: Bench) => void;
  /** A part of the story of its own, between the last apply and the destroy. */
  readonly meanwhile?: (bench: Bench) => Promise<void>;
}

export type SuiteKind = 'action' | 'wait' | undefined;

/** One way in which a provider could be. */
export interface World {
  readonly kind: Kind;
  /** Tells it from the other worlds of its kind. */
  readonly name: string;
  /** Why the operation cannot meet it, or how it does. */
  meet(subject: Subject, kind: SuiteKind): Meeting | string;
}
