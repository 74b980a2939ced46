/** What is measured of a case, in the order in which it is done. */
export const phases = ['plan', 'first apply', 'unchanged apply', 'drifted apply', 'destroy'] as const;
export type Phase = (typeof phases)[number];
