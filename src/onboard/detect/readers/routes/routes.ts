import type { Route } from '../../facts.ts';
import type { Code } from '../code/source-code.ts';
import { checksSignature, wordsIn } from './words.ts';

/** A route at a place of a file. */
export interface Spot {
  readonly at: number;
  readonly path: string;
  readonly methods: readonly string[];
  readonly servedBy?: string;
  /** Names of the handler. */
  readonly names?: readonly string[];
}

/** The routes of one file, with the words that tell which service each serves. */
export class Routes {
  readonly #code: Code;
  readonly #packages: readonly string[];
  readonly #found = new Map<string, Route>();

  constructor(code: Code, packages: readonly string[] = []) {
    this.#code = code;
    this.#packages = packages;
  }

  /** The whole file answers one route. */
  whole({ path, methods, servedBy }: Omit<Spot, 'at'>): void {
    const { text } = this.#code;
    // Clients of several services may be in one file; the one whose package it imports may be the sender.
    this.#add({ at: 0, path, methods, ...(servedBy !== undefined && { servedBy }) }, text, this.#packages);
  }

  /** Each route reaches to the next one. Packages of a file with several routes say nothing of one of them. */
  spots(spots: readonly Spot[]): void {
    const sorted = spots.toSorted((a, b) => a.at - b.at).slice(0, 500);
    for (const [i, spot] of sorted.entries()) {
      const end = Math.min(sorted[i + 1]?.at ?? this.#code.text.length, spot.at + 4_000);
      this.#add(spot, this.#code.text.slice(spot.at, end), sorted.length === 1 ? this.#packages : []);
    }
  }

  list(): readonly Route[] {
    return [...this.#found.values()];
  }

  #add({ at, path, methods, servedBy, names = [] }: Spot, text: string, packages: readonly string[]): void {
    const { use, path: file } = this.#code;
    if (use === 'develop' || this.#code.isQuoted(at)) return;
    const handler = /^[^\n]{0,300}/.exec(text)?.[0] ?? '';
    const words = [...wordsIn(path, ...names, ...(at === 0 ? [] : [handler.replace(/["'`][^"'`]*["'`]/g, ' ')])), ...wordsIn(...packages)];
    const all = checksSignature(text) ? [...words, 'signature'] : words;
    const key = `${path} ${methods.join()} ${servedBy ?? ''}`;
    if (this.#found.has(key)) return;
    const line = at === 0 ? 1 : this.#code.lineAt(at);
    this.#found.set(key, { path, methods, file, line, words: [...new Set(all)], ...(servedBy !== undefined && { servedBy }) });
  }
}
