/** One arrow of a machine's configuration. */
export interface MachineTransition {
  readonly from: string;
  readonly to: string;
  /** `done` or `error` of the work in that state, or the event that is sent. Empty for a state that is left at once. */
  readonly event: string;
  /** `[isUnclear]`; empty without a guard. */
  readonly guard: string;
}

export interface MachineState {
  readonly name: string;
  /** The actor or the step that works in this state; empty if there is none. */
  readonly work: string;
  readonly isFinal: boolean;
}

export const initialOf = (config: unknown): string => (isPart(config) ? String(config.initial) : '');

export const statesOf = (config: unknown): readonly MachineState[] =>
  Object.entries(partOf(config, 'states')).map(([name, state]) => {
    return { name, work: workOf(state), isFinal: isPart(state) && state.type === 'final' };
  });

/** The work of a state: the actor that it invokes, or the step that it begins on entry. */
export function workOf(state: unknown): string {
  const { src } = partOf(state, 'invoke');
  if (typeof src === 'string') return src;
  const entered = isPart(state) ? [state.entry].flat() : [];
  const begun = entered.find((action) => isPart(action) && action.type === 'begin');
  return begun === undefined ? '' : String(partOf(begun, 'params').step);
}

/** Shortens `observe.done` to `done` in the state that begins `observe`, as for an actor that is invoked. */
export const eventOf = (event: string, work: string): string =>
  work !== '' && event.startsWith(`${work}.`) ? event.slice(work.length + 1) : event;

/** The arrows of a machine, in the order of its configuration. A transition without a target stays in its state, so it has no arrow. */
export function transitionsOf(config: unknown): readonly MachineTransition[] {
  return Object.entries(partOf(config, 'states')).flatMap(([from, state]) => {
    const invoke = partOf(state, 'invoke');
    const work = workOf(state);
    const to = (transition: unknown, event: string): MachineTransition[] => targets(transition).map((arrow) => ({ from, event, ...arrow }));
    return [
      ...Object.entries(partOf(state, 'on')).flatMap(([event, transition]) => to(transition, eventOf(event, work))),
      ...to(invoke.onDone, 'done'),
      ...to(invoke.onError, 'error'),
      ...to(isPart(state) ? state.always : undefined, ''),
    ];
  });
}

function targets(transition: unknown): { readonly to: string; readonly guard: string }[] {
  if (typeof transition === 'string') return [{ to: transition, guard: '' }];
  if (Array.isArray(transition)) return transition.flatMap(targets);
  if (!isPart(transition) || typeof transition.target !== 'string') return [];
  return [{ to: transition.target, guard: guardOf(transition.guard) }];
}

function guardOf(guard: unknown): string {
  if (typeof guard === 'string') return `[${guard}]`;
  if (!isPart(guard)) return '';
  const want = isPart(guard.params) && Array.isArray(guard.params.want) ? ` ${guard.params.want.join(' or ')}` : '';
  return `[${String(guard.type)}${want}]`;
}

type Part = { readonly [key: string]: unknown };

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value);
const partOf = (value: unknown, key: string): Part => (isPart(value) && isPart(value[key]) ? value[key] : {});
