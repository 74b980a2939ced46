/** A node of the graph: a line, or an object that lines share. */
export interface GraphNode {
  readonly id: string;
  /** Ids of the nodes that it comes after. */
  readonly after: readonly string[];
}

export interface Layout {
  /** Column and row of each node, in the order given. */
  readonly places: readonly { readonly column: number; readonly row: number }[];
  readonly columns: number;
  readonly rows: number;
}

/**
 * Places the graph in layers from left to right, with few crossings: each node stands right of all nodes that it comes after. A layer that
 * is much too high for a picture of this shape takes several columns.
 */
export function layered(nodes: readonly GraphNode[], shape: { readonly columnsPerRow: number } = { columnsPerRow: 0.55 }): Layout {
  const index = new Map(nodes.map(({ id }, i) => [id, i]));
  const after = nodes.map((node) => node.after.flatMap((id) => index.get(id) ?? []));
  const layers = ordered(layersOf(after), after);
  const highest = highestOf(layers, nodes.length, shape.columnsPerRow);
  const places: { column: number; row: number }[] = nodes.map(() => ({ column: 0, row: 0 }));
  let column = 0;
  let rows = 0;
  const isProducer = new Set(after.flat());
  for (const all of layers) {
    // In a layer with several columns, nodes that others come after stand in the column nearest to those.
    const layer =
      all.length <= highest ? all : [...all.filter((node) => !isProducer.has(node)), ...all.filter((node) => isProducer.has(node))];
    const parts = Math.ceil(layer.length / highest);
    const height = Math.ceil(layer.length / parts);
    rows = Math.max(rows, height);
    layer.forEach((node, i) => {
      places[node] = { column: column + Math.floor(i / height), row: i % height };
    });
    column += parts;
  }
  // Short layers stand in the middle of the picture, on the rows of the others.
  const heights = new Map<number, number>();
  for (const place of places) heights.set(place.column, Math.max(heights.get(place.column) ?? 0, place.row + 1));
  return {
    places: places.map((place) => ({ column: place.column, row: place.row + Math.floor((rows - (heights.get(place.column) ?? 0)) / 2) })),
    columns: column,
    rows,
  };
}

/** The layer of a node is the longest way from a node that comes after nothing. No plan has a cycle; one would be cut where it is met. */
function layersOf(after: readonly (readonly number[])[]): number[][] {
  const depths: (number | undefined)[] = after.map(() => undefined);
  const visiting = new Set<number>();
  const depthOf = (first: number): number => {
    // Recursion would overflow the stack in a plan of ten thousand lines in a row.
    const stack = [first];
    while (stack.length > 0) {
      const node = stack.at(-1) ?? first;
      const open = (after[node] ?? []).filter((producer) => depths[producer] === undefined && !visiting.has(producer));
      visiting.add(node);
      if (open.length > 0) {
        stack.push(...open.slice(0, 1));
        continue;
      }
      depths[node] = Math.max(0, ...(after[node] ?? []).map((producer) => (depths[producer] ?? -1) + 1));
      visiting.delete(node);
      stack.pop();
    }
    return depths[first] ?? 0;
  };
  const layers: number[][] = [];
  after.forEach((_, node) => {
    const depth = depthOf(node);
    for (let missing = layers.length; missing <= depth; missing += 1) layers.push([]);
    layers[depth]?.push(node);
  });
  return layers;
}

/** Orders each layer by the neighbours of its nodes, back and forth. */
function ordered(layers: readonly (readonly number[])[], after: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const before: number[][] = after.map(() => []);
  after.forEach((producers, node) => {
    for (const producer of producers) before[producer]?.push(node);
  });
  const rank = new Map<number, number>();
  const place = (layer: readonly number[]): void => {
    for (const [i, node] of layer.entries()) rank.set(node, i / Math.max(1, layer.length));
  };
  const now = layers.map((layer) => [...layer]);
  for (const layer of now) place(layer);
  for (let sweep = 0; sweep < 4; sweep += 1) {
    const neighbours = sweep % 2 === 0 ? after : before;
    const walk = sweep % 2 === 0 ? now : now.toReversed();
    for (const layer of walk) {
      const weights = new Map(layer.map((node) => [node, middle(neighbours[node] ?? [], rank) ?? rank.get(node) ?? 0]));
      layer.sort((a, b) => (weights.get(a) ?? 0) - (weights.get(b) ?? 0) || a - b);
      place(layer);
    }
  }
  return now;
}

function middle(of: readonly number[], rank: ReadonlyMap<number, number>): number | null {
  if (of.length === 0) return null;
  return of.reduce((sum, node) => sum + (rank.get(node) ?? 0), 0) / of.length;
}

/** The number of rows that gives the picture about the shape of a screen. */
function highestOf(layers: readonly (readonly number[])[], count: number, columnsPerRow: number): number {
  const tallest = layers.reduce((most, layer) => Math.max(most, layer.length), 1);
  const fair = Math.ceil(Math.sqrt(count / columnsPerRow));
  return Math.min(tallest, Math.max(8, fair));
}
