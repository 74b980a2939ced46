import { createHash } from 'node:crypto';
import type { DigestChallenge } from './digest-challenge.ts';

export interface DigestRequest {
  readonly user: string;
  readonly password: string;
  readonly method: string;
  /** Path and query as they are sent. */
  readonly uri: string;
  /** How often this nonce was used, this request included. */
  readonly count: number;
  readonly cnonce: string;
}

/** The `Authorization` header that answers a challenge (RFC 7616 section 3.4). */
export function digestHeader(challenge: DigestChallenge, request: DigestRequest): string {
  const { realm, nonce, opaque, algorithm, qop, session, utf8, userhash } = challenge;
  const { method, uri, cnonce } = request;
  const hash = (...parts: readonly string[]) => createHash(challenge.hash).update(parts.join(':'), 'latin1').digest('hex');
  const user = wire(request.user);
  const count = request.count.toString(16).padStart(8, '0');
  const secret = hash(user, realm, wire(request.password));
  // Servers keep no session. They make this key anew from the nonce and cnonce of each request.
  const key = session ? hash(secret, nonce, cnonce) : secret;
  const asked = hash(method, uri);
  const response = qop === null ? hash(key, nonce, asked) : hash(key, nonce, count, cnonce, qop, asked);

  const members = [
    userhash ? `username=${quoted(hash(user, realm))}` : userMember(request.user, utf8),
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    ...(algorithm === null ? [] : [`algorithm=${algorithm}`]),
    ...(qop === null ? [] : [`qop=${qop}`, `nc=${count}`]),
    ...(qop === null && !session ? [] : [`cnonce=${quoted(cnonce)}`]),
    `response=${quoted(response)}`,
    ...(opaque === null ? [] : [`opaque=${quoted(opaque)}`]),
    ...(userhash ? ['userhash=true'] : []),
  ];
  return `Digest ${members.join(', ')}`;
}

/** Headers carry one byte a character. Values from the server's header have that form already; our values become UTF-8. */
const wire = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

function userMember(user: string, utf8: boolean): string {
  const isPlain = /^[\x20-\x7e]*$/.test(user);
  if (isPlain || !utf8) return `username=${quoted(wire(user))}`;
  const escaped = encodeURIComponent(user).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `username*=UTF-8''${escaped}`;
}
