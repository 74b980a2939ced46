/** One object that shall be there: what a line of the plan says, without our words. */
export interface Wish {
  readonly collection: string;
  readonly name: string;
  readonly value: string;
  /** Names of the objects of the same wish list whose ids it holds. They stand before it. */
  readonly needs: readonly string[];
}

/** One entry of the list that an application holds. */
export interface Entry {
  readonly app: string;
  readonly url: string;
}

export interface Variable {
  readonly key: string;
  readonly value: string;
}

/** What a case wants, told once: the plan is written from it, the bare scripts read it, and the server's world is held against it. */
export type Wanted =
  | {
      readonly shape: 'objects';
      /** Whether the collection can be listed, or is found by a name filter only. */
      readonly isListed: boolean;
      /** Whether what an object needs is part of what it is found by. */
      readonly isKeyed: boolean;
      readonly objects: readonly Wish[];
    }
  | { readonly shape: 'entries'; readonly entries: readonly Entry[] }
  | { readonly shape: 'variables'; readonly project: string; readonly variables: readonly Variable[] };

export const sizeOf = (wanted: Wanted): number =>
  wanted.shape === 'objects' ? wanted.objects.length : wanted.shape === 'entries' ? wanted.entries.length : wanted.variables.length;
