import { Failure } from '../../core/errors.ts';
import type { Shared } from '../client.ts';
import { decodeBody } from '../decode.ts';
import { exchange } from '../exchange.ts';
import { type Call, type HttpFailure, networkFailure, statusFailure } from '../failure.ts';
import { withRetries } from '../retry.ts';
import type { ProviderBlock } from '../types.ts';
import { credentialVariables } from './variables.ts';

/**
 * Sends token requests of one API. Asking twice for a token does no harm, so all of the retry table applies; a refusal is
 * the credential's fault, whichever 4xx the server chose for it.
 */
export function tokenFetcher(shared: Shared, block: ProviderBlock) {
  return async (url: URL, init: { readonly body: string; readonly headers: Readonly<Record<string, string>> }): Promise<Response> => {
    const { clock, redactor, random, signal } = shared;
    const call: Call = { block, method: 'POST', url, write: false, bare: true, redactor, clock, lostBefore: false };
    return withRetries({ retry: 'table', idempotent: true }, { clock, random, signal, write: false }, async (attempt) => {
      const begun = clock.mono();
      const told = { line: null, method: call.method, url: url.href, attempt };
      shared.count({ line: null, write: false });
      const request = { method: call.method, url, headers: new Headers(init.headers), body: init.body };
      const answer = await exchange(shared, request, [signal]).catch((thrown: unknown) => {
        shared.tell({ ...told, status: null, ms: clock.mono() - begun });
        if (signal.aborted) throw thrown;
        throw networkFailure(call, thrown);
      });
      shared.tell({ ...told, status: answer.status, ms: clock.mono() - begun });
      if (answer.status === 200) return new Response(Buffer.from(answer.bytes), { status: 200, headers: { ...answer.headers } });
      throw refused(call, statusFailure(call, { ...answer, body: readable(answer.bytes, answer.headers['content-type']) }));
    });
  };
}

function refused(call: Call, failure: HttpFailure): Failure {
  const { status } = failure;
  if (status === null || status < 400 || status >= 500 || failure.repeat === 'any') return failure;
  return new Failure('PROVIDER_AUTH', {
    detail: `No access token for ${call.block.api}: ${failure.detail}`,
    fix: `Check ${credentialVariables(call.block).join(' and ')}, and that this client may use the API.`,
    status,
  });
}

/** An error body is only quoted: one that does not parse is quoted as text. */
function readable(bytes: Uint8Array, contentType: string | undefined): unknown {
  try {
    return decodeBody(bytes, contentType);
  } catch {
    return decodeBody(bytes, 'text/plain');
  }
}
