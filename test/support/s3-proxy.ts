import { type ClientRequest, createServer, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * What happens to a request. `before`: it never arrives. `after`: its answer is lost. `late`: the client's connection ends, and the request arrives a
 * moment later. `twice`: it arrives twice, and the client hears the second answer. A number: this status, and the request never arrives.
 * `landed-500`: it arrives, and the client hears 500.
 */
export type Fate = 'before' | 'after' | 'late' | 'twice' | 'landed-500' | number;

export interface Fated {
  readonly fate: Fate;
  /** Runs between the request's effect and the end of the client's connection. */
  readonly afterwards?: () => Promise<void>;
}

interface Passing {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

/** Stands before a store, passes signed requests on as they are, and lets some go wrong. */
export async function startS3Proxy(port: number) {
  const open = new Set<ClientRequest>();
  const under = new Set<Promise<unknown>>();
  let judge: (passing: Passing) => Fated | null = () => null;
  let passed = 0;

  const upstream = (passing: Passing, body: Buffer): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }> =>
    new Promise((resolve, reject) => {
      const { method, target: path, headers } = passing;
      const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }));
      });
      open.add(sent);
      sent.on('close', () => open.delete(sent));
      sent.on('error', reject);
      sent.end(body);
    });

  const server = createServer((message, answer) => {
    const work = async (): Promise<void> => {
      const parts: Buffer[] = [];
      for await (const part of message) parts.push(part as Buffer);
      const body = Buffer.concat(parts);
      const passing = { method: message.method ?? '', target: message.url ?? '', headers: message.headers };
      passed += 1;
      const { fate, afterwards } = judge(passing) ?? { fate: null, afterwards: undefined };
      if (typeof fate === 'number') return void answer.writeHead(fate).end();
      if (fate === 'before') return void message.socket.destroy();
      if (fate === 'late') {
        message.socket.destroy();
        await delay(60);
        await upstream(passing, body);
        return;
      }
      if (fate === 'twice') await upstream(passing, body);
      const told = await upstream(passing, body);
      await afterwards?.();
      if (fate === 'after') return void message.socket.destroy();
      if (fate === 'landed-500') return void answer.writeHead(500).end();
      answer.writeHead(told.status, told.headers).end(passing.method === 'HEAD' ? undefined : told.body);
    };
    const one = work().catch(() => message.socket.destroy());
    under.add(one);
    void one.finally(() => under.delete(one));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    port: address.port,
    endpoint: `http://127.0.0.1:${address.port}`,
    /** Requests that came by. */
    passed: (): number => passed,
    /** Judges every request from now on; `null` passes it on. */
    judge: (by: (passing: Passing) => Fated | null): void => {
      judge = by;
    },
    /** Judges the next write of a branch, and no other request. */
    onNextCommit: (fated: Fated): void => {
      judge = ({ method, target }) => {
        if (method !== 'PUT' || !target.includes('/branches/')) return null;
        judge = () => null;
        return fated;
      };
    },
    stop: async (): Promise<void> => {
      await Promise.allSettled(under);
      for (const one of open) one.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type S3Proxy = Awaited<ReturnType<typeof startS3Proxy>>;
