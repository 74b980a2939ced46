import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { neverShown } from '../test/support/suite/never-shown.ts';
import { optionsOf } from './options.ts';
import { run } from './tasks.ts';

const usage = `npm run untidy -- [--json]

Takes every operation through each way in which providers show what they were sent: made once, written when needed alone, put back, taken
away. --json prints { ops, worlds, failures, skipped } and nothing else.`;

/** Vitest's own report, as far as it is read here. */
const assertion = z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() });
const report = z.object({ testResults: z.array(z.object({ assertionResults: z.array(assertion) })) });

/** Runs the cases of `test/support/suite/untidy.ts` of every suite, and the worlds of `test/untidy`. Exit 1 when one fails. */
async function main(): Promise<number> {
  const { values } = optionsOf(usage, { options: { json: { type: 'boolean', default: false } } });
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-untidy-'));
  try {
    const results = [];
    for (const [n, which] of [['test/recipes', 'test/adapters', '-t', 'untidy: '], ['test/untidy']].entries()) {
      const told = join(folder, `${n}.json`);
      const args = ['run', ...which, '--reporter=json', `--outputFile=${told}`];
      const { code, output } = await run('vitest', args, { env: { PILOTFISH_UNTIDY: 'only' } });
      const { testResults } = report.parse(JSON.parse(await readFile(told, 'utf8')));
      results.push(...testResults.flatMap(({ assertionResults }) => assertionResults));
      if (code !== 0 && !results.some(({ status }) => status === 'failed'))
        throw new Error(`the suites did not run:\n${output.slice(-4_000)}`);
    }
    const found = countOf(results);
    if (values.json) console.log(JSON.stringify(found));
    else {
      for (const { op, kind, reason } of found.skipped) console.log(`skipped: ${op}, ${kind}: ${reason}`);
      for (const name of found.failed) console.log(`FAILED: ${name}`);
      console.log(`${found.ops} operations, ${found.worlds} worlds, ${found.failures} failures, ${found.skipped.length} skipped`);
    }
    return found.failures === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function countOf(assertions: readonly z.output<typeof assertion>[]) {
  const ops = new Set<string>();
  const failed: string[] = [];
  const skipped: { op: string; kind: string; reason: string }[] = [];
  let worlds = 0;
  for (const { ancestorTitles, title, status } of assertions) {
    const [op = ''] = ancestorTitles;
    const left = /^(untidy: .*) \(skipped: (.*)\)$/s.exec(title);
    if (/^[\w-]+\.\w+$/.test(op) && (title.startsWith('untidy: ') || left)) ops.add(op);
    if (left) skipped.push({ op, kind: left[1] ?? '', reason: left[2] ?? '' });
    // The report has no reason of a case that ended on its way; there is one.
    else if (title.startsWith('untidy: ') && status === 'skipped') skipped.push({ op, kind: title, reason: neverShown });
    else if (status === 'failed') failed.push([...ancestorTitles, title].join(' > '));
    if (!left && (status === 'passed' || status === 'failed')) worlds += 1;
  }
  return { ops: ops.size, worlds, failures: failed.length, failed, skipped };
}

process.exitCode = await main();
