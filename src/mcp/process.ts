import { createWriteStream, fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { tellWarnings } from '../cli/signals.ts';
import { Redactor } from '../core/redact.ts';
import { maskEnvironment } from '../engine/prepare/secret-variables.ts';
import { Approvals } from './approvals.ts';
import { Calls } from './calls.ts';
import { channel } from './launch.ts';
import { createServer } from './server.ts';
import type { ServerWorld } from './tools.ts';

/** Serves the client until it goes or a signal comes, and ends when every run has written its ledger. */
export function start(): void {
  const redactor = new Redactor();
  maskEnvironment(redactor, process.env);
  const say = (line: string): void => void process.stderr.write(`pilotfish-mcp: ${redactor.text(line)}\n`);
  const now = (): number => performance.now();
  const world: ServerWorld = { cwd: process.cwd(), env: process.env, loadRunner: () => import('../engine/run.ts'), redactor, now, say };
  // A program that a plugin starts can close the two for all of us: then nobody hears what is said, and the server goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const calls = new Calls();
  const approvals = new Approvals(now);

  let isEnding = false;
  const end = (name: 'SIGINT' | 'SIGTERM', code: number): void => {
    if (isEnding) return;
    isEnding = true;
    calls.stop(name);
    // Answers of calls that were under way are on their way when the calls have ended.
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
  // `serveStdio` has its own word for a connection that ended: no call is answered after it, and ours ends the process.
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
      // A terminal sends its signal to this process and to the one that started it, which passes it on.
      if (first !== null && now() - first > sameSignalMs) process.exit(code);
      first ??= now();
      say(`stopping: ${name} was received; no new write is sent, and the ledger is written.`);
      end(name === 'SIGINT' ? 'SIGINT' : 'SIGTERM', code);
    });
  }
  process.on('disconnect', () => end('SIGTERM', 1));
  // What a plugin leaves to itself must not end the runs of others.
  tellWarnings(process, say);
  const survive = (thrown: unknown): void => say(`an error reached no call: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  process.on('uncaughtException', survive);
  process.on('unhandledRejection', survive);
}

const sameSignalMs = 1_000;

/** A pipe that its reader is slow to empty must not hold a thread; a file has no such events. */
function streamOf(fd: number): Writable {
  const stats = fstatSync(fd);
  return stats.isFIFO() || stats.isSocket() ? new Socket({ fd, readable: false, writable: true }) : createWriteStream('', { fd });
}
