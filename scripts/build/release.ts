import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Release } from '../../src/onboard/setup/release.ts';

const run = promisify(execFile);

/**
 * Reads the release to build from `PILOTFISH_RELEASE=owner/name`, the repository of its action. The release has the tag of this version,
 * and the tag must point at the commit that is built. Returns `null` without that variable: a development build.
 */
export async function releaseOf(env: NodeJS.ProcessEnv, root: string): Promise<Release | null> {
  const repository = env.PILOTFISH_RELEASE;
  if (repository === undefined || repository === '') return null;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) throw new Error('PILOTFISH_RELEASE must be `owner/name` of a repository');
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  const tag = `v${version}`;
  const [commit, head] = await Promise.all([commitOf(`refs/tags/${tag}`, root), commitOf('HEAD', root)]);
  if (commit === null) throw new Error(`a release of ${version} needs the tag ${tag}, which does not exist`);
  if (commit !== head) throw new Error(`the tag ${tag} points at ${commit}, but this build is of ${head}`);
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
