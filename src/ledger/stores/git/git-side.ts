import type { Dispatcher } from 'undici';
import type { Clock } from '../../../core/clock.ts';
import { cachePlace, freshGitCache, openGitCache } from './git-cache.ts';
import { GitCacheInUse } from './git-cache-in-use.ts';
import { GitCommits } from './git-commits.ts';
import type { GitCredentials } from './git-credentials.ts';
import type { ObjectFormat } from './git-format.ts';
import type { Hush } from './git-hush.ts';
import { GitKnown } from './git-known.ts';
import type { Patience } from './git-push.ts';
import type { GitRemote } from './git-remote.ts';
import { HttpRemote } from './git-remote-http.ts';
import { SystemRemote } from './git-remote-system.ts';

/** What a store has of a remote that depends on the remote's object format. */
export interface GitSide {
  readonly format: ObjectFormat;
  readonly remote: GitRemote;
  readonly memory: GitKnown;
  readonly cache: GitCacheInUse;
  readonly commits: GitCommits;
}

export interface SideOptions {
  /** Over http without user info. */
  readonly url: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cacheDir?: string;
  /** Of a remote over http; `null` for the others. */
  readonly web: { readonly dispatcher: Dispatcher; readonly credentials: GitCredentials } | null;
  readonly hush: Hush;
  readonly clock: Clock;
  readonly patience: Patience;
  readonly isForWriting: boolean;
}

/** Our own wire serves remotes with SHA-1 over http, because isomorphic-git knows no other hash. The system's git serves all others. */
export function openSide(o: SideOptions, format: ObjectFormat): GitSide {
  const { url, cwd, env, web, hush, clock, patience, isForWriting } = o;
  const cache = new GitCacheInUse(
    () => openGitCache(o, format),
    () => freshGitCache(env, format),
  );
  const memory = new GitKnown(cachePlace(o));
  const shared = { url, hush, cache: () => cache.now() };
  const isOwnWire = web !== null && format === 'sha1';
  const remote = isOwnWire
    ? new HttpRemote({ ...shared, ...web })
    : new SystemRemote({ ...shared, format, clock, cwd, env, credentials: web?.credentials ?? null });
  const commits = new GitCommits({ remote, cache, memory, patience, clock, isOwnWire, isForWriting });
  return { format, remote, memory, cache, commits };
}
