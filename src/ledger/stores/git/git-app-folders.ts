import { gitInCheckout, runGit } from '../../../platform/git-system.ts';

/** With more folders the branch would hold little else. */
const most = 100;

/** A host may build a folder with one of these files as an app of its own. */
const signs = ['package.json', 'vercel.json', 'netlify.toml'];

/**
 * Folders below the top of a checkout that a host may use as the root of a project, as paths with `/`, nearest to the top first. A host
 * reports a failed deployment for every commit of a branch that lacks the project's folder. Empty when git cannot tell.
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
