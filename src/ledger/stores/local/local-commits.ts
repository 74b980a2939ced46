import { randomBytes } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { Failure } from '../../../core/errors.ts';
import { fullRef } from '../../model/names.ts';
import { isLedgerDamage } from '../../model/state.ts';
import type { Tree } from '../store.ts';
import { contentsOf, filesIn, type Pack, type PackContents, PackDamaged, type PackTexts, readPacks } from './local-packs.ts';
import { digest, forget, hasCode, namesIn, olderThan } from './local-store-files.ts';

/** Commits that stay with their files: to be restored, and so that a slow reader or writer finds what it began with. */
const kept = 32;
const hour = 3_600_000;

const commitSchema = z.object({
  v: z.literal(1),
  branch: z.string(),
  head: z.string(),
  parent: z.string().nullable(),
  message: z.string(),
  /** What its files are read from, each pack holding against those before it. */
  packs: z.array(z.object({ name: z.string().regex(/^[0-9a-z.]+$/), size: z.number() })).readonly(),
  /** With this commit the branch ended; a later one begins it anew. */
  removed: z.literal(true).optional(),
});
export type Commit = z.infer<typeof commitSchema>;

/** A commit with the number that is the name of its folder. */
export interface Numbered extends Commit {
  readonly number: number;
}

/** The newest commit of a branch; `null` when there is none or the branch was removed. */
export async function newest(home: string, branch: string): Promise<Numbered | null> {
  const last = await lastCommit(home, branch);
  return last?.removed === true ? null : last;
}

/** The head alone, also of a branch whose newest commit is damaged: it changes with the damage and with every append. */
export async function headOf(home: string, branch: string): Promise<string | null> {
  return (await lastOrDamaged(home, branch))?.head ?? null;
}

/** The newest commit as something to build on; its head is `null` when it ended the branch. */
export interface Last {
  readonly head: string | null;
  readonly number: number;
  readonly packs: readonly Pack[];
  /** What its packs hold, as far as that was read. */
  readonly known: PackContents;
  readonly damage?: Failure;
}

const nothingKnown: PackContents = new Map();

/** A damaged one has a head and a number, and its damage. */
export async function lastOrDamaged(home: string, branch: string): Promise<Last | null> {
  try {
    const last = await lastCommit(home, branch);
    return last && { head: last.removed === true ? null : last.head, number: last.number, packs: last.packs, known: nothingKnown };
  } catch (error) {
    if (!isLedgerDamage(error)) throw error;
    const number = Math.max(0, ...(await numbers(home)));
    const text = await readFile(path.join(home, 'commits', commitName(number), 'commit.json'), 'utf8').catch(() => '');
    return { head: `damaged-${number}-${digest(text)}`, number, packs: [], known: nothingKnown, damage: error };
  }
}

/** Heads of the commits that are kept and can be read, newest first. */
export async function keptHeads(home: string, branch: string): Promise<readonly string[]> {
  const heads: string[] = [];
  for (const number of (await numbers(home)).toSorted((a, b) => b - a)) {
    const commit = await readable(home, branch, number);
    if (commit?.removed === true) break;
    if (commit) heads.push(commit.head);
  }
  return heads;
}

/** The newest commit, also one that ended the branch. */
export async function lastCommit(home: string, branch: string): Promise<Numbered | null> {
  for (;;) {
    const number = Math.max(0, ...(await numbers(home)));
    if (number === 0) return null;
    const commit = await commitAt(home, branch, number);
    if (commit !== null) return commit;
    // The folder was removed since, because it was an old one or one that did not follow.
    if ((await numbers(home)).includes(number)) throw corrupt(branch, home, `commit ${number} is empty`);
  }
}

/** The branch as it stands, with what the next commit is built on. */
export async function readTree(home: string, branch: string): Promise<{ readonly tree: Tree; readonly last: Last } | null> {
  for (;;) {
    const commit = await newest(home, branch);
    if (commit === null) return null;
    const { head, number, packs } = commit;
    try {
      const texts = await textsOf(home, commit);
      return { tree: { head, files: filesIn(texts) }, last: { head, number, packs, known: contentsOf(packs, texts) } };
    } catch (thrown) {
      if (!hasCode(thrown, 'ENOENT')) throw thrown;
      // Texts go with the last commit that names them. Where there is no newer one, the text is really lost.
      if ((await newest(home, branch))?.head === commit.head) throw corrupt(branch, home, 'a file that the newest commit names is missing');
    }
  }
}

/** A commit of the last few, by its head or the start of it; `null` when it is none of them, or the branch ended since. */
export async function readOlder(home: string, branch: string, head: string): Promise<Tree | null> {
  const commit = await keptCommit(home, branch, head);
  if (commit === null) return null;
  try {
    return { head: commit.head, files: filesIn(await textsOf(home, commit)) };
  } catch (thrown) {
    if (!hasCode(thrown, 'ENOENT')) throw thrown;
    if (!(await numbers(home)).includes(commit.number)) return null;
    throw corrupt(branch, home, `a file that commit ${commit.number} names is missing`);
  }
}

/** A commit of the last few by its head or the start of it. One that cannot be read is passed by. */
export async function keptCommit(home: string, branch: string, head: string): Promise<Numbered | null> {
  for (const number of (await numbers(home)).toSorted((a, b) => b - a)) {
    const commit = await readable(home, branch, number);
    if (commit?.removed === true) return null;
    if (commit?.head.startsWith(head)) return commit;
  }
  return null;
}

/** Whether a branch still has the commit that is marked as its last one, as far as what is kept of it tells. */
export async function hasMarked(
  home: string,
  branch: string,
  mark: { readonly head: string; readonly number: number | null },
): Promise<boolean> {
  const present = await numbers(home);
  const oldest = Math.min(...present);
  if (mark.number === null) return oldest > 1 || (await keptHeads(home, branch)).includes(mark.head);
  if (mark.number < oldest) return true;
  if (!present.includes(mark.number)) return false;
  const commit = await readable(home, branch, mark.number);
  return commit === null || commit.head === mark.head;
}

/** Removes commits that are no longer kept with the texts that only they name, and now and then what killed processes left. */
export async function tidy(home: string, branch: string, number: number): Promise<void> {
  if (number < kept) return;
  const texts = path.join(home, 'texts');
  for (const old of (await numbers(home)).filter((n) => n <= number - kept).sort((a, b) => a - b)) {
    // A name is never used again once a commit does without it, so what the next one lacks nobody names.
    const [gone, next] = [await readable(home, branch, old), await readable(home, branch, old + 1)];
    const stay = new Set(namesOf(next));
    // Renamed first: a folder that is half removed would be free to be taken.
    const grave = path.join(home, `draft-${randomBytes(8).toString('hex')}`);
    await rename(path.join(home, 'commits', commitName(old)), grave);
    await rm(grave, { recursive: true, force: true });
    const named = next === null ? [] : namesOf(gone);
    await forget(
      texts,
      named.filter((text) => !stay.has(text)),
    );
  }
  if (number % kept !== 0) return;
  const lost = await olderThan(texts, hour);
  const drafts = (await olderThan(home, hour)).filter((name) => name.startsWith('draft-'));
  const named = new Set<string>();
  for (const one of await numbers(home)) for (const text of namesOf(await readable(home, branch, one))) named.add(text);
  await forget(
    texts,
    lost.filter((name) => !named.has(name)),
  );
  for (const draft of drafts) await rm(path.join(home, draft), { recursive: true, force: true });
}

/** Removes everything of a branch but the commit that ended it. */
export async function clear(home: string, last: number): Promise<void> {
  for (const old of (await numbers(home)).filter((n) => n < last).sort((a, b) => a - b)) {
    const grave = path.join(home, `draft-${randomBytes(8).toString('hex')}`);
    await rename(path.join(home, 'commits', commitName(old)), grave);
    await rm(grave, { recursive: true, force: true });
  }
  await forget(path.join(home, 'texts'), await namesIn(path.join(home, 'texts')));
}

export async function numbers(home: string): Promise<readonly number[]> {
  return numbersIn(await namesIn(path.join(home, 'commits')));
}

export const numbersIn = (names: readonly string[]): readonly number[] => names.filter((name) => /^\d+$/.test(name)).map(Number);

export const commitName = (number: number): string => String(number).padStart(9, '0');

/** `null` also when the commit is damaged: one of many that nobody builds on must not stand in the way of the others. */
function readable(home: string, branch: string, number: number): Promise<Numbered | null> {
  return commitAt(home, branch, number).catch((error: unknown) => {
    if (isLedgerDamage(error)) return null;
    throw error;
  });
}

/** `null` when the commit was removed meanwhile. */
async function commitAt(home: string, branch: string, number: number): Promise<Numbered | null> {
  const file = path.join(home, 'commits', commitName(number), 'commit.json');
  const text = await readFile(file, 'utf8').catch((thrown: unknown) => {
    if (hasCode(thrown, 'ENOENT')) return null;
    throw thrown;
  });
  return text === null ? null : { ...parseCommit(text, branch, file), number };
}

const namesOf = (commit: Commit | null): readonly string[] => commit?.packs.map(({ name }) => name) ?? [];

/** What the packs of a commit hold. */
export async function textsOf(home: string, commit: Numbered): Promise<PackTexts> {
  const texts = path.join(home, 'texts');
  try {
    return await readPacks(texts, commit.packs);
  } catch (thrown) {
    if (thrown instanceof PackDamaged) throw corrupt(commit.branch, texts, `${thrown.message} is not what was written`);
    throw thrown;
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

const corrupt = (branch: string, place: string, why: string): Failure =>
  new Failure('LEDGER_CORRUPT', {
    detail: `The local ledger of ${branch} at ${place} cannot be used: ${why}. Nothing was written.`,
    fix: `Restore ${place} from a backup, or move it away when nothing of that scope is left.`,
  });
