import { canonicalJson } from '../../core/canonical.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Http } from '../../http/types.ts';
import type { Intent, LedgerRecord } from '../../ledger/model/facts.ts';
import { findAll } from '../../remote/find.ts';
import type { FindSpec, Reach } from '../../remote/reach.ts';
import { decoded } from '../../remote/template.ts';
import type { Session } from '../session.ts';

type ObjectReach = Extract<Reach, { kind: 'object' }>;

/**
 * Whether an object that cannot be asked for went with its parent, as a key goes with its deployment. Three things must hold. The object was
 * made after the parent's line. Its requests go below the very address that removes the parent, at the same API. The list of such parents
 * answers to the same credential, whole, without this parent.
 */
export async function wentWithParent(session: Session, http: Http, reach: ObjectReach, signal: AbortSignal): Promise<boolean> {
  const records = currentRecords(session);
  const all = [...records.values()];
  for (const record of all.filter((one) => names(one, reach))) {
    for (const producer of record.after) {
      const parent = records.get(producer);
      if (parent?.reach.kind !== 'object' || canonicalJson(parent.provider) !== canonicalJson(http.block)) continue;
      const { find } = parent.reach;
      const above = addressAbove(parent.reach, reach);
      if (!above || !find || find.list === null || !isIdOf(parent, above, reach, all)) continue;
      if (await isUnlisted(http, find, decoded(above.segment), signal)) return true;
    }
  }
  return false;
}

/**
 * The same for an entry of a list that cannot be read any more, such as an address in the settings of a branch's own project, which goes
 * with the branch. The list was made after the parent's line, at the same API, and an id of the parent stands in its path.
 */
export async function entryWentWithParent(session: Session, http: Http, fact: LedgerRecord | Intent, refused: unknown): Promise<boolean> {
  if (fact.reach.kind !== 'item' || !(refused instanceof HttpFailure) || !isRefusal(refused)) return false;
  const { path, read_path: readPath } = fact.reach.parent;
  const segments = (readPath ?? path).split('/').filter((segment) => segment !== '');
  const records = currentRecords(session);
  const entries = [...records.values()].map(({ reach }) => canonicalJson(reach));
  for (const producer of fact.after) {
    const parent = records.get(producer);
    if (parent?.reach.kind !== 'object' || canonicalJson(parent.provider) !== canonicalJson(http.block)) continue;
    const { find } = parent.reach;
    if (!find || find.list === null) continue;
    const known = [parent, ...parent.superseded].map(({ objectId }) => objectId);
    const own = canonicalJson(fact.reach);
    // A line's entry now stands in the list of the present parent, as this entry stood in that of an earlier one.
    const hasMoved = (segment: string): boolean => {
      const moved = own.replaceAll(`/${segment}/`, `/${encodeURIComponent(parent.objectId)}/`);
      return moved !== own && entries.includes(moved);
    };
    for (const segment of segments) {
      const isId = known.includes(decoded(segment)) || hasMoved(segment);
      if (isId && (await isUnlisted(http, find, decoded(segment), session.stopping))) return true;
    }
  }
  return false;
}

const isRefusal = ({ status }: HttpFailure): boolean => status !== null && status >= 400 && status < 500 && status !== 429;

/** Whether the record has this object, as its present one or as one that was replaced. */
function names(record: LedgerRecord, reach: ObjectReach): boolean {
  const wanted = canonicalJson(reach);
  return [record, ...record.superseded].some((one) => canonicalJson(one.reach) === wanted);
}

interface Address {
  /** The part before the id, as in `/deployments/{id}/delete`. */
  readonly before: string;
  /** The id at that place in the paths of the object below. */
  readonly segment: string;
}

/** The address of the parent's kind, when all requests that find or remove the object go through it. */
function addressAbove({ remove }: ObjectReach, below: ObjectReach): Address | null {
  const [before, after] = remove?.path.split('{id}') ?? [];
  if (before === undefined || after === undefined) return null;
  const segments = [below.witness, below.find?.request, below.remove].flatMap((request) => {
    if (!request) return [];
    const [segment, ...rest] = request.path.startsWith(before) ? request.path.slice(before.length).split(/[/?]/) : [];
    return [rest.length > 0 ? segment : undefined];
  });
  const [segment] = segments;
  return segment && segments.every((one) => one === segment) ? { before, segment } : null;
}

/**
 * Whether the segment is an id of the parent, and no word of the API. Either it is a recorded id of the parent, or an object now stands
 * below the recorded parent by the same requests by which an earlier object stood below the segment.
 */
function isIdOf(parent: LedgerRecord, { before, segment }: Address, reach: ObjectReach, all: readonly LedgerRecord[]): boolean {
  const id = decoded(segment);
  if ([parent, ...parent.superseded].some(({ objectId }) => objectId === id)) return true;
  const moved = canonicalJson(reach).replaceAll(`${before}${segment}/`, `${before}${encodeURIComponent(parent.objectId)}/`);
  return all.some((one) => canonicalJson(one.reach) === moved);
}

/** Every entry counts, also one that no longer looks like the line's own: it may have been renamed. */
async function isUnlisted(http: Http, find: FindSpec, id: string, signal: AbortSignal): Promise<boolean> {
  const { absent: _, ...all } = { ...find, match: {} };
  try {
    return (await findAll(http, all, { signal })).every((one) => one.id !== id);
  } catch (error) {
    if (error instanceof HttpFailure && isRefusal(error)) return false;
    throw error;
  }
}

/** Records as they will stand after the last push. */
export function currentRecords(session: Session): Map<string, LedgerRecord> {
  const records = new Map(session.writer.state.records);
  for (const work of session.works.values()) if (work.identity && work.record) records.set(work.identity, work.record);
  return records;
}
