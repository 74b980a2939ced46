import { measured, type Used } from './child.ts';
import { openFolder } from './folder.ts';
import type { Host } from './host.ts';
import type { Row } from './rows.ts';
import type { Programs } from './run.ts';
import { independent } from './wants.ts';

/**
 * What a start costs: `--version`, and `plan` of three lines at a server without latency, each beside `node -e 0` in turn. The best of
 * several, since a start has a floor and everything else is noise.
 */
export async function startRows(runs: number, host: Host, { ours, compiled }: Programs): Promise<Row[]> {
  const one = { wanted: independent(3), ledger: 'local', concurrency: null, credentials: 1 } as const;
  await host.reset({ wanted: one.wanted, latency: 0, rate: null });
  const folder = await openFolder(one, host.base, compiled);
  const at = { cwd: folder.path, env: folder.env };
  const programs = { node: ['-e', '0'], version: [ours, '--version'], plan: [ours, 'plan', '--scope', 'pr-1'] };
  const best = new Map<string, Used>();
  let requests = 0;
  try {
    await measured(programs.plan, at);
    for (let n = 0; n < runs; n += 1) {
      for (const [name, args] of Object.entries(programs)) {
        await host.ask('counters');
        const used = await measured(args, at);
        if (name === 'plan') requests = (await host.ask('counters')).reads;
        const known = best.get(name);
        if (!known || used.wall_ms < known.wall_ms) best.set(name, used);
      }
    }
  } finally {
    await folder.remove();
  }
  const limit = best.get('node')?.wall_ms ?? Number.NaN;
  return (['version', 'plan'] as const).flatMap((name) => {
    const used = best.get(name);
    if (!used) return [];
    const { wall_ms, cpu_ms, rss_mb, waited_ms } = used;
    const reads = name === 'plan' ? requests : 0;
    const none = { writes: 0, refused: 0, bytes: 0, pushes: 0, limit_requests: 0, find_wall_ms: null, local_wall_ms: null };
    return {
      name: name === 'plan' ? startOfPlan : startOfVersion,
      phase: 'start' as const,
      ...{ wall_ms, cpu_ms, rss_mb, waited_ms, reads, requests: reads, ...none },
      limit_wall_ms: limit,
      ratio: wall_ms / limit,
    };
  });
}

export const startOfVersion = '--version';
export const startOfPlan = 'plan-3';
