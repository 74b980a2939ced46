import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Kind, kinds } from '../test/support/untidy/kinds.ts';
import { row } from '../test/support/untidy/report.ts';
import { readRows } from '../test/untidy/rows.ts';
import { optionsOf } from './options.ts';
import { run } from './tasks.ts';
import { allOperations } from './untidy/operations.ts';

const usage = `npm run untidy -- [--json]

Runs every operation against each way in which a provider returns other values than it was sent: the object is made once, written only
when needed, put back after drift, and removed. --json prints { ops, kinds, worlds, failures, failed, skipped, rows } and nothing else.`;

/** The part of Vitest's report that is read here. */
const assertion = z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() });
const report = z.object({ testResults: z.array(z.object({ message: z.string(), assertionResults: z.array(assertion) })) });

type Told = z.output<typeof row>;
type Assertion = z.output<typeof assertion>;

/**
 * Runs the worlds of `test/support/untidy` with every suite, and `test/untidy`. Exits with 1 when one fails, or when an operation met none.
 */
async function main(): Promise<number> {
  const { values } = optionsOf(usage, { options: { json: { type: 'boolean', default: false } } });
  const found = countOf(await tell(), await allOperations());
  const rows = await rowCounts();
  if (values.json) console.log(JSON.stringify({ ...found, rows }));
  else {
    for (const { op, kind, reason } of found.skipped) console.log(`skipped: ${op}, ${kind}: ${reason}`);
    for (const { provider, row: of, reason } of rows.reasons) console.log(`no case: ${provider}, ${of}: ${reason}`);
    for (const name of found.failed) console.log(`FAILED: ${name}`);
    const { ops, worlds, failures, skipped } = found;
    console.log(`${ops} operations, ${found.kinds} kinds, ${worlds} worlds, ${failures} failures, ${skipped.length} skipped`);
  }
  return found.failures === 0 ? 0 : 1;
}

/** Runs the suites. Returns their report on each world, and vitest's result of each test. */
async function tell(): Promise<{ readonly told: readonly Told[]; readonly tests: readonly Assertion[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-untidy-'));
  const [told, tests] = [join(folder, 'worlds.jsonl'), join(folder, 'vitest.json')];
  try {
    const args = ['run', 'test/recipes', 'test/adapters', 'test/untidy', '-t', 'untidy: ', '--reporter=json', `--outputFile=${tests}`];
    const { code, output } = await run('vitest', args, { env: { PILOTFISH_UNTIDY: told } });
    const { testResults } = report.parse(JSON.parse(await readFile(tests, 'utf8')));
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    const broken = testResults.filter(({ message, assertionResults }) => message !== '' && assertionResults.length === 0);
    if (broken.length > 0 || (code !== 0 && !results.some(({ status }) => status === 'failed')))
      throw new Error(`the suites did not run:\n${broken.map(({ message }) => message).join('\n')}\n${output.slice(-4_000)}`);
    const lines = (await readFile(told, 'utf8')).split('\n').filter((line) => line !== '');
    return { told: lines.map((line) => row.parse(JSON.parse(line))), tests: results };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Counts the results. A kind counts as met if an operation met it in one world. An operation without such a suite is a failure. */
function countOf({ told, tests }: Awaited<ReturnType<typeof tell>>, operations: readonly string[]) {
  const known = told.filter(({ op }) => operations.includes(op));
  const met = new Set(known.filter(({ reason }) => reason === null).map(({ op, kind }) => `${op} ${kind}`));
  const failing = tests
    .filter(({ status }) => status === 'failed')
    .map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(' > '));
  const unheard = operations.filter((op) => !known.some((one) => one.op === op));
  const failed = [...failing, ...unheard.map((op) => `${op}: no suite runs it in these worlds`)];
  const left = operations.flatMap((op) =>
    (Object.keys(kinds) as Kind[]).flatMap((kind) => {
      const of = known.filter((one) => one.op === op && one.kind === kind);
      if (of.length === 0 || met.has(`${op} ${kind}`) || failing.some((name) => name.startsWith(`${op} > untidy: ${kind},`))) return [];
      return [{ op, kind, reason: [...new Set(of.flatMap(({ reason }) => reason ?? []))].join('; ') }];
    }),
  );
  return {
    ops: operations.length - unheard.length,
    kinds: new Set(known.filter(({ reason }) => reason === null).map(({ kind }) => kind)).size,
    worlds: tests.filter(({ status, title, ancestorTitles }) => isWorld(title, ancestorTitles) && ['passed', 'failed'].includes(status))
      .length,
    failures: failed.length,
    failed,
    skipped: left,
  };
}

/** Tells whether a test is one of a world: with `-t` the report also has the other tests of a file. */
const isWorld = (title: string, ancestors: readonly string[]): boolean => [...ancestors, title].some((name) => name.startsWith('untidy: '));

async function rowCounts() {
  const rows = await readRows();
  return {
    cases: rows.filter((one) => 'case' in one).length,
    reasons: rows.flatMap((one) => ('reason' in one ? [{ provider: one.provider, row: one.row, reason: one.reason }] : [])),
  };
}

process.exitCode = await main();
