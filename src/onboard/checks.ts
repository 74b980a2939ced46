import { readYaml } from '../plan/read-yaml.ts';
import type { Tree } from '../plan/tree.ts';
import type { TodoDoc } from '../report/document.ts';

/** Every value of the plan that is marked `# CHECK:`, with what should be looked at. It works as it is. */
export function findChecks(text: string, file: string): readonly TodoDoc[] {
  const marks = text.split(/\r?\n/).flatMap((row, i) => {
    const hint = /^\s*[^\s#].*?\s#\s*CHECK:\s*(.*)$/.exec(row)?.[1];
    return hint === undefined ? [] : [{ line: i + 1, hint: hint.trim() }];
  });
  if (marks.length === 0) return [];
  const paths = new Map<number, string>();
  visit(readYaml(text, file).root, '', paths);
  return marks.flatMap(({ line, hint }) => {
    const path = paths.get(line);
    return path === undefined ? [] : [{ path, hint, file, line }];
  });
}

/** The path of the innermost value that begins on each row. */
function visit(tree: Tree, path: string, paths: Map<number, string>): void {
  if (path !== '') paths.set(tree.place.line, path);
  if (tree.kind === 'map') for (const { key, value } of tree.entries) visit(value, path === '' ? key : `${path}.${key}`, paths);
  if (tree.kind === 'list') for (const [i, item] of tree.items.entries()) visit(item, `${path}[${i}]`, paths);
}
