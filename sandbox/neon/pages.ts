import type { Refusal } from '../kit/index.ts';
import type { Branch } from './state.ts';

const fields = { name: 'name', created_at: 'created_at', updated_at: 'updated_at' } as const;

export interface Page {
  readonly branches: readonly Branch[];
  readonly pagination: { readonly next?: string; readonly sort_by: string; readonly sort_order: string };
}

/** One page of a project's branches. The cursor names the last item seen, so a page holds when the list changes in between. */
export function pageOf(branches: readonly Branch[], query: URLSearchParams, pageSize: number, invalid: (message: string) => Refusal): Page {
  const sortBy = query.get('sort_by') ?? 'updated_at';
  const sortOrder = query.get('sort_order') ?? 'desc';
  if (!isField(sortBy)) throw invalid(`sort_by ${sortBy} is not one of name, created_at, updated_at`);
  if (sortOrder !== 'asc' && sortOrder !== 'desc') throw invalid(`sort_order ${sortOrder} is not one of asc, desc`);
  const asked = query.get('limit');
  const limit = asked === null ? pageSize : Number(asked);
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) throw invalid('limit must be between 1 and 10000');

  const search = query.get('search');
  const isIn = (branch: Branch): boolean =>
    (branch.deleted_at === null || query.get('include_deleted') === 'true') &&
    (search === null || branch.name.includes(search) || branch.id.includes(search));
  const keyOf = (branch: Branch): string => `${branch[sortBy]}\u0000${branch.id}`;
  const direction = sortOrder === 'asc' ? 1 : -1;
  const after = query.get('cursor') === null ? null : readCursor(query.get('cursor') ?? '', invalid);
  const rest = branches
    .filter(isIn)
    .sort((a, b) => direction * compare(keyOf(a), keyOf(b)))
    .filter((branch) => after === null || direction * compare(keyOf(branch), after) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    branches: page,
    pagination: {
      ...(rest.length > limit && last && { next: Buffer.from(keyOf(last)).toString('base64url') }),
      sort_by: sortBy,
      sort_order: sortOrder,
    },
  };
}

const isField = (name: string): name is keyof typeof fields => Object.hasOwn(fields, name);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function readCursor(cursor: string, invalid: (message: string) => Refusal): string {
  const key = Buffer.from(cursor, 'base64url').toString();
  if (!key.includes('\u0000')) throw invalid('the cursor is not valid');
  return key;
}
