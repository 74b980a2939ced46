import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root: string = dirname(dirname(fileURLToPath(import.meta.url)));

export interface Outcome {
  readonly code: number;
  /** stdout and stderr in the order in which they came; empty if they were passed through. */
  readonly output: string;
}

export interface RunOptions {
  /** `true` passes the output through instead of collecting it, `and kept` does both. */
  readonly isShown?: boolean | 'and kept';
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
      stdio: options.isShown === true ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ] as const) {
      from?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (options.isShown === 'and kept') to.write(text);
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
