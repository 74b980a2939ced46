import { knownAddress } from '../http/hidden-address.ts';

/** A mistake in an API block: its place and its sentence. */
export interface BlockProblem {
  readonly at: readonly (string | number)[];
  readonly detail: string;
  readonly fix?: string;
  readonly code?: 'SECRET_LITERAL';
}

interface BaseUrl {
  readonly url: string;
  readonly variable?: string;
  readonly problem?: BlockProblem;
}

/**
 * The base URL of an API: from its own variable, else from `<NAME>_API_URL`, else from the block. The variable's name is kept, because a
 * destroy names the variable when the address has changed.
 */
export function baseUrl(name: string, ownVariable: string | undefined, stated: string | null | undefined, env: NodeJS.ProcessEnv): BaseUrl {
  const variables = [...(ownVariable === undefined ? [] : [ownVariable]), apiUrlVariable(name)];
  const variable = variables.find((candidate) => env[candidate]);
  const text = variable === undefined ? stated : env[variable];
  if (!text) {
    const detail = `The API ${name} has no base URL.`;
    return { url: '', problem: { at: [], detail, fix: `Give the API a \`base_url\`, or set ${variables.join(' or ')}.` } };
  }
  const where = variable === undefined ? { at: ['base_url'], what: `base_url of ${name}` } : { at: [], what: `The variable ${variable}` };
  const problem = addressProblem(where.what, text);
  const address = text.replace(/\/+$/, '');
  const url = variable === undefined || problem ? address : knownAddress(variable, address, stated);
  return {
    url,
    ...(variable !== undefined && { variable }),
    ...(problem && { problem: { at: where.at, ...problem } }),
  };
}

/** Why `text` cannot be an address that a credential is sent to. */
export function addressProblem(what: string, text: string): Omit<BlockProblem, 'at'> | null {
  const problem = urlProblem(text);
  return problem && { ...problem, detail: `${what} ${problem.detail}` };
}

// The error does not repeat the URL: a malformed one may hold a password.
function urlProblem(text: string): Omit<BlockProblem, 'at'> | null {
  if (!URL.canParse(text)) return { detail: 'is not a URL.', fix: 'Write it as https://host/path.' };
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    return { code: 'SECRET_LITERAL', detail: 'holds a user or password.', fix: 'Take it out. Credentials belong under `auth`.' };
  }
  if (url.search !== '' || url.hash !== '') return { detail: 'holds a query or fragment, which this address cannot have.' };
  if (url.protocol === 'https:') return null;
  if (url.protocol === 'http:' && isLoopback(url.hostname)) return null;
  return { detail: 'is not https. Only addresses of this machine may be http.', fix: 'Use https.' };
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

/** `VERCEL_API_URL` */
export const apiUrlVariable = (name: string): string => `${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_API_URL`;
