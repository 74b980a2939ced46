import { join } from 'node:path';
import type { Case } from './cases.ts';
import type { Host } from './host.ts';
import { type Programs, runOnce } from './run.ts';
import { independent } from './wants.ts';
import { sizeOf } from './wish.ts';

/**
 * The programs with a folder of this case's own for what Node compiled, and in it what a run of such a plan leaves there: a person applies
 * one plan again and again. Of thousands of lines, twenty call the same.
 */
export async function warmed(one: Case, host: Host, programs: Programs): Promise<Programs> {
  const own = { ...programs, compiled: join(programs.compiled, one.name) };
  const wanted = sizeOf(one.wanted) > 1000 ? independent(20) : one.wanted;
  await runOnce({ ...one, wanted, latency: 0, rate: null }, 'ours', host, own);
  return own;
}
