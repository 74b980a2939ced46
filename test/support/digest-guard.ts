import { createHash } from 'node:crypto';
import type { WireRequest } from 'pilotfish-sandbox/kit/aws-v4-verifier';
import type { WireReply } from './loopback.ts';

export interface GuardOptions {
  /** From the first to the last, as they are offered. */
  readonly algorithms?: readonly string[];
  readonly qop?: string | null;
  readonly userhash?: boolean;
  /** Each challenge in a header of its own. */
  readonly apart?: boolean;
  /** How often one nonce may be used. */
  readonly uses?: number;
  /** Says `stale=true` of a nonce that is used up; some servers do not. */
  readonly saysStale?: boolean;
  /** Gives the next nonce with the last use of one. */
  readonly givesNext?: boolean;
  /** Refuses a count that is not above the last one; else only one that was seen. */
  readonly strict?: boolean;
  readonly more?: string;
}

const node: { readonly [algorithm: string]: string } = { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512-256': 'sha512-256' };

/** What a server does that protects itself with HTTP Digest, written from RFC 7616: nonces that end, and no proof taken twice. */
export class DigestGuard {
  readonly nonces: string[] = [];
  /** `nc` of each proof that was let in. */
  readonly counts: number[] = [];
  readonly #user: string;
  readonly #password: string;
  readonly #o: Required<GuardOptions>;
  readonly #used = new Map<string, Set<number>>();

  constructor(user: string, password: string, o: GuardOptions = {}) {
    this.#user = user;
    this.#password = password;
    const usual = { algorithms: ['MD5', 'SHA-256'], qop: 'auth', userhash: false, apart: false, uses: Infinity, saysStale: true };
    this.#o = { ...usual, givesNext: false, strict: false, more: '', ...o };
  }

  /** Ends the nonces that are known now. */
  expire(): void {
    this.#used.clear();
  }

  check(request: WireRequest, inside: () => WireReply): WireReply {
    const given = memberOf(request.headers.authorization ?? '');
    const nonce = given('nonce');
    if (nonce === null) return this.#challenge('');
    if (!this.#isRight(request, given)) return this.#challenge('');
    const used = this.#used.get(nonce);
    const count = Number.parseInt(given('nc') ?? '0', 16);
    const isOld = this.#o.strict ? count <= Math.max(0, ...(used ?? [])) : given('nc') !== null && used?.has(count) === true;
    if (!used || isOld || used.size >= this.#o.uses) return this.#challenge(this.#o.saysStale ? ', stale=true' : '');
    used.add(given('nc') === null ? used.size + 1 : count);
    this.counts.push(count);
    const reply = inside();
    if (!this.#o.givesNext || used.size < this.#o.uses) return reply;
    return { ...reply, headers: { ...reply.headers, 'authentication-info': `rspauth="00", qop=auth, nextnonce="${this.#nonce()}"` } };
  }

  #isRight(request: WireRequest, given: (name: string) => string | null): boolean {
    const { qop, userhash, algorithms } = this.#o;
    const algorithm = given('algorithm') ?? 'MD5';
    const name = node[algorithm.replace(/-sess$/, '')];
    if (name === undefined || !algorithms.includes(algorithm) || given('opaque') !== 'op, "aque"' || given('uri') !== request.target)
      return false;
    const hash = (...parts: readonly (string | null)[]) => createHash(name).update(parts.join(':')).digest('hex');
    const realm = 'The, "Realm"';
    const user = given('username*') === null ? given('username') : decodeURIComponent(given('username*')?.slice("UTF-8''".length) ?? '');
    if (user !== (userhash ? hash(this.#user, realm) : this.#user)) return false;
    const secret = hash(this.#user, realm, this.#password);
    const key = algorithm.endsWith('-sess') ? hash(secret, given('nonce'), given('cnonce')) : secret;
    const asked = hash(request.method, request.target);
    if (qop === null) return given('qop') === null && given('response') === hash(key, given('nonce'), asked);
    if (given('qop') !== 'auth' || !/^[0-9a-f]{8}$/.test(given('nc') ?? '') || (given('cnonce') ?? '') === '') return false;
    return given('response') === hash(key, given('nonce'), given('nc'), given('cnonce'), 'auth', asked);
  }

  #challenge(stale: string): WireReply {
    const { algorithms, qop, userhash, apart, more } = this.#o;
    const all = algorithms.map(
      (algorithm) =>
        `Digest realm="The, \\"Realm\\"", nonce="${this.#nonce()}", opaque="op, \\"aque\\"", algorithm=${algorithm}${qop === null ? '' : `, qop="${qop}"`}, charset=UTF-8${userhash ? ', userhash=true' : ''}${stale}${more}`,
    );
    return { status: 401, headers: { 'www-authenticate': apart ? all : all.join(', ') }, body: '{"error":"who are you?"}' };
  }

  #nonce(): string {
    const nonce = `n+/${this.nonces.length}=`;
    this.nonces.push(nonce);
    this.#used.set(nonce, new Set());
    return nonce;
  }
}

/** Members of the header by name, quotes taken off. */
function memberOf(header: string): (name: string) => string | null {
  return (name) => {
    const pattern = new RegExp(`[ ,]${name.replace('*', '\\*')}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^ ,"]*))`);
    const [, quoted, plain] = pattern.exec(header) ?? [];
    return quoted?.replace(/\\(.)/g, '$1') ?? plain ?? null;
  };
}
