import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { isCommitId } from '../../../core/commit-id.ts';
import { isMap } from '../../../core/json.ts';
import type { Remembered } from '../store.ts';
import { emptyTree, formatOf } from './git-format.ts';
import { gitObject } from './git-object.ts';
import { ledgerFolder } from './git-root-files.ts';
import { folderOf, type GitFile, type GitFolder, isFolder, treeOf } from './git-tree.ts';

/** A commit with everything of it that a run needs. */
export interface KnownCommit {
  readonly head: string;
  /** As git keeps it, a character to a byte. */
  readonly commit: string;
  readonly root: GitFolder | null;
}

/**
 * The memory of this machine for the branches of a remote: the last head of each, and a copy of that commit. The memory stands beside the
 * cache repository and outlives it. The memory tells a deleted branch from one that never was, and can make it anew. A branch that nobody
 * else has written to since need not be fetched.
 *
 * Nothing else needs this memory, so a folder that cannot be written is no error.
 */
export class GitKnown {
  readonly #folder: string | null;
  readonly #heads = new Map<string, string>();
  /** Heads of the copies as they stand on disk. */
  readonly #copies = new Map<string, string>();

  /** The place of the remote's cache; `null` where nothing may be kept. */
  constructor(place: string | null) {
    this.#folder = place === null ? null : `${place}.known`;
  }

  async of(ref: string): Promise<Remembered | null> {
    const head = await this.last(ref);
    return head === null ? null : { head, copy: (await this.copy(ref))?.head ?? null, place: this.#file(ref, 'head') ?? '' };
  }

  /** The head that the branch had last. Without a writable folder the run knows only what it saw itself. */
  async last(ref: string): Promise<string | null> {
    const text = await this.#text(ref, 'head');
    return isCommitId(text.trim()) ? text.trim() : (this.#heads.get(ref) ?? null);
  }

  /** The copy, when it is whole: git's own hashes, from the texts up to the commit, give its head. */
  async copy(ref: string): Promise<KnownCommit | null> {
    try {
      const copy = whole(JSON.parse(await this.#text(ref, 'json')));
      if (copy !== null) this.#copies.set(ref, copy.head);
      return copy;
    } catch {
      return null;
    }
  }

  note(ref: string, head: string): void {
    if (this.#heads.get(ref) === head) return;
    this.#heads.set(ref, head);
    this.#write(ref, 'head', `${head}\n`);
  }

  /** The copy is written once a run: a ledger of thousands of records would cost too much at every append. */
  keep(ref: string, { head, commit, root }: KnownCommit): void {
    if (this.#copies.get(ref) === head) return;
    const files: Written[] = [];
    const walk = (folder: GitFolder, at: string): void => {
      for (const [name, entry] of folder.entries) {
        const path = `${at}${name}`;
        if (isFolder(entry)) walk(entry, `${path}/`);
        else files.push(isInside(path) ? [path, entry.mode, null, entry.text] : [path, entry.mode, entry.oid, null]);
      }
    };
    if (root !== null) walk(root, '');
    this.#write(ref, 'json', JSON.stringify({ v: 2, head, commit, files }));
    this.#copies.set(ref, head);
  }

  async forget(ref: string): Promise<void> {
    this.#heads.delete(ref);
    this.#copies.delete(ref);
    for (const kind of ['head', 'json'] as const) {
      const file = this.#file(ref, kind);
      if (file !== null) await rm(file, { force: true }).catch(() => undefined);
    }
  }

  /** Names from `names.ts` hold nothing that a file system minds. */
  #file(ref: string, kind: 'head' | 'json'): string | null {
    return this.#folder && path.join(this.#folder, `${ref.replaceAll('/', ',')}.${kind}`);
  }

  /** Empty when the file is missing or cannot be read. */
  async #text(ref: string, kind: 'head' | 'json'): Promise<string> {
    const file = this.#file(ref, kind);
    return file === null ? '' : await readFile(file, 'utf8').catch(() => '');
  }

  #write(ref: string, kind: 'head' | 'json', text: string): void {
    const file = this.#file(ref, kind);
    if (file === null) return;
    const draft = `${file}.${randomBytes(6).toString('hex')}.draft`;
    try {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      try {
        writeFileSync(draft, text);
        renameSync(draft, file);
      } catch {
        rmSync(draft, { force: true });
      }
    } catch {
      // The next run fetches, as on a fresh machine.
    }
  }
}

/** The branches of a remote that this machine remembers, without `refs/heads/`. `place` is that of `GitKnown`. Asks nothing but the disk. */
export async function rememberedIn(place: string | null): Promise<readonly string[]> {
  const names = place === null ? [] : await readdir(`${place}.known`).catch(() => []);
  return names.flatMap((name) =>
    /^refs,heads,.*\.head$/.test(name) ? [name.slice('refs,heads,'.length, -'.head'.length).replaceAll(',', '/')] : [],
  );
}

/** A file of the commit: its text inside the ledger's folder, elsewhere its hash. */
type Written = readonly [path: string, mode: string, oid: string | null, text: string | null];

const isInside = (path: string): boolean => path.startsWith(`${ledgerFolder}/`);

function whole(content: unknown): KnownCommit | null {
  if (!isMap(content) || content.v !== 2) return null;
  const { head, commit, files } = content;
  if (typeof head !== 'string' || typeof commit !== 'string' || !Array.isArray(files)) return null;
  const format = formatOf(head);
  const listed = new Map<string, GitFile>();
  for (const file of files) {
    const [path, mode, oid, text]: readonly unknown[] = Array.isArray(file) ? file : [];
    if (typeof path !== 'string' || typeof mode !== 'string') return null;
    if (isInside(path) && typeof text === 'string')
      listed.set(path, { mode, text, oid: gitObject('blob', Buffer.from(text, 'utf8'), format).oid });
    else if (!isInside(path) && typeof oid === 'string' && isCommitId(oid)) listed.set(path, { mode, text: null, oid });
    else return null;
  }
  const root = folderOf(listed, format);
  const isWhole =
    gitObject('commit', Buffer.from(commit, 'latin1'), format).oid === head && treeOf(commit) === (root?.oid ?? emptyTree[format]);
  return isWhole ? { head, commit, root } : null;
}
