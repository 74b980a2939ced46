import { Failure } from '../../core/errors.ts';
import { checkCredentials } from '../../http/auth/check.ts';
import { applyAgain } from '../command-again.ts';
import { originsOf } from '../prepare/hosts.ts';
import type { Session } from '../session.ts';
import type { Stored } from './trust.ts';

/** The command by which a person vouches for the ledger as it is. */
export const trustAgain = (session: Session): string =>
  applyAgain(session, ...(session.purpose === 'destroy' ? [['destroy'] as const] : []), [
    'trust-ledger',
    (session.writer.head ?? '').slice(0, 12),
  ]);

/**
 * Refuses a fact of the ledger that no key of this run sealed. `why`: the other evidence, which did not confirm it. The error of a missing
 * or refused credential, or of a look that failed, says more and comes first.
 */
export function unsealed(session: Session, { path, fact }: Stored, why: string): Failure {
  const { receiptsBranch } = session;
  const [unfit] = fact.credential === 'block' ? checkCredentials(fact.provider, session.env) : [];
  if (unfit) return unfit;
  const failed = session.trust.failureOf(fact.identity);
  if (failed) return new Failure(failed.code, { detail: failed.detail, fix: failed.fix });
  const secrets = fact.credential !== 'block' && 'secret' in fact.credential ? [fact.credential.secret] : [];
  const origins = originsOf({ block: fact.provider, elsewhere: [], secrets }, session.env, session.registry);
  const hosts = origins.map((origin) => new URL(origin).host);
  const names = 'objectId' in fact && fact.objectId !== '' ? `${fact.key} (${fact.objectId})` : fact.key;
  return new Failure('LEDGER_UNSEALED', {
    detail: `${path} on ${receiptsBranch} names ${names}${hosts.length > 0 ? ` at ${hosts.join(' and ')}` : ''}, and no credential of this run sealed it. ${why} Nothing was sent on its word.`,
    fix: `Run with the credential that made it. If a person has looked and it is this scope's, run ${trustAgain(session)}.`,
  });
}
