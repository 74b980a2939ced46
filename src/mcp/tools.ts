import type { McpServer } from '@modelcontextprotocol/server';
import type { Runner } from '../cli/world.ts';
import type { Redactor } from '../core/redact.ts';
import type { Approvals } from './approvals.ts';
import type { Calls } from './calls.ts';

/** Everything outside that the tool server touches; tests replace it. */
export interface ServerWorld {
  /** Where the server was started: what it may read is in here, or in a root that the client names. */
  readonly cwd: string;
  /** Credentials and settings, for every call. */
  readonly env: NodeJS.ProcessEnv;
  readonly loadRunner: () => Promise<Runner>;
  /** Masks everything that leaves the server; every run tells it its secrets. */
  readonly redactor: Redactor;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** What a person who looks after the server should know; never anything of a call. */
  readonly say: (line: string) => void;
}

/** What every tool works with. */
export interface Tools {
  readonly server: McpServer;
  readonly world: ServerWorld;
  readonly calls: Calls;
  readonly approvals: Approvals;
}
