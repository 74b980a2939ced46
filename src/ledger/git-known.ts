import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Remembered, Tree } from './store.ts';

const copyFormat = z.object({ v: z.literal(1), head: z.string(), files: z.record(z.string(), z.string()) });

/**
 * What this machine knows of the branches of a remote: the head that each had last, and a copy of its files. It stands beside the
 * cache repository and outlives it. A branch that was deleted is told from one that never was, and can be made anew.
 *
 * Nothing here is needed for anything else, so a folder that cannot be written is no error.
 */
export class GitKnown {
  readonly #folder: string;
  readonly #heads = new Map<string, string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async of(ref: string): Promise<Remembered | null> {
    const place = this.#file(ref, 'head');
    const text = await readFile(place, 'utf8').catch(() => null);
    const head = text?.trim() ?? '';
    if (!/^[0-9a-f]{40}$/.test(head)) return null;
    return { head, copy: (await this.copy(ref))?.head ?? null, place };
  }

  async copy(ref: string): Promise<Tree | null> {
    try {
      const content = copyFormat.parse(JSON.parse(await readFile(this.#file(ref, 'json'), 'utf8')));
      return { head: content.head, files: new Map(Object.entries(content.files)) };
    } catch {
      return null;
    }
  }

  async note(ref: string, head: string): Promise<void> {
    if (this.#heads.get(ref) === head) return;
    this.#heads.set(ref, head);
    await this.#write(this.#file(ref, 'head'), `${head}\n`);
  }

  /** The copy is written once a run: a ledger of thousands of records would cost too much at every append. */
  async keep(ref: string, tree: Tree): Promise<void> {
    if ((await this.copy(ref))?.head === tree.head) return;
    await this.#write(this.#file(ref, 'json'), JSON.stringify({ v: 1, head: tree.head, files: Object.fromEntries(tree.files) }));
  }

  async forget(ref: string): Promise<void> {
    this.#heads.delete(ref);
    for (const kind of ['head', 'json'] as const) await rm(this.#file(ref, kind), { force: true }).catch(() => undefined);
  }

  /** Names of `names.ts` hold nothing that a file system minds. */
  #file(ref: string, kind: 'head' | 'json'): string {
    return path.join(this.#folder, `${ref.replaceAll('/', ',')}.${kind}`);
  }

  async #write(file: string, text: string): Promise<void> {
    const draft = `${file}.${randomBytes(6).toString('hex')}.draft`;
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(draft, text);
      await rename(draft, file);
    } catch {
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }
}
