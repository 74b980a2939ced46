import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { recordedFolder } from '../contracts/result.ts';
import { root, run } from '../tasks.ts';

/** The end of one part. */
export interface Result {
  readonly state: 'holds' | 'failed' | 'skipped';
  readonly seconds: number;
  readonly figures: readonly string[];
}

/** The content of `coverage/prove.json`. */
interface Stored {
  readonly commit: string;
  readonly parts: Readonly<Record<string, Result>>;
}

const file = join(root, 'coverage/prove.json');

/** The results of the parts that ran at one commit. They last until a part runs at another commit. */
export class Results {
  /** `null` outside a checkout, and in a checkout with changes: results of such a tree are not kept. */
  readonly commit: string | null;
  readonly #parts: Map<string, Result>;

  private constructor(commit: string | null, parts: ReadonlyMap<string, Result>) {
    this.commit = commit;
    this.#parts = new Map(parts);
  }

  /** Reads the results of this commit. Removes results of another commit, with the exchanges that were recorded then. */
  static async open(): Promise<Results> {
    const commit = await cleanCommit();
    const stored: Stored | null = await readFile(file, 'utf8').then(JSON.parse, () => null);
    if (commit !== null && stored?.commit === commit) return new Results(commit, new Map(Object.entries(stored.parts)));
    await rm(recordedFolder, { recursive: true, force: true });
    await rm(file, { force: true });
    return new Results(commit, new Map());
  }

  of(part: string): Result | null {
    return this.#parts.get(part) ?? null;
  }

  /** Forgets the result of a part, so that a part that is stopped in the middle counts as not run. */
  async begin(part: string): Promise<void> {
    this.#parts.delete(part);
    await this.#store();
  }

  async end(part: string, result: Result): Promise<void> {
    this.#parts.set(part, result);
    await this.#store();
  }

  async #store(): Promise<void> {
    if (this.commit === null) return;
    const stored: Stored = { commit: this.commit, parts: Object.fromEntries(this.#parts) };
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(stored, null, 2)}\n`);
  }
}

async function cleanCommit(): Promise<string | null> {
  const head = await run('git', ['rev-parse', 'HEAD']).catch(() => null);
  const status = await run('git', ['status', '--porcelain']).catch(() => null);
  const isClean = head?.code === 0 && status?.code === 0 && status.output === '';
  return isClean ? head.output.trim() : null;
}
