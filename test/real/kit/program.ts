import { execFileSync, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { connect, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A program of the system that a suite needs. */
export interface Program {
  readonly file: string;
  /** As it tells it itself: `lighttpd/1.4.69`. */
  readonly version: string;
}

/** The program where it is installed. Without it the reason is printed and the suite that asks is skipped. */
export function findProgram(
  name: string,
  version: { readonly args: readonly string[]; readonly form: RegExp; readonly folders?: readonly string[] },
): Program | null {
  // Servers are often in the folders of the administrator, which the PATH of others leaves out.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/sbin', ...(version.folders ?? [])];
  const file = folders.map((folder) => join(folder, name)).find(isExecutable);
  if (file === undefined) {
    console.log(`Skipped: ${name} is not installed. The README says how, under "Tests against real servers".`);
    return null;
  }
  const told =
    /\S+/.exec(version.form.exec(say(file, version.args))?.[0].replace(/\) | version /, '/') ?? '')?.[0] ??
    `${name}, of an unknown version`;
  announce(told);
  return { file, version: told };
}

/** Whether the suites against real servers run alone (`npm run real`), and so may take long; else it is printed what is skipped. */
export function isAlone(what: string): boolean {
  if (process.env.PILOTFISH_REAL === '1') return true;
  console.log(`Skipped: ${what}; npm run real does it.`);
  return false;
}

const announced = new Set<string>();

/** Says once which server the suite runs against. */
export function announce(server: string): void {
  if (!announced.has(server)) console.log(`Server: ${server}`);
  announced.add(server);
}

/** A server that was started, and what it wrote. */
export interface Server {
  readonly pid: number;
  output(): string;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly port: number;
  readonly env?: NodeJS.ProcessEnv;
  /** Another user than the one who runs the tests. */
  readonly as?: { readonly uid: number; readonly gid: number };
}

/** Starts a server in the foreground and resolves when its port takes connections. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { file, args, port, env = { PATH: process.env.PATH }, as = {} } = options;
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...as });
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
  const output = (): string => Buffer.concat(parts).toString('utf8');
  const state = { ended: false };
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      state.ended = true;
      resolve();
    };
    child.once('error', (error) => {
      parts.push(Buffer.from(String(error)));
      end();
    });
    child.once('close', end);
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    // A server that waits for its connections to end is not waited for.
    const kill = setTimeout(() => child.kill('SIGKILL'), 2_000);
    await ended;
    clearTimeout(kill);
  };
  for (let attempt = 0; attempt < 250; attempt += 1) {
    if (state.ended || child.pid === undefined) break;
    if (await answers(port)) return { pid: child.pid, output, stop };
    await delay(20);
  }
  await stop();
  throw new Error(`${file} does not listen on ${port}: ${output()}`);
}

/** A port of this machine that nobody uses now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What the program writes when asked for its version, whichever stream and exit code it chose for it. */
function say(file: string, args: readonly string[]): string {
  return execFileSync('/bin/sh', ['-c', '"$0" "$@" 2>&1 || true', file, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
