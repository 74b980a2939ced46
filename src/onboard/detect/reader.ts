import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** The reason why a file of a repository was not read. The words follow the name of the file. */
export interface Unread {
  readonly why: string;
}

/** The largest file. Settings are small; a larger file with such a name holds data. */
const largest = 1024 * 1024;
/** The largest sum of all settings, and of all code. */
const largestSums = { settings: 64 * 1024 * 1024, code: 24 * 1024 * 1024 };

type Kind = keyof typeof largestSums;

/** The first bytes of a file of code. */
const block = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Reads small text files of one repository. The reader never waits: it reads no named pipe (a secret manager may have put one at `.env`),
 * and follows no link.
 */
export class Reader {
  readonly #root: string;
  readonly #left = { ...largestSums };

  constructor(root: string) {
    this.#root = root;
  }

  /** Tells whether the limit of all settings left out a file. */
  get isCut(): boolean {
    return this.#left.settings <= 0;
  }

  /** The text without a byte order mark; `null` if the file is gone, or is no regular file. */
  read(file: string, kind: Kind = 'settings'): string | Unread | null {
    let handle: number | undefined;
    try {
      handle = openSync(`${this.#root}/${file}`, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
      if (kind === 'code') {
        // The walk found a regular file, and most code is so small that one read takes it whole.
        const size = readSync(handle, block, 0, block.length, 0);
        if (size < block.length && size <= this.#left.code) {
          this.#left.code -= size;
          return textOf(block, size);
        }
      }
      const state = fstatSync(handle);
      if (!state.isFile()) return null;
      const { size } = state;
      if (size > largest) return { why: 'is larger than 1 MB, so it was not read' };
      if (size > this.#left[kind]) {
        this.#left[kind] = 0;
        return { why: 'was not read: the repository has more than 64 MB of files like it' };
      }
      this.#left[kind] -= size;
      return wholeText(handle, size);
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
      return ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(code) ? null : { why: `could not be read${code && ` (${code})`}` };
    } finally {
      if (handle !== undefined) closeSync(handle);
    }
  }
}

function wholeText(handle: number, size: number): string {
  const bytes = Buffer.allocUnsafe(size);
  let end = 0;
  while (end < size) {
    const count = readSync(handle, bytes, end, size - end, end);
    if (count === 0) break;
    end += count;
  }
  return textOf(bytes, end);
}

function textOf(bytes: Buffer, end: number): string {
  // Windows PowerShell writes `>` as UTF-16.
  const isWide = end >= 2 && bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = bytes.toString(isWide ? 'utf16le' : 'utf8', 0, end);
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
