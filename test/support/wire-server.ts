import { createServer, type Server, type Socket } from 'node:net';

/** What arrived on one connection, as text, and the socket to answer on. */
export interface WireCall {
  readonly number: number;
  readonly text: string;
  readonly socket: Socket;
}

/** A server on loopback that answers bytes as the test says: for faults that no well-behaved server would make. */
export class WireServer implements AsyncDisposable {
  readonly calls: WireCall[] = [];
  /** Connections that were ever opened. */
  accepted = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(answer: (call: WireCall) => void) {
    this.#server = createServer((socket) => {
      this.accepted += 1;
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('data', (data) => {
        const call = { number: this.calls.length + 1, text: data.toString('utf8'), socket };
        this.calls.push(call);
        answer(call);
      });
    });
  }

  static async listen(answer: (call: WireCall) => void): Promise<WireServer> {
    const server = new WireServer(answer);
    await new Promise<void>((resolve) => {
      server.#server.listen(0, '127.0.0.1', resolve);
    });
    return server;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Connections that are open now. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Ends every connection from the server's side. */
  hangUp(): void {
    for (const socket of this.#sockets) socket.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

/** A whole HTTP/1.1 answer with a JSON body. */
export function json(status: number, body: unknown, headers: readonly string[] = []): string {
  const text = JSON.stringify(body);
  return [
    `HTTP/1.1 ${status} X`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    ...headers,
    '',
    text,
  ].join('\r\n');
}
