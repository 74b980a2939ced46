import { here } from './machine.ts';

/** In place of `src/platform/ancestry.ts`: the history of the job's repository, which its checkout has as a whole. */
export const isAncestor = async (_where: unknown, older: string, newer: string): Promise<boolean> => here().isAncestor(older, newer);
