import { Failure } from '../core/errors.ts';
import type { Client } from '../http/client.ts';
import { HttpFailure } from '../http/failure.ts';
import type { SecretAccess, SecretAnswer, SecretRequest } from '../secrets/index.ts';

/** What the secret sources of one run share. */
export function secretAccess(o: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal; readonly client: Client }): SecretAccess {
  const asked = new Map<string, Promise<SecretAnswer>>();
  return {
    env: o.env,
    signal: o.signal,
    get: (request) => {
      const key = JSON.stringify([request.url.href, request.headers]);
      const asking = asked.get(key) ?? read(o.client, request);
      asked.set(key, asking);
      return asking.catch((thrown: unknown) => {
        throw thrown instanceof HttpFailure ? unanswered(request, thrown) : thrown;
      });
    },
  };
}

async function read(client: Client, { url, headers, credential }: SecretRequest): Promise<SecretAnswer> {
  const { status, body, said } = await client.read({ url, headers, credential });
  return { status, body, said };
}

const unanswered = ({ reference, addressEnv }: SecretRequest, failure: HttpFailure): Failure =>
  new Failure('SECRET_UNRESOLVED', {
    detail: `${reference} was not read: ${failure.detail}`,
    fix: `Check the address in ${addressEnv}, and whether its server can be reached from here.`,
    cause: failure,
  });
