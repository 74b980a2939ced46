import { appendFileSync } from 'node:fs';
import { z } from 'zod';
import { type Kind, kinds } from './kinds.ts';

/** A world of one operation: met, or left out with the reason. */
export const row = z.object({
  op: z.string(),
  kind: z.enum(Object.keys(kinds) as [Kind, ...Kind[]]),
  world: z.string(),
  reason: z.string().nullable(),
});
export type Row = z.output<typeof row>;

const file = process.env.PILOTFISH_UNTIDY;

/** `npm run untidy` names a file: then the suites have these cases and no others, and tell there what became of each. */
export const isOnly = (): boolean => file !== undefined;

export function note(told: Row): void {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(told)}\n`);
}
