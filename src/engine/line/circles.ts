/**
 * Leaves out the edges that close a circle. Records of several runs, or records that somebody wrote by hand, can name each other. Then each
 * line of a destroy would wait for another one for ever. The walk has no recursion, because a chain may have thousands of lines.
 */
export function withoutCircles(edges: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const kept = new Map<string, string[]>();
  /** The lines on the way to the present one. */
  const above = new Set<string>();
  for (const start of edges.keys()) {
    if (kept.has(start)) continue;
    const way = [enter(start)];
    for (let at = way.at(-1); at !== undefined; at = way.at(-1)) {
      const { value: next, done } = at.rest.next();
      if (done) {
        above.delete(at.id);
        way.pop();
      } else if (!above.has(next)) {
        kept.get(at.id)?.push(next);
        if (!kept.has(next)) way.push(enter(next));
      }
    }
  }
  return kept;

  function enter(id: string): { readonly id: string; readonly rest: Iterator<string> } {
    kept.set(id, []);
    above.add(id);
    return { id, rest: (edges.get(id) ?? []).values() };
  }
}
