import type { Fact, SourceFile } from '../../facts.ts';
import { isTestPath, linesOf } from '../source.ts';

/** Collects the resources that one file makes, each with its first line. */
export class ResourceFacts {
  readonly #file: SourceFile;
  readonly #lineOf: (offset: number) => number;
  readonly #found = new Map<string, Fact>();

  constructor(file: SourceFile) {
    this.#file = file;
    this.#lineOf = linesOf(file.text);
  }

  add(name: string, offset: number): void {
    if (name === '' || name.length > 200 || this.#found.has(name) || this.#found.size >= 2000) return;
    const use = isTestPath(this.#file.path) ? 'develop' : 'infrastructure';
    this.#found.set(name, { kind: 'resource', name, file: this.#file.path, line: this.#lineOf(offset), use });
  }

  get list(): readonly Fact[] {
    return [...this.#found.values()];
  }
}
