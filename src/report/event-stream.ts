import type { ErrorData } from '../core/errors.ts';
import type { RunEvent } from '../engine/document.ts';
import type { Progress } from './progress-board.ts';

/** A change that would break a reader of the events raises this number. */
export const eventVersion = 1;

/** An event without `at`. The stream gives every event its time in one form. */
type Untimed<T> = T extends { readonly at: number } ? Omit<T, 'at'> : never;

/** An event of `--events`: everything that a run does, and every message that would otherwise go to stderr. */
export type StreamEvent =
  | Untimed<RunEvent>
  | { readonly type: 'message'; readonly text: string }
  | { readonly type: 'error'; readonly command: string; readonly errors: readonly ErrorData[] };

export interface EventStream extends Progress {
  fail(command: string, errors: readonly ErrorData[]): void;
}

/** One JSON object a line, each with the version of this format and its time (UTC). `now` gives milliseconds since 1970. */
export function createEventStream(stream: { write(text: string): unknown }, now: () => number = Date.now): EventStream {
  const tell = (event: StreamEvent, at: number): void => {
    stream.write(`${JSON.stringify({ v: eventVersion, time: new Date(at).toISOString(), ...event })}\n`);
  };
  return {
    listen: ({ at, ...event }) => tell(event, at),
    print: (text) => tell({ type: 'message', text }, now()),
    fail: (command, errors) => tell({ type: 'error', command, errors }, now()),
    stop: () => {},
  };
}
