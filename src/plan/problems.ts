import type { ErrorCode } from '../core/error-table.ts';
import { Failure, type FailureOptions, Failures, type Place, showPlace } from '../core/errors.ts';

/** Collects every mistake of a plan, so that they are reported together. The same mistake at the same place counts once. */
export class Problems {
  readonly #seen = new Map<string, Failure>();
  readonly #unread = new Set<string>();

  get size(): number {
    return this.#seen.size;
  }

  add(code: ErrorCode, options: FailureOptions): void {
    this.take(new Failure(code, options));
  }

  take(...failures: readonly Failure[]): void {
    for (const failure of failures) {
      // The run lacks a value once, however many lines need it.
      const place = failure.place && failure.code !== 'CTX_NULL' ? showPlace(failure.place) : '';
      const id = [failure.code, place, failure.detail].join('\n');
      if (!this.#seen.has(id)) this.#seen.set(id, failure);
    }
  }

  /** Values that could not be read. One error tells of all of them, and nothing else about them counts. */
  leave(places: readonly Place[]): void {
    for (const place of places) this.#unread.add(showPlace(place));
  }

  /** Whether a mistake is known at this very place. */
  hasAt(place: Place): boolean {
    if (this.#unread.has(showPlace(place))) return true;
    return [...this.#seen.values()].some((known) => known.place !== undefined && showPlace(known.place) === showPlace(place));
  }

  /** In the order of the file; those without a place first. */
  list(): readonly Failure[] {
    return inOrder([...this.#seen.values()]);
  }

  throwIfAny(): void {
    const [first, ...rest] = this.list();
    if (first) throw new Failures([first, ...rest]);
  }
}

/** Failures by their position in the file; those without a place come first. The sort is stable. */
export function inOrder(failures: readonly Failure[]): readonly Failure[] {
  return failures.toSorted((a, b) => (a.place?.line ?? 0) - (b.place?.line ?? 0) || (a.place?.column ?? 0) - (b.place?.column ?? 0));
}

/** Text of the file inside a message: quoted, on one line, cut to a readable length. Never for values that may be secret. */
export function quote(text: string): string {
  const cut = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return JSON.stringify(cut);
}
