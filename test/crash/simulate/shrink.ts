import { shrinkTo } from '../../support/shrink.ts';
import { without } from './plans.ts';
import type { Scenario } from './scenario.ts';
import { simulateSeed } from './seed.ts';

/** The smallest part of a failing scenario that still fails: runs, edits, plan lines and weather go one by one. */
export const shrink = (failing: Scenario): Promise<Scenario> =>
  shrinkTo(failing, { smaller, shapeOf: async (one) => shapeOf(await simulateSeed(one)), mostTries: 250 });

/** The first breach without its names and numbers. */
const shapeOf = ({ breaches }: { readonly breaches: readonly string[] }): string =>
  breaches[0]?.slice(0, 80).replace(/\S*\d\S*|(GET|PUT|POST|PATCH|DELETE) \S+/g, '…') ?? '';

function* smaller(scenario: Scenario): Iterable<Scenario> {
  if (scenario.weather > 0) yield { ...scenario, weather: 0 };
  for (let i = scenario.runs.length - 1; i >= 0; i -= 1)
    if (scenario.runs.length > 1) yield { ...scenario, runs: scenario.runs.toSpliced(i, 1) };
  if (scenario.edits.length > 0) yield { ...scenario, edits: [] };
  for (let i = 0; i < scenario.edits.length; i += 1) yield { ...scenario, edits: scenario.edits.toSpliced(i, 1) };
  for (const [i, run] of scenario.runs.entries()) if (run.fate) yield { ...scenario, runs: scenario.runs.with(i, { ...run, fate: null }) };
  for (const id of new Set(scenario.plans.flat().map((line) => line.id))) {
    const plans = scenario.plans.map((lines) => without(lines, id));
    if (plans.every((lines) => lines.length > 0)) yield { ...scenario, plans };
  }
  for (const [i, run] of scenario.runs.entries())
    if (run.prune) yield { ...scenario, runs: scenario.runs.with(i, { ...run, prune: false }) };
  for (const [i, run] of scenario.runs.entries())
    if (run.skew !== 0) yield { ...scenario, runs: scenario.runs.with(i, { ...run, skew: 0 }) };
}
