import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { Failure } from '../core/errors.ts';
import { openLocalStore } from '../ledger/stores/local/local-store.ts';
import type { Store } from '../ledger/stores/store.ts';
import { groundOf, makeFolder, replaceFile } from '../platform/safe-files.ts';

const sessionShape = z.object({
  v: z.literal(1),
  operation: z.string(),
  /** The process at work, to refuse a second one beside it. */
  pid: z.number(),
  host: z.string(),
  scopes: z.array(z.string()),
});
export type Session = z.output<typeof sessionShape>;

/**
 * The folder of one operation's proof: the plan, the ledger, and which scopes may stand. It is there before the first write, so the next
 * start finds what a killed process made.
 */
export interface Ground {
  readonly folder: string;
  readonly planFile: string;
  /** The session that an earlier process left, `null` for none. Throws `USAGE` while that process lives, and for a damaged file. */
  left(host: string): Session | null;
  begin(session: Session, plan: string): void;
  /** Replaces the plan. */
  write(plan: string): void;
  store(): Store;
  /** Runs `work` on the ledger, and puts the ledger back as it was: what `work` did, a person could have done. */
  aside<T>(work: () => Promise<T>): Promise<T>;
  /** Removes the folder. */
  clear(): void;
}

export function openGround(folder: string, cwd: string): Ground {
  const ground = groundOf(cwd);
  const at = (name: string): string => path.join(folder, name);
  const state = at('state');
  const before = at('state.before');
  const restore = (): void => {
    if (!existsSync(before)) return;
    rmSync(state, { recursive: true, force: true });
    renameSync(before, state);
  };
  return {
    folder,
    planFile: at('release.plan.yaml'),
    left: (host) => {
      // A process died between the two halves of a restore.
      if (!existsSync(state)) restore();
      const session = readSession(at('session.json'));
      if (session === null) return null;
      if (session.host === host && session.pid !== process.pid && isAlive(session.pid)) {
        throw new Failure('USAGE', {
          detail: `Process ${session.pid} proves ${session.operation} in ${folder} now.`,
          fix: 'Wait for it, or give this run a `--folder` of its own.',
        });
      }
      return session;
    },
    begin: (session, plan) => {
      makeFolder(state, ground);
      replaceFile(at('release.plan.yaml'), plan, ground);
      replaceFile(at('session.json'), `${JSON.stringify(session)}\n`, ground);
    },
    write: (plan) => replaceFile(at('release.plan.yaml'), plan, ground),
    store: () => openLocalStore({ folder: path.join(state, 'ledger'), ground }),
    aside: async (work) => {
      // A process that is killed in here leaves the ledger that knows more. The earlier one comes back only after the work.
      const draft = at('state.draft');
      rmSync(draft, { recursive: true, force: true });
      cpSync(state, draft, { recursive: true });
      try {
        return await work();
      } finally {
        renameSync(draft, before);
        restore();
      }
    },
    clear: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function readSession(file: string): Session | null {
  if (!existsSync(file)) return null;
  try {
    return sessionShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Failure('USAGE', {
      detail: `${file} names no proof that can be read, so nobody knows what it left at the service.`,
      fix: 'Look for objects named pilotfish-live-… at the service, remove them, and then remove the folder.',
      cause,
    });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}
