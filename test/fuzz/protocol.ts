/** The exit code of a process that could not learn what honest inputs look like: nothing that it would say counts. */
export const unprepared = 71;

/** Work for one process: the inputs of a kind with these numbers. */
export interface Batch {
  readonly id: number;
  readonly kind: string;
  readonly seed: number;
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

export interface Finding {
  readonly kind: string;
  readonly index: number;
  readonly finding: string;
  readonly how: string;
  /** The input cut down as far as it still fails; empty where an equal finding was cut down before. */
  readonly parts: readonly { readonly name: string; readonly base64: string }[];
}

export interface BatchDone {
  readonly id: number;
  /** The first error of each input by its code; `none` for those that went well. */
  readonly codes: { readonly [code: string]: number };
  readonly findings: readonly Finding[];
  readonly slowest: { readonly ms: number; readonly index: number };
}
