import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CallToolResult, Client, type ClientCapabilities, type ElicitResult, type Root } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { root } from '../cli/program.ts';

export const serverBinary: string = join(root, 'dist/pilotfish-mcp.js');

/** The two ways in which clients of today speak: with a handshake, and with what they can do in every request. */
export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

export interface ConnectOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly revision?: Revision;
  /** Stands in for the person at the client; left out, the client cannot ask anybody. */
  readonly person?: (message: string) => ElicitResult;
  readonly roots?: readonly Root[];
  /** The words that start the server, in place of the built `pilotfish-mcp`. */
  readonly words?: readonly [program: string, ...args: readonly string[]];
}

export interface Connection {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  call(name: string, params?: { readonly [param: string]: unknown }): Promise<Called>;
  /** Every message that came, as text. */
  readonly messages: readonly string[];
  /** What came on stdout and was no message. */
  readonly noise: readonly string[];
  stderr(): string;
  /** Resolves when the server has closed its end. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export interface Called {
  readonly isError: boolean;
  readonly text: string;
  /** The structured content. */
  readonly document: Document;
}

/** What tests read of the documents. */
export interface Document {
  readonly ok: boolean;
  readonly command: string;
  readonly status?: string;
  readonly digest?: string;
  readonly lines?: readonly { readonly id: string; readonly verdict: string; readonly state?: string }[];
  readonly stats?: { readonly writes: number };
  readonly error?: { readonly code: string; readonly detail: string; readonly fix: string };
  readonly receipt?: { readonly status?: string; readonly command?: string; readonly approvedBy?: string | null } | null;
  readonly stands?: readonly { readonly line: string }[];
  readonly scopes?: readonly { readonly scope: string }[];
  readonly held?: boolean;
}

/** Starts the built server as an agent's program does, with the official client at the other end. */
export async function connect(o: ConnectOptions): Promise<Connection> {
  const { revision = '2025-11-25', person, roots, words = [process.execPath, serverBinary] } = o;
  const [command, ...args] = words;
  if (!existsSync(serverBinary)) throw new Error('dist/pilotfish-mcp.js is missing: run `npm run build` first');
  const capabilities: ClientCapabilities = { ...(person && { elicitation: { form: {} } }), ...(roots && { roots: {} }) };
  const client = new Client(
    { name: 'a client', version: '1.0.0' },
    { capabilities, ...(revision === '2026-07-28' && { versionNegotiation: { mode: { pin: revision } } }) },
  );
  if (person) client.setRequestHandler('elicitation/create', (request) => Promise.resolve(person(request.params.message)));
  if (roots) client.setRequestHandler('roots/list', () => Promise.resolve({ roots: [...roots] }));
  const transport = new StdioClientTransport({
    command,
    args,
    cwd: o.cwd,
    env: { PATH: process.env.PATH ?? '', ...o.env },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (part: Buffer) => {
    stderr += part.toString('utf8');
  });
  const noise: string[] = [];
  client.onerror = (error) => void noise.push(error.message);
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve;
  });
  await client.connect(transport);
  const messages: string[] = [];
  const deliver = transport.onmessage;
  transport.onmessage = (message) => {
    messages.push(JSON.stringify(message));
    deliver?.(message);
  };
  return {
    client,
    transport,
    messages,
    noise,
    stderr: () => stderr,
    closed,
    call: async (name, params = {}) => toCalled(await client.callTool({ name, arguments: params }, { timeout: 110_000 })),
    close: () => client.close(),
  };
}

export function toCalled(result: CallToolResult): Called {
  const [first] = result.content;
  return {
    isError: result.isError === true,
    text: first?.type === 'text' ? first.text : '',
    document: (result.structuredContent as Document | undefined) ?? { ok: false, command: '' },
  };
}
