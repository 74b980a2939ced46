import { expect as realExpect, vi as realVi } from 'vitest';
import { once } from '../../../src/core/once.ts';

/** A test as it was written, with the hooks of its file. */
export interface Collected {
  readonly file: string;
  /** The names of the suites around it, then its own. */
  readonly titles: readonly string[];
  run(): Promise<void>;
}

export const collected: Collected[] = [];

type Work = (...given: readonly unknown[]) => unknown;
interface Place {
  readonly file: string;
  readonly titles: readonly string[];
  readonly before: Work[];
  readonly after: Work[];
}

let place: Place = { file: '', titles: [], before: [], after: [] };
let finishing: Work[] = [];

/** Collects the following tests for this file. */
export function beginFile(file: string): void {
  place = { file, titles: [], before: [], after: [] };
}

/** Is thrown by a test that finds out during its run that it does not apply. */
class Skipped extends Error {}

/** The context that vitest gives a test. No test here needs more of it. */
const context = {
  skip: (reason: string): never => {
    throw new Skipped(reason);
  },
};

function test(name: string, work: Work, given: readonly unknown[] = []): void {
  const { file, titles, before, after } = place;
  const run = async (): Promise<void> => {
    finishing = [];
    try {
      for (const one of before) await one();
      await work(...given, context);
    } catch (thrown) {
      if (!(thrown instanceof Skipped)) throw thrown;
    } finally {
      for (const one of [...finishing.reverse(), ...after]) await one();
    }
  };
  collected.push({ file, titles: [...titles, name], run });
}

function group(name: string, work: Work, given: readonly unknown[] = []): void {
  const outer = place;
  place = { ...outer, titles: [...outer.titles, name], before: [...outer.before], after: [...outer.after] };
  work(...given);
  place = outer;
}

type Each = (rows: readonly unknown[]) => (name: string, work: Work) => void;
const each =
  (make: typeof test): Each =>
  (rows) =>
  (name, work) => {
    for (const row of rows) make(name, work, Array.isArray(row) ? row : [row]);
  };
const nothing = (): void => undefined;
const forms = (make: typeof test) =>
  Object.assign((name: string, work: Work) => make(name, work), { each: each(make), skip: nothing, skipIf: () => nothing });

export const it = forms(test);
export { it as test };
export const describe = forms(group);
export const beforeEach = (work: Work): number => place.before.push(work);
export const afterEach = (work: Work): number => place.after.unshift(work);
export const beforeAll = (work: Work): number => place.before.push(once(work));
/** The tests of a file go on until the process ends. */
export const afterAll = nothing;
export const onTestFinished = (work: Work): number => finishing.push(work);
export const expect = realExpect;
export const vi = realVi;
