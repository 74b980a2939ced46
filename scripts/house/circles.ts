import type { Source } from './sources.ts';

/** Finds groups of names that lead to each other along `edges`, by Tarjan's algorithm. A single name is no group. */
function circlesOf(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (name: string): number => {
    const place = order.size;
    order.set(name, place);
    open.push(name);
    let low = place;
    for (const next of edges.get(name) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    lowest.set(name, low);
    if (low === place) {
      const circle = open.splice(open.indexOf(name));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return low;
  };
  for (const name of edges.keys()) if (!order.has(name)) visit(name);
  return circles;
}

/** Finds the files of `src` that import each other in a circle when they are loaded. Imports of types count too. */
export function circlesOfFiles(sources: readonly Source[]): readonly (readonly string[])[] {
  const read = ({ imports }: Source): ReadonlySet<string> =>
    new Set(imports.filter(({ isOurs, isDynamic }) => isOurs && !isDynamic).map(({ target }) => target));
  return circlesOf(new Map(sources.map((source) => [source.file, read(source)])));
}
