import { http, type RequestHandler } from 'msw';
import { Redactor } from '../../src/core/redact.ts';
import { type ClientOptions, createClient } from '../../src/http/client.ts';
import { HttpFailure } from '../../src/http/failure.ts';
import type { RequestFacts } from '../../src/http/shared.ts';
import type { ProviderBlock, WriteGate } from '../../src/http/types.ts';
import { mswDispatcher } from '../support/via-msw.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

export const block: ProviderBlock = {
  api: 'acme',
  base_url: 'https://api.acme.example/v1',
  auth: { bearer_env: 'ACME_TOKEN' },
};

export const token = 'acme-token-0123456789';

/** A client whose requests end in `answer`, with everything that a test looks at afterwards. */
export function world(answer: (request: Request, number: number) => Response | Promise<Response>, options: Partial<ClientOptions> = {}) {
  const requests: Request[] = [];
  const facts: RequestFacts[] = [];
  const clock = new VirtualClock();
  const redactor = new Redactor();
  const run = new AbortController();
  const handlers: RequestHandler[] = [
    http.all('*', async ({ request }) => {
      requests.push(request.clone());
      return answer(request, requests.length);
    }),
  ];
  const client = createClient({
    env: { ACME_TOKEN: token },
    redactor,
    clock,
    dispatcher: mswDispatcher(handlers),
    signal: run.signal,
    random: () => 0,
    onRequest: (one) => facts.push(one),
    ...options,
  });
  return { client, api: client.api(block, { line: 'hook' }), requests, facts, clock, redactor, run };
}

export const ok = (body: unknown = {}, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers });

export const lost = (): Response => Response.error();

/** The failure of a request that must fail. */
export async function failureOf(sending: Promise<unknown>): Promise<HttpFailure> {
  const thrown = await sending.then(
    () => new Error('the request succeeded'),
    (error: unknown) => error,
  );
  if (thrown instanceof HttpFailure) return thrown;
  throw thrown;
}

/** A gate that is open and remembers; `onCheck` may throw. */
export function openGate(o: { readonly onOpen?: () => Promise<void>; readonly onCheck?: () => void } = {}) {
  const log: string[] = [];
  const gate: WriteGate = {
    open: async () => {
      log.push('open');
      await o.onOpen?.();
    },
    check: () => {
      log.push('check');
      o.onCheck?.();
    },
    sent: () => {
      log.push('sent');
      return (answered) => log.push(answered ? 'answered' : 'lost');
    },
  };
  return { gate, log };
}
