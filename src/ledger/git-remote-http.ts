import git, { Errors } from 'isomorphic-git';
import type { Dispatcher } from 'undici';
import type { Clock } from '../core/clock.ts';
import type { GitCache } from './git-cache.ts';
import type { GitCredentials } from './git-credentials.ts';
import { GitHttpStatus, gitHttp } from './git-http.ts';
import { withHead } from './git-missing-head.ts';
import { NotGit, wholeRefs } from './git-packets.ts';
import { refusal, saysMoved } from './git-refusal.ts';
import { type GitRemote, type PushOutcome, RemoteTrouble, seenRef } from './git-remote.ts';

export interface HttpRemoteOptions {
  /** Without user info. */
  readonly url: string;
  readonly dispatcher: Dispatcher;
  readonly credentials: GitCredentials;
  readonly clock: Clock;
  /** The cache repository now in use. */
  readonly cache: () => GitCache;
}

/** A remote over https, by isomorphic-git through our dispatcher. */
export function httpRemote(options: HttpRemoteOptions): GitRemote {
  const { url, credentials } = options;
  const http = wholeRefs(gitHttp(url, options.dispatcher, options.clock));

  /** Runs one operation with each credential until one is accepted. Each gets headers of its own, because isomorphic-git adds to them. */
  const signedIn = async <T>(operation: (headers: Record<string, string>) => Promise<T>): Promise<T> => {
    for (;;) {
      const signIn = await credentials.current();
      try {
        return await operation({ ...signIn });
      } catch (thrown) {
        if (!(thrown instanceof GitHttpStatus)) throw thrown;
        const isAboutAccess = [401, 403, 404].includes(thrown.status);
        if (isAboutAccess && (await credentials.refused(thrown.status, signIn))) continue;
        throw refusal(url, thrown.words, thrown.status);
      }
    }
  };

  return {
    refs: (prefix) =>
      signedIn(async (headers) => {
        const found = await speaksGit(url, () => git.listServerRefs({ http, url, headers, prefix }));
        return new Map(found.map(({ ref, oid }) => [ref, oid]));
      }),

    fetch: (ref, depth) =>
      signedIn(async (headers) => {
        const into = { ...options.cache(), http, url, headers };
        try {
          const fetched = await speaksGit(url, () =>
            git.fetch({ ...into, http: withHead(http), ref: seenRef(ref), remoteRef: ref, singleBranch: true, tags: false, depth }),
          );
          return fetched.fetchHead;
        } catch (thrown) {
          if (thrown instanceof Errors.NotFoundError && thrown.data.what === ref) return null;
          throw thrown;
        }
      }),

    push: (oid, ref, expect) =>
      signedIn(async (headers) => {
        const outcome = await push(options, http, headers, { ref: oid, remoteRef: ref }, (head) =>
          // Compare and swap: the remote takes the push only from the head that it has just shown us.
          head === oid ? 'landed' : head === expect ? null : 'moved',
        );
        return outcome === 'absent' ? 'moved' : outcome;
      }),

    remove: (ref, expect) =>
      signedIn((headers) =>
        push(options, http, headers, { ref: expect, remoteRef: ref, delete: true }, (head) =>
          head === null ? 'absent' : head === expect ? null : 'moved',
        ),
      ),

    close: async () => undefined,
  };
}

/** One push. `known` looks at the head that the remote shows first: with `null` the push is sent and holds only from that head. */
async function push(
  options: HttpRemoteOptions,
  http: ReturnType<typeof gitHttp>,
  headers: Record<string, string>,
  what: { readonly ref: string; readonly remoteRef: string; readonly delete?: true },
  known: (head: string | null) => PushOutcome | 'absent' | null,
): Promise<PushOutcome | 'absent'> {
  const { url } = options;
  const cache = options.cache();
  let outcome: PushOutcome | 'absent' | null = null;
  let wasSent = false;
  const said: string[] = [];
  const watched: typeof http = {
    request: (call) => {
      wasSent ||= call.method === 'POST';
      return http.request(call);
    },
  };
  try {
    await git.push({
      ...cache,
      ...what,
      http: watched,
      url,
      headers,
      onMessage: (line) => {
        said.push(line);
      },
      onPrePush: ({ remoteRef }) => {
        outcome = known(/^0+$/.test(remoteRef.oid) ? null : remoteRef.oid);
        return outcome === null;
      },
    });
  } catch (thrown) {
    if (outcome !== null) return outcome;
    if (thrown instanceof GitHttpStatus || thrown instanceof RemoteTrouble) throw thrown;
    if (thrown instanceof Errors.PushRejectedError) return 'moved';
    if (thrown instanceof Errors.GitPushError) {
      const words = [...said, thrown.data.prettyDetails].join(' ');
      if (saysMoved(words)) return 'moved';
      throw refusal(url, words);
    }
    // What failed after the push was sent says nothing about the push.
    if (wasSent) throw new RemoteTrouble(thrown instanceof Error ? thrown.message : String(thrown), { wasSent, cause: thrown });
    throw notGit(thrown, url);
  }
  return 'landed';
}

async function speaksGit<T>(url: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (thrown) {
    throw notGit(thrown, url);
  }
}

/** A web page where a repository should be. */
function notGit(thrown: unknown, url: string): unknown {
  if (thrown instanceof NotGit) return refusal(url, thrown.words, 404);
  return thrown instanceof Errors.SmartHttpError || thrown instanceof Errors.RemoteCapabilityError
    ? refusal(url, 'it does not answer as a git repository does', 404)
    : thrown;
}
