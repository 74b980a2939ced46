import { gitInCheckout, runGit } from '../../../platform/git-system.ts';

/** More would make a branch of nothing but them. */
const most = 100;

/** A folder with one of these files is one that a host may build as an app of its own. */
const signs = ['package.json', 'vercel.json', 'netlify.toml'];

/**
 * Folders below the top of a checkout that a host may have as the root of a project, as paths with `/`, those nearest to the top first.
 * A host that is told to build a folder which the branch does not have reports a failed deployment for every commit on it. Empty where
 * git cannot tell.
 */
export async function appFolders(top: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const asked = ['ls-files', '-z', '--cached', '--', ...signs.map((name) => `*/${name}`)];
  const told = await runGit(asked, { cwd: top, env: gitInCheckout(env), timeoutMs: 10_000 }).catch(() => null);
  if (told?.code !== 0) return [];
  const paths = told.stdout.split('\0').filter((path) => path !== '' && !path.split('/').includes('node_modules'));
  const folders = new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/'))));
  const depth = (folder: string): number => folder.split('/').length;
  return [...folders].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1)).slice(0, most);
}
