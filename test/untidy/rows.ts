import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { type Kind, kinds } from '../support/untidy/kinds.ts';

const about = { provider: z.string().min(1), row: z.string().min(1), kind: z.enum(Object.keys(kinds) as [Kind, ...Kind[]]) };

/** What is known of one provider: the case that holds it, or the reason why there is none. */
const row = z.union([
  z.strictObject({ ...about, case: z.string().regex(/^\S+\.ts > .+$/s, 'a case is "<test file> > <title>"') }),
  z.strictObject({ ...about, reason: z.string().min(10) }),
]);
export type Row = z.output<typeof row>;

/** The rows of a file; throws with the place of each mistake. */
export const rowsIn = (written: unknown): readonly Row[] => z.array(row).min(1).parse(written);

export const readRows = async (): Promise<readonly Row[]> => rowsIn(parse(await readFile(join(import.meta.dirname, 'rows.yaml'), 'utf8')));
