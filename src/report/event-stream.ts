import type { ErrorData } from '../core/errors.ts';
import type { RunEvent } from '../engine/document.ts';
import type { Progress } from './progress-board.ts';

/** Raised by a change that would break those who read the events. */
export const eventVersion = 1;

/** An event without its moment, which every event of the stream has in the same form. */
type Untimed<T> = T extends { readonly at: number } ? Omit<T, 'at'> : never;

/** What `--events` tells: everything that a run does, and what else would have stood on stderr. */
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
