import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { frame, frames, type Message } from './frames.ts';

export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Completion {
  readonly label: string;
  readonly documentation?: string | { readonly value: string };
}

export interface Diagnostic {
  readonly message: string;
  readonly range: { readonly start: Position; readonly end: Position };
}

/** A document that is open in the editor. */
export interface Opened {
  complete(at: Position): Promise<readonly Completion[]>;
  /** What the editor shows beside the pointer; empty where there is nothing to show. */
  hover(at: Position): Promise<string>;
  /** What is underlined, once the server has checked the text. */
  readonly diagnostics: Promise<readonly Diagnostic[]>;
}

/** The real YAML language server as an editor runs it: over its standard input and output, by the language server protocol. */
export interface LanguageServer {
  open(text: string, name?: string): Opened;
  /** `host:port` of every connection that it tried to make; none of them was made. */
  readonly connections: readonly string[];
  close(): Promise<void>;
}

export interface Started {
  /** Settings under `yaml`, as a person would write them in the editor. */
  readonly settings?: { readonly [name: string]: unknown };
  /** The folder that the editor has open. */
  readonly folder: string;
}

const program = createRequire(import.meta.url).resolve('yaml-language-server/bin/yaml-language-server');
/** Loaded before the server: nothing it does can reach a network. */
const offline = fileURLToPath(new URL('./offline.ts', import.meta.url));

export async function startLanguageServer({ settings = {}, folder }: Started): Promise<LanguageServer> {
  const child = spawn(process.execPath, ['--import', offline, program, '--stdio'], { cwd: folder, stdio: 'pipe' });
  const connections: string[] = [];
  const complaints: string[] = [];
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    const lines = (errors + part).split('\n');
    errors = lines.pop() ?? '';
    for (const line of lines) {
      const [, to] = /^offline: (.*)$/.exec(line) ?? [];
      if (to === undefined) complaints.push(line);
      else connections.push(to);
    }
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const wire = connect(child, settings);
  void ended.then(() => wire.end(new Error(`the language server ended. ${complaints.join('\n')}`)));
  const uri = `file://${folder}`;
  await wire.ask('initialize', { processId: process.pid, rootUri: uri, capabilities, workspaceFolders: [{ uri, name: 'shop' }] });
  wire.tell('initialized', {});
  wire.tell('workspace/didChangeConfiguration', { settings: { yaml: settings } });
  let count = 0;
  return {
    connections,
    open: (text, name) => {
      count += 1;
      const textDocument = { uri: `${uri}/${name ?? `${count}.release.plan.yaml`}` };
      const diagnostics = wire.diagnosticsOf(textDocument.uri);
      wire.tell('textDocument/didOpen', { textDocument: { ...textDocument, languageId: 'yaml', version: 1, text } });
      return {
        diagnostics,
        complete: async (position) => {
          const answer = await wire.ask('textDocument/completion', { textDocument, position });
          return (Array.isArray(answer) ? answer : (answer as { readonly items: readonly Completion[] }).items) as readonly Completion[];
        },
        hover: async (position) => {
          const answer = (await wire.ask('textDocument/hover', { textDocument, position })) as {
            readonly contents: { readonly value: string };
          } | null;
          return answer?.contents.value ?? '';
        },
      };
    },
    close: async () => {
      await wire.ask('shutdown', null);
      wire.tell('exit', null);
      await ended;
    },
  };
}

const capabilities = {
  workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true }, workspaceFolders: true },
  textDocument: {
    completion: { completionItem: { documentationFormat: ['markdown'], snippetSupport: true } },
    hover: { contentFormat: ['markdown'] },
    publishDiagnostics: {},
  },
};

interface Wire {
  ask(method: string, params: unknown): Promise<unknown>;
  tell(method: string, params: unknown): void;
  diagnosticsOf(uri: string): Promise<readonly Diagnostic[]>;
  /** Nothing more will come: whoever waits is told why. */
  end(why: Error): void;
}

function connect(child: ChildProcessWithoutNullStreams, settings: unknown): Wire {
  const waiting = new Map<number, { readonly resolve: (value: unknown) => void; readonly reject: (why: Error) => void }>();
  const checked = new Map<string, { readonly resolve: (value: readonly Diagnostic[]) => void; readonly reject: (why: Error) => void }>();
  let last = 0;
  const send = (message: Message): void => void child.stdin.write(frame(message));
  const answerServer = ({ id, method, params }: Message): void => {
    // It asks for sections by name: `yaml`, and others of the editor that nobody set here.
    const items = (params as { readonly items?: readonly { readonly section?: string }[] } | undefined)?.items ?? [];
    const result = method === 'workspace/configuration' ? items.map(({ section }) => (section === 'yaml' ? settings : null)) : null;
    send({ id, result });
  };
  const take = (message: Message): void => {
    const { id, method, error } = message;
    if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = message.params as { readonly uri: string; readonly diagnostics: readonly Diagnostic[] };
      checked.get(uri)?.resolve(diagnostics);
    } else if (method !== undefined) {
      if (id !== undefined) answerServer(message);
    } else if (typeof id === 'number') {
      if (error) waiting.get(id)?.reject(new Error(error.message));
      else waiting.get(id)?.resolve(message.result);
    }
  };
  child.stdout.on('data', frames(take));
  return {
    ask: (method, params) => {
      last += 1;
      const id = last;
      const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }));
      send({ id, method, params });
      return answer.finally(() => waiting.delete(id));
    },
    tell: (method, params) => send({ method, params }),
    diagnosticsOf: (uri) => {
      const diagnostics = new Promise<readonly Diagnostic[]>((resolve, reject) => checked.set(uri, { resolve, reject }));
      // Who does not wait for them is not told that they never came.
      diagnostics.catch(() => {});
      return diagnostics;
    },
    end: (why) => {
      for (const { reject } of [...waiting.values(), ...checked.values()]) reject(why);
    },
  };
}
