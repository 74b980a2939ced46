import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { styleText } from 'node:util';

export const program = join(import.meta.dirname, '../../dist/pilotfish.js');
const isTerminal = process.stdout.isTTY === true;

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
}

export interface Where {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Its abort ends the program as Ctrl-C would. */
  readonly signal?: AbortSignal;
  /** Told of what is printed, as it is printed. */
  readonly show?: (text: string) => void;
}

/** Runs the built program as a person would, and gives back what it printed and how it ended. */
export function pilotfish(args: readonly string[], { cwd, env, signal, show }: Where): Promise<Ran> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd,
      env: { ...env, ...(isTerminal && show && { FORCE_COLOR: '1' }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const interrupt = (): void => void child.kill('SIGINT');
    signal?.addEventListener('abort', interrupt, { once: true });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      show?.(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      show?.(text);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      signal?.removeEventListener('abort', interrupt);
      resolve({ code: code ?? 1, stdout, stderr, seconds: (performance.now() - start) / 1_000 });
    });
  });
}

/** Everything that was printed so far, the program's own output included: no secret may be in it. */
export const printed: string[] = [];

export function print(text: string): void {
  printed.push(text);
  process.stdout.write(text);
}

export const step = (title: string): void => print(`\n${paint('bold', `== ${title}`)}\n`);

export const prompt = (command: string): void => print(`\n${paint('bold', `$ ${command}`)}\n`);

/** What the demo promises and checks; the first promise that does not hold ends it. */
export class BrokenPromise extends Error {}

export function holds(claim: string, isTrue: boolean, seen?: unknown): void {
  if (!isTrue) throw new BrokenPromise(`${claim}${seen === undefined ? '' : `; seen: ${JSON.stringify(seen)}`}`);
  print(`${paint('green', '  ok')}  ${claim}\n`);
}

const paint = (format: Parameters<typeof styleText>[0], text: string): string =>
  isTerminal ? styleText(format, text, { validateStream: false }) : text;
