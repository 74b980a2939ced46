import { Failure } from '../core/errors.ts';
import type { CliWorld } from './world.ts';

/** Runs `pilotfish mcp`: the tool server, until its client goes away. Returns its exit code. */
export async function serveAgents({ startToolServer }: CliWorld): Promise<number> {
  if (startToolServer) return await startToolServer();
  throw new Failure('USAGE', {
    detail: 'The tool server speaks with a client on the input and output of a process of its own, and this run has no such process.',
    fix: "Let an agent's program start `pilotfish mcp`.",
  });
}
