/** For credentials that seal nothing themselves: tokens that a command prints, session keys, and APIs without one. */
export const ledgerKey = { PILOTFISH_LEDGER_KEY: 'ledger-key-of-the-tests-0123456789abcdef' };
