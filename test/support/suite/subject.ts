import type { Match, Tokens } from 'pilotfish-sandbox/kit/types';
import type { RunRequest } from '../../../src/engine/types.ts';

/** Members that an object gets; members of its maps likewise. */
export type Edit = Readonly<Record<string, unknown>>;

/** How much a credential may do; `wrong` is one that the provider does not know. */
export type Tier = keyof Tokens | 'wrong';

/**
 * A line and how to look at what it made, in one fresh world. Its author puts objects of other people beside it, as like the
 * line's own as the provider allows; they must stay as they are in every case.
 */
export interface Subject {
  /** Params of the line. Every param that becomes a field should be there. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Keys of the line beside its params, such as `destroy`. */
  readonly line?: Readonly<Record<string, unknown>>;
  /** Blocks of `providers.http`, for a line of the generic adapter. */
  readonly apis?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: Partial<RunRequest>;
  /** The variable that holds the token, or the variables of each kind of credential. */
  readonly credential: string | ((tier: keyof Tokens) => Readonly<Record<string, string>>);
  /** What stands in the world for the line: live, so that changing it is a change from outside. */
  mine(): readonly unknown[];
  /** Members of these, and outputs, that count writes: how many led to an end says nothing about it. */
  readonly counters?: readonly string[];
  /** Everything of the same kind that the line does not name, and what surrounds it. */
  others(): unknown;
  /** What the object looks like as planned, for `toMatchObject`. */
  readonly stands?: unknown;
  /** A change from outside for each declared field that is put back in place: what the object then has. `undefined` takes away. */
  readonly edits?: Readonly<Record<string, Edit>>;
  /** Params that the same object takes on, by the field that they change. */
  readonly changes?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Params that make another object, by the field that they change. */
  readonly fixed?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Declared fields whose change from outside nobody can see, with the reason. */
  readonly unseen?: Readonly<Record<string, string>>;
  /**
   * How the provider may spell differently what was planned, by a name: a list in another order, a default that it leaves out. It is no
   * drift. `undefined` takes away.
   */
  readonly same?: Readonly<Record<string, Edit>>;
  /** A change from outside of a field that the line does not declare. */
  readonly undeclared?: Edit;
  /** Somebody removes the object in the console. */
  remove?(): void;
  /** Somebody makes an object that the line's find matches. */
  foreign?(): void;
  /** The provider itself refuses a second one like the line's, so that one of somebody who was faster is told as a conflict. */
  readonly isUnique?: boolean;
  /** So many objects of others that a list without a filter has several pages, and how many requests a plan sends among them. */
  readonly crowd?: { fill(): void; readonly looks: number };
  /** Reads that show a write only so many seconds later, as the provider's description tells. */
  readonly late?: { readonly reads: Match; readonly seconds: number };
  /** The account has no room for another object of this kind, which `quota.answers` of the operation reads from the refusal. */
  fill?(): void;
  /** The provider tells its limit no longer, and refuses all the same. For an operation with `quota.figures`. */
  untell?(): void;
  /** How an object that is made now and ready later is held up. Called before the apply. */
  readonly slow?: {
    /** From now on nothing of it becomes ready. */
    hangs(): void;
    /** What hung is ready at the next look, and so is what is made from now on. */
    goesOn(): void;
    /** What is made from now on ends in a state that is no good. Left out where the provider has none. */
    fails?(): void;
  };
  /** What the line waits for ends badly. */
  fails?(): void;
  /** What the line waits for makes no progress. */
  hangs?(): void;
  /** Every sensitive output by its name, with its value as the provider has it now. */
  gives?(): Readonly<Record<string, string>>;
  /** Other secrets that the provider has and may show, as far as they exist now. */
  secrets?(): readonly string[];
  /** Destroy forgets the record and leaves the object. */
  readonly stays?: boolean;
  /** Requests that faults meet; by default GET looks, POST creates, DELETE removes. */
  readonly requests?: { readonly look?: Match; readonly create?: Match; readonly remove?: Match };
}
