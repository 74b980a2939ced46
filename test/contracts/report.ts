import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { alike } from 'pilotfish-sandbox/kit/alike';
import type { Recorded } from 'pilotfish-sandbox/kit/record';
import { type Judgement, judgeExchange, type Problem } from './check-exchange.ts';
import { type Exemption, exemptions } from './exemptions.ts';

/** One operation of one provider. Exchanges that a description judges alike count as one. */
export interface Row {
  readonly provider: string;
  readonly operation: string;
  readonly requests: number;
  readonly answers: number;
  readonly violations: number;
  readonly exempt: number;
  /** Requests and answers of which a part could not be judged: the description leaves it open, or nobody reads that type. */
  readonly unconfirmed: number;
}

export interface Violation extends Problem {
  /** The test or program where it was seen first. */
  readonly place: string;
  readonly times: number;
}

/** What one run of the suites came to: the content of `coverage/contracts.json`. */
export interface ContractReport {
  readonly rows: readonly Row[];
  readonly violations: readonly Violation[];
  readonly exemptions: readonly { readonly name: string; readonly reason: string; readonly used: number; readonly isRare: boolean }[];
  /** Statements in the providers' descriptions that nobody could confirm. */
  readonly openQuestions: { readonly [provider: string]: number };
  /** Providers that have a recipe or an adapter, and that no suite talked to. */
  readonly silent: readonly string[];
  /** Every suite ran, but for those that are left out: only then it means something that nobody did a thing. */
  readonly isWhole: boolean;
  /** Suites that did not run, and why. */
  readonly leftOut: readonly { readonly suite: string; readonly reason: string }[];
}

export interface ReportOptions {
  readonly folder: string;
  readonly recorded: AsyncIterable<Recorded> | Iterable<Recorded>;
  /** Providers that must have been talked to. */
  readonly providers: readonly string[];
  readonly isWhole: boolean;
  readonly leftOut?: ContractReport['leftOut'];
  readonly exemptions?: readonly Exemption[];
}

/** Holds everything that was recorded against the descriptions in `folder`. */
export async function buildReport(options: ReportOptions): Promise<ContractReport> {
  const list = options.exemptions ?? exemptions;
  const rows = new Map<string, { -readonly [K in keyof Row]: Row[K] }>();
  const violations = new Map<string, { -readonly [K in keyof Violation]: Violation[K] }>();
  const used = new Map<string, number>();
  const seen = new Set<string>();
  const talked = new Set<string>();
  for await (const exchange of options.recorded) {
    const suite = suiteOfProvider.exec(exchange.place)?.[1];
    if (suite !== undefined) talked.add(suite.replaceAll('-', '_'));
    // Processes do not know of each other.
    const kind = alike(exchange);
    if (seen.has(kind)) continue;
    seen.add(kind);
    const judged = judgeExchange(exchange, options.folder, list);
    // What stands for no vendor was held against nothing: it is counted where it is exempt.
    if (!judged.exempt.some(({ problem }) => problem.at === 'description')) count(rows, judged);
    for (const { name } of new Set(judged.exempt.map(({ exemption }) => exemption))) used.set(name, (used.get(name) ?? 0) + 1);
    for (const problem of judged.problems) {
      const key = JSON.stringify(problem);
      const known = violations.get(key);
      if (known) known.times += 1;
      else violations.set(key, { ...problem, place: exchange.place, times: 1 });
    }
  }
  const described = new Set([...rows.values()].map(({ provider }) => provider));
  for (const provider of described) talked.add(provider);
  return {
    rows: [...rows.values()].sort(byName),
    violations: [...violations.values()].sort(byName),
    exemptions: list.map(({ name, reason, isRare = false }) => ({ name, reason, used: used.get(name) ?? 0, isRare })),
    openQuestions: Object.fromEntries([...described].sort().map((provider) => [provider, questionsOf(provider, options.folder)])),
    silent: options.providers.filter((provider) => !talked.has(provider)),
    isWhole: options.isWhole,
    leftOut: options.leftOut ?? [],
  };
}

/** A family or adapter is not always named like its vendor's description: `s3`, `aws-s3`. Its suite bears its name. */
const suiteOfProvider = /^test\/(?:recipes|adapters)\/([\w-]+?)(?:-lifecycle)?\.test\.ts\b/;

function count(rows: Map<string, { -readonly [K in keyof Row]: Row[K] }>, judged: Judgement): void {
  const { provider, operation } = judged;
  // Paths that no operation serves are told one by one among the violations.
  const isServed = !judged.problems
    .concat(judged.exempt.map(({ problem }) => problem))
    .some(({ at }) => at === 'path' || at === 'description');
  const name = isServed ? operation : '(not described)';
  const row = rows.get(`${provider} ${name}`) ?? {
    provider,
    operation: name,
    requests: 0,
    answers: 0,
    violations: 0,
    exempt: 0,
    unconfirmed: 0,
  };
  rows.set(`${provider} ${name}`, row);
  row.requests += 1;
  row.answers += judged.hasAnswer ? 1 : 0;
  row.violations += judged.problems.length;
  row.exempt += judged.exempt.filter(({ exemption }) => exemption.as !== 'unconfirmed').length;
  row.unconfirmed += judged.unconfirmed.length;
}

const byName = (one: { provider: string; operation: string }, other: { provider: string; operation: string }): number =>
  `${one.provider} ${one.operation}` < `${other.provider} ${other.operation}` ? -1 : 1;

function questionsOf(provider: string, folder: string): number {
  const file = join(folder, `${provider}.openapi.json`);
  if (!existsSync(file)) return 0;
  const open: unknown = Object(JSON.parse(readFileSync(file, 'utf8')))['x-unconfirmed'];
  return Array.isArray(open) ? open.length : 0;
}

/** Every line of every file at and below a folder that a run recorded to. A last line that a killed process left half written is passed over. */
export async function* readRecorded(folder: string): AsyncGenerator<Recorded> {
  for (const file of existsSync(folder) ? filesBelow(folder) : []) {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const recorded: Recorded | null = line.endsWith('}') ? JSON.parse(line) : null;
      if (recorded) yield recorded;
    }
  }
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
