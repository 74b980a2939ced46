import type { McpServer } from '@modelcontextprotocol/server';
import type { Approvals } from './approvals.ts';
import type { Calls } from './calls.ts';
import type { CommandCall, Reported } from './command.ts';
import type { ServerWorld } from './world.ts';

/** What every tool works with. */
export interface Tools {
  readonly server: McpServer;
  readonly world: ServerWorld;
  readonly calls: Calls;
  readonly approvals: Approvals;
}

/** Runs a command for one call: it is told of its progress, and stops when the call does. */
export type Run = (call: Pick<CommandCall, 'argv' | 'directory'>) => Promise<Reported>;
