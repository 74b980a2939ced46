import type { Route } from '../../facts.ts';
import type { Code } from '../code/source-code.ts';
import { checksSignature, signersIn, wordsIn } from './words.ts';

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
  #hasSignature: boolean | null = null;

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
      const own = upToNext(this.#code.text.slice(spot.at, end));
      this.#add(spot, own + this.#handlersOf(own), sorted.length === 1 ? this.#packages : []);
    }
  }

  list(): readonly Route[] {
    return [...this.#found.values()];
  }

  /** The functions of this file that a route names as its handlers, where one of its functions checks a signature. */
  #handlersOf(route: string): string {
    this.#hasSignature ??= checksSignature(this.#code.text);
    if (!this.#hasSignature) return '';
    const names = new Set((/^[^\n]{0,300}/.exec(route)?.[0] ?? '').match(/\b[A-Za-z_]\w{3,60}/g) ?? []);
    const bodies = [...names].slice(0, 12).map((name) => {
      const at = this.#code.text.search(
        new RegExp(`\\b(?:fn|func|function|def|const|let|var|void|Task|async|fun)\\s+(?:\\([^()\\n]{0,60}\\)\\s*)?${name}\\b`),
      );
      return at < 0 ? '' : this.#code.text.slice(at, at + 2_500);
    });
    return bodies.join('\n');
  }

  #add({ at, path, methods, servedBy, names = [] }: Spot, text: string, packages: readonly string[]): void {
    const { use, path: file } = this.#code;
    if (use === 'develop' || this.#code.isQuoted(at)) return;
    const handler = /^[^\n]{0,300}/.exec(text)?.[0] ?? '';
    const words = [...wordsIn(path, ...names, ...(at === 0 ? [] : [handler.replace(/["'`][^"'`]*["'`]/g, ' ')])), ...wordsIn(...packages)];
    const all = checksSignature(text) ? [...words, ...signersIn(text), 'signature'] : words;
    const key = `${path} ${methods.join()} ${servedBy ?? ''}`;
    if (this.#found.has(key)) return;
    const line = at === 0 ? 1 : this.#code.lineAt(at);
    this.#found.set(key, { path, methods, file, line, words: [...new Set(all)], ...(servedBy !== undefined && { servedBy }) });
  }
}

const definition = /\n(?=(?:pub|async|fn|func|def|function|export|class|mod|static|const|module)\b)/g;

/** The part of a text before the next function at the left margin. What a decorator stands before is its own. */
function upToNext(text: string): string {
  definition.lastIndex = 0;
  const first = definition.exec(text);
  const next = first && /^(?:@|#\[|\[)/.test(text) ? definition.exec(text) : first;
  return next ? text.slice(0, next.index) : text;
}
