import type { Clock } from '../../core/clock.ts';
import type { ItemBound } from '../../ops/bound.ts';
import type { ParentSpec } from '../../remote/parent-spec.ts';
import type { Reach } from '../../remote/reach.ts';

/** Seconds for which what nobody expects to see is looked at again, where nothing says how long a provider's reads lag behind its writes. */
export const patience = 6;

/** The longest pause between two looks, in seconds. */
const longestPause = 15;

interface Until<T> {
  readonly clock: Clock;
  /** From the first look on. */
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly isEnough: (seen: T) => boolean;
}

/**
 * Looks again, after pauses that grow by a second, until what is seen is enough or the time is over. Gives what was seen last. `first`: what
 * was seen just now, in place of a first look.
 */
export async function lookUntil<T>({ clock, seconds, signal, isEnough }: Until<T>, look: () => Promise<T>, first?: T): Promise<T> {
  let seen = first ?? (await look());
  let left = seconds;
  for (let pause = 1; left > 0 && !isEnough(seen); pause = Math.min(pause + 1, longestPause)) {
    await clock.sleep(Math.min(pause, left) * 1_000, signal);
    left -= pause;
    seen = await look();
  }
  return seen;
}

/** Who wrote a line: nobody knows how the provider of a generic one behaves. */
interface Author {
  readonly adapter: string;
  readonly recipe: string | null;
}

export const isUnknown = ({ adapter, recipe }: Author): boolean => adapter === 'http' && recipe === null;

/** Seconds by which the list of an object, or the parent of an entry, may lag behind a write. */
export const settleOf = ({ reach }: { readonly reach: Reach }): number => {
  if (reach.kind === 'item') return reach.parent.settle ?? 0;
  return reach.kind === 'object' ? (reach.find?.settle ?? 0) : 0;
};

/** Seconds by which reads of a parent may lag behind a write. */
export const parentLag = ({ settle }: Pick<ParentSpec, 'settle'>, author: Author): number => settle ?? (isUnknown(author) ? patience : 0);

/** The same, of a line. */
export const lagOf = ({ reach }: ItemBound, author: Author): number => parentLag(reach.parent, author);
