import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { optionsOf } from '../scripts/options.ts';
import { root } from '../scripts/tasks.ts';
import { plainBareScripts } from './bare.ts';
import { boundsOf } from './bounds.ts';
import { cases } from './cases.ts';
import { startHost } from './host.ts';
import { limitedRows } from './limited.ts';
import { phases } from './phase.ts';
import { type Row, rowsOf } from './rows.ts';
import { runOnce, type Sample, sidesOf } from './run.ts';
import { startRows } from './start.ts';
import { disturbance, tableOf } from './table.ts';
import { warmed } from './warm.ts';

const start = 'start';
const usage = `npm run bench -- [--case 200] [--runs 5] [--latency 50] [--json] [--assert] [--program dist/pilotfish.js]

  --case     only this one, repeatable: ${[...cases.map(({ name }) => name), start].join(', ')}
  --runs     how often each side does each case; an odd number makes the median a run that was
  --until    the last phase that is done: ${phases.join(', ')}
  --latency  milliseconds a request, in place of the case's own
  --json     one document on stdout:
             { cases: [{ name, phase, wall_ms, cpu_ms, rss_mb, requests, reads, writes, bytes, pushes, limit_wall_ms, ratio }] }
  --assert   exit 1 when a bound of counts does not hold; bounds of time are printed, held or not
  --program  another build of the command`;

/**
 * Measures the built program beside two bare scripts, `find` and `least` (bench/bare), in turn, against one local server, and prints
 * a row for each phase of each case, then each bound that was promised: held or not, and by which figures.
 *
 * In the document of --json all figures are medians over the runs: `wall_ms`, `cpu_ms` (user and system) and `rss_mb` of our process,
 * `requests` as the server counted them, refused ones included, `bytes` of their bodies, `pushes` of the ledger, `limit_wall_ms` the wall of `least`, and
 * `ratio` = `wall_ms` / `limit_wall_ms`. Of `start`, the best of the runs, and the limit is `node -e 0`. Of a case with a rate limit,
 * the limit is what the rate allows for the requests of `least`. `find_wall_ms` stands beside them where `find` was run.
 */
async function main(): Promise<number> {
  const { values } = optionsOf(usage, {
    options: {
      case: { type: 'string', multiple: true, default: [] },
      runs: { type: 'string' },
      latency: { type: 'string' },
      until: { type: 'string' },
      json: { type: 'boolean', default: false },
      assert: { type: 'boolean', default: false },
      program: { type: 'string', default: join(root, 'dist/pilotfish.js') },
    },
  });
  const names = [...cases.map(({ name }) => name), start];
  const unknown = values.case.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no case ${unknown.join(', ')}.\n\n${usage}`);
    return 2;
  }
  if (!existsSync(values.program)) throw new Error(`${values.program} is missing: build it first`);
  const until = phases.find((phase) => phase === values.until);
  if (values.until !== undefined && until === undefined) throw new Error(`There is no phase ${values.until}: ${phases.join(', ')}.`);
  const isAsked = (name: string): boolean => values.case.length === 0 || values.case.includes(name);
  const say = (words: string): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${words}`);
  };

  const compiled = await mkdtemp(join(tmpdir(), 'pilotfish-bench-compiled-'));
  const host = await startHost();
  const rows: Row[] = [];
  try {
    const all = { ours: values.program, ...(await plainBareScripts()), compiled };
    for (const each of cases.filter(({ name }) => isAsked(name))) {
      const one = { ...each, until: until ?? each.until, ...(values.latency !== undefined && { latency: Number(values.latency) }) };
      const runs = values.runs === undefined ? one.runs : Number(values.runs);
      say(`${one.name}  without a figure`);
      const programs = await warmed(one, host, all);
      if (one.rate !== null) {
        rows.push(...(await limitedRows({ ...one, rate: one.rate }, runs, host, programs)));
        continue;
      }
      const samples: Sample[] = [];
      for (let n = 0; n < runs; n += 1) {
        for (const side of sidesOf(one)) {
          say(`${one.name}  ${n + 1} of ${runs}  ${side}`);
          samples.push(...(await runOnce(one, side, host, programs)));
        }
      }
      rows.push(...rowsOf(samples));
    }
    if (isAsked(start)) rows.push(...(await startRows(values.runs === undefined ? 5 : Number(values.runs), host, all)));
  } finally {
    say('');
    await host.stop();
    await rm(compiled, { recursive: true, force: true });
  }

  const bounds = boundsOf(rows).filter(({ isHeld }) => isHeld !== null);
  if (values.json) console.log(JSON.stringify({ cases: rows.map(caseOf) }, null, 2));
  else {
    console.log(tableOf(rows));
    const busy = disturbance(rows);
    if (busy !== null) console.log(`\n${busy}`);
    console.log(`\n${bounds.map(({ says, isHeld, figures }) => `${isHeld ? 'held    ' : 'NOT HELD'}  ${says}: ${figures}`).join('\n')}`);
    for (const kind of ['time', 'counts'] as const) {
      const those = bounds.filter(({ of }) => of === kind);
      console.log(`${those.filter(({ isHeld }) => isHeld).length} of ${those.length} bounds of ${kind} hold`);
    }
  }
  return values.assert && bounds.some(({ of, isHeld }) => of === 'counts' && !isHeld) ? 1 : 0;
}

function caseOf({ name, phase, requests, reads, writes, bytes, pushes, ...row }: Row) {
  const [wall_ms, cpu_ms, rss_mb, limit_wall_ms] = [row.wall_ms, row.cpu_ms, row.rss_mb, row.limit_wall_ms].map(tenths);
  const find = row.find_wall_ms === null ? {} : { find_wall_ms: tenths(row.find_wall_ms) };
  return {
    name,
    phase,
    wall_ms,
    cpu_ms,
    rss_mb,
    requests,
    reads,
    writes,
    bytes,
    pushes,
    limit_wall_ms,
    ratio: Number(row.ratio.toFixed(3)),
    ...find,
  };
}

const tenths = (value: number): number => Number(value.toFixed(1));

process.exitCode = await main();
