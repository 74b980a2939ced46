import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { bounds, inMb } from '../../../core/bounds.ts';
import { tooLarge } from '../too-large.ts';
import type { GitCache } from './git-cache.ts';

/** Makes git write a fetch to one file, however few objects there are. */
export const keptPacked = ['-c', 'fetch.unpackLimit=1'] as const;

const lookMs = 50;

/** Ends a fetch of the system's git once the file that it writes is larger than a ledger's may be. Git has no such bound of its own. */
export async function withinPack<T>(
  { gitdir }: GitCache,
  fetch: (signal: AbortSignal) => Promise<T>,
  most: number = bounds.pack,
): Promise<T> {
  const folder = path.join(gitdir, 'objects', 'pack');
  const over = new AbortController();
  const look = setInterval(() => {
    if (tooLong(folder, most).length > 0) over.abort(tooLarge('its host sent more', `${inMb(most)} in one answer`));
  }, lookMs);
  try {
    return await fetch(over.signal);
  } finally {
    clearInterval(look);
    // Git leaves the file behind, and nobody tidies a cache up.
    if (over.signal.aborted) for (const file of tooLong(folder, most)) rmSync(file, { force: true });
  }
}

function tooLong(folder: string, most: number): readonly string[] {
  try {
    const incoming = readdirSync(folder).filter((name) => name.startsWith('tmp_pack_'));
    const files = incoming.map((name) => path.join(folder, name));
    return files.filter((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > most);
  } catch {
    return [];
  }
}
