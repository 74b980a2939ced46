import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Clock } from '../../core/clock.ts';
import type { Redactor } from '../../core/redact.ts';
import { cacheFolder } from '../../platform/cache-folder.ts';
import { isLockBranch } from '../model/names.ts';
import { type Mark, Marks } from './marks.ts';

/** The options of a store on a server that many machines use. */
export interface ServerStoreOptions {
  /** The address; its store uses user info and credentials, and never stores or shows them. */
  readonly url: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** `owner/repo` of the checkout. One schema or prefix holds the ledger of one repository. */
  readonly repository: string | null;
  /** Learns every credential before it is used, and masks the words of the server. */
  readonly redactor?: Redactor;
  readonly cacheDir?: string;
  readonly clock?: Clock;
  /** The most time that one question may wait for a server in trouble. */
  readonly patienceMs?: number | undefined;
  /** After the signal a question waits only a moment. */
  readonly signal?: AbortSignal | undefined;
}

/** The marks of this machine for the branches of one server, by their refs. Locks have none. Without a cache folder there is no mark. */
export class RefMarks {
  readonly #marks: Marks | null;

  /** `location`: the address without user info. */
  constructor(location: string, { cacheDir, env, cwd }: Pick<ServerStoreOptions, 'cacheDir' | 'env' | 'cwd'>) {
    const folder = cacheDir ?? cacheFolder(env, cwd);
    const name = createHash('sha256').update(location).digest('hex').slice(0, 20);
    this.#marks = folder === null ? null : new Marks(path.join(folder, `${name}.last`), folder);
  }

  of(ref: string): Mark | null {
    return isLockBranch(ref) ? null : (this.#marks?.of(fileOf(ref)) ?? null);
  }

  set(ref: string, head: string, number: number): void {
    if (!isLockBranch(ref)) this.#marks?.set(fileOf(ref), head, number);
  }

  remove(ref: string): void {
    this.#marks?.remove(fileOf(ref));
  }
}

/** The names of `names.ts` hold no character that a file system refuses. */
const fileOf = (ref: string): string => ref.replaceAll('/', ',');
