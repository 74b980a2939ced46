import { door } from '../../core/door.ts';
import { checkCredentials } from '../../http/auth/check.ts';
import type { Intent, LedgerRecord } from '../../ledger/model/facts.ts';
import { decideRemoval } from '../line/ledger-lines.ts';
import type { Orphan } from '../orphan-document.ts';
import { factsOf, type Recorded } from '../prepare/recorded-lines.ts';
import type { Session } from '../session.ts';
import { storedIntent, storedRecord } from '../trust/trust.ts';
import type { Prepared } from '../types.ts';
import { type Unlooked, unlookedLines } from './unlooked.ts';

/** Orphans by identity, in the order of the ledger. */
export type Orphans = ReadonlyMap<string, Recorded>;

/**
 * Records and unfinished creates without a line. A line of the plan that this run left out, or that could not be named yet, still has its
 * record, also under an earlier id. Such a record is an orphan only once the line has another identity.
 */
export async function orphansNow(session: Session, prepared: Prepared | null): Promise<Orphans> {
  const isOrphan = orphanTest(session, prepared, await unlookedLines(session, prepared));
  return new Map([...factsOf(session)].filter(([identity, recorded]) => isOrphan(identity, recorded)));
}

function orphanTest(session: Session, prepared: Prepared | null, { identities, templates }: Unlooked) {
  const inPlan = new Set(prepared?.plan.lines.map(({ id }) => id));
  return (identity: string, { record, intent, isPast }: Recorded): boolean => {
    const fact = record ?? intent;
    // This run's own intents belong to its lines.
    if (!fact || isPast || (record === null && fact.run === session.runId)) return false;
    if (session.identities.has(identity) || identities.has(identity)) return false;
    if (record !== null && templates.has(record.template)) return false;
    return !(inPlan.has(fact.line) && !session.works.get(fact.line)?.identity);
  };
}

/**
 * Whether the run may act on the orphan: a key of this run sealed it. A run removes and forgets nothing on the word of anybody who may push.
 * An action without a credential is sealed by nobody, and left nothing at its provider. So its record is forgotten, unless a seal names the
 * file: then the record was another one.
 */
export async function isSealedOrphan({ trust }: Session, { record, intent }: Recorded): Promise<boolean> {
  if (record) {
    const stored = storedRecord(record);
    if (await trust.isSealed(stored)) return true;
    const isNothing = record.kind === 'action' && record.reach.kind === 'none' && record.objectId === '';
    return isNothing && !trust.isListed(stored.path);
  }
  return intent !== null && (await trust.isSealed(storedIntent(intent)));
}

/** The orphans of a run that does not prune. `more`: what the run says of all of them. */
export async function orphanDocs(session: Session, orphans: Orphans, more: Pick<Orphan, 'becomes'> = {}): Promise<readonly Orphan[]> {
  const docs: Orphan[] = [];
  // Such a run settles the unfinished creates of lines that are gone, and says so itself.
  for (const { record } of orphans.values()) if (record) docs.push({ ...(await standing(session, record)), ...more });
  return docs;
}

async function standing(session: Session, record: LedgerRecord): Promise<Orphan> {
  const { verdict, why } = decideRemoval(record, { record, intent: null, found: 'none' });
  const isSealed = await isSealedOrphan(session, { record, intent: null });
  const prune = door.named('prune');
  const then = verdict === 'delete' ? `${prune} removes it` : `${prune} only forgets it: ${why}`;
  return { ...orphanOf(record), verdict, why: isSealed ? `${gone}; ${then}` : whyUnsealed(session, record) };
}

/** The members of an orphan that its fact alone tells. */
export function orphanOf(fact: LedgerRecord | Intent): Omit<Orphan, 'verdict' | 'why'> {
  const { line, adapter, op, recipe, subject, key } = fact;
  const recordId = 'recordId' in fact ? fact.recordId : '';
  return { line, adapter, op, ...(recipe !== null && { recipe }), subject: subject ?? key, recordId };
}

export const gone = 'no line of the plan has it any more';

/** The reason why an unsealed orphan stays. A run without the credential that made it cannot know its seal. */
export function whyUnsealed({ env }: Session, { provider, credential }: LedgerRecord | Intent): string {
  const [unfit] = credential === 'block' ? checkCredentials(provider, env) : [];
  if (unfit) return `${gone}, and it stays: ${unfit.detail.replace(/\.$/, '')}`;
  return `${gone}, and no credential of this run sealed it; neither an apply nor a destroy acts on it until a person vouches for it`;
}
