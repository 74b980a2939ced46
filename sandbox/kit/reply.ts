import type { Reply } from './types.ts';

export const json = (status: number, body: unknown, headers?: Reply['headers']): Reply => ({ status, body, ...(headers && { headers }) });
export const text = (status: number, body: string, contentType = 'text/plain'): Reply => ({ status, body, contentType });
export const xml = (status: number, body: string): Reply => ({ status, body, contentType: 'application/xml' });
export const empty = (status = 204): Reply => ({ status });

/** Thrown by a route, or anything it calls, to answer at once. Nothing that the route changed before it is undone: check first, then change. */
export class Refusal extends Error {
  readonly reply: Reply;
  constructor(reply: Reply) {
    super(`refused with ${reply.status}`);
    this.name = 'Refusal';
    this.reply = reply;
  }
}

export const refuse = (status: number, body: unknown, headers?: Reply['headers']): Refusal => new Refusal(json(status, body, headers));

/** The connection ends without a whole answer, as undici reports it. */
export class ConnectionLost extends Error {
  readonly code: 'UND_ERR_SOCKET' | 'ECONNRESET';
  constructor(when: 'before' | 'after') {
    super(when === 'after' ? 'other side closed' : 'read ECONNRESET');
    this.name = 'SocketError';
    this.code = when === 'after' ? 'UND_ERR_SOCKET' : 'ECONNRESET';
  }
}

export function contentTypeOf(reply: Reply): string | null {
  if (reply.body === undefined) return null;
  return reply.contentType ?? (typeof reply.body === 'string' ? 'text/plain' : 'application/json');
}

/** `cutAt` ends the body in its middle with a broken connection. */
export function toResponse(reply: Reply, cut = false): Response {
  const headers = new Headers(reply.headers);
  const type = contentTypeOf(reply);
  if (type !== null && !headers.has('content-type')) headers.set('content-type', type);
  if (reply.body === undefined) return new Response(null, { status: reply.status, headers });
  const bytes = new TextEncoder().encode(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  if (!cut) return new Response(bytes, { status: reply.status, headers });
  headers.set('content-length', String(bytes.length));
  const half = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (bytes.length > 1 && !sent) {
        sent = true;
        controller.enqueue(bytes.slice(0, Math.floor(bytes.length / 2)));
      } else controller.error(new ConnectionLost('after'));
    },
  });
  let sent = false;
  return new Response(half, { status: reply.status, headers });
}
