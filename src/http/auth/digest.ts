import { randomBytes } from 'node:crypto';
import type { Answer, AuthForm } from '../types.ts';
import { hashedOverride, hashedSecret, variable } from './credential.ts';
import { chooseChallenge, type DigestChallenge, parseChallenges, unanswerable } from './digest-challenge.ts';
import { digestHeader } from './digest-response.ts';
import type { Proof, Signer, SignerContext } from './signer.ts';

type DigestForm = Extract<AuthForm, { digest: unknown }>['digest'];

/**
 * HTTP Digest (RFC 7616). The first request of a run goes without a proof and gets a challenge; other requests wait for that challenge.
 * From then on each request uses the challenge's nonce with the next count, until the server gives another nonce: with `nextnonce`, or with
 * a 401 that calls the nonce stale.
 */
export function digestSigner(form: DigestForm, context: SignerContext): Signer {
  let session: Session | null = null;
  let asking: { readonly proof: Proof; readonly done: Promise<void>; readonly settle: () => void } | null = null;
  const sessions = new WeakMap<Proof, Session>();

  return {
    rounds: 2,

    headers: async ({ method, url }) => {
      const user = variable(form.user_env, context);
      const password = context.credential ? hashedOverride(context.credential, context) : hashedSecret(form.password_env, context);
      // The first request does not wait here: requests of the same turn must see that it asks.
      if (session === null && asking !== null) await asking.done;
      if (session === null) {
        const proof = {};
        const { promise: done, resolve: settle } = Promise.withResolvers<void>();
        asking ??= { proof, done, settle };
        return proof;
      }
      const { challenge } = session;
      session.uses += 1;
      const cnonce = randomBytes(24).toString('base64');
      const header = digestHeader(challenge, { user, password, method, uri: `${url.pathname}${url.search}`, count: session.uses, cnonce });
      const proof = { authorization: header };
      sessions.set(proof, session);
      return proof;
    },

    ended: (proof, answer) => {
      const used = sessions.get(proof);
      if (used && answer && answer.status !== 401) used.proven = true;
      session = answer ? sessionAfter(answer, used, session) : session;
      if (asking?.proof !== proof) return;
      asking.settle();
      asking = null;
    },

    refresh: async (refused, headers) => {
      const challenge = chooseChallenge(headers['www-authenticate'] ?? '');
      if (challenge === null) return false;
      const used = sessions.get(refused);
      // A nonce that never worked is refused because of the key. A nonce that worked before is refused because of its age.
      return used === undefined || challenge.stale || (used.proven && used.challenge.nonce !== challenge.nonce);
    },

    explain: ({ status, headers }) => {
      const header = headers['www-authenticate'];
      if (status !== 401 || chooseChallenge(header ?? '') !== null) return null;
      return {
        detail: `The provider refused the request ${unanswerable(header)}.`,
        fix: `See whether the address of ${context.block.api} is right and its API takes HTTP Digest.`,
      };
    },
  };
}

/** One nonce and how often it was used. */
interface Session {
  readonly challenge: DigestChallenge;
  uses: number;
  /** The server accepted a request with this nonce. */
  proven: boolean;
}

/** An answer to a request with `used` may bring a nonce: a new challenge with a 401, or `nextnonce` with any other status. */
function sessionAfter(
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  used: Session | undefined,
  now: Session | null,
): Session | null {
  if (status === 401) {
    const challenge = chooseChallenge(headers['www-authenticate'] ?? '');
    // Another request may have got a newer nonce meanwhile. That nonce serves all requests.
    return challenge && (now === null || now === used) ? { challenge, uses: 0, proven: false } : now;
  }
  const next = nextNonce(headers['authentication-info']);
  if (!used || next === null || next === now?.challenge.nonce) return now;
  return { challenge: { ...used.challenge, nonce: next }, uses: 0, proven: true };
}

/** `Authentication-Info` holds parameters like those of a challenge, without a scheme. */
function nextNonce(header: string | undefined): string | null {
  const next = header === undefined ? undefined : parseChallenges(`Digest ${header}`)[0]?.params.get('nextnonce');
  return next === undefined || next === '' ? null : next;
}
