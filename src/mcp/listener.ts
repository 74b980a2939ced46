import type { ServerContext } from '@modelcontextprotocol/server';
import type { RunEvent } from '../engine/document.ts';
import { eventShape } from '../engine/shapes.ts';
import { stepsOf } from './progress.ts';
import type { ServerWorld } from './world.ts';

/** Tells the client of the progress of a run where it asked for that. */
export function listenerOf({ mcpReq }: ServerContext, { now, redactor }: ServerWorld): (event: RunEvent) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  const listen = stepsOf((step) => {
    // A client that is gone, or has cancelled the call, is told nothing.
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...step } }).catch(() => undefined);
  }, now);
  return (event) => listen(redactor.document(event, eventShape));
}
