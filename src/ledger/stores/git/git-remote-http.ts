import type { Dispatcher } from 'undici';
import type { Clock } from '../../../core/clock.ts';
import type { Failure } from '../../../core/errors.ts';
import type { GitCache } from './git-cache.ts';
import type { GitCredentials } from './git-credentials.ts';
import { GitHttpStatus, gitHttp } from './git-http.ts';
import type { Hush } from './git-hush.ts';
import { gitLibrary } from './git-library.ts';
import { withHead } from './git-missing-head.ts';
import { packOf } from './git-object.ts';
import { NotGit, wholeRefs } from './git-packets.ts';
import { type Refuser, refusal } from './git-refusal.ts';
import { type GitRemote, seenRef } from './git-remote.ts';
import { type Heads, headsBelow, headsForPush, sendPack } from './git-wire.ts';

export interface HttpRemoteOptions {
  /** Without user info. */
  readonly url: string;
  readonly dispatcher: Dispatcher;
  readonly credentials: GitCredentials;
  readonly clock: Clock;
  readonly hush: Hush;
  /** The cache repository now in use. */
  readonly cache: () => Promise<GitCache>;
}

/** A remote over https through our dispatcher: heads and pushes by git's protocol, fetches by isomorphic-git. */
export function httpRemote(options: HttpRemoteOptions): GitRemote {
  const { url, credentials, hush } = options;
  const refuser = { location: url, hush };
  const http = wholeRefs(gitHttp(url, options.dispatcher));
  /** What the remote last showed to who pushes, as pushes since then left it; `null` from the send of a push until it is known to have landed. */
  let shown: Heads | null = null;

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
        throw await refusal(refuser, thrown.words, thrown.status);
      }
    }
  };

  return {
    refs: (prefix) =>
      signedIn(async (headers) => {
        return await speaksGit(refuser, () => headsBelow({ http, url, headers }, prefix));
      }),

    fetch: (ref, depth) =>
      signedIn(async (headers) => {
        const { default: git, Errors } = await gitLibrary();
        const into = { ...(await options.cache()), http, url, headers };
        try {
          const fetched = await speaksGit(refuser, () =>
            git.fetch({ ...into, http: withHead(http), ref: seenRef(ref), remoteRef: ref, singleBranch: true, tags: false, depth }),
          );
          return fetched.fetchHead;
        } catch (thrown) {
          if (thrown instanceof Errors.NotFoundError && thrown.data.what === ref) return null;
          throw thrown instanceof Errors.SmartHttpError || thrown instanceof Errors.RemoteCapabilityError ? await noGit(refuser) : thrown;
        }
      }),

    headForPush: (ref) =>
      signedIn(async (headers) => {
        shown = await speaksGit(refuser, () => headsForPush({ http, url, headers }));
        return shown.heads.get(ref) ?? null;
      }),

    push: ({ oid, ref, expect, objects }) =>
      signedIn(async (headers) => {
        const to = { http, url, headers };
        // What was shown before is enough where the push is built on it. It tells of no other push: whatever else it says is asked again.
        const known = (shown?.heads.get(ref) ?? null) === expect ? shown : null;
        const { heads, abilities } = known ?? (await speaksGit(refuser, () => headsForPush(to)));
        const head = heads.get(ref) ?? null;
        if (head === oid) return 'landed';
        if (head !== expect) return 'moved';
        shown = null;
        // Compare and swap: the remote takes the push only from the head that it is built on.
        const words = await sendPack(to, { ref, from: expect, to: oid, pack: packOf(objects), abilities });
        if (words === null) {
          shown = { heads: new Map(heads).set(ref, oid), abilities };
          return 'landed';
        }
        return { refused: words };
      }),

    remove: (ref, expect) =>
      signedIn(async (headers) => {
        const to = { http, url, headers };
        const { heads, abilities } = await speaksGit(refuser, () => headsForPush(to));
        const head = heads.get(ref) ?? null;
        if (head !== expect) return head === null ? 'absent' : 'moved';
        const words = await sendPack(to, { ref, from: expect, to: null, pack: null, abilities });
        if (words === null) return 'landed';
        return { refused: words };
      }),

    close: async () => undefined,
  };
}

/** Tells of a web page where a repository should be. */
async function speaksGit<T>(refuser: Refuser, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (thrown) {
    throw thrown instanceof NotGit ? await refusal(refuser, thrown.words, 404) : thrown;
  }
}

const noGit = (refuser: Refuser): Promise<Failure> => refusal(refuser, 'it does not answer as a git repository does', 404);
