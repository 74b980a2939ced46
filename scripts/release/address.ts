/** The public addresses of a repository. */
export interface Address {
  /** `https://github.com/owner/name` */
  readonly page: string;
  /** `owner/name` */
  readonly repository: string;
}

/**
 * Reads the address of a git remote: `https://…`, `ssh://…` or `git@host:owner/name`. A credential in it is left out. Throws for a remote
 * that others cannot open, such as a folder.
 */
export function addressOf(remote: string): Address {
  const [, host, path] =
    /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/.exec(remote) ?? /^[\w.-]+@([\w.-]+):(?!\/\/)(.+)$/.exec(remote) ?? [];
  const repository = path?.replace(/\/+$/, '').replace(/\.git$/, '');
  if (host === undefined || repository === undefined || !/^[\w.-]+(?:\/[\w.-]+)+$/.test(repository))
    throw new Error(`the origin is no address that others can open. Name the repository: --repository https://<host>/<owner>/<name>`);
  return { page: `https://${host}/${repository}`, repository };
}

/** The parts of a `package.json` that say where the package is from. A package below the root names its folder. */
export const addressesIn = ({ page }: Address, directory: string | null): object => ({
  repository: { type: 'git', url: `git+${page}.git`, ...(directory !== null && { directory }) },
  homepage: `${page}#readme`,
  bugs: { url: `${page}/issues` },
});

/**
 * The namespace of a repository's owner at the registry of tool servers, in the letters of the account. The registry gives one to each owner
 * at GitHub. `null` for a repository elsewhere.
 */
export function namespaceOf({ page, repository }: Address): string | null {
  const [owner, ...rest] = repository.split('/');
  return new URL(page).host === 'github.com' && rest.length === 1 ? `io.github.${owner}` : null;
}

/** The packages that a release publishes, by their folder. */
export const packages = ['.', 'sandbox'] as const;
