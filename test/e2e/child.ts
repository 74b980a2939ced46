import { type ChildProcess, spawn } from 'node:child_process';
import { binary, type Ended } from '../cli/program.ts';

/** The built program while it runs, so that a test can end it at a moment of its choice. */
export interface Child {
  readonly process: ChildProcess;
  /** Resolves when the process is gone. `code` is -1 when a signal killed it. */
  readonly ended: Promise<Ended>;
  /** Resolves when its stderr holds the words. */
  said(words: string): Promise<void>;
}

export function start(args: readonly string[], o: { readonly cwd: string; readonly env: Readonly<Record<string, string>> }): Child {
  const child = spawn(process.execPath, [binary, ...args], { cwd: o.cwd, env: o.env, stdio: ['ignore', 'pipe', 'pipe'] });
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text.stdout += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text.stderr += part;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? -1, ...text }));
  });
  return {
    process: child,
    ended,
    said: (words) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (text.stderr.includes(words)) resolve();
        };
        child.stderr.on('data', look);
        void ended.then(() => reject(new Error(`it ended without saying "${words}": ${text.stderr}`)));
        look();
      }),
  };
}
