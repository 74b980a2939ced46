import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRegistry } from '../../src/engine/prepare/registry.ts';
import { readSubjects } from '../../src/recipes/subjects.ts';
import { judgeExchange, showProblem } from '../../test/contracts/check-exchange.ts';
import { readRecorded } from '../../test/contracts/report.ts';
import { root, run } from '../tasks.ts';
import { specified } from './specified.ts';

/** One recipe or built-in operation, with the result of its suite. */
export interface CatalogueOp {
  readonly id: string;
  /** Its name in the specification. */
  readonly alias: string | null;
  /** `resource`, `list_item` or `action`; for built-in operations `object`, `item`, `action` or `wait`. */
  readonly kind: string;
  readonly suite: 'pass' | 'fail' | 'missing';
  readonly passed: number;
  readonly skipped: number;
  /** `pass`, or the number of violations. `unconfirmed: …` names the parts of requests and answers that the description leaves open. */
  readonly contract: string;
  /** The kinds of requests and answers that were compared with the description. */
  readonly requests: number;
  readonly answers: number;
  /**
   * The kinds of refusals that the description does not list, or shows without a body. Vendors list few refusals, so they are simulated all
   * the same.
   */
  readonly unlisted: number;
}

export interface Catalogue {
  readonly families: number;
  readonly adapters: number;
  readonly ops: readonly CatalogueOp[];
  /** The operations of the specification that do not exist here. */
  readonly absent: readonly string[];
  readonly violations: readonly string[];
}

export const catalogueFile: string = join(root, 'coverage/catalogue.json');

/** The counts of one suite. */
interface Sums {
  requests: number;
  answers: number;
  readonly problems: string[];
  readonly open: Set<string>;
  readonly unlisted: Set<string>;
}

interface TestRun {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly ancestorTitles: readonly string[]; readonly status: string }[];
  }[];
}

/**
 * Runs the suite of every recipe and built-in operation, compares its requests and answers with the descriptions, and writes the result.
 */
export async function runCatalogue(descriptions: string): Promise<Catalogue> {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-catalogue-'));
  try {
    const file = join(folder, 'tests.json');
    const recorded = join(folder, 'recorded');
    const env = { PILOTFISH_CONTRACTS: descriptions, PILOTFISH_CONTRACTS_RECORD: recorded, PILOTFISH_CONTRACTS_BY_SUITE: '1' };
    await run('vitest', ['run', 'test/recipes', 'lifecycle.test', '--reporter=json', `--outputFile.json=${file}`], { env });
    const tests: TestRun = JSON.parse(await readFile(file, 'utf8'));
    const catalogue = await buildCatalogue({ tests, recorded, descriptions });
    await mkdir(join(root, 'coverage'), { recursive: true });
    await writeFile(catalogueFile, `${JSON.stringify(catalogue, null, 2)}\n`);
    return catalogue;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function buildCatalogue(o: {
  readonly tests: TestRun;
  readonly recorded: string;
  readonly descriptions: string;
}): Promise<Catalogue> {
  const subjects = await readSubjects(await openRegistry({ env: {}, cwd: root }));
  const seen = new Map<string, Sums>();
  for await (const exchange of readRecorded(o.recorded)) {
    const suite = exchange.suite ?? '';
    const sums = seen.get(suite) ?? { requests: 0, answers: 0, problems: [], open: new Set(), unlisted: new Set() };
    seen.set(suite, sums);
    const judged = judgeExchange(exchange, o.descriptions);
    sums.requests += 1;
    sums.answers += judged.hasAnswer ? 1 : 0;
    sums.problems.push(...judged.problems.map(showProblem));
    for (const what of judged.unconfirmed) {
      const isRefusal = exchange.status >= 300 && what.startsWith(`answer ${exchange.status}:`);
      (isRefusal ? sums.unlisted : sums.open).add(`${judged.operation}: ${what}`);
    }
  }
  const aliases = new Map(Object.entries(specified).map(([alias, id]) => [id, alias]));
  const results = o.tests.testResults.flatMap(({ assertionResults }) => assertionResults);
  const ops = subjects.flatMap(({ name, ops: known }) =>
    known.map(({ name: opName, op }): CatalogueOp => {
      const id = `${name}.${opName}`;
      const own = results.filter(({ ancestorTitles }) => ancestorTitles.includes(id));
      const passed = own.filter(({ status }) => status === 'passed').length;
      const failed = own.filter(({ status }) => status === 'failed').length;
      const { requests = 0, answers = 0, problems = [], open = new Set<string>(), unlisted = new Set<string>() } = seen.get(id) ?? {};
      return {
        id,
        alias: aliases.get(id) ?? null,
        kind: op.kind,
        suite: passed + failed === 0 ? 'missing' : failed > 0 ? 'fail' : 'pass',
        passed,
        skipped: own.length - passed - failed,
        contract: contractOf(requests, problems, [...open]),
        requests,
        answers,
        unlisted: unlisted.size,
      };
    }),
  );
  const ids = new Set(ops.map(({ id }) => id));
  return {
    families: subjects.filter(({ kind }) => kind === 'recipe').length,
    adapters: subjects.filter(({ kind }) => kind === 'adapter').length,
    ops,
    absent: Object.values(specified).filter((id) => !ids.has(id)),
    violations: [...seen.values()].flatMap(({ problems }) => problems),
  };
}

function contractOf(requests: number, problems: readonly string[], open: readonly string[]): string {
  if (problems.length > 0) return `violations: ${problems.length}`;
  if (requests === 0) return 'nothing was sent';
  return open.length > 0 ? `unconfirmed: ${open.join('; ')}` : 'pass';
}
