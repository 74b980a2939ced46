import { Failure } from '../../core/errors.ts';
import type { LineWork } from '../line/work.ts';
import type { Session } from '../session.ts';

/**
 * A plan, and an apply that judges all lines ahead, look before anything is made: what stands in an object of an earlier line may have nowhere to stand yet. Only a line of the
 * same provider can be about to make that object, so beside any other one the object is missing, and the line names it wrongly.
 */
export function isParentToCome(session: Session, work: LineWork, error: unknown): boolean {
  if (!work.isAhead || !(error instanceof Failure) || error.code !== 'PROVIDER_NOT_FOUND') return false;
  const site = siteOf(work);
  const seen = new Set<string>();
  const open = [...(work.prepared?.after ?? [])];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const earlier = session.works.get(id);
    if (!earlier) continue;
    if (session.vault.get(id) === null && siteOf(earlier) === site) return true;
    open.push(...(earlier.prepared?.after ?? []));
  }
  return false;
}

/** A provider may have several hosts below one name: its last two labels. */
function siteOf({ block, prepared }: LineWork): string {
  const host = URL.parse((block ?? prepared?.block)?.base_url ?? '')?.hostname ?? '';
  return host.split('.').slice(-2).join('.');
}
