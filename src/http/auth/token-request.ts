import { Failure } from '../../core/errors.ts';
import { bareRequest } from '../bare-request.ts';
import { type Call, HttpFailure } from '../failure.ts';
import type { Shared } from '../shared.ts';
import type { ProviderBlock } from '../types.ts';
import { credentialVariables } from './variables.ts';

/** Sends token requests of one API. A refusal is the credential's fault, whichever 4xx the server chose for it. */
export function tokenFetcher(shared: Shared, block: ProviderBlock) {
  return async (url: URL, init: { readonly body: string; readonly headers: Readonly<Record<string, string>> }): Promise<Response> => {
    const { redactor } = shared;
    const time = shared.originOf(url).timeAt(url.origin + url.pathname);
    const call: Call = { block, method: 'POST', url, write: false, bare: true, redactor, time, lostBefore: false };
    try {
      // A request of the API waits for this token in a slot of what may be the same host: a second slot might never come.
      const answer = await bareRequest(shared, call, { ...init, queued: false });
      return new Response(Buffer.from(answer.bytes), { status: 200, headers: { ...answer.headers } });
    } catch (thrown) {
      throw thrown instanceof HttpFailure ? refused(call, thrown) : thrown;
    }
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
