import { isListTree, isMapTree, type MapTree, type Tree, valueAt } from './tree.ts';

/**
 * The parts of a plan's lines, which say where everything stands. Of thousands of lines they take as much as all else that is known of
 * them, and once a plan is checked they are wanted for a mistake only: then they are let go, and read again for who asks.
 */
export class LineParts {
  #lines: readonly Tree[] | null;
  readonly #readAgain: () => Tree;

  /** `readAgain` must not hold on to `root`. */
  constructor(root: Tree, readAgain: () => Tree) {
    this.#lines = linesOf(root);
    this.#readAgain = readAgain;
  }

  /** Of the line that comes `index`th in the file, which was a map when it was read. */
  of(index: number): MapTree {
    this.#lines ??= linesOf(this.#readAgain());
    const tree = this.#lines[index];
    if (!isMapTree(tree)) throw new Error(`the plan has no line ${index} any more`);
    return tree;
  }

  letGo(): void {
    this.#lines = null;
  }
}

/** The entries of `changes`. */
export function linesOf(root: Tree): readonly Tree[] {
  const changes = valueAt(root, 'changes');
  return isListTree(changes) ? changes.items : [];
}
