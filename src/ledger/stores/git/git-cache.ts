import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { PromiseFsClient } from 'isomorphic-git';
import { bounds, inMb } from '../../../core/bounds.ts';
import { cacheFolder } from '../../../platform/cache-folder.ts';
import { endOfGit, type GitCall, gitOfOurs } from '../../../platform/git-system.ts';
import { stripUserinfo } from '../../../platform/git-url.ts';
import type { ProgramEnd } from '../../../platform/program.ts';
import { inBatches } from '../store.ts';
import { tooLarge } from '../too-large.ts';
import type { ObjectFormat } from './git-format.ts';
import { frugal, frugally } from './git-frugal.ts';
import { type GitObject, looseOf } from './git-object.ts';

/** A bare repository of our own: objects on their way to and from one remote. It can be lost at any time. */
export interface GitCache {
  readonly gitdir: string;
  readonly fs: PromiseFsClient;
  /** isomorphic-git keeps here what it read of this repository. */
  readonly cache: object;
  /** Runs the system's git in this repository. */
  git(args: readonly string[], call: Pick<GitCall, 'input' | 'outLimit' | 'talk' | 'signal' | 'timeoutMs'>): Promise<ProgramEnd>;
  /** Makes a pack of this repository readable, which a run keeps for itself: nothing waits for the disk. Throws for one that is damaged, or unpacks to more than a ledger has. */
  index(pack: string): Promise<void>;
  /** Writes objects to where the system's git finds them. */
  put(objects: readonly GitObject[]): Promise<void>;
  remove(): Promise<void>;
}

/** With more packs, or more loose objects in one of 256 folders, a fresh start is faster than the next read. */
const mostPacks = 64;
const mostLoose = 40;

/** isomorphic-git fetches only along a refspec. */
const config: { readonly [format in ObjectFormat]: string } = {
  sha1: '[core]\n\trepositoryformatversion = 0\n\tbare = true\n[remote "origin"]\n\tfetch = +refs/*:refs/seen/*\n',
  sha256: '[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n',
};

/** Git may take this much at once for one object of a pack. The largest file of a ledger fits twice. */
const frugalMb = (2 * bounds.file) / (1024 * 1024);

/** The time limit of one look into what was fetched. */
export const readingMs = 30_000;

/** The parts that name the folder of a remote's cache. */
interface CachePlace {
  readonly url: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cacheDir?: string;
}

/** The path of a remote's cache, without an ending; `null` where none may be kept. */
export function cachePlace({ url, cwd, env, cacheDir }: CachePlace): string | null {
  const hash = createHash('sha256').update(stripUserinfo(url)).digest('hex').slice(0, 20);
  const folder = cacheDir ?? cacheFolder(env, cwd);
  return folder === null ? null : path.join(folder, hash);
}

/** Opens the cache of a remote, in `PILOTFISH_CACHE_DIR`, `XDG_CACHE_HOME/pilotfish` or `~/.cache/pilotfish`, else a temporary folder. */
export async function openGitCache(of: CachePlace, format: ObjectFormat): Promise<GitCache> {
  const place = cachePlace(of);
  if (place === null) return freshGitCache(of.env, format);
  const gitdir = `${place}${format === 'sha1' ? '' : `.${format}`}.git`;
  try {
    await fs.promises.mkdir(path.dirname(gitdir), { recursive: true, mode: 0o700 });
    if (await hasGrown(gitdir)) await retire(gitdir);
    return await prepare({ gitdir, env: of.env, format, remove: async () => undefined });
  } catch {
    return freshGitCache(of.env, format);
  }
}

/** A cache for this run alone, for when the shared one cannot be used or turned out to be damaged. */
export async function freshGitCache(env: NodeJS.ProcessEnv, format: ObjectFormat): Promise<GitCache> {
  const folder = await fs.promises.mkdtemp(path.join(os.tmpdir(), 'pilotfish-'));
  const remove = (): Promise<void> => fs.promises.rm(folder, { recursive: true, force: true });
  return prepare({ gitdir: path.join(folder, 'cache.git'), env, format, remove });
}

/** Removes a cache, so that the next run makes a new one. A process that still works in this one finds nothing and starts afresh. */
export async function retire(gitdir: string): Promise<void> {
  const grave = `${gitdir}.${randomBytes(6).toString('hex')}.old`;
  try {
    await fs.promises.rename(gitdir, grave);
    await fs.promises.rm(grave, { recursive: true, force: true });
  } catch {
    // Another process was first, or the folder is not ours to change. Then nothing more is done.
  }
}

interface Prepared {
  readonly gitdir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly format: ObjectFormat;
  readonly remove: () => Promise<void>;
}

async function prepare({ gitdir, env, format, remove }: Prepared): Promise<GitCache> {
  const files = { promises: { ...fs.promises, writeFile: writeWhole } };
  for (const folder of ['objects/pack', 'refs']) await fs.promises.mkdir(path.join(gitdir, folder), { recursive: true });
  if (!fs.existsSync(path.join(gitdir, 'config'))) {
    await writeWhole(path.join(gitdir, 'HEAD'), 'ref: refs/heads/main\n');
    // This file comes last, so a process that finds it also finds the rest.
    await writeWhole(path.join(gitdir, 'config'), config[format]);
  }
  await fs.promises.access(path.join(gitdir, 'objects', 'pack'), fs.constants.W_OK);
  // Git does not start in the cache: another operation may remove that folder at any time, and no program starts in a missing one.
  const git = (args: readonly string[], call: Partial<GitCall>): Promise<ProgramEnd> =>
    endOfGit([`--git-dir=${gitdir}`, ...frugally, ...args], {
      env: frugal(gitOfOurs(env)),
      timeoutMs: readingMs,
      ...call,
      cwd: path.parse(gitdir).root,
    });
  return {
    gitdir,
    fs: files,
    cache: {},
    git,
    index: async (pack) => {
      const end = await git(['-c', 'core.fsync=none', 'index-pack', '--threads=1', pack], { env: frugal(gitOfOurs(env), frugalMb) });
      if (end.code === 0) return;
      const words = end.stderr.toString('utf8');
      await fs.promises.rm(pack, { force: true });
      if (/attempting to allocate/.test(words)) throw tooLarge('its newest commits hold a larger file', `${inMb(bounds.file)} for a file`);
      throw new Error(words || 'git did not end its look at a pack');
    },
    put: (made) => inBatches(made, 32, (object) => putOne(gitdir, object)),
    remove,
  };
}

/** Several attempts of a push bring the same objects. */
async function putOne(gitdir: string, object: GitObject): Promise<void> {
  const file = path.join(gitdir, 'objects', object.oid.slice(0, 2), object.oid.slice(2));
  if (fs.existsSync(file)) return;
  await fs.promises.mkdir(path.dirname(file), { recursive: true });
  await writeWhole(file, looseOf(object));
}

/**
 * Writes a file whole or not at all. isomorphic-git never writes an object that exists, so one that was cut short by a crash,
 * or that another process is still writing, would stay wrong for good.
 */
const writeWhole: typeof fs.promises.writeFile = async (file, data, options) => {
  if (typeof file !== 'string') return fs.promises.writeFile(file, data, options);
  const draft = `${file}.${randomBytes(6).toString('hex')}.draft`;
  try {
    await fs.promises.writeFile(draft, data, options);
    await fs.promises.rename(draft, file);
  } catch (thrown) {
    await fs.promises.rm(draft, { force: true });
    throw thrown;
  }
};

async function hasGrown(gitdir: string): Promise<boolean> {
  const count = async (folder: string): Promise<number> =>
    (await fs.promises.readdir(path.join(gitdir, 'objects', folder)).catch(() => [])).length;
  return (await count('pack')) > mostPacks * 2 || (await count('17')) > mostLoose;
}
