import type { IncomingMessage, ServerResponse } from 'node:http';
import { ConnectionLost } from './reply.ts';
import type { Simulation } from './types.ts';

/** Which simulation a request on a shared port is for. */
export interface Door {
  /** The first part of the path: `neon`. */
  readonly name: string;
  readonly simulation: Simulation;
  /** Path and query as the provider takes them. */
  readonly rest: string;
}

/**
 * `/<name>/…` leads to the simulation of the name. A path without a name goes to the one simulation that serves it: a token URL is
 * derived from a base URL's origin, and so loses the name.
 */
export function findDoor(byName: ReadonlyMap<string, Simulation>, method: string, url: string): Door | null {
  const [, first = '', rest = ''] = /^\/([^/?]+)(.*)$/.exec(url) ?? [];
  const named = byName.get(first);
  if (named) return { name: first, simulation: named, rest };
  const path = url.split('?')[0] ?? '';
  const serving = [...byName].filter(([, simulation]) => simulation.serves(method, path));
  const [only] = serving;
  return serving.length === 1 && only ? { name: only[0], simulation: only[1], rest: url } : null;
}

/** Answers a request as the provider does. A lost answer destroys the socket, a hang holds it; any other error is told as status 500. */
export async function answerAt(door: Door, message: IncomingMessage, answer: ServerResponse): Promise<void> {
  try {
    await pass(door, message, answer);
  } catch (error) {
    if (!(error instanceof ConnectionLost) && !answer.headersSent) answer.writeHead(500).end(String(error));
    else message.socket.destroy();
  }
}

async function pass({ name, simulation, rest }: Door, message: IncomingMessage, answer: ServerResponse): Promise<void> {
  const gone = new AbortController();
  answer.once('close', () => {
    if (!answer.writableFinished) gone.abort(new Error('the client went away'));
  });
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk as Uint8Array));
  const headers = new Headers();
  for (let i = 0; i < message.rawHeaders.length; i += 2) headers.append(message.rawHeaders[i] ?? '', message.rawHeaders[i + 1] ?? '');
  const method = message.method ?? 'GET';
  const body = chunks.length > 0 && method !== 'GET' && method !== 'HEAD' ? { body: Buffer.concat(chunks) } : {};
  const requestTo = (target: string): Request =>
    new Request(`${simulation.origin}${target}`, { method, headers, signal: gone.signal, ...body });
  // A signature is made over the path that the client sent, with the name in it.
  const response = await simulation.handle(requestTo(rest), requestTo(message.url ?? rest));
  // A client follows these only on the host that it asked.
  const base = `http://${message.headers.host ?? ''}/${name}`;
  const told = [...response.headers].map(([header, value]) => [header, value.replaceAll(simulation.origin, base)] as const);
  answer.writeHead(response.status, Object.fromEntries(told));
  if (response.body) {
    // Each part leaves this process before the next: a cut comes after bytes that the client has seen.
    for await (const chunk of response.body) await new Promise((sent) => answer.write(chunk, sent));
  }
  answer.end();
}
