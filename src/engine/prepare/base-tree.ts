import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../core/errors.ts';
import type { Redactor } from '../../core/redact.ts';
import { codeHostOf, isCodeHost } from '../../host/code-host.ts';
import type { WithClient } from '../../host/host-tree.ts';
import type { SeenModule } from '../../ops/plugin-modules.ts';
import type { RepositoryFacts } from '../../platform/checkout.ts';
import { type CommitTree, gitTree } from '../../platform/git-tree.ts';

/** The commit whose plan is trusted, and the checkout that it is compared with. */
export interface Base {
  readonly tree: CommitTree;
  readonly top: string;
}

interface Where {
  readonly facts: RepositoryFacts | null;
  readonly env: NodeJS.ProcessEnv;
  readonly redactor: Redactor;
}

/** Reads the files of `--plan-from`: from the checkout's objects, else from the code host. */
export async function openBase(commit: string, where: Where): Promise<Base> {
  const { facts, env } = where;
  if (facts === null) throw noBase(commit, 'this folder is no checkout', 'Run in a checkout of the repository.');
  const top = realpathSync(facts.top);
  return { top, tree: (await gitTree(commit, { top, env })) ?? (await fromHost(commit, where)) };
}

async function fromHost(commit: string, { facts, env, redactor }: Where): Promise<CommitTree> {
  const host = codeHostOf(env, facts);
  const fix = 'Give the checkout the whole history (`fetch-depth: 0`).';
  if (!isCodeHost(host)) throw noBase(commit, `the checkout lacks it, and ${host.why}`, fix);
  if (host.kind !== 'github') throw noBase(commit, 'the checkout lacks it', fix);
  const [{ createClient }, { hostTree }] = await Promise.all([import('../../http/client.ts'), import('../../host/host-tree.ts')]);
  const { signal } = new AbortController();
  const withClient: WithClient = async (ask) => {
    const client = createClient({ env, redactor, signal });
    try {
      return await ask(client);
    } catch (cause) {
      throw cause instanceof Failure ? noBase(commit, cause.detail, fix) : cause;
    } finally {
      client.close();
    }
  };
  return await hostTree(withClient, host, commit, signal);
}

const noBase = (commit: string, why: string, fix: string): Failure =>
  new Failure('PLAN_NOT_TRUSTED', {
    detail: `The plan of the commit ${commit.slice(0, 12)} says which hosts, credentials and commands are trusted, but cannot be read: ${why}. Nothing was sent.`,
    fix,
  });

/** The path of a file from the top of the checkout, as git spells it; `null` for one outside. */
export function pathInBase({ top }: Base, file: string): string | null {
  const path = relative(top, real(file));
  return path === '' || path.startsWith(`..${sep}`) || path === '..' ? null : path.split(sep).join('/');
}

function real(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/**
 * Lets modules of plugins run only as the base commit has them. Packages beside them count as installed by the base's own lock files. When
 * one of those files differs, no package is loaded.
 */
export const onlyOfBase =
  (base: Base): SeenModule =>
  (url, bytes) => {
    const path = pathInBase(base, fileURLToPath(url));
    if (path === null || isSame(base, path, bytes)) return;
    const [folder, inside] = path.split(/(?:^|\/)node_modules\//, 2);
    const isInstalled = inside !== undefined && base.tree.blobOf(path) === null;
    const changed = isInstalled
      ? installers.map((name) => (folder ? `${folder}/${name}` : name)).filter((one) => !isUnchanged(base, one))
      : [path];
    if (changed.length === 0) return;
    throw new Failure('PLAN_NOT_TRUSTED', {
      detail: `A plugin loads ${path}, but ${changed.join(', ')} differs from the commit ${base.tree.commit.slice(0, 12)}. A plugin runs with the credentials of the job, so it was not run.`,
      fix: 'Merge the change of the plugin first; it takes effect then.',
    });
  };

/** Files that say what stands in a `node_modules` beside them. */
const installers = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  '.npmrc',
  '.yarnrc.yml',
  'pnpm-workspace.yaml',
  '.pnpmfile.cjs',
];

function isUnchanged(base: Base, path: string): boolean {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(join(base.top, path));
  } catch {
    return base.tree.blobOf(path) === null;
  }
  return isSame(base, path, bytes);
}

function isSame({ tree }: Base, path: string, bytes: Uint8Array): boolean {
  const id = tree.blobOf(path);
  if (id === null) return false;
  const hash = createHash(id.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === id;
}
