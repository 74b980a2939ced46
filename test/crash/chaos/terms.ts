/**
 * Short for a run that a signal may meet, so that a hundred dead holders are waited out within minutes. The runs that put things
 * right hold longer, so that a busy machine does not make them lose what they hold. The summary's first line prints them.
 */
export const terms = { leaseMs: 4_500, calmLeaseMs: 15_000, deadlineMs: 1_500 } as const;

export const termsEnv = (isCut: boolean): Readonly<Record<string, string>> => ({
  PILOTFISH_LEASE_MS: String(isCut ? terms.leaseMs : terms.calmLeaseMs),
  PILOTFISH_REQUEST_DEADLINE_MS: String(terms.deadlineMs),
});
