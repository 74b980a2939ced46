import type { TodoDoc } from '../engine/document.ts';
import { readYaml } from '../plan/read-yaml.ts';
import type { Tree } from '../plan/tree.ts';

/**
 * Every value of the plan that is still marked `# TODO`, by the same reading that `plan` and `apply` refuse it with. A value that
 * several aliases name is told once, at its own place.
 */
export function findTodos(text: string, file: string): readonly TodoDoc[] {
  const yaml = readYaml(text, file);
  const seen = new Set<Tree>();
  const todos: TodoDoc[] = [];
  const visit = (tree: Tree, path: string): void => {
    if (seen.has(tree)) return;
    seen.add(tree);
    const hint = yaml.todoOf(tree);
    if (hint !== null && path !== '') todos.push({ path, hint, file, line: tree.place.line });
    if (tree.kind === 'map') for (const { key, value } of tree.entries) visit(value, path === '' ? key : `${path}.${key}`);
    if (tree.kind === 'list') for (const [i, item] of tree.items.entries()) visit(item, `${path}[${i}]`);
  };
  visit(yaml.root, '');
  return todos.sort((a, b) => a.line - b.line);
}
