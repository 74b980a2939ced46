import type { Failure } from '../core/errors.ts';
import { howToSet } from '../core/how-to-set.ts';
import { Sealed } from '../core/sealed.ts';
import { unresolved } from './reference.ts';

/** The variables that hold the address of a secret server and the token. */
export interface ServerVariables {
  readonly address: string;
  readonly token: string;
}

export interface SecretServer {
  /** Without a slash at its end. */
  readonly base: string;
  readonly token: Sealed;
}

/** The server that the environment names, or the mistake in its variables that shows without a request. */
export function serverOf(reference: string, env: NodeJS.ProcessEnv, names: ServerVariables): SecretServer | Failure {
  const address = env[names.address]?.trim() ?? '';
  const token = env[names.token]?.trim() ?? '';
  const missing = [address === '' ? names.address : '', token === '' ? names.token : ''].filter((name) => name !== '');
  if (missing.length > 0) {
    const both = missing.join(' and ');
    return unresolved(reference, `${both} ${missing.length > 1 ? 'are' : 'is'} not set.`, howToSet(missing, env));
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    return unresolved(reference, `${names.token} holds a space, a line break or another character that no header can carry.`);
  }
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username + url.password !== '') {
    return unresolved(
      reference,
      `${names.address} does not hold the address of a server.`,
      `Set ${names.address} to an address such as https://secrets.example.com, without user name, query or fragment.`,
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return unresolved(
      reference,
      `${names.address} names ${url.host} without TLS, so anybody on the way could read the token and the secret.`,
      `Use an https:// address in ${names.address}.`,
    );
  }
  return { base: url.href.replace(/\/+$/, ''), token: new Sealed(token, names.token) };
}

/** The only hosts that no network lies before. */
const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);
