import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Processes that lead a group of their own, ended with all that they started. Whatever is still there when this process exits goes
 * with it.
 */
export const processGroups = {
  /** `child` was started with `detached: ownGroup`. */
  add: (child: ChildProcess): void => {
    if (child.pid === undefined) return;
    if (alive.size === 0) process.once('exit', endAll);
    alive.add(child.pid);
  },
  end: (child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void => {
    if (child.pid !== undefined) end(child.pid, signal);
  },
  remove: (child: ChildProcess): void => {
    if (child.pid === undefined || !alive.delete(child.pid)) return;
    if (alive.size === 0) process.off('exit', endAll);
  },
};

/** Windows has no groups: a detached process there would get a window of its own. */
export const ownGroup = process.platform !== 'win32';

const alive = new Set<number>();

const endAll = (): void => {
  for (const pid of alive) end(pid, 'SIGKILL');
};

function end(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (!ownGroup) {
    // It ends the children as well, and knows no gentle way for a program without a window.
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true }).on('error', () => undefined);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}
