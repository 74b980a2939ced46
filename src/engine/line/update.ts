import { Failure } from '../../core/errors.ts';
import { mustGoOn, type Session } from '../session.ts';
import type { Parents } from '../shared/parents.ts';
import { materialise } from './binding.ts';
import { doubts } from './doubt.ts';
import { desiredBeside, ownChanges, updatingIo } from './drift.ts';
import { underLease } from './durable.ts';
import { entryOf, writtenEntry } from './line-entry.ts';
import { isOf, type Written } from './phases.ts';
import { written } from './publish.ts';

export async function update(session: Session, before: Written, parents: Parents): Promise<void> {
  mustGoOn(before);
  const work = await materialise(session, before);
  await underLease(session, work, doubts(session, work));
  if (isOf(work, 'item')) {
    await writtenEntry(session, work, await parents.ask(entryOf(work), work.bound.entry, 'update'));
    return;
  }
  if (!isOf(work, 'object')) throw new Failure('INTERNAL', { detail: `${work.id} cannot be updated.` });
  const { bound, live } = work;
  const changed = ownChanges(work);
  if (!bound.update) throw new Failure('PARAM_INVALID', { detail: `${bound.key} differs and this operation cannot change it in place.` });
  const after = await bound.update(updatingIo(session, work), live, desiredBeside(session, work, live), changed);
  const made = work.made === 'claimed' ? 'claimed' : 'updated';
  const sent = { before: live, fields: changed, replaced: null };
  written(session, work, { live: { ...after, outputs: { ...live.outputs, ...after.outputs } }, made, told: after, sent });
}
