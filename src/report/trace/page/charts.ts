import type { MachineSource } from '../machine-source.ts';
import { initialOf, type MachineTransition, statesOf, transitionsOf } from '../transitions.ts';
import { chartPlaces, type Place } from './chart-places.ts';

export interface ChartState extends Place {
  readonly name: string;
  readonly isFinal: boolean;
}

/** All arrows from one state to another as one. */
export interface ChartEdge {
  readonly from: string;
  readonly to: string;
  /** The events that lead along the edge, each as `event [guard]`. */
  readonly by: readonly string[];
  /** Most states have this exit, so the picture draws it only where an actor took it. */
  readonly isCommon: boolean;
}

/** The picture of one machine: its own configuration, with chosen places for its states. */
export interface Chart {
  readonly name: string;
  readonly title: string;
  readonly what: string;
  readonly initial: string;
  readonly states: readonly ChartState[];
  readonly edges: readonly ChartEdge[];
}

export function chartOf({ name, title, what, config }: MachineSource): Chart {
  const places = chartPlaces[name] ?? {};
  const known = statesOf(config);
  const below = Math.max(0, ...Object.values(places).map(({ row }) => row + 1));
  const transitions = transitionsOf(config);
  return {
    name,
    title,
    what,
    initial: initialOf(config),
    // A state without a place stands below the others. A plain picture is better than a missing state.
    states: known.map((state, i) => ({
      name: state.name,
      isFinal: state.isFinal,
      ...(places[state.name] ?? { column: i % 3, row: below + Math.floor(i / 3) }),
    })),
    edges: [...Map.groupBy(transitions, ({ from, to }) => `${from} ${to}`).values()].flatMap((all) => edgeOf(all, transitions)),
  };
}

/** A state that more states than this lead to counts as an exit of nearly all of them. */
const few = 5;

function edgeOf(all: readonly MachineTransition[], transitions: readonly MachineTransition[]): ChartEdge[] {
  const [first] = all;
  if (!first) return [];
  const sources = new Set(transitions.filter(({ to }) => to === first.to).map(({ from }) => from));
  const isUnwanted = all.every(({ event }) => event === 'error' || event.endsWith('.interrupt'));
  const by = all.map(({ event, guard }) => [event, guard].filter((part) => part !== '').join(' ') || 'otherwise');
  return [{ from: first.from, to: first.to, by: [...new Set(by)], isCommon: isUnwanted && sources.size > few }];
}
