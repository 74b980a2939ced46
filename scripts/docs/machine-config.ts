import { eventOf, workOf } from '../../src/report/trace/transitions.ts';

/** One way out of a state, or one action in it. */
export interface Arrow {
  /** The event, or `done` or `error` of the state's work; empty for a state that is left at once. */
  readonly event: string;
  /** The guard with its params; empty without a guard. */
  readonly guard: string;
  /** `null`: the machine stays in the state. */
  readonly to: string | null;
  readonly actions: readonly string[];
}

/** The names that a machine's configuration uses, each once, in the order of their first use. */
export interface MachineNames {
  readonly events: readonly string[];
  readonly guards: readonly string[];
  readonly actions: readonly string[];
}

export const initialState = (config: unknown): string => (isPart(config) ? String(config.initial) : '');
export const stateNames = (config: unknown): readonly string[] => Object.keys(partOf(config, 'states'));
export const isFinal = (config: unknown, state: string): boolean => partOf(partOf(config, 'states'), state).type === 'final';

/** The chart's own words for a state. */
export const descriptionOf = (config: unknown, state: string): string => {
  const { description } = partOf(partOf(config, 'states'), state);
  return typeof description === 'string' ? description : '';
};

/** The actions on the way into a state, except the begin of its work. */
export const entryOf = (config: unknown, state: string): readonly string[] =>
  actionNames(partOf(partOf(config, 'states'), state).entry).filter((action) => action !== 'begin');

/** The arrows of a state, in the order of its configuration. */
export function arrowsOf(config: unknown, name: string): readonly Arrow[] {
  const state = partOf(partOf(config, 'states'), name);
  const invoke = partOf(state, 'invoke');
  return [
    ...Object.entries(partOf(state, 'on')).flatMap(([event, transition]) => arrows(eventOf(event, workOf(state)), transition)),
    ...arrows('done', invoke.onDone),
    ...arrows('error', invoke.onError),
    ...arrows('', state.always),
  ];
}

/** Every name of events, guards and actions: those of transitions, and the actions on the way into a state. */
export function namesOf(config: unknown): MachineNames {
  const states = stateNames(config);
  const all = states.flatMap((state) => arrowsOf(config, state));
  const entered = states.flatMap((state) => entryOf(config, state));
  const unique = (names: readonly string[]): string[] => [...new Set(names)].filter((name) => name !== '');
  return {
    events: unique(all.map(({ event }) => event)),
    guards: unique(all.map(({ guard }) => guard.split(' ')[0] ?? '')),
    actions: unique([...entered, ...all.flatMap(({ actions }) => actions)]),
  };
}

function arrows(event: string, transition: unknown): readonly Arrow[] {
  if (transition === undefined) return [];
  if (typeof transition === 'string') return [{ event, guard: '', to: transition, actions: [] }];
  if (Array.isArray(transition)) return transition.flatMap((one) => arrows(event, one));
  if (!isPart(transition)) return [];
  const to = typeof transition.target === 'string' ? transition.target : null;
  return [{ event, guard: guardOf(transition.guard), to, actions: actionNames(transition.actions) }];
}

function guardOf(guard: unknown): string {
  if (typeof guard === 'string') return guard;
  if (!isPart(guard)) return '';
  const want = isPart(guard.params) && Array.isArray(guard.params.want) ? ` ${guard.params.want.join(' or ')}` : '';
  return `${String(guard.type)}${want}`;
}

function actionNames(actions: unknown): readonly string[] {
  if (typeof actions === 'string') return [actions];
  if (Array.isArray(actions)) return actions.flatMap(actionNames);
  return isPart(actions) && typeof actions.type === 'string' ? [actions.type] : [];
}

type Part = { readonly [key: string]: unknown };

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value);
const partOf = (value: unknown, key: string): Part => {
  const part = isPart(value) ? value[key] : undefined;
  return isPart(part) ? part : {};
};
