import { readYaml, type YamlFile } from '../plan/read-yaml.ts';
import type { Tree } from '../plan/tree.ts';
import type { TodoDoc } from '../report/document.ts';

/** Every value of the plan that is still marked `# TODO`, by the same reading that `plan` and `apply` refuse it with. */
export function findTodos(text: string, file: string): readonly TodoDoc[] {
  const yaml = readYaml(text, file);
  const todos: TodoDoc[] = [];
  visit(yaml.root, '', yaml, file, todos);
  return todos.sort((a, b) => a.line - b.line);
}

function visit(tree: Tree, path: string, yaml: YamlFile, file: string, todos: TodoDoc[]): void {
  const hint = yaml.todoOf(tree);
  if (hint !== null && path !== '') todos.push({ path, hint, file, line: tree.place.line });
  if (tree.kind === 'map') for (const { key, value } of tree.entries) visit(value, path === '' ? key : `${path}.${key}`, yaml, file, todos);
  if (tree.kind === 'list') for (const [i, item] of tree.items.entries()) visit(item, `${path}[${i}]`, yaml, file, todos);
}
