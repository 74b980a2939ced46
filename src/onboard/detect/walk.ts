import { type Dirent, readdirSync } from 'node:fs';

/** The result of a walk. Paths are relative to its root, with `/`, in a stable order. */
export interface Walk {
  readonly files: readonly string[];
  /** Folders that could not be listed. */
  readonly unreadable: readonly string[];
  /** The walk ended at a limit, so the repository may have more files. */
  readonly isCut: boolean;
}

/** The limits of a walk. */
export interface WalkLimits {
  readonly entries: number;
  readonly entriesOfFolder: number;
  readonly depth: number;
}

const usual: WalkLimits = { entries: 100_000, entriesOfFolder: 10_000, depth: 16 };

/** Folders that tools install, build or keep for themselves, and samples that are no part of the app. */
const skipped = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  'vendor',
  'Pods',
  'Carthage',
  'DerivedData',
  'venv',
  'virtualenv',
  'site-packages',
  '__pycache__',
  'dist',
  'build',
  'out',
  'target',
  'coverage',
  'tmp',
  'temp',
  'cdk.out',
  'storybook-static',
  'fixtures',
  '__fixtures__',
  'testdata',
  '__mocks__',
  '__snapshots__',
  '.git',
  '.hg',
  '.svn',
  '.jj',
]);

/**
 * Lists a repository breadth first, so that a limit cuts deep files and keeps files near the root. The walk follows no symbolic link. It
 * lists a folder whose name begins with a dot without its subfolders, except workflows: settings lie at the top of such a folder, and caches
 * below. The walk is synchronous, because it then needs a fifth of the processor time and the program has nothing else to do meanwhile.
 */
export function walk(root: string, limits: WalkLimits = usual): Walk {
  const files: string[] = [];
  const unreadable: string[] = [];
  let isCut = false;
  let seen = 0;
  const queue: { readonly folder: string; readonly depth: number }[] = [{ folder: '', depth: 0 }];
  for (const { folder, depth } of queue) {
    const room = Math.min(limits.entriesOfFolder, limits.entries - seen);
    if (room <= 0) return { files, unreadable, isCut: true };
    const listed = entriesOf(`${root}/${folder}`, room);
    if (listed === 'gone') continue;
    if (listed === 'unreadable') {
      unreadable.push(folder);
      continue;
    }
    isCut ||= listed.isCut;
    seen += listed.entries.length;
    const before = folder === '' ? '' : `${folder}/`;
    for (const entry of listed.entries) {
      const { name } = entry;
      if (!isPrintable(name)) continue;
      if (entry.isFile()) {
        if (!isScripts.test(folder) || isShell.test(name)) files.push(before + name);
      } else if (entry.isDirectory() && mayEnter(folder, name)) {
        if (depth < limits.depth) queue.push({ folder: before + name, depth: depth + 1 });
        else isCut = true;
      }
    }
  }
  return { files, unreadable, isCut };
}

const mayEnter = (folder: string, name: string): boolean =>
  !skipped.has(name) &&
  (isWorkflows.test(`${folder}/${name}`) ||
    isScripts.test(`${folder}/${name}`) ||
    !folder.slice(folder.lastIndexOf('/') + 1).startsWith('.'));

/** Folders of CI inside a hidden folder. */
const isWorkflows = /(?:^|\/)(?:\.(?:github|gitea|forgejo)\/(?:workflows|actions)|\.gitlab\/ci)$/;
/** Folders of scripts that CI starts. What else lies in them serves the work on the code. */
const isScripts = /(?:^|\/)\.(?:github|gitea|forgejo|gitlab|circleci|buildkite)\/(?:scripts?|bin|deploy)$/;
const isShell = /\.(?:sh|bash|zsh)$|^[\w-]+$/;

/** The entries of a folder by name. Listing all at once costs half as much as taking them one by one. */
function entriesOf(folder: string, most: number): { readonly entries: readonly Dirent[]; readonly isCut: boolean } | 'gone' | 'unreadable' {
  try {
    const all = readdirSync(folder, { withFileTypes: true });
    const entries = all.length > most ? all.slice(0, most) : all;
    return { entries: isSorted(entries) ? entries : entries.sort((a, b) => (a.name < b.name ? -1 : 1)), isCut: all.length > most };
  } catch (cause) {
    return isGone(cause) ? 'gone' : 'unreadable';
  }
}

/** Most systems list a folder in this order already. */
function isSorted(entries: readonly Dirent[]): boolean {
  let before = '';
  for (const { name } of entries) {
    if (name < before) return false;
    before = name;
  }
  return true;
}

/** A name with a line break or an escape would reach the printed report, and no tool looks for such a file. */
const isPrintable = (name: string): boolean => /^[!-~]+$/.test(name) || !/[\p{Cc}\p{Zl}\p{Zp}\ufffd]/u.test(name);

const isGone = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR');
