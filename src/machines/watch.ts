import type { InspectionEvent } from 'xstate';

/** A machine beside the lines went from one state to another. */
export interface Transition {
  readonly machine: 'coordinator' | 'parent' | 'readiness';
  /** The actor among several: the object that a parent keeps, or the line that waits. */
  readonly actor: string;
  readonly from: string;
  readonly to: string;
  readonly event: string;
}

/** Gives an `inspect` for one actor. It tells each transition from now on, including those that only an `always` leads to. */
export function watch(
  { machine, actor, initial }: { readonly machine: Transition['machine']; readonly actor: string; readonly initial: string },
  tell: (transition: Transition) => void,
): (event: InspectionEvent) => void {
  let from = initial;
  return (event) => {
    if (event.type !== '@xstate.microstep') return;
    const to = stateOf(event.snapshot);
    if (to === null || to === from) return;
    const transition = { machine, actor, from, to, event: event.event.type };
    from = to;
    tell(transition);
  };
}

/** The name of the state that a snapshot is in; `null` for a value that is no snapshot of a machine. */
export function stateOf(snapshot: unknown): string | null {
  if (typeof snapshot !== 'object' || snapshot === null || !('value' in snapshot)) return null;
  return typeof snapshot.value === 'string' ? snapshot.value : JSON.stringify(snapshot.value);
}
