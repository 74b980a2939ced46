import { hash } from 'node:crypto';
import { closeSync, fsync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { bounds, inMb } from '../../../core/bounds.ts';
import { Failure } from '../../../core/errors.ts';
import { type Ground, openNew } from '../../../platform/safe-files.ts';
import { tooLarge } from '../too-large.ts';

/** Tells one text from every other. */
export const digest = (text: string | Buffer): string => hash('sha256', text, 'hex').slice(0, 32);

/** The bytes of a file; `null` when there is none. Throws `LEDGER_CORRUPT` for one that is larger than any of ours, or is no file. */
export function contentOf(file: string): Buffer | null {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return null;
  // A pipe has no end, and a device is no file of ours.
  if (!found.isFile() && !found.isDirectory()) throw tooLarge(`${file} is no file`, 'one file for a branch');
  if (found.size > bounds.localFile) throw tooLarge(`${file} has ${inMb(found.size)}`, `${inMb(bounds.localFile)} for it`);
  try {
    return readFileSync(file);
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return null;
    throw thrown;
  }
}

/**
 * Writes a new file whose content survives a power cut; `syncFolder` does the same for its name. This waits only for the disk. A step on
 * another thread would also wait for a turn of this process, which may be starting hundreds of lines.
 */
export async function writeDurably(file: string, pieces: Iterable<string | Buffer> & object, ground: Ground): Promise<void> {
  const opened = openNew(file, ground);
  try {
    for (const piece of pieces) writeFileSync(opened, piece);
    await sync(opened);
  } finally {
    closeSync(opened);
  }
}

const sync = promisify(fsync);

/** Makes the names in a folder survive a power cut. Windows opens no folders and needs no such call. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    await sync(opened);
  } catch (thrown) {
    // Some network file systems cannot sync a folder; the rename has happened all the same.
    if (!hasCode(thrown, 'EINVAL', 'ENOTSUP', 'EPERM')) throw thrown;
  } finally {
    closeSync(opened);
  }
}

/** The names in a folder; none when it does not exist. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return [];
    throw thrown;
  }
}

/** Whether something thrown is a system error with one of these codes. */
export function hasCode(thrown: unknown, ...codes: readonly string[]): boolean {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' && codes.includes(thrown.code);
}

/** Turns a system error of the ledger folder into a failure that names the folder. Gives everything else back unchanged. */
export function diskFailure(thrown: unknown, folder: string): unknown {
  if (!(thrown instanceof Error) || !('syscall' in thrown) || !('code' in thrown)) return thrown;
  return new Failure('LEDGER_REFUSED', {
    detail: `The ledger folder ${folder} cannot be used: ${reason(String(thrown.code))}.`,
    fix: `Make ${folder} a folder that this user can write, with free space, then run again.`,
    cause: thrown,
  });
}

function reason(code: string): string {
  const known: { readonly [code: string]: string } = {
    EACCES: 'this user may not read or write it (EACCES)',
    EPERM: 'this user may not read or write it (EPERM)',
    EROFS: 'the file system is read-only (EROFS)',
    ENOSPC: 'the disk is full (ENOSPC)',
    EDQUOT: 'the disk quota is used up (EDQUOT)',
    ENOTDIR: 'a part of its path is a file (ENOTDIR)',
    EEXIST: 'a part of its path is a file (EEXIST)',
  };
  return known[code] ?? `the system reports ${code}`;
}
