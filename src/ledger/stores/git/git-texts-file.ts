import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { GitCache } from './git-cache.ts';

/** Texts of a cache, one after the other in a file beside it, as `git cat-file --batch` gives them. One buffer serves all reads. */
export class TextsFile {
  readonly #file: string;
  readonly #opened: number;
  #buffer = Buffer.alloc(256 * 1024);
  #at = 0;

  private constructor(file: string) {
    this.#file = file;
    this.#opened = openSync(file, 'wx+', 0o600);
  }

  /** Has git write the texts in this order. */
  static async of(cache: GitCache, oids: readonly string[]): Promise<TextsFile> {
    const texts = new TextsFile(path.join(cache.gitdir, `texts-${randomBytes(6).toString('hex')}`));
    if (oids.length === 0) return texts;
    try {
      const input = oids.map((oid) => `${oid}\n`).join('');
      const end = await cache.git(['cat-file', '--batch', '--buffer'], { input, outFile: texts.#opened });
      if (end.code !== 0) throw new Error(end.stderr.toString('utf8') || 'git did not give all texts');
      return texts;
    } catch (thrown) {
      texts.close();
      throw thrown;
    }
  }

  /** The next texts, which stand in the buffer until the next call; `null` where the file holds others. */
  next(files: readonly { readonly oid: string }[], sizes: ReadonlyMap<string, number>): readonly Buffer[] | null {
    const heads = files.map(({ oid }) => `${oid} blob ${sizes.get(oid) ?? 0}\n`);
    const length = files.reduce((sum, { oid }, i) => sum + (heads[i]?.length ?? 0) + (sizes.get(oid) ?? 0) + 1, 0);
    if (length > this.#buffer.length) this.#buffer = Buffer.alloc(length);
    const read = readSync(this.#opened, this.#buffer, 0, length, this.#at);
    this.#at += length;
    if (read !== length) return null;
    const texts: Buffer[] = [];
    let at = 0;
    for (const [i, { oid }] of files.entries()) {
      const head = heads[i] ?? '';
      const start = at + head.length;
      if (this.#buffer.toString('latin1', at, start) !== head) return null;
      at = start + (sizes.get(oid) ?? 0) + 1;
      texts.push(this.#buffer.subarray(start, at - 1));
    }
    return texts;
  }

  close(): void {
    closeSync(this.#opened);
    rmSync(this.#file, { force: true });
  }
}
