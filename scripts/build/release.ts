import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Release } from '../../src/onboard/setup/release.ts';

const run = promisify(execFile);

/**
 * What a build of a release is told by `PILOTFISH_RELEASE=owner/name`, the repository that its action lies in: the tag of this version,
 * and the commit that it points at, which is the one that is built. `null` without that variable: a development build.
 */
export async function releaseOf(env: NodeJS.ProcessEnv, root: string): Promise<Release | null> {
  const repository = env.PILOTFISH_RELEASE;
  if (repository === undefined || repository === '') return null;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) throw new Error('PILOTFISH_RELEASE is no `owner/name` of a repository');
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  const tag = `v${version}`;
  const [commit, head] = await Promise.all([commitOf(`refs/tags/${tag}`, root), commitOf('HEAD', root)]);
  if (commit === null) throw new Error(`a release of ${version} is built, and there is no tag ${tag}`);
  if (commit !== head) throw new Error(`the tag ${tag} points at ${commit}, and ${head} is built`);
  return { repository, commit, tag };
}

async function commitOf(name: string, cwd: string): Promise<string | null> {
  try {
    const { stdout } = await run('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { cwd });
    return stdout.trim();
  } catch {
    return null;
  }
}
