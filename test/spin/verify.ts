import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from './configurations.ts';

/** What one search found. */
export interface Verified {
  readonly states: number;
  readonly depth: number;
  readonly megabytes: number;
  readonly seconds: number;
  readonly errors: number;
  /** False when a bound of depth, memory or time ended the search: then nothing is proven. */
  readonly isWhole: boolean;
  /** Statements of the model's processes, and whether a state reached them. */
  readonly statements: ReadonlyMap<string, boolean>;
  /** The way to the broken claim, in words. */
  readonly trail: readonly string[];
  /** What the verifier printed. */
  readonly output: string;
}

const bounds = { megabytes: 1024, depth: 100_000, seconds: 240 };

/** Why nothing can be searched here; `null` where both tools are installed. */
export async function missingTools(): Promise<string | null> {
  const spin = await call('spin', ['-V'], '.');
  if (spin === null) return "Spin is not installed (Debian's package is `spin`).";
  const compiler = await call('cc', ['--version'], '.');
  return compiler === null ? "Spin needs a C compiler (Debian's package is `gcc`)." : null;
}

/** Searches all states in a folder of its own. A short trail needs a search by breadth, which takes more memory. */
export async function verify(config: Configuration, { isShort = false } = {}): Promise<Verified> {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-spin-'));
  try {
    const isLiveness = config.claim === 'ends';
    const model = join(import.meta.dirname, `${config.model}.pml`);
    const defines = config.defines.map((one) => `-D${one}`);
    await must('spin', ['-a', ...defines, model], folder);
    const mode = isLiveness ? ['-DNFAIR=3'] : ['-DSAFETY', ...(isShort ? ['-DBFS'] : [])];
    // Optimised, most of these verifiers take longer to compile than to run.
    await must('cc', ['-w', '-O0', '-DCOLLAPSE', `-DMEMLIM=${bounds.megabytes}`, ...mode, '-o', 'pan', 'pan.c'], folder);
    const began = performance.now();
    const args = [`-m${bounds.depth}`, '-N', config.claim, ...(isLiveness ? ['-a', '-f'] : [])];
    const output = (await call(join(folder, 'pan'), args, folder, bounds.seconds)) ?? '';
    const seconds = (performance.now() - began) / 1000;
    const statements = statementsIn(await readFile(join(folder, 'pan.t'), 'utf8'), output);
    const found = { ...read(output), seconds, output, statements };
    return { ...found, trail: found.errors > 0 ? await trailOf(config, model, defines, folder) : [] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const numberAfter = (output: string, pattern: RegExp): number => Number(pattern.exec(output)?.[1] ?? Number.NaN);

function read(output: string): Omit<Verified, 'seconds' | 'trail' | 'output' | 'statements'> {
  const errors = numberAfter(output, /errors: (\d+)/);
  return {
    states: numberAfter(output, /^\s*(\d+) states, stored/m),
    depth: numberAfter(output, /depth reached (\d+)/),
    megabytes: numberAfter(output, /([\d.]+)\s+total actual memory usage/),
    errors,
    isWhole: Number.isInteger(errors) && !/max search depth too small|Search not completed|out of memory|MEMLIM/.test(output),
  };
}

/** The world is a loop without end. */
const spare = new Set(['-end-']);

/**
 * Which statements of the model's processes some state reached. An inline stands in a model many times, and a statement counts as reached
 * where one of them was. Spin names in `pan.t` the statements that begin a step; those that it merged with one are reached with it.
 */
function statementsIn(table: string, output: string): ReadonlyMap<string, boolean> {
  const own = table.split('/* proctype ').filter((part) => /^\d+: (?:Run|Parent|World) /.test(part));
  const all = countOf(own.flatMap((part) => [...part.matchAll(/settr\([^"\n]*"(.*)", \d/g)]));
  const parts = output.split(/^unreached in /m).filter((part) => /^proctype (?:Run|Parent|World)\b/.test(part));
  const unreached = countOf(parts.flatMap((part) => [...part.matchAll(/^\s+\S+\.pml:\d+, state \d+, "(.*)"/gm)]));
  return new Map([...all].filter(([text]) => !spare.has(text)).map(([text, times]) => [text, (unreached.get(text) ?? 0) < times]));
}

function countOf(found: Iterable<RegExpMatchArray>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, text = ''] of found) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

const names: Readonly<Record<string, string>> = { 'run 0': 'A', 'run 1': 'B', 'run 2': 'the last run' };

/** Walks the trail again: each step of a model prints a sentence. */
async function trailOf({ model: name }: Configuration, model: string, defines: readonly string[], folder: string): Promise<string[]> {
  const output = (await call('spin', ['-k', `${name}.pml.trail`, '-t', '-T', '-B', ...defines, model], folder)) ?? '';
  const isSaid = (line: string): boolean => line !== '' && !/^(?:ltl |spin: |Never claim|#processes|\s|\d+ processes|<<<| {2})/.test(line);
  return output
    .split('\n')
    .filter(isSaid)
    .map((line) => line.replaceAll(/run [012]/g, (run) => names[run] ?? run))
    .map((line) => `${line.charAt(0).toUpperCase()}${line.slice(1)}.`);
}

async function must(command: string, args: readonly string[], folder: string): Promise<void> {
  const output = (await call(command, args, folder, 300)) ?? `${command} is not installed.`;
  if (/\bError: |\berror: |not installed/.test(output)) throw new Error(output);
}

/** What a command printed, whatever its exit code says; `null` where there is no such command. */
function call(command: string, args: readonly string[], cwd: string, seconds = 60): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { cwd, timeout: seconds * 1000, maxBuffer: 64 * 1024 * 1024 };
    execFile(command, [...args], options, (error, stdout, stderr) => {
      if (error && (error.code as unknown) === 'ENOENT') resolve(null);
      else resolve(`${stdout}${stderr}`);
    });
  });
}
