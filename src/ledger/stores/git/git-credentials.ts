import { askExtraHeader, type GitAnswer, gitOfPerson, runGit } from '../../../platform/git-system.ts';
import { isWebUrl, stripUserinfo, userinfoOf } from '../../../platform/git-url.ts';
import { secretsInHeader } from './git-hush.ts';

/** Headers that sign a request in; none for an anonymous one. */
export type SignIn = { readonly [header: string]: string };

const none: SignIn = {};

/** The credentials of one remote, tried one after the other. */
export interface GitCredentials {
  /** The sign-in to send now. */
  current(): Promise<SignIn>;
  /** The remote answered 401, 403 or 404 to what `current` gave: `true` when there is another credential to try. */
  refused(status: number, tried: SignIn): Promise<boolean>;
}

export interface CredentialOptions {
  readonly url: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Learns every secret before it is used. */
  readonly onSecret: (text: string) => void;
  /** The configured header of this remote, where it was asked for before. */
  readonly extraHeader?: Promise<GitAnswer>;
}

/**
 * Finds the credential for an https remote where git users keep it: the token variable of the host, the header that CI wrote
 * into git's configuration, user info of the address, then the credential helpers. Like git, it asks the helpers only after
 * the remote refused an anonymous request, because a helper may open a window.
 */
export function gitCredentials(options: CredentialOptions): GitCredentials {
  const sources: readonly Source[] = [fromAction, fromVariable, fromJob, fromConfiguration, fromUserinfo, anonymous, fromHelper];
  let at = -1;
  let found: Found | null = null;
  const advance = async (): Promise<Found | null> => {
    for (let next = at + 1; next < sources.length; next += 1) {
      const candidate = await sources[next]?.(options, found);
      if (candidate) {
        at = next;
        return candidate;
      }
    }
    return null;
  };
  let first: Promise<Found | null> | undefined;
  return {
    async current() {
      first ??= advance();
      found ??= await first;
      return found?.headers ?? none;
    },
    async refused(status, tried) {
      // Another request, refused at the same time, has moved on already.
      if (tried !== (found?.headers ?? none)) return true;
      if (status === 401) await found?.reject?.();
      const next = await advance();
      if (next === null) return false;
      found = next;
      return true;
    },
  };
}

interface Found {
  readonly headers: SignIn;
  /** Tells the helper that its credential is wrong. */
  readonly reject?: () => Promise<void>;
}
type Source = (options: CredentialOptions, before: Found | null) => Promise<Found | null>;

const isAtGithub = (remote: URL, env: NodeJS.ProcessEnv): boolean => remote.host === hostOf(env.GITHUB_SERVER_URL ?? 'https://github.com');

/** The action's own token. The token is for its repository alone, so the variables come next: the lock remote may be another one. */
const fromAction: Source = async ({ url, env, onSecret }) => {
  const remote = privateLine(url);
  const token = env.PILOTFISH_JOB_TOKEN;
  return remote && token && isAtGithub(remote, env) ? basic('x-access-token', token, onSecret) : null;
};

/** A token goes only to the host that it was made for. */
const fromVariable: Source = async ({ url, env, onSecret }) => {
  const remote = privateLine(url);
  if (!remote) return null;
  const token = env.GITHUB_TOKEN || env.GH_TOKEN;
  const isAnother = token !== env.PILOTFISH_JOB_TOKEN;
  if (token && isAnother && isAtGithub(remote, env)) return basic('x-access-token', token, onSecret);
  // GitLab takes any user name beside an access token, and this one beside a token of OAuth too.
  if (env.GITLAB_TOKEN && remote.host === gitlabHost(env, remote)) return basic('oauth2', env.GITLAB_TOKEN, onSecret);
  return null;
};

/** The token of a GitLab job reads its project, and pushes to it only where the project allows that. So other tokens come first. */
const fromJob: Source = async ({ url, env, onSecret }) => {
  const remote = privateLine(url);
  if (!env.CI_JOB_TOKEN || !remote || !(env.CI_SERVER_URL || env.CI_SERVER_HOST)) return null;
  return remote.host === gitlabHost(env, remote) ? basic('gitlab-ci-token', env.CI_JOB_TOKEN, onSecret) : null;
};

/** Gives the remote; `null` where others could read a token on its way. */
function privateLine(url: string): URL | null {
  const remote = new URL(url);
  return remote.protocol === 'https:' || ['127.0.0.1', '[::1]', 'localhost'].includes(remote.hostname) ? remote : null;
}

function gitlabHost(env: NodeJS.ProcessEnv, { protocol }: URL): string | null {
  if (env.CI_SERVER_URL) return hostOf(env.CI_SERVER_URL);
  return env.CI_SERVER_HOST ? withPort(env.CI_SERVER_HOST, env.CI_SERVER_PORT, protocol) : 'gitlab.com';
}

const fromConfiguration: Source = async ({ url, cwd, env, onSecret, extraHeader }) => {
  const answer = await (extraHeader ?? askExtraHeader(stripUserinfo(url), { cwd, env }));
  const line = answer.stdout.trim().split('\n').at(-1) ?? '';
  const colon = line.indexOf(':');
  if (answer.code !== 0 || colon < 1) return null;
  const value = line.slice(colon + 1).trim();
  for (const secret of secretsInHeader(value)) onSecret(secret);
  return { headers: { [line.slice(0, colon).trim()]: value } };
};

const fromUserinfo: Source = async ({ url, onSecret }) => {
  const info = userinfoOf(url);
  return info && basic(info.user, info.password, onSecret);
};

/** Comes in only where nothing better is known: anybody can read a public repository. */
const anonymous: Source = async (_, before) => (before === null ? { headers: {} } : null);

/** The helpers of the person. A checkout may name helpers too, but those are programs of its author, so none of them runs. */
const fromHelper: Source = async ({ url, cwd, env, onSecret }) => {
  const remote = new URL(stripUserinfo(url));
  const user = userinfoOf(url)?.user;
  const call = { cwd, env: (await gitOfPerson({ cwd, env })).env, timeoutMs: 10_000 };
  const path = remote.pathname.slice(1);
  const question = `protocol=${remote.protocol.slice(0, -1)}\nhost=${remote.host}\npath=${path}\n${user ? `username=${user}\n` : ''}\n`;
  const answer = await runGit(['credential', 'fill'], { ...call, input: question });
  const fields = new Map(answer.stdout.split('\n').map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]));
  const password = fields.get('password');
  if (answer.code !== 0 || !password) return null;
  const given = answer.stdout.trimEnd();
  return {
    ...basic(fields.get('username') ?? '', password, onSecret),
    reject: async () => {
      await runGit(['credential', 'reject'], { ...call, input: `${given}\n\n` });
    },
  };
};

function basic(user: string, password: string, onSecret: (text: string) => void): Found {
  const packed = Buffer.from(`${user}:${password}`, 'utf8').toString('base64');
  // A bare token may stand where the user belongs: `https://<token>@host`.
  for (const secret of password === '' ? [user, packed] : [password, packed]) onSecret(secret);
  return { headers: { authorization: `Basic ${packed}` } };
}

const hostOf = (url: string): string | null => (isWebUrl(url) && URL.canParse(url) ? new URL(url).host : null);

function withPort(host: string, port: string | undefined, protocol: string): string | null {
  return hostOf(`${protocol}//${host}${port && !host.includes(':') ? `:${port}` : ''}`);
}
