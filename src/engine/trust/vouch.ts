import type { LedgerRecord } from '../../ledger/model/facts.ts';
import { paths } from '../../ledger/model/state.ts';
import type { ItemBound, ObjectBound } from '../../ops/bound.ts';
import { isProduction } from '../../plan/context.ts';
import { recordIdOf } from '../../remote/find.ts';
import { formsOf } from '../../remote/spelled-entries.ts';
import { confirmAbsent } from '../line/absent.ts';
import { isAdoption } from '../line/binding.ts';
import { asRecorded } from '../line/found.ts';
import { ioOf, isOf, type PhaseFacts, type Ready } from '../line/phases.ts';
import { credentialSource } from '../line/record.ts';
import type { Session } from '../session.ts';
import { type Stored, storedIntent, storedRecord } from './trust.ts';
import { unsealed } from './unsealed.ts';

type Observable = Ready<ObjectBound | ItemBound>;

/** The ledger's facts of a line of the plan, as far as this run may act on them. */
export interface Vouched extends Pick<PhaseFacts, 'record' | 'intent' | 'left'> {
  /** An announcement that this run does not believe: nothing is claimed through it. */
  readonly doubted: Stored | null;
}

/**
 * Believes facts that a key of this run sealed. An unsealed record is believed where the plan's own look finds the object that it names. Throws
 * `LEDGER_UNSEALED` where another object stands under the recorded id.
 */
export async function vouch(session: Session, line: Observable): Promise<Vouched> {
  const { record, intent, left, identity } = line;
  const { trust } = session;
  // The plan tells the credential: the author of a forged ledger would choose one that seals nothing.
  const of = { provider: line.block, credential: credentialSource(line.prepared) };
  const isBelieved = intent === null || (await trust.isSealed(storedIntent(intent))) || (await mayBeUnsealed(session, of));
  const isLeft = left === null || (await trust.isNoteSealed(paths.left(identity), left, of)) || (await mayBeUnsealed(session, of));
  return {
    record: record && (await vouchedRecord(session, line, record)),
    intent: isBelieved ? intent : null,
    left: isLeft ? left : null,
    doubted: isBelieved || !intent ? null : storedIntent(intent),
  };
}

/**
 * Facts of a credential that seals nothing are unsealed in any case. In a preview they are believed as far as the plan's own look confirms
 * them. A credential that seals would have sealed them.
 */
const mayBeUnsealed = async (session: Session, of: Pick<LedgerRecord, 'provider' | 'credential'>): Promise<boolean> =>
  !session.isSealedOnly && !isProduction(session.environment) && !(await session.trust.couldSeal(of));

async function vouchedRecord(session: Session, line: Observable, record: LedgerRecord): Promise<LedgerRecord | null> {
  const stored = storedRecord(record);
  if (await session.trust.isSealed(stored)) {
    await session.trust.renew(stored);
    return record;
  }
  if (session.isSealedOnly) throw unsealed(session, stored, 'The plan says `ledger: sealed`.');
  const found = isOf(line, 'item') ? isNamedBy(line, record) : isOf(line, 'object') ? await standing(session, line, record) : 'other';
  if (found === 'other') throw unsealed(session, stored, `The object under that id is not the one that the line ${line.id} describes.`);
  if (record.superseded.some(isRemovable)) {
    const ids = record.superseded.map(({ objectId }) => objectId).join(', ');
    throw unsealed(session, stored, `It also names objects to remove (${ids}), which nothing confirms.`);
  }
  const { removing: _, ...rest } = record;
  const known = {
    ...rest,
    provider: line.block,
    credential: credentialSource(line.prepared),
    destroy: line.prepared.destroy,
    owned: record.owned && !isAdoption(line.bound),
    reach: line.bound.reach,
    recordId: recordIdOf(line.bound.reach, record.objectId),
  };
  session.trust.confirm(line.identity, found === 'gone' ? found : { ...known, lock: isOf(line, 'item') ? line.bound.lockOn : null });
  return known;
}

const isRemovable = ({ reach }: LedgerRecord['superseded'][number]): boolean => reach.kind !== 'object' || reach.remove !== null;

/** The plan itself names an entry. The recorded name may be another form of that name. */
function isNamedBy({ bound }: Ready<ItemBound>, { objectId }: LedgerRecord): 'is' | 'other' {
  const { item } = bound.reach;
  return objectId === '' || objectId === item || formsOf([objectId], item).length > 0 ? 'is' : 'other';
}

/** Whether the plan's own look finds the recorded object; `other`: it does not, and something stands there or under that id. */
async function standing(session: Session, line: Ready<ObjectBound>, record: LedgerRecord): Promise<'is' | 'other' | 'gone'> {
  const { bound, http, stopping } = line;
  const { objectId: id } = record;
  const has = (found: readonly { readonly id: string }[]): boolean => found.some((live) => live.id === id);
  const byPlan = asRecorded(record, await bound.find(ioOf(line, stopping, { isAlike: true })));
  if (has(byPlan)) return 'is';
  const byId = asRecorded(record, await bound.find(ioOf(line, stopping, { ids: [id] })));
  const read = has(byId) ? null : ((await bound.read?.(ioOf(line, stopping), id)) ?? null);
  const isHidden = bound.reach.kind === 'object' && bound.reach.find?.latest_only === true;
  if (byPlan.length > 0 || has(byId) || read || isHidden) return 'other';
  await confirmAbsent(session, http, bound.reach, { what: record.recordId, signal: stopping });
  return 'gone';
}
