import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openFiles, tellsOpenFiles } from '../support/open-files.ts';
import type { Input, Kind, Outcome } from './kind.ts';
import { shown } from './oracle.ts';

/** One input after it was run. */
export interface Trial extends Outcome {
  /** Processor time. */
  readonly ms: number;
}

/** A trial that only waits is given up after so many seconds. They are counted one by one: a machine that was frozen loses one. */
const idleSeconds = 30;

const stray: string[] = [];
process.on('unhandledRejection', (reason) => stray.push(`an unhandled rejection: ${shown(reason)}`));
process.on('uncaughtException', (error) => stray.push(`an uncaught exception: ${shown(error)}`));

/** Runs one input, and notices what escaped it. */
export async function runTrial(kind: Kind, input: Input): Promise<Trial> {
  stray.length = 0;
  const open = opened();
  const before = process.cpuUsage();
  const over = new AbortController();
  const outcome = await Promise.race([attempt(kind, input), idle(over.signal)]);
  over.abort();
  // A rejection that nobody handled is told in a later turn.
  await new Promise<void>((resolve) => setImmediate(resolve));
  const { user, system } = process.cpuUsage(before);
  const left = opened()
    .filter((path) => !open.includes(path))
    .map((path) => `a file left open: ${basename(path).replaceAll(/\d+/g, 'N')}`);
  return { ...outcome, finding: outcome.finding ?? stray[0] ?? left[0] ?? null, ms: Math.round((user + system) / 1000) };
}

/** What this process has open below the folders of trials. */
const opened = (): readonly string[] => (tellsOpenFiles ? openFiles(join(tmpdir(), 'pilotfish-fuzz-')) : []);

async function idle(signal: AbortSignal): Promise<Outcome> {
  // Aborted when the trial is over: then nobody looks at this any more.
  for (let i = 0; i < idleSeconds; i += 1) await delay(1_000, undefined, { signal }).catch(() => undefined);
  return { codes: [], finding: signal.aborted ? null : 'a run that waits for something that never comes' };
}

async function attempt(kind: Kind, input: Input): Promise<Outcome> {
  try {
    return await kind.run(input);
  } catch (error) {
    return { codes: [], finding: `the trial threw ${shown(error)} ${firstFrame(error)}` };
  }
}

const firstFrame = (error: unknown): string => (error instanceof Error ? (error.stack?.split('\n')[1]?.trim() ?? '') : '');
