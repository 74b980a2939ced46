import { Failure } from '../../core/errors.ts';
import type { ProviderBlock } from '../../http/types.ts';
import type { Bound, Desired, ObjectBound, Params } from '../../ops/bound.ts';
import { asPart } from '../../ops/problem.ts';
import { Kept, type Pending, PendingValue } from '../../remote/value.ts';
import { keep, type Session } from '../session.ts';
import type { PreparedLine } from '../types.ts';
import type { Judged, Written } from './phases.ts';
import { resolveLine } from './resolve.ts';

interface Binding {
  readonly block: ProviderBlock;
  /** `null` when a value that decides the key does not exist yet. */
  readonly bound: Bound | null;
  /** That value. */
  readonly pending: Pending | null;
}

export function bindLine(session: Session, prepared: PreparedLine, params: Params): Binding {
  if (prepared.whole !== null) return { ...prepared.whole, pending: null };
  const block = prepared.op.providerFor?.(prepared.block, params) ?? prepared.block;
  const { bound, pending } = boundOrPending(session, prepared, { block, params });
  const problems = bound?.problems ?? [];
  if (problems.length > 0) throw new Failure('PARAM_INVALID', { detail: problems.map((problem) => asPart(problem).detail).join(' ') });
  return { block, bound, pending };
}

function boundOrPending(
  { environment, scope, sha, branch }: Session,
  { op, destroy, api }: PreparedLine,
  { block, params }: { readonly block: ProviderBlock; readonly params: Params },
): Omit<Binding, 'block'> {
  try {
    return { bound: op.bind(params, { block, environment, scope, sha, branch, destroy, api }), pending: null };
  } catch (error) {
    if (error instanceof PendingValue) return { bound: null, pending: error.pending };
    throw error;
  }
}

/** Every field is kept, so the object must exist and stays as it is. */
export const isAdoption = ({ fields }: Bound): boolean => {
  const values = Object.values(fields);
  return values.length > 0 && values.every((value) => value instanceof Kept);
};

/** The fields of a line as a write sends them. */
export const desiredOf = (bound: ObjectBound): Desired =>
  Object.fromEntries(Object.entries(bound.fields).filter(([, value]) => !(value instanceof Kept))) as Desired;

/** The line bound once more, now with every value that a write needs. */
export async function materialise<L extends Judged | Written>(session: Session, line: L): Promise<L> {
  const resolved = await resolveLine(line.prepared, 'write', session);
  const { block, bound } = bindLine(session, line.prepared, resolved.params);
  if (!bound) throw new Failure('INTERNAL', { detail: `${line.id} came to its write before its values were there.` });
  return keep(session, { ...line, resolved, block, bound });
}
