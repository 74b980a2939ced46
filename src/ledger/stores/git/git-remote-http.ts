import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { HttpClient } from 'isomorphic-git';
import type { Dispatcher } from 'undici';
import type { GitCache } from './git-cache.ts';
import type { GitCredentials } from './git-credentials.ts';
import { heldCommit, heldPack } from './git-held-commit.ts';
import { GitHttpStatus, gitHttp } from './git-http.ts';
import type { Hush } from './git-hush.ts';
import { gitLibrary } from './git-library.ts';
import type { Head } from './git-many-trees.ts';
import { withHead } from './git-missing-head.ts';
import { packOf as packed } from './git-object.ts';
import { NotGit, wholeRefs } from './git-packets.ts';
import { type Refuser, refusal } from './git-refusal.ts';
import { type GitRemote, type Push, type PushOutcome, type Refused, seenRef } from './git-remote.ts';
import { packOf, packToFile } from './git-stream.ts';
import { type Asked, greetedWith, type Heads, headsBelow, headsForPush, sendPack } from './git-wire.ts';

export interface HttpRemoteOptions {
  /** Without user info. */
  readonly url: string;
  readonly dispatcher: Dispatcher;
  readonly credentials: GitCredentials;
  readonly hush: Hush;
  /** The cache repository now in use. */
  readonly cache: () => Promise<GitCache>;
}

/** A remote over https through our dispatcher: heads and pushes by git's protocol, fetches by isomorphic-git. */
export class HttpRemote implements GitRemote {
  readonly #o: HttpRemoteOptions;
  readonly #refuser: Refuser;
  readonly #http: HttpClient;
  /** Heads as the remote last showed them for a push, with our own pushes since; `null` while a push may or may not have landed. */
  #shown: Heads | null = null;

  constructor(options: HttpRemoteOptions) {
    this.#o = options;
    this.#refuser = { location: options.url, hush: options.hush };
    this.#http = wholeRefs(gitHttp(options.url, options.dispatcher));
  }

  heads(prefix: string, { isForPush }: { readonly isForPush: boolean }): Promise<ReadonlyMap<string, string>> {
    return this.#signedIn(async (to) => {
      if (!isForPush) return headsBelow(to, prefix);
      this.#shown = await headsForPush(to);
      return this.#shown.heads;
    });
  }

  shown(): ReadonlyMap<string, string> | null {
    return this.#shown?.heads ?? null;
  }

  fetch(ref: string, depth: number): Promise<string | null> {
    return this.#signedIn(async (from) => {
      const git = await gitLibrary();
      const into = { ...(await this.#o.cache()), ...from, http: withHead(this.#http) };
      try {
        const fetched = await git.fetch({ ...into, ref: seenRef(ref), remoteRef: ref, singleBranch: true, tags: false, depth });
        return fetched.fetchHead;
      } catch (thrown) {
        if (thrown instanceof git.Errors.NotFoundError && thrown.data.what === ref) return null;
        const isGit = !(thrown instanceof git.Errors.SmartHttpError || thrown instanceof git.Errors.RemoteCapabilityError);
        throw isGit ? thrown : new NotGit('it does not answer as a git repository does');
      }
    });
  }

  bring(oid: string): Promise<boolean> {
    return this.#signedIn(async (remote) => {
      const pack = await heldPack(remote, oid, { isWhole: true });
      if (pack === null) return false;
      const cache = await this.#o.cache();
      return (await cache.git(['index-pack', '--stdin'], { input: pack })).code === 0;
    });
  }

  bringAll(heads: readonly Head[], into: GitCache): Promise<boolean> {
    return this.#signedIn(async (remote) => {
      if ((await greetedWith(remote)) === null) return false;
      const file = path.join(into.gitdir, 'objects', 'pack', `pack-${randomBytes(10).toString('hex')}.pack`);
      await packToFile(remote, [...new Set(heads.map(({ head }) => head))], file, packOf(heads.length));
      await into.index(file);
      return true;
    });
  }

  held(oid: string): Promise<string | null> {
    return this.#signedIn((remote) => heldCommit(remote, oid));
  }

  push({ ref, expect, to }: Push): Promise<PushOutcome | Refused> {
    return this.#signedIn(async (remote) => {
      // The heads shown before suffice when the push builds on one of them. They may be old: with any other head, ask again.
      const known = (this.#shown?.heads.get(ref) ?? null) === expect ? this.#shown : null;
      const { heads, abilities } = known ?? (await headsForPush(remote));
      const head = heads.get(ref) ?? null;
      const wanted = to?.oid ?? null;
      if (head === wanted) return 'already';
      if (head !== expect) return 'moved';
      this.#shown = null;
      // Compare and swap: the remote takes the push only from the head that it builds on.
      const words = await sendPack(remote, { ref, from: expect, to: wanted, pack: to && packed(to.objects), abilities });
      if (words !== null) return { refused: words };
      const others = [...heads].filter(([other]) => other !== ref);
      this.#shown = { heads: new Map(wanted === null ? others : [...others, [ref, wanted]]), abilities };
      return 'landed';
    });
  }

  /** Runs one operation with each credential until one is accepted. Each gets headers of its own, because isomorphic-git adds to them. */
  async #signedIn<T>(operation: (remote: Asked) => Promise<T>): Promise<T> {
    const { url, credentials } = this.#o;
    for (;;) {
      const signIn = await credentials.current();
      try {
        return await operation({ http: this.#http, url, headers: { ...signIn } });
      } catch (thrown) {
        // A web page stands where a repository should be.
        if (thrown instanceof NotGit) throw await refusal(this.#refuser, thrown.words, 404);
        if (!(thrown instanceof GitHttpStatus)) throw thrown;
        const isAboutAccess = [401, 403, 404].includes(thrown.status);
        if (isAboutAccess && (await credentials.refused(thrown.status, signIn))) continue;
        throw await refusal(this.#refuser, thrown.words, thrown.status);
      }
    }
  }
}
