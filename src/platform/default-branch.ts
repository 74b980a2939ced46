import { gitInCheckout, runGit } from './git-system.ts';

/** Names that the default branch of a repository mostly has. */
const usual = ['main', 'master', 'trunk', 'develop'];

/**
 * The default branch of the repository, as the checkout knows it. A clone remembers it as `origin/HEAD`. A checkout that was not cloned has
 * a branch of a usual name. Otherwise `main`.
 */
export async function defaultBranchOf(cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const format = '--format=%(refname)%09%(symref)';
  const { stdout } = await runGit(['for-each-ref', format, 'refs/remotes/origin', 'refs/heads'], {
    cwd,
    env: gitInCheckout(env),
    timeoutMs: 10_000,
  });
  const refs = new Map(stdout.split('\n').map((row) => row.split('\t') as [string, string]));
  const remembered = refs.get(`${remote}HEAD`);
  if (remembered?.startsWith(remote)) return remembered.slice(remote.length);
  return usual.find((name) => refs.has(`${remote}${name}`)) ?? usual.find((name) => refs.has(`refs/heads/${name}`)) ?? 'main';
}

const remote = 'refs/remotes/origin/';
