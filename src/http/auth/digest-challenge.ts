import { getHashes } from 'node:crypto';

/** One challenge of a `WWW-Authenticate` header: its scheme in lower case, its parameters with lower-case names, unquoted. */
export interface Challenge {
  readonly scheme: string;
  readonly params: ReadonlyMap<string, string>;
}

/** A Digest challenge that this client can answer. */
export interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | null;
  /** The algorithm as the server spells it; `null` where the server names none, which means MD5. */
  readonly algorithm: string | null;
  readonly hash: (typeof hashes)[number];
  /** The algorithm ends in `-sess`. */
  readonly session: boolean;
  /** Without `qop` the short response of RFC 2069 is sent. */
  readonly qop: 'auth' | null;
  readonly stale: boolean;
  readonly utf8: boolean;
  readonly userhash: boolean;
}

/**
 * Every challenge of one or several `WWW-Authenticate` headers, joined by commas as `Headers` joins them. Commas inside of
 * quotes, and commas between the parameters of one challenge, separate no challenges.
 */
export function parseChallenges(header: string): readonly Challenge[] {
  const found: { scheme: string; params: Map<string, string> }[] = [];
  let rest = header;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const match = pattern.exec(rest);
    if (match) rest = rest.slice(match[0].length);
    return match;
  };
  while (take(/^[\s,]+/) || rest !== '') {
    const param = take(/^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))/s);
    const current = found.at(-1);
    if (param) {
      const [, name = '', quoted, plain = ''] = param;
      const value = quoted === undefined ? plain : quoted.replace(/\\(.)/gs, '$1');
      // The first of two equal parameters counts, as for every other reader of such a header.
      const key = name.toLowerCase();
      if (current && !current.params.has(key)) current.params.set(key, value);
      continue;
    }
    const scheme = take(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+/);
    if (scheme) {
      found.push({ scheme: scheme[0].toLowerCase(), params: new Map() });
      // Schemes such as Negotiate carry one text instead of parameters.
      take(/^[ \t]+[A-Za-z0-9\-._~+/]+=*(?=\s*(?:,|$))/);
      continue;
    }
    // This part cannot be read, so reading goes on behind the next comma.
    if (!take(/^[^,]+/)) break;
  }
  return found;
}

/** The strongest Digest challenge that this client can answer, or `null`. */
export function chooseChallenge(header: string): DigestChallenge | null {
  const answerable = parseChallenges(header)
    .map(toDigest)
    .filter((challenge) => challenge !== null);
  return answerable.sort((a, b) => strength(b) - strength(a))[0] ?? null;
}

/** Why this client can answer no challenge of a refusal, as the end of a sentence. */
export function unanswerable(header: string | undefined): string {
  const all = parseChallenges(header ?? '');
  const digests = all.filter(({ scheme }) => scheme === 'digest');
  if (all.length === 0) return 'without any challenge, so it does not ask for HTTP Digest here';
  if (digests.length === 0) {
    return `without a Digest challenge (it offers ${[...new Set(all.map(({ scheme }) => scheme))].join(', ')})`;
  }
  const algorithms = digests.map(({ params }) => params.get('algorithm') ?? 'MD5');
  const known = digests.filter((_, i) => hashOf(algorithms[i] ?? '') !== null);
  if (known.length === 0) return `with a Digest challenge for ${algorithms.join(', ')}, which pilotfish does not know`;
  if (known.some(({ params }) => !params.has('nonce'))) return 'with a Digest challenge that holds no nonce';
  const qops = known.map(({ params }) => params.get('qop') ?? '').join(', ');
  return `with a Digest challenge for the quality of protection ${qops} alone. pilotfish supports only \`auth\``;
}

function toDigest({ scheme, params }: Challenge): DigestChallenge | null {
  const nonce = params.get('nonce');
  const algorithm = params.get('algorithm') ?? null;
  const hash = hashOf(algorithm ?? 'MD5');
  if (scheme !== 'digest' || nonce === undefined || nonce === '' || hash === null) return null;
  const offered = params.get('qop');
  const qops = offered?.split(/[\s,]+/).filter((one) => one !== '') ?? [];
  const hasAuth = qops.some((one) => one.toLowerCase() === 'auth');
  if (qops.length > 0 && !hasAuth) return null;
  return {
    realm: params.get('realm') ?? '',
    nonce,
    opaque: params.get('opaque') ?? null,
    algorithm,
    hash,
    session: /-sess$/i.test(algorithm ?? ''),
    qop: hasAuth ? 'auth' : null,
    stale: params.get('stale')?.toLowerCase() === 'true',
    utf8: params.get('charset')?.toLowerCase() === 'utf-8',
    userhash: params.get('userhash')?.toLowerCase() === 'true',
  };
}

/** From weak to strong: node's names of the hashes. */
const hashes = ['md5', 'sha256', 'sha512-256'] as const;

/** MD5 is missing where OpenSSL runs in FIPS mode, SHA-512/256 in some builds. */
const available = new Set(getHashes().map((name) => name.toLowerCase()));

function hashOf(algorithm: string): DigestChallenge['hash'] | null {
  const name = algorithm
    .toLowerCase()
    .replace(/-sess$/, '')
    .replace(/^sha-/, 'sha');
  const hash = hashes.find((one) => one === name) ?? null;
  return hash !== null && available.has(hash) ? hash : null;
}

const strength = ({ hash, qop }: DigestChallenge): number => hashes.indexOf(hash) * 2 + (qop === null ? 0 : 1);
