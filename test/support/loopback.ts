import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { WireRequest } from 'pilotfish-sandbox/kit/aws-v4-verifier';
import { onTestFinished } from 'vitest';
import { Redactor } from '../../src/core/redact.ts';
import { createClient } from '../../src/http/client.ts';
import type { RequestFacts } from '../../src/http/shared.ts';
import type { ProviderBlock } from '../../src/http/types.ts';
import { VirtualClock } from './virtual-clock.ts';

export interface WireReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

/** A server on this machine, and a client of the kind that a run has, on real connections and a clock that stands still. */
export async function loopback(
  answer: (request: WireRequest, clock: VirtualClock) => WireReply | Promise<WireReply>,
  o: { readonly block: Omit<ProviderBlock, 'api' | 'base_url'>; readonly env: NodeJS.ProcessEnv },
) {
  const clock = new VirtualClock();
  const requests: WireRequest[] = [];
  const serve = async (message: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(Buffer.from(chunk as Uint8Array));
    const headers = Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)]));
    const request = { method: message.method ?? '', target: message.url ?? '', headers, body: Buffer.concat(chunks) };
    requests.push(request);
    const { status, headers: told = {}, body = '' } = await answer(request, clock);
    reply.sendDate = false;
    const type: Record<string, string> =
      body === '' ? {} : { 'content-type': body.startsWith('<') ? 'application/xml' : 'application/json' };
    reply.writeHead(status, { ...type, ...(told as Record<string, string | string[]>) }).end(body);
  };
  const server = createServer((message, reply) => {
    serve(message, reply).catch((error: unknown) => reply.destroy(error instanceof Error ? error : new Error(String(error))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const redactor = new Redactor();
  const facts: RequestFacts[] = [];
  const client = createClient({
    env: o.env,
    redactor,
    clock,
    signal: new AbortController().signal,
    onRequest: (one) => facts.push(one),
    random: () => 0,
  });
  onTestFinished(async () => {
    client.close();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  });
  const block: ProviderBlock = { api: 'acme', base_url: `http://127.0.0.1:${address.port}`, ...o.block };
  return { client, api: client.api(block), block, requests, facts, clock, redactor };
}
