import { Failure } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Http, StoredRequest } from '../../http/types.ts';
import { findAll, recordIdOf } from '../../remote/find.ts';
import type { Reach } from '../../remote/reach.ts';
import { showRequest } from '../../remote/read.ts';
import type { Session } from '../session.ts';
import { wentWithParent } from './went-with.ts';

/**
 * Absent is a claim that needs a witness: many APIs answer 404 for "not permitted". A recorded object counts as gone only after its list,
 * its witness or the family's check request answered with the same credential, or when its parent is gone by the same measure (`below`).
 * Throws `PROVIDER_AUTH`.
 */
export async function confirmAbsent(
  session: Session,
  http: Http,
  reach: Reach,
  { what, signal, share = true }: { readonly what: string; readonly signal: AbortSignal; readonly share?: boolean },
): Promise<'alone' | 'below'> {
  const own = witnessOf(reach);
  const request = own ?? (await checkOf(session, http.block.api));
  if (!request) return 'alone';
  try {
    await http.send(request, { purpose: 'read', signal, share });
    return 'alone';
  } catch (error) {
    if (error instanceof HttpFailure && error.status !== null && error.status < 500 && error.status !== 429) {
      if (own && reach.kind === 'object' && (await wentWithParent(session, http, reach, signal))) return 'below';
      throw new Failure('PROVIDER_AUTH', {
        detail: `The provider shows neither ${what} nor its place (${showRequest(request)} answered ${error.status}). The credential may not be allowed to see it, so its record stays.`,
        fix: 'Use the credential that made it, with the same permissions.',
        cause: error,
      });
    }
    throw error;
  }
}

/**
 * A delete was answered with "not there". Some providers say that instead of "not permitted": if a look still shows the object, its
 * record stays. Throws `PROVIDER_AUTH`.
 */
export async function confirmGone(session: Session, http: Http, reach: Reach, id: string, signal: AbortSignal): Promise<void> {
  if (reach.kind !== 'object') return;
  const recordId = recordIdOf(reach, id);
  // Deletes of other lines are under way meanwhile, and each would end a shared read.
  const share = false;
  const absent = await confirmAbsent(session, http, reach, { what: recordId, signal, share });
  const { find } = reach;
  // Without the parent nobody can look for the object.
  if (!find || absent === 'below') return;
  const isSeen = async (): Promise<boolean> =>
    (await findAll(http, find, { signal, share, passes: 1, ids: [id] })).some((one) => one.id === id);
  if (!(await isSeen())) return;
  if (find.settle !== undefined && find.settle > 0) {
    await session.clock.sleep(find.settle * 1000, signal);
    if (!(await isSeen())) return;
  }
  throw new Failure('PROVIDER_AUTH', {
    detail: `${recordId} answered that there is no such object, but a look still shows it. The credential may not be allowed to remove it, so its record stays.`,
    fix: 'Give the credential the permission to delete, then run again.',
  });
}

function witnessOf(reach: Reach): StoredRequest | null {
  if (reach.kind !== 'object') return null;
  if (reach.witness) return reach.witness;
  return reach.find && reach.find.list !== null ? reach.find.request : null;
}

async function checkOf(session: Session, api: string): Promise<StoredRequest | null> {
  const owner = (await session.registry.adapter(api)) ?? (await session.registry.family(api));
  // The reach of a recipe that is written by hand has its own witness, which a destroy and a digest know too.
  return owner?.isByHand ? null : (owner?.setup?.check ?? null);
}
