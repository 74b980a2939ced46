/** One thing that can happen, in words that a reader of a counter-example understands, and what is true after it. */
export interface Step<S> {
  readonly say: string;
  readonly next: S;
}

/** A system as all the states that it can be in. States are plain values; equal texts of `encode` mean the same state. */
export interface Model<S> {
  readonly initial: readonly S[];
  steps(state: S): readonly Step<S>[];
  encode(state: S): string;
  /** The claim that this state breaks, as a sentence; `null` when all hold. */
  broken(state: S): string | null;
  /** Everything is over, as it should be. From every state one of these must be in reach. */
  isEnd(state: S): boolean;
}

export interface Findings {
  readonly states: number;
  readonly transitions: number;
  /** Steps from the beginning to the farthest state. */
  readonly depth: number;
  /** False when the bound on states was reached first: then nothing is proven. */
  readonly isWhole: boolean;
  /** The shortest way to a broken claim. */
  readonly counterExample: CounterExample | null;
}

export interface CounterExample {
  readonly claim: string;
  readonly trace: readonly string[];
}

export interface Bounds {
  readonly maxStates?: number;
  /** Also proves that an end stays in reach from every state; needs memory for every transition. */
  readonly liveness?: boolean;
}

/**
 * Visits every state that the model can reach, nearest first, so that the first broken claim has the shortest trace.
 * Only the texts of visited states are kept; a trace is found by walking again from the beginning.
 */
export function check<S>(model: Model<S>, { maxStates = 20_000_000, liveness = true }: Bounds = {}): Findings {
  const numbers = new Map<string, number>();
  const parents: number[] = [];
  const edges: number[] = [];
  const ends: number[] = [];
  let transitions = 0;
  let depth = 0;
  let layer: { readonly state: S; readonly number: number }[] = [];
  const traceTo = (number: number): readonly string[] => retrace(model, numbers, pathTo(parents, number));
  const findings = (counterExample: CounterExample | null, isWhole: boolean): Findings => ({
    states: numbers.size,
    transitions,
    depth,
    isWhole,
    counterExample,
  });

  let next: typeof layer = [];
  const visit = (state: S, parent: number): number => {
    const key = model.encode(state);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(key, number);
    parents.push(parent);
    next.push({ state, number });
    return number;
  };

  for (const state of model.initial) visit(state, -1);
  while (next.length > 0) {
    layer = next;
    next = [];
    for (const { state, number } of layer) {
      const claim = model.broken(state);
      if (claim !== null) return findings({ claim, trace: traceTo(number) }, false);
      if (model.isEnd(state)) ends.push(number);
      for (const step of model.steps(state)) {
        const to = visit(step.next, number);
        transitions += 1;
        if (liveness && to !== number) edges.push(number, to);
      }
      if (numbers.size > maxStates) return findings(null, false);
    }
    if (next.length > 0) depth += 1;
  }
  if (liveness) {
    const stuck = firstThatNeverEnds(numbers.size, edges, ends);
    if (stuck !== null) return findings({ claim: 'From every state an undisturbed run can finish.', trace: traceTo(stuck) }, true);
  }
  return findings(null, true);
}

function pathTo(parents: readonly number[], number: number): number[] {
  const path: number[] = [];
  for (let at = number; at >= 0; at = parents[at] ?? -1) path.unshift(at);
  return path;
}

/** The sentences along a path of state numbers. */
function retrace<S>(model: Model<S>, numbers: ReadonlyMap<string, number>, path: readonly number[]): readonly string[] {
  const [first, ...rest] = path;
  let state = model.initial.find((one) => numbers.get(model.encode(one)) === first);
  const trace: string[] = [];
  for (const number of rest) {
    if (state === undefined) break;
    const step: Step<S> | undefined = model.steps(state).find(({ next }) => numbers.get(model.encode(next)) === number);
    if (!step) throw new Error('a step of the trace is not a step of the model: the encoding leaves something out');
    trace.push(step.say);
    state = step.next;
  }
  return trace;
}

/** Walks the transitions backwards from all ends; the first state that is never met cannot finish. */
function firstThatNeverEnds(states: number, edges: readonly number[], ends: readonly number[]): number | null {
  const count = new Int32Array(states + 1);
  for (let i = 1; i < edges.length; i += 2) count[edges[i] ?? 0] = (count[edges[i] ?? 0] ?? 0) + 1;
  const start = new Int32Array(states + 1);
  for (let i = 0; i < states; i += 1) start[i + 1] = (start[i] ?? 0) + (count[i] ?? 0);
  const fill = start.slice();
  const from = new Int32Array(edges.length / 2);
  for (let i = 0; i < edges.length; i += 2) {
    const to = edges[i + 1] ?? 0;
    const at = fill[to] ?? 0;
    from[at] = edges[i] ?? 0;
    fill[to] = at + 1;
  }
  const met = new Uint8Array(states);
  const queue = [...ends];
  for (const end of ends) met[end] = 1;
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (let i = start[at] ?? 0; i < (start[at + 1] ?? 0); i += 1) {
      const before = from[i] ?? 0;
      if (met[before]) continue;
      met[before] = 1;
      queue.push(before);
    }
  }
  const stuck = met.indexOf(0);
  return stuck < 0 ? null : stuck;
}
