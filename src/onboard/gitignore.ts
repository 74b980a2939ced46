import { readFile, writeFile } from 'node:fs/promises';
import { unwritable } from './plan-file.ts';

/** Keeps `.pilotfish/` out of git. Whether the file was changed for it. */
export async function ignoreLocalFolder(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return '';
    throw unwritable(path, cause);
  });
  const next = withIgnored(text);
  if (next === null) return false;
  await writeFile(path, next).catch((cause: unknown) => {
    throw unwritable(path, cause);
  });
  return true;
}

const spellings = new Set(['.pilotfish', '.pilotfish/', '/.pilotfish', '/.pilotfish/', '**/.pilotfish', '**/.pilotfish/']);

/** The text of `.gitignore` with `.pilotfish/` in it, in the file's own line endings; `null` when it stands there already. */
function withIgnored(text: string): string | null {
  if (text.split(/\r?\n/).some((line) => spellings.has(line.trim()))) return null;
  const end = /\r\n/.test(text) ? '\r\n' : '\n';
  const gap = text === '' || text.endsWith('\n') ? '' : end;
  return `${text}${gap}.pilotfish/${end}`;
}
