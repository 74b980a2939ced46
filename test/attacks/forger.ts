import { factText } from '../../src/ledger/model/file-text.ts';
import type { MemoryRemote } from '../support/memory-store.ts';

export type Fact = { [name: string]: unknown };
export type Tree = Map<string, string>;

/** Whoever can push to a receipts branch, and knows the format of its files. */
export class Forger {
  readonly #remote: MemoryRemote;
  constructor(remote: MemoryRemote) {
    this.#remote = remote;
  }

  /** Pushes a commit with the files as `change` leaves them. */
  async push(branch: string, change: (files: Tree) => void): Promise<void> {
    const before = this.#remote.filesOf(branch);
    const files = new Map(before);
    change(files);
    const delta = new Map<string, string | null>([...files].filter(([path, text]) => before.get(path) !== text));
    for (const path of before.keys()) if (!files.has(path)) delta.set(path, null);
    await this.#remote.open().append(branch, delta, this.#remote.branches.get(branch)?.head ?? null, 'forged');
  }

  /** The branch as a later run leaves it that dies after its creates and before it records them: with its announcements. */
  async die(branch: string): Promise<void> {
    const store = this.#remote.open();
    const history = this.#remote.filesOf(branch).get('history.jsonl') ?? '';
    const heads = (await store.history?.(branch)) ?? [];
    const first = await store.readAt(branch, heads.at(-1) ?? '');
    await store.remove(branch, heads[0] ?? '');
    await this.push(branch, (files) => {
      for (const [path, text] of first?.files ?? []) if (path !== 'lease.json') files.set(path, text);
      files.set('history.jsonl', history);
    });
  }
}

/** The facts of a folder, by path, without their checksums. */
export const factsIn = (files: ReadonlyMap<string, string>, folder: string): readonly (readonly [string, Fact])[] =>
  [...files]
    .filter(([path]) => path.startsWith(`${folder}/`))
    .map(([path, text]) => {
      const { sum: _sum, ...fact } = JSON.parse(text) as Fact;
      return [path, fact] as const;
    });

/** Writes a fact to the file of its identity. */
export function put(files: Tree, folder: string, fact: Fact): void {
  const identity = String(fact.identity);
  files.set(`${folder}/${identity.slice(0, 2)}/${identity}.json`, factText(fact));
}
