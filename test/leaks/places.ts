import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Team } from '../demo/team.ts';
import { spoors } from './spellings.ts';

const run = promisify(execFile);

/** Where something could have been written → all its bytes, as latin1. */
export type Places = Map<string, string>;

/** Every file under a folder; of a folder that does not exist, nothing. */
export async function filesUnder(folder: string): Promise<Places> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const places: Places = new Map();
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) places.set(file, await readFile(file, 'latin1'));
  }
  return places;
}

/** Every object that a repository ever got, reachable or not, unpacked; and the names of its refs. */
export async function wholeRepository(gitDir: string, env: Team['env']): Promise<string> {
  const git = async (...args: readonly string[]): Promise<string> =>
    (await run('git', ['--git-dir', gitDir, ...args], { env, encoding: 'latin1', maxBuffer: 256 << 20 })).stdout;
  return `${await git('for-each-ref', '--format=%(refname)')}${await git('cat-file', '--batch-all-objects', '--batch')}`;
}

/** Where which secret was found, by their numbers: a failing test must not print the secret itself. */
export function leaks(places: Places, secrets: readonly string[]): readonly string[] {
  const found: string[] = [];
  secrets.forEach((secret, index) => {
    const forms = spoors(secret).map((text) => Buffer.from(text, 'utf8').toString('latin1'));
    for (const [place, bytes] of places) {
      const form = forms.findIndex((one) => bytes.includes(one));
      if (form >= 0) found.push(`${place}: secret ${index}, spelling ${form}`);
    }
  });
  return found;
}
