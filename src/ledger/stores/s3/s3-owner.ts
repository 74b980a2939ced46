import { z } from 'zod';
import { Failure } from '../../../core/errors.ts';
import type { S3Objects } from './s3-objects.ts';
import { proveConditions } from './s3-probe.ts';
import { placeOf } from './s3-refusal.ts';

const key = 'ledger.json';
const known = 1;

interface Owner {
  readonly version: number;
  readonly repository: string | null;
  readonly etag: string;
}

/** Whose ledger a prefix holds: one small object tells the form of all others and the repository. */
export class S3Owner {
  readonly #objects: S3Objects;
  readonly #repository: string | null;
  #checked: Promise<unknown> | null = null;
  #prepared: Promise<void> | null = null;

  constructor(objects: S3Objects, repository: string | null) {
    this.#objects = objects;
    this.#repository = repository;
  }

  /** Refuses the ledger of another repository, whose pull request 12 is not ours. Writes nothing. */
  async check(): Promise<void> {
    this.#checked ??= this.#read().then((owner) => owner && this.#mustBeOurs(owner));
    await this.#checked.catch((thrown: unknown) => {
      this.#checked = null;
      throw thrown;
    });
  }

  /** Before the first write of a run: the store is proven, and the prefix claimed. */
  prepare(): Promise<void> {
    if (this.#prepared === null) {
      this.#prepared = this.#claim();
      this.#prepared.catch(() => {
        this.#prepared = null;
      });
    }
    return this.#prepared;
  }

  /** Waits for what is under way. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.#prepared, this.#checked]);
  }

  async #claim(): Promise<void> {
    const [owner] = await Promise.all([this.#read(), proveConditions(this.#objects)]);
    if (owner !== null && (owner.repository !== null || this.#repository === null)) return this.#mustBeOurs(owner);
    const body = Buffer.from(`${JSON.stringify({ v: known, repository: this.#repository })}\n`);
    const headers = this.#objects.conditionOf(owner?.etag ?? null);
    const { status } = await this.#objects.ask({ method: 'PUT', key, body, headers });
    // Of two runs that claim at once, the later one learns of the first.
    const now = status === 200 ? null : await this.#read();
    if (now !== null) this.#mustBeOurs(now);
  }

  async #read(): Promise<Owner | null> {
    const { status, bytes, etag } = await this.#objects.ask({ method: 'GET', key });
    if (status !== 200) return null;
    const text = Buffer.from(bytes).toString('utf8');
    const { data } = z.object({ v: z.int(), repository: z.string().nullish() }).safeParse(jsonOrNull(text));
    if (!data) throw this.#refused('LEDGER_CORRUPT', `${this.#objects.placeOf(key)} cannot be read. Nothing was written.`);
    return { version: data.v, repository: data.repository ?? null, etag };
  }

  #mustBeOurs({ version, repository }: Owner): void {
    const place = placeOf(this.#objects.link.refuser.address);
    if (version > known) {
      throw this.#refused('LEDGER_VERSION', `The ledger of ${place} is of version ${version}; this pilotfish knows version ${known}.`);
    }
    if (this.#repository === null || repository === null || repository === this.#repository) return;
    throw new Failure('LEDGER_REFUSED', {
      detail: `The ledger of ${place} is that of ${repository}, and this checkout is of ${this.#repository}. Scopes of two repositories have the same names, so one would remove what the other made. Nothing was written.`,
      fix: `Give each repository a prefix of its own: \`s3://<bucket>/<prefix>\`. Where ${repository} was renamed, correct ${this.#objects.placeOf(key)}.`,
    });
  }

  #refused(code: 'LEDGER_CORRUPT' | 'LEDGER_VERSION', detail: string): Failure {
    return new Failure(code, { detail });
  }
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
