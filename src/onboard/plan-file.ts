import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Failure } from '../core/errors.ts';
import { planFileName, searchPlan } from '../plan/locate.ts';
import { groundOf, replaceFile, truePath, writeNew } from '../platform/safe-files.ts';
import type { Root } from './repository.ts';

/** The plan that `init` reads or writes. */
export interface PlanFile {
  readonly path: string;
  /** `null` if there is no plan yet. */
  readonly text: string | null;
  /** Whether `text` holds the whole file. Bytes that are no UTF-8 cannot be written back. */
  readonly isWhole: boolean;
}

/**
 * Finds the plan that `plan` and `apply` would use from here, or the place for a first plan. Throws `PLAN_PARSE` if a plan has nearly the
 * right name: `init` would write a second plan beside it, and nobody would know which one counts.
 */
export async function findPlan(cwd: string, root: Root): Promise<PlanFile> {
  const { plan, near } = await searchPlan(cwd);
  if (plan !== null) return { path: plan, ...(await contentOf(plan)) };
  for (const path of near) if (await isPlan(path)) throw otherName(path, cwd, root);
  return { path: join(root.folder, planFileName), text: null, isWhole: true };
}

/** Writes a first plan. If another process wrote one since the look, that plan stays. */
export function writeFirst(path: string, text: string): void {
  writing(path, () => writeNew(path, text, groundOf(dirname(path))));
}

/** Replaces the plan in one step, so that it is never half-written. Permissions stay as they are. */
export function replacePlan(path: string, text: string): void {
  writing(path, () => replaceFile(path, text, groundOf(dirname(path))));
}

function writing(path: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    throw cause instanceof Failure ? cause : unwritable(path, cause);
  }
}

function unwritable(path: string, cause: unknown): Failure {
  return new Failure('USAGE', {
    detail: `pilotfish could not write ${path} (${codeOf(cause)}).`,
    fix: 'Run `pilotfish init` in a folder that you can write.',
    cause,
  });
}

async function contentOf(path: string): Promise<Pick<PlanFile, 'text' | 'isWhole'>> {
  const refuse = (why: string, cause?: unknown): Failure =>
    new Failure('USAGE', {
      detail: `pilotfish could not read ${path} (${why}).`,
      fix: 'Put a plan file in its place, or remove it so that `pilotfish init` writes one.',
      cause,
    });
  let bytes: Buffer | null;
  try {
    bytes = await bytesOf(path);
  } catch (cause) {
    throw refuse(codeOf(cause), cause);
  }
  if (bytes === null) throw refuse('it is not a file');
  return { text: bytes.toString('utf8'), isWhole: isUtf8(bytes) };
}

/** Returns `null` for a folder, and for a pipe, because reading a pipe would not end. */
const bytesOf = async (path: string): Promise<Buffer | null> => ((await stat(path)).isFile() ? await readFile(path) : null);

/** A file of another tool may have such a name, but has no `changes`. */
async function isPlan(path: string): Promise<boolean> {
  const bytes = await bytesOf(path).catch(() => null);
  return bytes !== null && /^(?:\ufeff)?(["']?)changes\1[ \t]*:/m.test(bytes.toString('utf8'));
}

function otherName(path: string, cwd: string, root: Root): Failure {
  const [from, to] = [path, join(dirname(path), planFileName)].map((one) => relative(cwd, one));
  return new Failure('PLAN_PARSE', {
    detail: `${from} is a plan with the wrong name: pilotfish reads ${planFileName}. Nothing was written.`,
    fix: `Rename it with \`${root.isRepository ? 'git mv' : 'mv'} ${from} ${to}\`, then run \`pilotfish init\` again.`,
  });
}

const codeOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason');

/**
 * Prepares the entry that keeps `.pilotfish/` out of git. The result writes the entry and tells whether the file changed. Throws before any
 * write if the file cannot be changed.
 */
export async function localFolderIgnored(path: string): Promise<() => boolean> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return Buffer.alloc(0);
    throw unwritable(path, cause);
  });
  const more = entryFor(bytes.toString('utf8'));
  if (more === null) return () => false;
  const ground = groundOf(dirname(path));
  truePath(path, ground);
  return () => {
    writing(path, () => replaceFile(path, Buffer.concat([bytes, Buffer.from(more)]), ground));
    return true;
  };
}

const spellings = new Set(['.pilotfish', '.pilotfish/', '/.pilotfish', '/.pilotfish/', '**/.pilotfish', '**/.pilotfish/']);

/** The text to append to a `.gitignore`, in the file's own line endings; `null` if it has the entry. */
function entryFor(text: string): string | null {
  if (text.split(/\r?\n/).some((line) => spellings.has(line.trim()))) return null;
  const end = /\r\n/.test(text) ? '\r\n' : '\n';
  return `${text === '' || text.endsWith('\n') ? '' : end}.pilotfish/${end}`;
}
