import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { alike } from './alike.ts';
import type { Exchange } from './types.ts';

/** An exchange, and the test or program that it was seen in. */
export interface Recorded extends Exchange {
  readonly place: string;
  /** The suite that it belongs to, where each suite counts for itself. */
  readonly suite?: string;
}

const seen = new Set<string>();

/**
 * Writes down what goes through any simulation, once for each kind of exchange, while `PILOTFISH_CONTRACTS_RECORD` names a
 * folder. It stands in the kit and not in the suites, so that no suite can forget it. Each process and thread has a file of
 * its own, written line by line: a process that is killed loses nothing.
 */
export function record(exchange: Exchange, env: NodeJS.ProcessEnv = process.env): void {
  const folder = env.PILOTFISH_CONTRACTS_RECORD;
  if (folder === undefined || folder === '') return;
  const suite = env.PILOTFISH_CONTRACTS_SUITE;
  const kind = `${folder} ${suite ?? ''} ${alike(exchange)}`;
  if (seen.has(kind)) return;
  seen.add(kind);
  mkdirSync(folder, { recursive: true });
  const recorded: Recorded = {
    ...exchange,
    place: env.PILOTFISH_CONTRACTS_PLACE ?? placeOf(process.argv),
    ...(suite !== undefined && { suite }),
  };
  appendFileSync(join(folder, `${process.pid}-${threadId}.jsonl`), `${JSON.stringify(recorded)}\n`);
}

/** A program that is no suite is named by its file: `test/demo/main.ts`. */
const placeOf = ([, program = 'a program']: readonly string[]): string => /(?:test|scripts)\/.*$/.exec(program)?.[0] ?? program;
