import type { ServerContext } from '@modelcontextprotocol/server';
import type { RunEvent } from '../engine/document.ts';
import { eventShape } from '../engine/shapes.ts';
import { oneLine } from '../report/text.ts';
import { hasEnded, isQuiet, stateWords } from '../report/verdicts.ts';
import type { ServerWorld } from './tools.ts';

/** Sends the progress of a run to the client, if the client asked for it. */
export function listenerOf({ mcpReq }: ServerContext, { now, redactor }: ServerWorld): (event: RunEvent) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  const listen = stepsOf((step) => {
    // The send fails if the client is gone or has cancelled the call. The run does not need an answer.
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...step } }).catch(() => undefined);
  }, now);
  return (event) => listen(redactor.document(event, eventShape));
}

export interface Step {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** The shortest time between two steps, so that a plan of thousands of lines does not flood its client. */
const pauseMs = 100;

/**
 * Turns the events of a run into steps. A whole number counts ended lines, and a fraction shows work on the others. Every step is greater
 * than the one before, because the protocol requires that. A call that plans first and then applies goes through its lines twice, so the
 * total grows when the apply begins.
 */
export function stepsOf(send: (step: Step) => void, now: () => number): (event: RunEvent) => void {
  const ended = new Set<string>();
  let before = 0;
  let total = 0;
  let between = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  return (event) => {
    if (event.type === 'run' && event.lines !== undefined) {
      before += ended.size;
      total = before + event.lines;
      ended.clear();
    }
    if (event.type === 'line' && hasEnded(event.to) && !ended.has(event.line)) {
      ended.add(event.line);
      between = 0;
    }
    const message = messageOf(event);
    if (message === null) return;
    const done = before + ended.size;
    const isLast = total > 0 && done === total;
    // An event after the end of the last line is no progress on any line.
    if (isLast ? between > 0 : now() - lastAt < pauseMs) return;
    lastAt = now();
    between += 1;
    send({ progress: isLast ? done : done + between / (between + 1), ...(total > 0 && { total }), message });
  };
}

function messageOf(event: RunEvent): string | null {
  switch (event.type) {
    case 'line':
      return isQuiet(event.to) && !hasEnded(event.to) ? null : `${event.line}: ${stateWords(event.to)}`;
    case 'note':
      return `${event.line}: ${oneLine(event.text)}`;
    case 'wait':
      return `${event.line}: waits: ${oneLine(event.detail)}`;
    case 'run':
      return event.detail ? `${stateWords(event.state)}: ${oneLine(event.detail)}` : null;
    default:
      return null;
  }
}
