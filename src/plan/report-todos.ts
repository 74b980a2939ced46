import type { Problems } from './problems.ts';
import { isListTree, isMapTree, type Tree } from './tree.ts';

/** Every value of the part that a `# TODO` marks. A value that several aliases name is reported at its own place, once. */
export function reportTodos(tree: Tree, options: { readonly problems: Problems; readonly todoOf: (tree: Tree) => string | null }): void {
  const hint = options.todoOf(tree);
  if (hint !== null) {
    options.problems.add('PLAN_TODO', {
      detail: hint === '' ? 'The value is still marked `# TODO`.' : `The value is still marked \`# TODO\`: ${hint}`,
      place: tree.place,
    });
  }
  if (isMapTree(tree)) for (const entry of tree.entries) reportTodos(entry.value, options);
  if (isListTree(tree)) for (const item of tree.items) reportTodos(item, options);
}
