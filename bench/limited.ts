import type { Case } from './cases.ts';
import type { Host } from './host.ts';
import type { Row } from './rows.ts';
import { rowsOf } from './rows.ts';
import { type Programs, runOnce, type Sample } from './run.ts';

/**
 * A case with a rate limit. The bare scripts know nothing of 429, so the limit is what the rate allows: the requests that `least`
 * sends without a limit, each second as many as are answered.
 */
export async function limitedRows(one: Case & { readonly rate: number }, runs: number, host: Host, programs: Programs): Promise<Row[]> {
  const free = await runOnce({ ...one, rate: null, latency: 0 }, 'least', host, programs);
  const ours: Sample[] = [];
  for (let n = 0; n < runs; n += 1) ours.push(...(await runOnce(one, 'ours', host, programs)));
  return rowsOf([...ours, ...free]).map((row) => {
    const limit = (row.limit_requests / one.rate) * 1000;
    return { ...row, find_wall_ms: null, limit_wall_ms: limit, ratio: row.wall_ms / limit };
  });
}
