import { createHash, hash } from 'node:crypto';
import { closeSync, fsync, openSync, writeFileSync } from 'node:fs';
import { readdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Failure } from '../../../core/errors.ts';

/** Tells one text from every other. */
export const digest = (text: string): string => hash('sha256', text, 'hex').slice(0, digestLength);

const digestLength = 32;

/** A text that comes in pieces. A string is none: it would come a character at a time. */
export type Pieces = Iterable<string> & object;

/** The digest of such a text, and its length in characters. */
export function measure(pieces: Pieces): { readonly digest: string; readonly size: number } {
  const whole = createHash('sha256');
  let size = 0;
  for (const piece of pieces) {
    whole.update(piece);
    size += piece.length;
  }
  return { digest: whole.digest('hex').slice(0, digestLength), size };
}

/**
 * Writes a new file whose content survives a power cut; the folder that names it is synced by `syncFolder`, also while this one is
 * under way. Only the disk is waited for: a step that is left to another thread ends with a turn of a process that may be starting
 * hundreds of lines.
 */
export async function writeDurably(file: string, pieces: Pieces): Promise<void> {
  const opened = openSync(file, 'wx');
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

/** Also when one of them fails, the others have come to their end: nothing is written any more. */
export async function together(...works: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(works)) if (outcome.status === 'rejected') throw outcome.reason;
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

/** Removes files that nothing names any more. Another process may hold one open or have removed it: then it stays or is gone. */
export async function forget(folder: string, names: Iterable<string>): Promise<void> {
  for (const name of names) await unlink(path.join(folder, name)).catch(() => undefined);
}

/** The names in a folder that were last written more than `ageMs` ago. */
export async function olderThan(folder: string, ageMs: number): Promise<readonly string[]> {
  const old: string[] = [];
  for (const name of await namesIn(folder)) {
    const facts = await stat(path.join(folder, name)).catch(() => null);
    if (facts !== null && Date.now() - facts.mtimeMs > ageMs) old.push(name);
  }
  return old;
}

/** Whether something thrown is a system error with one of these codes. */
export function hasCode(thrown: unknown, ...codes: readonly string[]): boolean {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' && codes.includes(thrown.code);
}

/** A system error of the ledger folder as a failure that names it; everything else as it is. */
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
