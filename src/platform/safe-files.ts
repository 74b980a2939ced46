import { randomBytes } from 'node:crypto';
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Failure } from '../core/errors.ts';
import { checkoutTop } from './checkout-top.ts';

/**
 * This file writes every file that pilotfish puts near a checkout. A checkout may bring links, and the author of a link chose where it
 * leads. So below `ground`, the top of the checkout, no link is followed, neither of a folder nor of the file itself. A folder that a
 * person names elsewhere is theirs: links on the way to it are followed.
 *
 * Node cannot open a file below an open folder. So a new file is opened under a name that nobody knows, and its place is checked once more
 * before the first byte is written. A rename gives the file its name, because a rename replaces a link instead of following it.
 */
export type Ground = string;

/** The top of the checkout of `cwd`, or `cwd` itself outside of one. */
export const groundOf = (cwd: string): Ground => checkoutTop(cwd) ?? realpathSync(cwd);

/** The path without links, as far as it exists. Throws `USAGE` for a link below `ground`. */
export function truePath(file: string, ground: Ground): string {
  const top = identityOf(statSync(ground, { bigint: true, throwIfNoEntry: false }));
  const { root } = path.parse(path.resolve(file));
  const parts = path.resolve(file).slice(root.length).split(path.sep).filter(Boolean);
  let at = root;
  let isInside = false;
  for (const [i, part] of parts.entries()) {
    const next = path.join(at, part);
    const found = lstatSync(next, { bigint: true, throwIfNoEntry: false });
    if (!found) return path.join(at, ...parts.slice(i));
    if (found.isSymbolicLink()) {
      if (isInside) throw linkRefused(next, file);
      // Its target may lie in the checkout again.
      return truePath(path.join(realpathSync(next), ...parts.slice(i + 1)), ground);
    }
    isInside ||= identityOf(found) === top;
    at = next;
  }
  return at;
}

/** Makes a folder and its parents. */
export function makeFolder(folder: string, ground: Ground, mode?: number): string {
  const made = truePath(folder, ground);
  mkdirSync(made, { recursive: true, ...(mode !== undefined && { mode }) });
  if (truePath(folder, ground) !== made) throw movedAway(folder);
  return made;
}

/** Opens a new file for writing. */
export function openNew(file: string, ground: Ground, mode = 0o666): number {
  const place = truePath(file, ground);
  const opened = openSync(
    place,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0),
    mode,
  );
  try {
    // A folder on the way may have become a link since the check: then the opened file is not the one at that place.
    const there = truePath(file, ground) === place ? lstatSync(place, { bigint: true, throwIfNoEntry: false }) : undefined;
    if (identityOf(there) !== identityOf(fstatSync(opened, { bigint: true }))) throw movedAway(file);
    return opened;
  } catch (thrown) {
    closeSync(opened);
    throw thrown;
  }
}

/** Writes a new file. Throws `EEXIST` where a file exists. */
export function writeNew(file: string, text: string, ground: Ground, mode?: number): void {
  const opened = openNew(file, ground, mode);
  try {
    writeFileSync(opened, text);
  } finally {
    closeSync(opened);
  }
}

/** Writes a file whole or not at all, in place of the one that is there, whose permissions it keeps. */
export function replaceFile(file: string, text: string | Uint8Array, ground: Ground): void {
  const place = truePath(file, ground);
  const before = statSync(place, { throwIfNoEntry: false });
  const draft = `${place}.${randomBytes(6).toString('hex')}.draft`;
  const opened = openNew(draft, ground);
  try {
    try {
      writeFileSync(opened, text);
    } finally {
      closeSync(opened);
    }
    if (before) chmodSync(draft, before.mode & 0o7777);
    // If somebody exchanged the folder since, the draft is not in the new one, and the rename changes nothing there.
    renameSync(draft, place);
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw thrown;
  }
}

/** Removes a file, or a link in its place. Does nothing where neither exists. */
export function removeFile(file: string, ground: Ground): void {
  rmSync(path.join(truePath(path.dirname(file), ground), path.basename(file)), { force: true });
}

const identityOf = (found: BigIntStats | undefined): string | null => (found ? `${found.dev}:${found.ino}` : null);

const linkRefused = (link: string, file: string): Failure =>
  new Failure('USAGE', {
    detail: `${link} is a link to ${readlinkSync(link)}. pilotfish does not write ${path.basename(file)} through a link of the checkout, because the author of the link chose where it leads.`,
    fix: `Remove the link ${link}, or put a file or folder of your own in its place; then run again.`,
  });

const movedAway = (file: string): Failure =>
  new Failure('USAGE', {
    detail: `Another program exchanged ${file} while pilotfish was opening it, so pilotfish wrote nothing.`,
    fix: 'Stop the other program that changes folders there, then run again.',
  });
