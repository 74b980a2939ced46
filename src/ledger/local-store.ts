import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { Failure } from '../core/errors.ts';
import { diskFailure, forget, hasCode, namesIn, olderThan, syncFolder, writeDurably } from './local-store-files.ts';
import { fullRef, isLockBranch } from './names.ts';
import { type Change, HeadMoved, type Store, type Tree } from './store.ts';
import { inBatches } from './store-batches.ts';
import { checkPaths } from './store-path.ts';

/** Older commits that stay, so that a slow reader or writer finds what it began with. */
const kept = 32;
const hour = 3_600_000;

const commitSchema = z.object({
  v: z.literal(1),
  branch: z.string(),
  head: z.string(),
  parent: z.string().nullable(),
  message: z.string(),
  /** Path → name of the file in `texts/` that holds its text. */
  files: z.record(z.string(), z.string()),
});
type Commit = z.infer<typeof commitSchema>;
interface Numbered extends Commit {
  readonly number: number;
}

/**
 * The ledger in a folder of this machine, for repositories without a remote.
 *
 * A branch is a folder, a commit is `commits/<number>/commit.json` in it, the texts are files beside. The commit is written
 * elsewhere and renamed to its number. A rename never replaces a folder that holds something, on any file system: of two
 * processes that write commit 7, one wins, without a lock file that a killed process would leave behind.
 */
export function openLocalStore(options: { readonly folder: string }): Store {
  const { folder } = options;
  const stats = { fetches: 0, pushes: 0, lockPushes: 0 };
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (thrown) {
      throw diskFailure(thrown, folder);
    }
  };
  return {
    kind: 'local',
    location: folder,
    stats,
    read: (branch) => {
      if (!isLockBranch(branch)) stats.fetches += 1;
      return guarded(() => readTree(branchFolder(folder, branch), branch));
    },
    append: (branch, change, expect, message) => {
      checkPaths(change.keys());
      if (isLockBranch(branch)) stats.lockPushes += 1;
      else stats.pushes += 1;
      return guarded(() => append(branchFolder(folder, branch), branch, change, expect, message));
    },
    head: (branch) => guarded(async () => (await newest(branchFolder(folder, branch), branch))?.head ?? null),
    list: (prefix) => guarded(() => list(folder, prefix)),
    close: async () => undefined,
  };
}

async function append(home: string, branch: string, change: Change, expect: string | null, message: string): Promise<string> {
  const before = await newest(home, branch);
  if ((before?.head ?? null) !== expect) throw new HeadMoved(branch);
  await mkdir(path.join(home, 'commits'), { recursive: true });
  await mkdir(path.join(home, 'texts'), { recursive: true });
  const files = await writeTexts(path.join(home, 'texts'), before?.files ?? {}, change);
  const content = { v: 1 as const, branch: fullRef(branch), parent: expect, message, files };
  const head = digest(JSON.stringify([content, randomBytes(8).toString('hex')]));
  const number = (before?.number ?? 0) + 1;
  const draft = path.join(home, `draft-${randomBytes(8).toString('hex')}`);
  await mkdir(draft);
  await writeDurably(path.join(draft, 'commit.json'), JSON.stringify({ ...content, head } satisfies Commit));
  await syncFolder(draft);
  const written = Object.entries(files).flatMap(([file, text]) => (before?.files[file] === text ? [] : [text]));
  if (!(await place(home, draft, number))) {
    await rm(draft, { recursive: true, force: true });
    await forget(path.join(home, 'texts'), written);
    throw new HeadMoved(branch);
  }
  const stay = new Set(Object.values(files));
  await forget(
    path.join(home, 'texts'),
    Object.values(before?.files ?? {}).filter((text) => !stay.has(text)),
  );
  await tidy(home, number, stay).catch(() => undefined);
  return head;
}

/** Puts the draft where commit `number` stands; `false` when another process was first. */
async function place(home: string, draft: string, number: number): Promise<boolean> {
  const target = path.join(home, 'commits', commitName(number));
  try {
    await rename(draft, target);
  } catch (thrown) {
    if (hasCode(thrown, 'ENOTEMPTY', 'EEXIST')) return false;
    // Windows reports a folder in the way as EPERM or EACCES.
    if (hasCode(thrown, 'EPERM', 'EACCES') && (await numbers(home)).includes(number)) return false;
    throw thrown;
  }
  // Old commits are removed lowest first. So when this number was free only because it had been removed, the one before is gone too.
  const present = await numbers(home);
  const follows = number === 1 ? present.length === 1 || present.includes(2) : present.includes(number - 1);
  if (!follows) {
    await rm(target, { recursive: true, force: true });
    return false;
  }
  await syncFolder(path.join(home, 'commits'));
  await syncFolder(home);
  return true;
}

/** Writes every changed text under a name of its own, so that no other append can remove it. Gives the files of the new commit. */
async function writeTexts(texts: string, before: Commit['files'], change: Change): Promise<Commit['files']> {
  const files = new Map(Object.entries(before));
  const nonce = randomBytes(6).toString('hex');
  const fresh: { readonly name: string; readonly text: string }[] = [];
  for (const [file, text] of change) {
    if (text === null) files.delete(file);
    else {
      const name = `${digest(text)}.${nonce}${fresh.length.toString(36)}`;
      files.set(file, name);
      fresh.push({ name, text });
    }
  }
  await inBatches(fresh, 16, ({ name, text }) => writeDurably(path.join(texts, name), text));
  if (fresh.length > 0) await syncFolder(texts);
  return Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function readTree(home: string, branch: string): Promise<Tree | null> {
  for (;;) {
    const commit = await newest(home, branch);
    if (commit === null) return null;
    try {
      return { head: commit.head, files: await readTexts(path.join(home, 'texts'), commit) };
    } catch (thrown) {
      if (!hasCode(thrown, 'ENOENT')) throw thrown;
      // A newer commit removes the texts that it no longer names. Where there is no newer one, the text is really lost.
      if ((await newest(home, branch))?.head === commit.head) throw corrupt(branch, home, 'a file that the newest commit names is missing');
    }
  }
}

async function readTexts(texts: string, commit: Numbered): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  await inBatches(Object.entries(commit.files), 32, async ([file, name]) => {
    const text = await readFile(path.join(texts, name), 'utf8');
    if (!name.startsWith(`${digest(text)}.`)) throw corrupt(commit.branch, texts, `${file} is not what was written`);
    found.set(file, text);
  });
  return new Map(Object.keys(commit.files).map((file) => [file, found.get(file) ?? '']));
}

async function newest(home: string, branch: string): Promise<Numbered | null> {
  for (;;) {
    const number = Math.max(0, ...(await numbers(home)));
    if (number === 0) return null;
    const file = path.join(home, 'commits', commitName(number), 'commit.json');
    const text = await readFile(file, 'utf8').catch((thrown: unknown) => {
      if (hasCode(thrown, 'ENOENT')) return null;
      throw thrown;
    });
    if (text === null) {
      // The folder was removed since, because it was an old one or one that did not follow.
      if ((await numbers(home)).includes(number)) throw corrupt(branch, home, `commit ${number} is empty`);
      continue;
    }
    return { ...parseCommit(text, branch, file), number };
  }
}

function parseCommit(text: string, branch: string, file: string): Commit {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw corrupt(branch, file, 'it is not JSON');
  }
  if (typeof value === 'object' && value !== null && 'v' in value && typeof value.v === 'number' && value.v > 1) {
    throw new Failure('LEDGER_VERSION', { detail: `${file} is of version ${value.v}; this pilotfish knows version 1.` });
  }
  const parsed = commitSchema.safeParse(value);
  if (!parsed.success || parsed.data.branch !== fullRef(branch)) throw corrupt(branch, file, 'it is not a commit of this branch');
  return parsed.data;
}

async function list(folder: string, prefix: string): Promise<readonly { readonly branch: string; readonly head: string }[]> {
  const short = prefix.startsWith('refs/') ? 0 : 'refs/heads/'.length;
  const found: { readonly branch: string; readonly head: string }[] = [];
  for (const name of await namesIn(folder)) {
    const branch = decodeFolder(name);
    if (!branch?.startsWith(fullRef(prefix))) continue;
    const commit = await newest(path.join(folder, name), branch);
    if (commit !== null) found.push({ branch: branch.slice(short), head: commit.head });
  }
  return found.sort((a, b) => (a.branch < b.branch ? -1 : 1));
}

/** Removes commits that nobody needs, and now and then what killed processes left. */
async function tidy(home: string, number: number, texts: ReadonlySet<string>): Promise<void> {
  for (const old of (await numbers(home)).filter((n) => n <= number - kept).sort((a, b) => a - b)) {
    // Renamed first: a folder that is half removed would be free to be taken.
    const grave = path.join(home, `draft-${randomBytes(8).toString('hex')}`);
    await rename(path.join(home, 'commits', commitName(old)), grave);
    await rm(grave, { recursive: true, force: true });
  }
  if (number % kept !== 0) return;
  const lost = await olderThan(path.join(home, 'texts'), hour);
  await forget(
    path.join(home, 'texts'),
    lost.filter((name) => !texts.has(name)),
  );
  const drafts = (await olderThan(home, hour)).filter((name) => name.startsWith('draft-'));
  for (const draft of drafts) await rm(path.join(home, draft), { recursive: true, force: true });
}

async function numbers(home: string): Promise<readonly number[]> {
  return (await namesIn(path.join(home, 'commits'))).filter((name) => /^\d+$/.test(name)).map(Number);
}

const commitName = (number: number): string => String(number).padStart(9, '0');
const digest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 32);

/** A ref as one folder name: `refs,heads,pilotfish-receipts,preview,pr-12`. Names of `names.ts` stay readable; `=` escapes the rest. */
function branchFolder(folder: string, branch: string): string {
  const name = fullRef(branch).replace(/[^a-z0-9._%/-]/gu, (c) =>
    [...Buffer.from(c)].map((b) => `=${b.toString(16).padStart(2, '0')}`).join(''),
  );
  return path.join(folder, name.replaceAll('/', ','));
}

function decodeFolder(name: string): string | null {
  if (!name.startsWith('refs,')) return null;
  const bytes = name.replaceAll(',', '/').replace(/%/g, '%25').replace(/=/g, '%');
  try {
    return decodeURIComponent(bytes);
  } catch {
    return null;
  }
}

const corrupt = (branch: string, place: string, why: string): Failure =>
  new Failure('LEDGER_CORRUPT', {
    detail: `The local ledger of ${branch} at ${place} cannot be used: ${why}. Nothing was written.`,
    fix: `Restore ${place} from a backup, or move it away when nothing of that scope is left.`,
  });
