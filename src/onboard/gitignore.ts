import { appendFile, readFile } from 'node:fs/promises';
import { unwritable } from './plan-file.ts';

/** Keeps `.pilotfish/` out of git. Whether the file was changed for it. */
export async function ignoreLocalFolder(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return '';
    throw unwritable(path, cause);
  });
  const more = entryFor(text);
  if (more === null) return false;
  await appendFile(path, more).catch((cause: unknown) => {
    throw unwritable(path, cause);
  });
  return true;
}

const spellings = new Set(['.pilotfish', '.pilotfish/', '/.pilotfish', '/.pilotfish/', '**/.pilotfish', '**/.pilotfish/']);

/** What is to stand below the text of a `.gitignore`, in the file's own line endings; `null` when it has the entry. */
function entryFor(text: string): string | null {
  if (text.split(/\r?\n/).some((line) => spellings.has(line.trim()))) return null;
  const end = /\r\n/.test(text) ? '\r\n' : '\n';
  return `${text === '' || text.endsWith('\n') ? '' : end}.pilotfish/${end}`;
}
