import { slugOf } from '../../platform/git-url.ts';

/** The repository `origin`, and the program of its host that stores CI secrets. */
export type Origin =
  | {
      readonly host: 'github' | 'gitlab';
      readonly server: string;
      /** `owner/name` */
      readonly slug: string;
      readonly cli: SecretCli;
    }
  /** pilotfish does not know how this host's CI keeps secrets. `url` is `null` without a remote. */
  | { readonly host: 'other'; readonly url: string | null };

/** The commands of one program. A value goes to the program's stdin, never into a command. */
export interface SecretCli {
  readonly program: 'gh' | 'glab';
  readonly install: string;
  /** Exits with 0 if the program is signed in at the host. */
  readonly status: readonly string[];
  readonly login: string;
  /** Stores a secret. The text of `value` may require a flag; the value itself is never part of the command. */
  set(name: string, value: string): readonly string[];
  /** Replaces a secret after `set` refused because the name is taken; `null` if `set` replaces. */
  replace: ((name: string, value: string) => readonly string[]) | null;
  /** Print the names of the existing secrets, one per row; `null` if `set` never replaces. */
  readonly names: SecretLists | null;
  /** The command that a person types to store a secret. The program asks for the value. */
  byHand(name: string): string;
  /** The command that a person types to store a random value, if no secret of that name exists. */
  makeByHand(name: string): string;
}

/** The command for the repository's own secrets, and then the commands for shared secrets. */
export type SecretLists = readonly [own: readonly string[], ...others: readonly (readonly string[])[]];

/** Finds the host of a remote's URL, by its name or by the variables that name a self-hosted server. */
export function originOf(url: string | null, env: NodeJS.ProcessEnv): Origin {
  const server = url === null ? null : serverOf(url);
  const slug = url === null ? null : slugOf(url);
  if (server === null || slug === null) return { host: 'other', url };
  if (isNamed(server, 'github', [env.GH_HOST, env.GITHUB_SERVER_URL])) {
    return { host: 'github', server, slug, cli: ghCli(server, slug) };
  }
  if (isNamed(server, 'gitlab', [env.GITLAB_HOST, env.GITLAB_URI, env.CI_SERVER_HOST, env.CI_SERVER_URL])) {
    return { host: 'gitlab', server, slug, cli: glabCli(server, server === 'gitlab.com' ? slug : `https://${server}/${slug}`) };
  }
  return { host: 'other', url };
}

function ghCli(server: string, slug: string): SecretCli {
  const repository = server === 'github.com' ? slug : `${server}/${slug}`;
  const list = (secrets: string): readonly string[] => {
    const path = `repos/${slug}/actions/${secrets}?per_page=100`;
    return ['gh', 'api', '--hostname', server, '--paginate', path, '--jq', '.secrets[].name'];
  };
  return {
    program: 'gh',
    install: 'https://cli.github.com',
    status: ['gh', 'auth', 'status', '--hostname', server],
    login: `gh auth login --hostname ${server}`,
    set: (name) => ['gh', 'secret', 'set', name, '--repo', repository],
    replace: null,
    names: [list('secrets'), list('organization-secrets')],
    byHand: (name) => `gh secret set ${name} --repo ${repository}`,
    makeByHand: (name) =>
      `gh secret list --repo ${repository} | grep -qw ${name} || ${random} | gh secret set ${name} --repo ${repository}`,
  };
}

function glabCli(server: string, repository: string): SecretCli {
  const command =
    (verb: string) =>
    (name: string, value: string): readonly string[] => [
      'glab',
      'variable',
      verb,
      name,
      '--repo',
      repository,
      '--masked',
      // Without `--raw`, GitLab takes the text after a `$` for the name of another variable.
      ...(value.includes('$') ? ['--raw'] : []),
    ];
  return {
    program: 'glab',
    install: 'https://gitlab.com/gitlab-org/cli',
    status: ['glab', 'auth', 'status', '--hostname', server],
    login: `glab auth login --hostname ${server}`,
    set: command('set'),
    replace: command('update'),
    names: null,
    byHand: (name) => `glab variable set ${name} --repo ${repository} --masked < <a file with the value>`,
    makeByHand: (name) => `${random} | ${command('set')(name, '').join(' ')}`,
  };
}

/** 64 hex digits. */
const random = 'openssl rand -hex 32';

function isNamed(server: string, word: string, own: readonly (string | undefined)[]): boolean {
  if (server.split('.').some((part) => part === word || part.startsWith(`${word}-`) || part.endsWith(`-${word}`))) return true;
  if (word === 'github' && server.endsWith('.ghe.com')) return true;
  return own.some((text) => text !== undefined && text !== '' && (serverOf(text) ?? text.toLowerCase()) === server);
}

/** `host` of `git@host:a/b`, `ssh://git@host/a/b` and `https://host/a/b`, lower case; the port only of a web address. */
function serverOf(url: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) {
    if (!URL.canParse(url)) return null;
    const { protocol, host, hostname } = new URL(url);
    const name = /^https?:$/.test(protocol) ? host : hostname;
    return name === '' ? null : name.toLowerCase().replace(/^(?:ssh|altssh)\.(?=git(?:hub|lab)\.com$)/, '');
  }
  const scp = /^(?:[^/@:]+@)?([^/:]{2,}):(?!\/\/)/.exec(url)?.[1];
  return scp === undefined ? null : scp.toLowerCase();
}
