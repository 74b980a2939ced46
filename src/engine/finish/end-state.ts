import { hasTag } from '../../machines/line/line.machine.ts';
import type { RunStatus } from '../document.ts';
import type { LinePosition } from '../schedule/lines.ts';

/** A line of an apply whose outputs can be used settles with the last push. */
export const settles = (state: string): boolean => state !== 'planned' && hasTag(state, 'available');

/** The state that a line has once the last push stands. */
export const endState = (state: string): string => {
  if (settles(state)) return 'settled';
  if (state === 'recordingUnready') return 'failed';
  if (state === 'recordingInterrupted') return 'interrupted';
  return state === 'paused' ? 'waiting' : state;
};

export function statusOf(positions: readonly LinePosition[], isInterrupted: boolean): RunStatus {
  const states = positions.map(({ state }) => endState(state));
  if (isInterrupted && states.some((state) => state === 'interrupted')) return 'interrupted';
  if (states.some((state) => state === 'failed' || state === 'refused' || state === 'skipped')) return 'failed';
  if (states.some((state) => state === 'waiting')) return 'partial';
  return isInterrupted ? 'interrupted' : 'complete';
}
