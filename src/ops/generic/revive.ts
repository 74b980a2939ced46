import { Failure } from '../../core/errors.ts';
import { getAt } from '../../core/pointer.ts';
import { Sealed } from '../../core/sealed.ts';
import type { Answer, StoredRequest } from '../../http/types.ts';
import { isAsPlanned } from '../../remote/compare.ts';
import { fieldName, toLive } from '../../remote/live.ts';
import { type LiveValue, unreadable } from '../../remote/live-object.ts';
import { isXmlAnswer, readOptions } from '../../remote/read.ts';
import { says } from '../../remote/says.ts';
import { signsOf } from '../../remote/signs.ts';
import { toSend } from '../../remote/stored.ts';
import { fillId } from '../../remote/template.ts';
import type { Desired, Io } from '../bound.ts';
import { ownPart, placed, requestOf, sendsFields, sentFields } from './resource-body.ts';
import { type ResourcePlan, storedMatch } from './resource-plan.ts';

/**
 * Wakes the object that stands in the way of a create. Its provider cannot delete it, so a destroy only put it away, and its id
 * stays taken. `null` where the object is awake or gone meanwhile: then the refusal of the create holds. An object without the mark of this
 * scope is somebody else's (`RESOURCE_FOREIGN`), and an object with other fixed fields cannot become as planned.
 */
export async function revive(plan: ResourcePlan, io: Io, desired: Desired): Promise<Answer | null> {
  const { shape, chosenId } = plan;
  const how = shape.create?.revive;
  const look = lookOf(plan);
  if (!how || !look || chosenId === null) return null;
  const seen = await io.http.send(look, readOptions(look, { signal: io.signal, share: false }, [404, 410]));
  if (seen.status === 404 || seen.status === 410 || !says(seen.body, storedMatch(how.match, 'create.revive.match'))) return null;
  const item = getAt(seen.body, shape.item_path);
  if (signsOf(plan, item).isMarked !== true) {
    throw new Failure('RESOURCE_FOREIGN', {
      detail: `A deleted object keeps the id of ${plan.key}, and it does not bear the mark of this scope (${plan.mark?.text} at ${plan.mark?.at}). So pilotfish does not restore it.`,
      fix: 'Give the line another id, so that each scope has its own object.',
    });
  }
  const fixed = (shape.immutable ?? []).map(fieldName);
  const before = toLive(plan, chosenId, item, isXmlAnswer(seen));
  const other = fixed.filter((field) => !isSame(desired[field], before.values[field]));
  if (other.length > 0) {
    throw new Failure('PARAM_INVALID', {
      detail: `A deleted object keeps the id of ${plan.key}. pilotfish could restore it, but its ${other.join(', ')} cannot change any more.`,
      fix: `Give the line another id, or the earlier ${other.join(', ')} of that object.`,
    });
  }
  const fields = sendsFields(how) ? sentFields(plan, desired, (field) => !fixed.includes(field)) : {};
  const request = requestOf(plan, how.method ?? 'POST', how, placed(ownPart(how), fields, {}, how.fields_at), chosenId, 'create.revive');
  return await io.http.send(request, { purpose: 'write', signal: io.signal, retry: 'none' });
}

/** The object's own path, as a look that also shows a sleeping object. */
function lookOf({ find, read, chosenId }: ResourcePlan): StoredRequest | null {
  if (find.list === null) return find.request;
  return read && chosenId !== null ? fillId(read.request, chosenId) : null;
}

/** Whether a live value is as wanted. A value that nobody shows counts as the wanted one. */
function isSame(want: Desired[string] | undefined, live: LiveValue): boolean {
  const wanted = want === undefined ? undefined : toSend(want);
  if (wanted === undefined || live === unreadable) return true;
  return live !== undefined && isAsPlanned(wanted, live instanceof Sealed ? live.reveal() : live);
}
