import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** How this program starts one of its own entries again. */
export interface OwnCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The name under which the process starts, where the name chooses the entry. */
  readonly argv0?: string;
}

/**
 * Reads a file that ships with the program, by its address beside the bundle; `null` where there is no such file. The single executable
 * replaces this module by `own-assets.ts`, because it holds these files inside.
 */
export function readOwnFile(file: URL): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** The command that starts the entry at this address. */
export const ownCommand = (entry: string): OwnCommand => ({
  file: process.execPath,
  args: [...process.execArgv, fileURLToPath(entry)],
});
