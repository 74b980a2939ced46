import { randomBytes } from 'node:crypto';
import { lstatSync, readFileSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../../core/errors.ts';
import { type Ground, writeNew } from '../../../platform/safe-files.ts';
import { hasCode } from './local-store-files.ts';

const pauseMs = 20;
const mostMs = 60_000;
/** Nobody works on one file for so long. The holder died, and another process has its number since. */
const longestMs = 600_000;

/** The locks that this process holds. */
const held = new Set<string>();

/** The turn of the only process that may change a file. */
export interface Turn {
  /** A path beside the file that no other process uses. The end of the turn removes what is there. */
  readonly draft: string;
  /** Asked right before the file is replaced. */
  isMine(): boolean;
}

/** Runs `work` while no other process works on the same file. Takes over the lock of a process that died. */
export async function locked<T>(file: string, ground: Ground, work: (turn: Turn) => Promise<T>): Promise<T> {
  const lock = `${file}~lock`;
  const id = randomBytes(8).toString('hex');
  const own = `${process.pid} ${id} ${os.hostname()}`;
  for (let waitedMs = 0; !claim(lock, own, ground); waitedMs += pauseMs) {
    if (waitedMs >= mostMs) {
      throw new Failure('LEDGER_REFUSED', {
        detail: `The ledger file ${file} stayed locked by another process (${textOf(lock)}).`,
        fix: `When no pilotfish is at work there, remove ${lock}, then run again.`,
      });
    }
    takeOver(file, lock);
    await sleep(pauseMs);
  }
  const draft = `${file}~${id}`;
  held.add(id);
  try {
    return await work({ draft, isMine: () => textOf(lock) === own });
  } finally {
    held.delete(id);
    // A full disk is no exception: a draft would keep it full for good.
    rmSync(draft, { force: true, recursive: true });
    if (textOf(lock) === own) rmSync(lock, { force: true });
  }
}

function claim(lock: string, own: string, ground: Ground): boolean {
  try {
    writeNew(lock, own, ground);
    return true;
  } catch (thrown) {
    if (hasCode(thrown, 'EEXIST')) return false;
    // A full disk takes the name of the lock, but not its text.
    if (textOf(lock) === '') rmSync(lock, { force: true });
    throw thrown;
  }
}

/** Removes the lock and the draft of a dead holder. On this machine its process tells that it is dead, and everywhere the age of its lock. */
function takeOver(file: string, lock: string): void {
  const text = textOf(lock);
  const [pid, id = '', host] = text.split(' ');
  const age = Date.now() - (lstatSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  const patienceMs = host !== os.hostname() ? mostMs / 2 : isHeld(Number(pid), id) ? longestMs : 0;
  if (age < patienceMs) return;
  const grave = `${lock}-${randomBytes(8).toString('hex')}`;
  try {
    // Another process may have taken the lock over since. That process loses it here, and its `isMine` says so.
    renameSync(lock, grave);
    rmSync(grave);
    // Anybody may have written the text, and must not choose the file that is removed.
    if (/^[0-9a-f]{16}$/.test(id)) rmSync(`${file}~${id}`, { force: true, recursive: true });
  } catch (thrown) {
    if (!hasCode(thrown, 'ENOENT')) throw thrown;
  }
}

/** A restarted container gives its process the same number, so a lock with our own number may be a dead run's. */
function isHeld(pid: number, id: string): boolean {
  if (pid === process.pid) return held.has(id);
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return !hasCode(thrown, 'ESRCH');
  }
}

function textOf(lock: string): string {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return '';
  }
}
