/** Short, so that a hundred dead holders are waited out within minutes. Every process gets them, and the summary prints them. */
export const terms = { leaseMs: 4_500, deadlineMs: 1_500 } as const;

export const termsEnv = {
  PILOTFISH_LEASE_MS: String(terms.leaseMs),
  PILOTFISH_REQUEST_DEADLINE_MS: String(terms.deadlineMs),
} as const;
