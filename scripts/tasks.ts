import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root: string = dirname(dirname(fileURLToPath(import.meta.url)));

export interface Outcome {
  readonly code: number;
  /** stdout and stderr as they came; empty when they were passed through. */
  readonly output: string;
}

export interface RunOptions {
  /** Passes the output through instead of collecting it. */
  readonly isShown?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Runs one of the project's own tools (or node) in the project's folder and resolves with its exit code. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const path = `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`;
  return new Promise((resolve, reject) => {
    const child = spawn(command === 'node' ? process.execPath : command, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env, PATH: path },
      stdio: options.isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
