import { existsSync, readdirSync, readlinkSync } from 'node:fs';

const table = '/proc/self/fd';

/** Whether the system tells what a process has open. Linux does. */
export const tellsOpenFiles = existsSync(table);

/** Paths of the files below `folder` that this process has open; ` (deleted)` stands behind one that was removed since. */
export function openFiles(folder: string): readonly string[] {
  return readdirSync(table)
    .flatMap((number) => {
      try {
        return [readlinkSync(`${table}/${number}`)];
      } catch {
        // Closed since the folder was read.
        return [];
      }
    })
    .filter((path) => path.startsWith(folder));
}
