import type { McpServer } from '@modelcontextprotocol/server';
import type { Runner } from '../cli/world.ts';
import type { Redactor } from '../core/redact.ts';
import type { Approvals } from './approvals.ts';
import type { Calls } from './calls.ts';

/** Everything outside the process that the tool server touches. Tests replace it. */
export interface ServerWorld {
  /** The folder in which the server was started. The server reads only in this folder, or in a root that the client names. */
  readonly cwd: string;
  /** The credentials and settings of every call. */
  readonly env: NodeJS.ProcessEnv;
  readonly loadRunner: () => Promise<Runner>;
  /** Masks everything that leaves the server. Every run adds its secrets. */
  readonly redactor: Redactor;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Writes a message for the person who runs the server. The message never holds anything of a call. */
  readonly say: (line: string) => void;
}

/** The parts that every tool uses. */
export interface Tools {
  readonly server: McpServer;
  readonly world: ServerWorld;
  readonly calls: Calls;
  readonly approvals: Approvals;
}
