import { createWriteStream, fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { tellWarnings } from '../cli/signals.ts';
import { enterBy } from '../core/door.ts';
import { Redactor } from '../core/redact.ts';
import { maskEnvironment } from '../engine/prepare/secret-variables.ts';
import { channel } from '../platform/tool-server.ts';
import { Approvals } from './approvals.ts';
import { Calls } from './calls.ts';
import { toolServer } from './door.ts';
import { createServer } from './server.ts';
import type { ServerWorld } from './tools.ts';

/** Serves the client until it disconnects or a signal comes. Ends when every run has written its ledger. */
export function start(): void {
  enterBy(toolServer);
  const redactor = new Redactor();
  maskEnvironment(redactor, process.env);
  const say = (line: string): void => void process.stderr.write(`pilotfish-mcp: ${redactor.text(line)}\n`);
  const now = (): number => performance.now();
  const world: ServerWorld = { cwd: process.cwd(), env: process.env, loadRunner: () => import('../engine/run.ts'), redactor, now, say };
  // A program that a plugin starts can close these streams for the whole process. The server then goes on without messages.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const calls = new Calls();
  const approvals = new Approvals(now);

  let isEnding = false;
  const end = (name: 'SIGINT' | 'SIGTERM', code: number): void => {
    if (isEnding) return;
    isEnding = true;
    calls.stop(name);
    // When the calls have ended, their answers are already on their way.
    void calls
      .ended()
      .then(() => new Promise((resolve) => setImmediate(resolve)))
      .then(() => new Promise((resolve) => output.write('', resolve)))
      .finally(() => process.exit(code));
  };
  const output = streamOf(channel);
  output.on('error', () => end('SIGTERM', 1));
  const transport = new StdioServerTransport(process.stdin, output);
  serveStdio(() => createServer(world, calls, approvals), { transport, onerror: (error) => say(error.message) });
  // `serveStdio` sets its own handler for a closed connection, which answers no further call. Our handler then ends the process.
  const closed = transport.onclose;
  transport.onclose = () => {
    closed?.();
    end('SIGTERM', 0);
  };

  let first: number | null = null;
  for (const [name, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.on(name, () => {
      // A terminal sends a signal to this process and to its parent, which passes the signal on. Both count as one.
      if (first !== null && now() - first > sameSignalMs) process.exit(code);
      first ??= now();
      say(`stopping on ${name}: the runs send no new write, and write the ledger.`);
      end(name === 'SIGINT' ? 'SIGINT' : 'SIGTERM', code);
    });
  }
  process.on('disconnect', () => end('SIGTERM', 1));
  // An unhandled error of a plugin must not end other runs.
  tellWarnings(process, say);
  const survive = (thrown: unknown): void => say(`an error reached no call: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  process.on('uncaughtException', survive);
  process.on('unhandledRejection', survive);
}

const sameSignalMs = 1_000;

/** A pipe becomes a socket, because writing to a slow pipe as a file would hold a thread. A file cannot be a socket. */
function streamOf(fd: number): Writable {
  const stats = fstatSync(fd);
  return stats.isFIFO() || stats.isSocket() ? new Socket({ fd, readable: false, writable: true }) : createWriteStream('', { fd });
}
