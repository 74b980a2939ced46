import { type JSONRPCMessage, ProtocolErrorCode, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';

/** Sends one line to the client; resolves when it has left this process. */
export type WriteLine = (line: string) => Promise<void>;

export interface LineTransportOptions {
  readonly input: NodeJS.ReadableStream;
  readonly write: WriteLine;
  /** Called once when the client is gone. */
  readonly onEnd?: () => void;
  /** The most bytes that one message may have. */
  readonly longest?: number;
}

/** A tool call is a handful of names; a megabyte is a mistake. */
const longestMessage = 1 << 20;
/** As much of a message that is too long as is kept to find its id. */
const keptBytes = 256;

/**
 * One JSON-RPC message a line, each way. A line that cannot be used is answered with an error and forgotten, however long it is: the
 * connection and the calls on it go on.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #input: NodeJS.ReadableStream;
  readonly #write: WriteLine;
  readonly #longest: number;
  readonly #onEnd: (() => void) | undefined;
  #pieces: Buffer[] = [];
  #size = 0;
  #isClosed = false;

  constructor({ input, write, onEnd, longest = longestMessage }: LineTransportOptions) {
    this.#input = input;
    this.#write = write;
    this.#longest = longest;
    this.#onEnd = onEnd;
  }

  start(): Promise<void> {
    this.#input.on('data', this.#take);
    this.#input.on('end', this.#end);
    this.#input.on('close', this.#end);
    this.#input.on('error', this.#fail);
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    await this.#write(`${JSON.stringify(message)}\n`);
  }

  close(): Promise<void> {
    this.#end();
    return Promise.resolve();
  }

  readonly #end = (): void => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.off('data', this.#take);
    this.#input.pause();
    this.onclose?.();
    this.#onEnd?.();
  };

  readonly #fail = (error: Error): void => {
    this.onerror?.(error);
    this.#end();
  };

  readonly #take = (chunk: Buffer | string): void => {
    let rest = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
    for (let at = rest.indexOf(newline); at >= 0 && !this.#isClosed; at = rest.indexOf(newline)) {
      this.#keep(rest.subarray(0, at));
      this.#line();
      rest = rest.subarray(at + 1);
    }
    this.#keep(rest);
  };

  /** Of a line that is too long already, only its beginning and its end stay in memory. */
  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#size += piece.length;
    this.#pieces.push(piece);
    if (this.#size <= this.#longest) return;
    const all = Buffer.concat(this.#pieces);
    this.#pieces = [all.subarray(0, keptBytes), Buffer.from(all.subarray(-keptBytes))];
  }

  #line(): void {
    const bytes = Buffer.concat(this.#pieces);
    const size = this.#size;
    this.#pieces = [];
    this.#size = 0;
    const text = bytes.toString('utf8');
    if (size > this.#longest) {
      this.#refuse(ProtocolErrorCode.InvalidRequest, `The message has ${size} bytes; at most ${this.#longest} are read.`, idIn(text));
      return;
    }
    if (text.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#refuse(ProtocolErrorCode.ParseError, 'The message is not JSON.', null);
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      this.#refuse(ProtocolErrorCode.InvalidRequest, 'The message is no JSON-RPC 2.0 message.', idOf(value));
      return;
    }
    this.onmessage?.(message);
  }

  /** Nothing of the message is repeated: it may hold anything. */
  #refuse(code: ProtocolErrorCode, message: string, id: string | number | null): void {
    this.onerror?.(new Error(message));
    void this.send({ jsonrpc: '2.0', ...(id !== null && { id }), error: { code, message } }).catch(this.#fail);
  }
}

const newline = 10;

function idOf(value: unknown): string | number | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null;
}

/** The id stands first or last in the messages of every client that is known; deeper ones end in more than one brace. */
function idIn(text: string): string | number | null {
  const id = '(-?\\d{1,15}|"[^"\\\\]{1,100}")';
  const found =
    new RegExp(`^\\s*\\{(?:"jsonrpc":"2\\.0",)?"id":${id},`).exec(text) ?? new RegExp(`[\\]}"\\w],"id":${id}\\}\\s*$`).exec(text);
  return found?.[1] === undefined ? null : JSON.parse(found[1]);
}
