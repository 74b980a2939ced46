import { realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';

/** Looks as a user who owns nothing: permissions keep root out of no file. Who is no root looks as himself. */
export async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return await work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

/**
 * A folder for temporary ones that `asNobody` can enter. That of root may stand below a folder of root's alone, as some CI jobs and
 * sandboxes have it: then it is one that every Unix has for all.
 */
export async function placeForAll(): Promise<string> {
  if (process.geteuid?.() !== 0) return tmpdir();
  for (const place of [tmpdir(), '/tmp', '/var/tmp', '/dev/shm']) if (await isForAll(place)) return place;
  throw new Error(`no folder for temporary files is one that another user may enter; set TMPDIR to one`);
}

async function isForAll(place: string): Promise<boolean> {
  const real = await realpath(place).catch(() => null);
  for (let folder = real; folder !== null; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
  return false;
}
