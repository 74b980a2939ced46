import type { TodoDoc } from '../engine/init-document.ts';
import { readYaml, type YamlFile } from '../plan/read-yaml.ts';
import type { Tree } from '../plan/tree.ts';

/**
 * Finds every value of the plan that is marked `# CHECK:`, with the hint of the mark. Such a value works as it is. `yaml`: the text, if it was
 * read before.
 */
export function findChecks(text: string, file: string, yaml?: YamlFile): readonly TodoDoc[] {
  const marks = text.split(/\r?\n/).flatMap((row, i) => {
    const hint = /^\s*[^\s#].*?\s#\s*CHECK:\s*(.*)$/.exec(row)?.[1];
    return hint === undefined ? [] : [{ line: i + 1, hint: hint.trim() }];
  });
  if (marks.length === 0) return [];
  const paths = new Map<number, string>();
  visit((yaml ?? readYaml(text, file)).root, '', paths);
  return marks.flatMap(({ line, hint }) => {
    const path = paths.get(line);
    return path === undefined ? [] : [{ path, hint, file, line }];
  });
}

/** Maps each row to the path that begins there: the outermost key, or the entry of a list. */
function visit(tree: Tree, path: string, paths: Map<number, string>): void {
  const mark = (line: number, at: string): void => {
    if (!paths.has(line)) paths.set(line, at);
  };
  if (tree.kind === 'map') {
    for (const entry of tree.entries) {
      const { key, value, place } = entry;
      const at = path === '' ? key : `${path}.${key}`;
      mark(place.line, at);
      visit(value, at, paths);
    }
  }
  if (tree.kind === 'list') {
    for (const [i, item] of tree.items.entries()) {
      if (item.kind === 'scalar') mark(item.place.line, `${path}[${i}]`);
      visit(item, `${path}[${i}]`, paths);
    }
  }
}
