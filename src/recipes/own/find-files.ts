import { posix } from 'node:path';
import { bounds } from '../../core/bounds.ts';
import { Failure } from '../../core/errors.ts';
import { type Entry, type FileTree, linkRefused } from './file-tree.ts';

/**
 * The files of a pattern of `recipes`, in order. `*` stands for any part of a name and `**` for any folders; neither takes a name with a
 * leading dot, and `**` passes `node_modules` by. Throws `PLAN_INVALID` for a pattern that leaves the repository or finds nothing.
 */
export async function findFiles(pattern: string, folder: string, tree: FileTree): Promise<readonly string[]> {
  const search = new Search(pattern, tree);
  await search.visit('', partsOf(pattern, folder));
  if (search.found.size > 0) return [...search.found].sort();
  throw refused(
    `${show(pattern)} of \`recipes\` finds no file.`,
    'Correct the path, which counts from the folder of the plan, or take it out.',
  );
}

/** The parts of a pattern from the top of the repository. */
function partsOf(pattern: string, folder: string): readonly string[] {
  if (pattern.startsWith('/') || pattern.includes('\\') || /^[A-Za-z]:/.test(pattern))
    throw refused(
      `${show(pattern)} of \`recipes\` is no path from the folder of the plan.`,
      'Write a path such as ./recipes/*.yaml, with slashes.',
    );
  const path = posix.join(folder, pattern);
  if (path === '..' || path.startsWith('../'))
    throw refused(
      `${show(pattern)} of \`recipes\` leads out of the repository. A plan reads only files that people review with it.`,
      'Put the file into this repository.',
    );
  return path.split('/');
}

class Search {
  readonly found = new Set<string>();
  readonly #pattern: string;
  readonly #tree: FileTree;
  readonly #seen = new Set<string>();
  #looked = 0;

  constructor(pattern: string, tree: FileTree) {
    this.#pattern = pattern;
    this.#tree = tree;
  }

  async visit(folder: string, [part = '', ...rest]: readonly string[]): Promise<void> {
    const state = `${folder}\n${rest.length}`;
    if (this.#seen.has(state)) return;
    this.#seen.add(state);
    if (part === '**') {
      await this.visit(folder, rest);
      for (const { name, kind } of await this.#entries(folder))
        if (kind === 'folder' && !name.startsWith('.') && name !== 'node_modules')
          await this.visit(posix.join(folder, name), [part, ...rest]);
      return;
    }
    for (const { name, kind } of part.includes('*') ? await this.#entries(folder) : await this.#entry(folder, part)) {
      if (!fits(name, part)) continue;
      const path = posix.join(folder, name);
      // A pattern passes linked folders by, but never a file that is meant.
      if (kind === 'link' && (rest.length === 0 || !part.includes('*'))) throw new Failure('PLAN_INVALID', linkRefused(path));
      if (rest.length > 0 && kind === 'folder') await this.visit(path, rest);
      if (rest.length === 0 && kind === 'file') this.#take(path);
    }
  }

  #take(path: string): void {
    this.found.add(path);
    if (this.found.size > bounds.families)
      throw refused(
        `${show(this.#pattern)} of \`recipes\` finds more than ${bounds.families} files.`,
        'Write a pattern that finds only recipe families.',
      );
  }

  async #entry(folder: string, name: string): Promise<readonly Entry[]> {
    const kind = await this.#tree.kindOf(posix.join(folder, name));
    return kind === null ? [] : [{ name, kind }];
  }

  async #entries(folder: string): Promise<readonly Entry[]> {
    const entries = await this.#tree.entriesOf(folder);
    this.#looked += entries.length;
    if (this.#looked <= bounds.looked) return entries;
    throw refused(
      `${show(this.#pattern)} of \`recipes\` looks through more than ${bounds.looked.toLocaleString('en-US')} files and folders.`,
      'Write a pattern that begins with the folder of the recipe families.',
    );
  }
}

/** Whether a name is of a pattern with `*`. Each text between two stars is searched once, so no pattern takes long. */
function fits(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first) || (first === '' && name.startsWith('.'))) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

const show = (pattern: string): string => JSON.stringify(pattern);
const refused = (detail: string, fix: string): Failure => new Failure('PLAN_INVALID', { detail, fix });
