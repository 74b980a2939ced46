/** A web address of a code host; `null` for anything else. */
export function webAddress(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

const loopback = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Whether a token for the server may go to the address: the address is of that host or one `beside` it, and others cannot read the line. */
export function belongsTo(api: URL, server: URL, beside: readonly string[] = []): boolean {
  if (loopback.has(api.hostname)) return loopback.has(server.hostname);
  return api.protocol === 'https:' && [server.host, ...beside].includes(api.host);
}

/** The host of a git remote, without its port; `null` for a folder. */
export const remoteHost = (remote: string): string | null =>
  URL.parse(remote)?.hostname || /^(?:[^/@:]+@)?([^/:]{2,}):/.exec(remote)?.[1] || null;

/** Whether this is a job of GitLab CI (https://docs.gitlab.com/ci/variables/predefined_variables/). */
export const isGitlabJob = (env: NodeJS.ProcessEnv): boolean => env.GITLAB_CI === 'true';
