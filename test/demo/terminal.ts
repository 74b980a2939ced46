import { spawn } from 'node:child_process';
import { join } from 'node:path';

export const program = join(import.meta.dirname, '../../dist/pilotfish.js');

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
}

/** Runs the built program as a person would, and gives back what it printed. */
export function pilotfish(args: readonly string[], o: { cwd: string; env: Readonly<Record<string, string>> }): Promise<Ran> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { cwd: o.cwd, env: o.env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, stdout, stderr, seconds: (performance.now() - start) / 1_000 }));
  });
}

/** What this demo promises and checks; the first one that does not hold ends it. */
export class BrokenPromise extends Error {}

export function holds(claim: string, isTrue: boolean, seen?: unknown): void {
  if (isTrue) {
    console.log(`   ok: ${claim}`);
    return;
  }
  throw new BrokenPromise(`${claim} — it does not hold${seen === undefined ? '' : `: ${JSON.stringify(seen)}`}`);
}

export const step = (title: string): void => console.log(`\n== ${title}`);
