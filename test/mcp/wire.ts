import { type ChildProcess, spawn } from 'node:child_process';
import { serverBinary } from './connect.ts';

/** A message as it stood on a line of stdout. */
export interface Message {
  readonly jsonrpc?: string;
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly message?: string; readonly progress?: number };
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: { readonly ok?: boolean; readonly receipt?: { readonly status?: string } | null; readonly held?: boolean };
  };
  readonly error?: { readonly code: number; readonly message: string };
}

/** The built server with nothing between it and the test: what is sent and what comes back, byte by byte. */
export interface Wire {
  readonly process: ChildProcess;
  send(message: object | string): void;
  /** Sends a request and resolves with the message that has its id. */
  ask(method: string, params: object): Promise<Message>;
  /** Resolves with the first message, of those on the lines from `from` on and those to come, that is such. */
  until(isSuch: (message: Message) => boolean, from?: number): Promise<Message>;
  /** Every line of stdout so far. */
  readonly lines: readonly string[];
  stderr(): string;
  /** Resolves when the server is gone and both streams have ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

export interface WireOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The file of the program and its arguments, in place of the built `pilotfish-mcp`. */
  readonly words?: readonly string[];
}

/** Starts the server and opens a connection of the older revision, which any client can speak. */
export async function openWire(o: WireOptions): Promise<Wire> {
  const child = spawn(process.execPath, o.words ?? [serverBinary], { cwd: o.cwd, env: { PATH: process.env.PATH ?? '', ...o.env } });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    const parts = `${rest}${part}`.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const look of waiting) look();
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr += part;
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('close', (code, signal) => {
      if (rest !== '') lines.push(rest);
      resolve({ code, signal });
    });
  });
  const until = (isSuch: (message: Message) => boolean, from = 0): Promise<Message> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = messagesIn(lines.slice(from)).find(isSuch);
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      void ended.then(() => reject(new Error(`the server ended first: ${stderr}`)));
      look();
    });
  const send = (message: object | string): void =>
    void child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  let lastId = 0;
  const ask = (method: string, params: object): Promise<Message> => {
    lastId += 1;
    const id = `ask-${lastId}`;
    send({ jsonrpc: '2.0', id, method, params });
    return until((message) => message.id === id);
  };
  const clientInfo = { name: 'a wire', version: '1' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return { process: child, send, ask, until, lines, stderr: () => stderr, ended };
}

/** The lines that are JSON; a test looks at the others by themselves. */
const messagesIn = (lines: readonly string[]): readonly Message[] =>
  lines.flatMap((line): Message[] => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
