import type { Live } from '../remote/live-object.ts';
import type { Desired, Io, ObjectBound } from './op.ts';

/** One of the lines that a request makes together. */
export interface Wanted {
  readonly bound: ObjectBound;
  readonly desired: Desired;
}

/** A create that carries several lines of one plan: thirty variables of a project are one write. */
export interface Bulk {
  /** Equal for lines that one request may carry; the engine adds account and credential. */
  readonly key: string;
  /** Lines in one request. */
  readonly most: number;
  /**
   * What became of each, in their order: the object, or why there is none. `null`: the provider refused them all for what may
   * be wrong with one of them, and made none; then each is sent alone. Throws where nobody knows.
   */
  create(io: Io, wanted: readonly Wanted[]): Promise<readonly (Live | Error)[] | null>;
}
