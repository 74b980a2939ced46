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
}

/** The facts of a folder, by path, without their checksums. */
export const factsIn = (files: ReadonlyMap<string, string>, folder: string): readonly (readonly [string, Fact])[] =>
  [...files]
    .filter(([path]) => path.startsWith(`${folder}/`))
    .map(([path, text]) => {
      const { sum: _sum, ...fact } = JSON.parse(text) as Fact;
      return [path, fact] as const;
    });

const put = (files: Tree, path: string, fact: Fact): void => void files.set(path, factText(fact));

/** Adds a fact under an identity that nobody has; without a digit, under its own. */
export function add(files: Tree, folder: string, fact: Fact, digit: string): void {
  const identity = digit === '' ? String(fact.identity) : digit.repeat(64);
  put(files, `${folder}/${identity.slice(0, 2)}/${identity}.json`, { ...fact, identity });
}
