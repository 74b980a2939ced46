import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiled } from '../support/git-remote.ts';

export const root: string = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const binary: string = join(root, 'dist/pilotfish.js');

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly cwd: string;
  /** The whole environment beside PATH and HOME: nothing of the person who runs the tests leaks in. */
  readonly env?: { readonly [name: string]: string };
  /** Arguments of node itself. */
  readonly node?: readonly string[];
}

/** Runs the built program as a child process and resolves with what it wrote and how it ended. */
export function pilotfish(args: readonly string[], { cwd, env = {}, node = [] }: ProgramOptions): Promise<Ended> {
  if (!existsSync(binary)) throw new Error('dist/pilotfish.js is missing: run `npm run build` first');
  return execute(process.execPath, [...node, binary, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, NODE_COMPILE_CACHE: compiled, ...env },
  });
}

export function execute(file: string, args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<Ended> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { ...options, encoding: 'utf8', maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error);
      else resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}
