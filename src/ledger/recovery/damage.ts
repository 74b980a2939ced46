import { Failure } from '../../core/errors.ts';

/** The ledger was read and cannot be used: an answer, as opposed to a ledger that could not be reached. */
export const isLedgerDamage = (thrown: unknown): thrown is Failure =>
  thrown instanceof Failure && (thrown.code === 'LEDGER_CORRUPT' || thrown.code === 'LEDGER_VERSION');
