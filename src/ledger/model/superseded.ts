import type { LedgerRecord, Superseded } from './facts.ts';

/** The object of a record as one that a newer object replaces. */
export const asSuperseded = ({ recordId, objectId, reach, birth }: LedgerRecord): Superseded => ({
  recordId,
  objectId,
  reach,
  ...(birth && { birth }),
});
