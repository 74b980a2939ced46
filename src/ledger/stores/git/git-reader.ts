import type { Readable, Writable } from 'node:stream';
import { type Clock, systemClock } from '../../../core/clock.ts';
import { type GitCache, readingMs } from './git-cache.ts';
import { anyOid } from './git-format.ts';

/** A reader may live as long as a sweep works on what it reads. */
const longestMs = 24 * 60 * 60_000;
/** More than `<oid> <type> <size>` takes. */
const headLength = 100;
const objectLine = new RegExp(`^(${anyOid}) (commit|tree|blob|tag) (\\d+)$`);
const missingLine = new RegExp(`^${anyOid} missing$`);
const newline = 0x0a;

/**
 * Reads objects of one repository with one git for all questions, which are answered in their order. A git for each question would have to take
 * many objects at once, and they would stand in memory together. The objects are not hashed again, so the repository must be of this run alone.
 */
export class GitReader {
  readonly #talks: { readonly contents: Talk; readonly sizes: Talk };

  constructor(cache: GitCache, clock: Clock = systemClock) {
    this.#talks = { contents: new Talk(cache, '--batch', clock), sizes: new Talk(cache, '--batch-check', clock) };
  }

  /** The bytes of those objects that are here, by id; `null` when their sizes add up to more than `most`. */
  async contents(oids: readonly string[], most: number): Promise<ReadonlyMap<string, Buffer> | null> {
    const found = new Map<string, Buffer>();
    let room = most;
    await this.#talks.contents.ask([...new Set(oids)], ({ oid, size }) => {
      room -= size;
      return room < 0 ? null : (content) => found.set(oid, content);
    });
    return room < 0 ? null : found;
  }

  /** The sizes in bytes of those files that are here, by id. */
  async sizes(oids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    await this.#talks.sizes.ask([...new Set(oids)], ({ oid, type, size }) => {
      if (type === 'blob') found.set(oid, size);
      return null;
    });
    return found;
  }

  async close(): Promise<void> {
    await Promise.all([this.#talks.contents.close(), this.#talks.sizes.close()]);
  }
}

interface Head {
  readonly oid: string;
  readonly type: string;
  /** In bytes. */
  readonly size: number;
}

type Keep = (content: Buffer) => void;

interface Question {
  /** Objects that git has not told of yet. */
  left: number;
  /** Takes the line of an object. The result takes its content; `null` lets the content pass by. */
  readonly tell: (head: Head) => Keep | null;
  readonly done: () => void;
  readonly fail: (cause: unknown) => void;
}

/** One git that is asked again and again. */
class Talk {
  readonly #cache: GitCache;
  readonly #mode: '--batch' | '--batch-check';
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #questions: Question[] = [];
  #stdin: Promise<Writable> | null = null;
  #ended: Promise<void> = Promise.resolve();
  /** Why git ended; `null` while it answers. */
  #failure: { readonly cause: unknown } | null = null;
  #line = '';
  /** The content that comes: `keep` takes it whole, `missing` counts its bytes and the end of its line. */
  #content: { readonly bytes: Buffer | null; readonly keep: Keep | null; missing: number } | null = null;

  constructor(cache: GitCache, mode: '--batch' | '--batch-check', clock: Clock) {
    this.#cache = cache;
    this.#mode = mode;
    this.#clock = clock;
  }

  async ask(oids: readonly string[], tell: Question['tell']): Promise<void> {
    if (oids.length === 0) return;
    this.#stdin ??= this.#start();
    const stdin = await this.#stdin;
    if (this.#failure) throw this.#failure.cause;
    const { promise, resolve: done, reject: fail } = Promise.withResolvers<void>();
    this.#questions.push({ left: oids.length, tell, done, fail });
    stdin.write(oids.map((oid) => `${oid}\n`).join(''));
    const timer = new AbortController();
    this.#clock.sleep(readingMs, timer.signal).then(
      () => this.#stop.abort(new Error('git did not answer in time')),
      () => undefined,
    );
    try {
      await promise;
    } finally {
      timer.abort();
    }
  }

  async close(): Promise<void> {
    (await this.#stdin?.catch(() => null))?.end();
    await this.#ended;
  }

  #start(): Promise<Writable> {
    const { promise, resolve, reject } = Promise.withResolvers<Writable>();
    const talk = (stdin: Writable, stdout: Readable): void => {
      stdout.on('data', (part: Buffer) => this.#take(part));
      resolve(stdin);
    };
    const over = (cause: unknown): void => {
      this.#failure = { cause };
      reject(cause);
      for (const { fail } of this.#questions.splice(0)) fail(cause);
    };
    const ended = this.#cache.git(['cat-file', this.#mode], { talk, signal: this.#stop.signal, timeoutMs: longestMs });
    this.#ended = ended.then(({ stderr }) => over(new Error(stderr.toString('utf8') || 'git ended before it gave all objects')), over);
    return promise;
  }

  #take(part: Buffer): void {
    for (let at = 0; at < part.length; ) {
      if (this.#content) {
        at += this.#fill(part.subarray(at));
        continue;
      }
      const end = part.indexOf(newline, at);
      this.#line += part.toString('latin1', at, end < 0 ? part.length : end);
      at = end < 0 ? part.length : end + 1;
      if (this.#line.length > headLength) this.#stop.abort(new Error('git gave a line that is no object'));
      else if (end >= 0) this.#head();
    }
  }

  #head(): void {
    const line = this.#line;
    this.#line = '';
    const [question] = this.#questions;
    const [, oid, type, size] = objectLine.exec(line) ?? [];
    if (question === undefined || (oid === undefined && !missingLine.test(line))) {
      this.#stop.abort(new Error(`an object of the cache is missing: ${line}`));
      return;
    }
    const keep = oid && type ? question.tell({ oid, type, size: Number(size) }) : null;
    const hasContent = this.#mode === '--batch' && oid !== undefined;
    if (hasContent) this.#content = { bytes: keep && Buffer.allocUnsafe(Number(size)), keep, missing: Number(size) + 1 };
    else this.#next(question);
  }

  #fill(part: Buffer): number {
    const content = this.#content;
    const [question] = this.#questions;
    if (!content || !question) return part.length;
    const count = Math.min(content.missing, part.length);
    // The last byte is the end of the line.
    const { bytes } = content;
    if (bytes) bytes.set(part.subarray(0, Math.min(count, content.missing - 1)), bytes.length + 1 - content.missing);
    content.missing -= count;
    if (content.missing > 0) return count;
    this.#content = null;
    if (bytes) content.keep?.(bytes);
    this.#next(question);
    return count;
  }

  #next(question: Question): void {
    question.left -= 1;
    if (question.left > 0) return;
    this.#questions.shift();
    question.done();
  }
}
