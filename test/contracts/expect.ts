import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Exchange, Simulation } from 'pilotfish-sandbox/kit/types';
import { judgeExchange, type Problem, showProblem } from './check-exchange.ts';

const checked = new WeakSet<Exchange>();
let hasToldOfSkip = false;

/**
 * Throws when anything that went through these simulations since the last call is not what the vendors' descriptions say;
 * for an `afterEach`. Without `PILOTFISH_CONTRACTS` nothing can be checked: that is printed once per test file.
 */
export function expectContracts(simulations: readonly Pick<Simulation, 'exchanges'>[], folder = contractsFolder()): void {
  if (folder === null) {
    if (!hasToldOfSkip) console.info(skipReason);
    hasToldOfSkip = true;
    return;
  }
  const fresh = simulations.flatMap(({ exchanges }) => exchanges).filter((exchange) => !checked.has(exchange));
  for (const exchange of fresh) checked.add(exchange);
  const lines = new Set(fresh.flatMap((exchange): readonly Problem[] => judgeExchange(exchange, folder).problems).map(showProblem));
  if (lines.size > 0) throw new Error(`Not what the providers' descriptions say:\n${[...lines].join('\n')}`);
}

export const skipReason = 'contract check skipped: PILOTFISH_CONTRACTS names no folder of <provider>.openapi.json files';

/** The folder of `<provider>.openapi.json` files, `null` where none is given. A folder that is given and absent is a mistake, not a reason to skip. */
export function contractsFolder(env: NodeJS.ProcessEnv = process.env): string | null {
  const given = env.PILOTFISH_CONTRACTS;
  if (given === undefined || given === '') return null;
  const folder = resolve(given);
  if (!existsSync(folder)) throw new Error(`PILOTFISH_CONTRACTS names ${folder}, which does not exist`);
  return folder;
}
