import './hooks.ts';
import { listenToExchanges } from 'pilotfish-sandbox/kit/recorder';
import { loadFamily } from '../../../src/recipes/load.ts';
import { type Family, familySchema } from '../../../src/recipes/schema.ts';
import type { Collected } from './collected.ts';
import { listen, put } from './families.ts';
import { forgetLedgers } from './ledger.ts';
import type { Mutant } from './mutants.ts';
import { collect } from './suite.ts';

export type Verdict = { readonly by: 'loader' | 'nobody' } | { readonly by: 'test'; readonly test: string };

/** A test of the recipes, with the operations whose lines it makes. */
interface Judge {
  readonly name: string;
  readonly run: () => Promise<void>;
  readonly ops: ReadonlySet<string>;
  readonly record: Record;
  /** The test passed without a mutant. */
  isTrusted: boolean;
}

/** The mutants that a case noticed so far, for any operation, and the time that it took. */
interface Record {
  kills: number;
  runs: number;
  ms: number;
}

/** A test without a mutant sends far fewer requests, and takes far less time. A mutant may send requests without end. */
const mostRequests = 3000;
const longestMs = 60_000;

let requests = 0;
listenToExchanges(() => {
  requests += 1;
  if (requests > mostRequests) throw new Error('asked in a circle');
});

/**
 * Prepares the tests of these families to judge their mutants. Throws if a family itself is refused, because each mutant would be refused
 * too.
 */
export async function openJudge(families: ReadonlySet<string>) {
  for (const name of families) {
    const { error } = familySchema.safeParse(JSON.parse(JSON.stringify(await loadFamily(name))));
    if (error) throw new Error(`${name} is refused without a mutant: ${error.message}`);
  }
  const all = await judgesOf(await collect(families));
  return async ({ family, op, make }: Pick<Mutant, 'family' | 'op' | 'make'>): Promise<Verdict> => {
    const read = familySchema.safeParse(make());
    if (!read.success) return { by: 'loader' };
    const own = all.filter(({ ops }) =>
      op === null ? [...ops].some((name) => name.startsWith(`${family}.`)) : ops.has(`${family}.${op}`),
    );
    if (own.length === 0) throw new Error(`No test makes a line of ${family}.${op ?? '*'}.`);
    return await judged(read.data, own.sort(byPromise));
  };
}

/** The judges of this process. It judges one family after the other, and loads tests of several families once. */
const judges = new Map<Collected, Judge>();
const records = new Map<string, Record>();

/** The suite names the operation of each of its cases. Every other test runs once without a mutant, which shows its operations. */
async function judgesOf(tests: readonly Collected[]): Promise<readonly Judge[]> {
  for (const test of tests) {
    if (judges.has(test)) continue;
    const { file, titles, run } = test;
    const [op = '', says = op] = titles;
    const isCase = titles.length === 2 && /^[a-z0-9_]+\.[a-z0-9_]+$/.test(op);
    const ops = isCase ? new Set([op]) : await opsOf(run);
    const kind = isCase ? says.replace(/^[\w/.-]+ that|^another [\w/.-]+/, '') : `${file}: ${titles.join(' > ')}`;
    const record = records.get(kind) ?? { kills: 0, runs: 0, ms: 0 };
    records.set(kind, record);
    judges.set(test, { name: `${file}: ${titles.join(' > ')}`, run, ops, record, isTrusted: !isCase });
  }
  return [...judges.values()];
}

async function opsOf(run: () => Promise<void>): Promise<ReadonlySet<string>> {
  const ops = new Set<string>();
  listen((family, op) => ops.add(`${family}.${op}`));
  const error = await failureOf(run);
  listen(null);
  if (error !== null) throw new Error(`A test fails without a mutant: ${error}`);
  return ops;
}

/** Sorts judges by the mutants that they noticed per time, the best first. */
const byPromise = (a: Judge, b: Judge): number => promise(b.record) - promise(a.record);
const promise = ({ kills, runs, ms }: Record): number => (kills + 1) / (runs + 4) / ((ms + 200) / (runs + 4));

async function judged(family: Family, judges: readonly Judge[]): Promise<Verdict> {
  for (const judge of judges) {
    const { record } = judge;
    put(family);
    const began = performance.now();
    const error = await failureOf(judge.run);
    record.ms += performance.now() - began;
    record.runs += 1;
    put(null);
    if (error === null) continue;
    if (!judge.isTrusted) {
      const plain = await failureOf(judge.run);
      if (plain !== null) throw new Error(`${judge.name} fails without a mutant: ${plain}`);
      judge.isTrusted = true;
    }
    record.kills += 1;
    return { by: 'test', test: judge.name };
  }
  return { by: 'nobody' };
}

async function failureOf(run: () => Promise<void>): Promise<string | null> {
  requests = 0;
  const limit = Promise.withResolvers<string>();
  const timer = setTimeout(() => limit.resolve('it takes too long'), longestMs);
  const ended = run().then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const error = await Promise.race([ended, limit.promise]);
  clearTimeout(timer);
  forgetLedgers();
  return error;
}
