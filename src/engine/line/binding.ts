import { Failure } from '../../core/errors.ts';
import type { Bound } from '../../ops/bound.ts';
import { PendingValue } from '../../remote/value.ts';
import type { Session } from '../session.ts';
import type { PreparedLine } from '../types.ts';
import { resolveLine } from './resolve.ts';
import type { LineWork } from './work.ts';

/** `null` when a value that decides the key does not exist yet. */
export function bindLine(session: Session, work: LineWork, prepared: PreparedLine): Bound | null {
  if (prepared.whole !== null) {
    work.block = prepared.whole.block;
    work.bound = prepared.whole.bound;
    return work.bound;
  }
  const params = work.resolved?.params ?? {};
  const block = prepared.op.providerFor?.(prepared.block, params) ?? prepared.block;
  work.block = block;
  try {
    work.bound = prepared.op.bind(params, {
      block,
      environment: session.environment,
      scope: session.scope,
      sha: session.sha,
      branch: session.branch,
      destroy: prepared.destroy,
      api: prepared.api,
    });
  } catch (error) {
    if (error instanceof PendingValue) return null;
    throw error;
  }
  const problems = work.bound.problems ?? [];
  if (problems.length > 0) throw new Failure('PARAM_INVALID', { detail: problems.join(' ') });
  return work.bound;
}

/** The line bound once more, now with every value that a write needs. */
export async function materialise(session: Session, work: LineWork): Promise<void> {
  if (!work.prepared) return;
  work.resolved = await resolveLine(work.prepared, 'write', session);
  bindLine(session, work, work.prepared);
}
