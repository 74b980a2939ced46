/** Which part of the table is asked for; left out, all of it. */
export interface Asked {
  readonly family?: string;
  readonly operation?: string;
  /** Counts the cuts of a row from 1. */
  readonly cut?: number;
  /** The providers show names and values in capitals. */
  readonly isUntidy: boolean;
  /** A spread over all families that takes a minute. */
  readonly isSample: boolean;
}

/** Of each family a sample takes every eighth operation, the next family the ones after them, and of these one cut in 24. */
const stride = 8;
const cutStride = 24;

/** `count`: the operations of the family, of which a sample has at least one. */
export const isAskedRow = (asked: Asked, operation: string, offset: number, count: number): boolean =>
  asked.operation === undefined ? !asked.isSample || offset % Math.min(stride, count) === 0 : operation === asked.operation;

export const isAskedCut = (asked: Asked, nth: number, offset: number): boolean =>
  asked.cut === undefined ? !asked.isSample || (nth + Math.floor(offset / stride)) % cutStride === 0 : nth === asked.cut;
