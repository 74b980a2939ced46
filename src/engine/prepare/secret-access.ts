import type { Clock } from '../../core/clock.ts';
import { Failure } from '../../core/errors.ts';
import type { Redactor } from '../../core/redact.ts';
import type { Sealed } from '../../core/sealed.ts';
import type { Client } from '../../http/client.ts';
import { DeadlinePassed, withinDeadline } from '../../http/deadline.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { SecretRef } from '../../plan/types.ts';
import { resolveSecret, type SecretAccess, type SecretAnswer, type SecretRequest, type SecretSources } from '../../secrets/index.ts';
import type { Session } from '../session.ts';

/** The bound for every source, however it fails to end and whoever wrote it. */
const longestMs = 5 * 60_000;

/**
 * Reads the secrets of one run: each reference once, however many lines hold it. A value is known to the redactor before anybody gets
 * it, and a source that hangs is left when the run is told to stop.
 */
export function secretReader(o: {
  readonly sources: SecretSources;
  readonly access: SecretAccess;
  readonly redactor: Redactor;
  readonly clock: Clock;
}): (reference: string) => Promise<Sealed> {
  const known = new Map<string, Promise<Sealed>>();
  const read = async (reference: string): Promise<Sealed> => {
    const sealed = await withinDeadline({ ms: longestMs, clock: o.clock, signal: o.access.signal }, () =>
      resolveSecret(o.sources, reference, o.access),
    ).catch((thrown: unknown) => {
      throw thrown instanceof DeadlinePassed ? endless(reference, thrown) : thrown;
    });
    o.redactor.add(sealed);
    return sealed;
  };
  return (reference) => {
    const reading = known.get(reference) ?? read(reference);
    known.set(reference, reading);
    return reading;
  };
}

const endless = (reference: string, cause: DeadlinePassed): Failure =>
  new Failure('SECRET_UNRESOLVED', { detail: `${reference} was not read: its source gave no answer within ${cause.ms / 1000} s.`, cause });

/** The secret sources of one run share these. */
export function secretAccess(o: Pick<SecretAccess, 'env' | 'signal' | 'run'> & { readonly client: Client }): SecretAccess {
  const asked = new Map<string, Promise<SecretAnswer>>();
  return {
    env: o.env,
    signal: o.signal,
    run: o.run,
    get: (request) => {
      const key = JSON.stringify([request.url.href, request.headers]);
      const asking = asked.get(key) ?? ask(o.client, request);
      asked.set(key, asking);
      return asking.catch((thrown: unknown) => {
        throw thrown instanceof HttpFailure ? unanswered(request, thrown) : thrown;
      });
    },
  };
}

async function ask(client: Client, { url, headers, credential }: SecretRequest): Promise<SecretAnswer> {
  const { status, body, said } = await client.read({ url, headers, credential });
  return { status, body, said };
}

const unanswered = ({ reference, addressEnv }: SecretRequest, failure: HttpFailure): Failure =>
  new Failure('SECRET_UNRESOLVED', {
    detail: `${reference} was not read: ${failure.detail}`,
    fix: `Check the address in ${addressEnv}, and whether its server can be reached from here.`,
    cause: failure,
  });

/** The facts of other lines wait this long for a line that waits for a secret. A run below this counts as a short one. */
const secretPatienceMs = 40_000;

/** Reads a secret of a line. A line that waits long for it does not count as at work meanwhile, so others need not wait with it. */
export async function secretOf({ barrier, clock, readSecret }: Session, ref: SecretRef, line: string): Promise<Sealed> {
  const waiting = new AbortController();
  clock.sleep(secretPatienceMs, waiting.signal).then(
    () => barrier.hold(line, { isLast: false }),
    () => undefined,
  );
  try {
    return await readSecret(ref.reference);
  } finally {
    waiting.abort('over');
    barrier.resume(line);
  }
}
