import { patience } from '../../core/look-until.ts';
import type { ItemBound } from '../../ops/bound.ts';
import type { ParentSpec } from '../../remote/parent-spec.ts';
import type { Reach } from '../../remote/reach.ts';

/** The adapter and recipe of a line: nobody knows how the provider of a generic one behaves. */
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

/** The same for a line. */
export const lagOf = ({ reach }: ItemBound, author: Author): number => parentLag(reach.parent, author);
