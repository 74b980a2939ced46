import { z } from 'zod';
import { Failure } from '../../core/errors.ts';
import { once } from '../../core/once.ts';
import { sealsPath } from '../seals/lists.ts';
import { type CommitFacts, type Files, HeadMoved, readSound, type Store, type Tree } from '../stores/store.ts';
import type { HistoryEntry } from './facts.ts';
import { fileSchemas } from './file-schema.ts';
import { toText } from './file-text.ts';
import { historyBranch } from './names.ts';
import { firstIssue, isLedgerDamage, paths } from './state.ts';
import { tooNew } from './version.ts';

/** A scope that was destroyed a while ago and whose branch was packed: what outlives the branch. */
export interface RemovedScope {
  readonly v: 1;
  readonly scope: string;
  readonly plan: string | null;
  readonly branch: string;
  /** The head of the branch when it was removed. */
  readonly head: string;
  readonly removedAt: string;
  readonly last: HistoryEntry;
  /** Path → text: the notes of what was left and deleted, and the seal lists with their numbers. Absent in notes of earlier versions. */
  readonly files?: { readonly [path: string]: string };
  /** Parent and message of the packed commit, where the store can tell. The message vouches for the seal lists. */
  readonly parent?: string | null;
  readonly message?: string;
  /** A run has made the branch anew since. The branch is there, and a missing one is damage. */
  readonly back?: true;
}

const shape = once(() =>
  z.looseObject({
    v: z.number(),
    scope: z.string(),
    plan: z.string().nullable(),
    branch: z.string(),
    head: z.string(),
    removedAt: z.string(),
    last: fileSchemas().history,
    files: z.record(z.string(), z.string()).optional(),
    parent: z.string().nullable().optional(),
    message: z.string().optional(),
    back: z.literal(true).optional(),
  }),
);

/** One file a scope, so two runs that remove different scopes never change the same file. */
const fileOf = (branch: string): string => `removed/${branch.slice(branch.lastIndexOf('/') + 1)}.json`;

/** At most this many runs add to one history at the same moment. */
const attempts = 20;

/** The history beside a receipts branch. The name of the branch holds its environment. */
const historyOf = (branch: string): string => `${branch.slice(0, branch.lastIndexOf('/'))}/_history`;

/** The note of a scope whose branch was packed, even where the branch is back; `null` when no run packed it. */
export async function packedScope(store: Store, branch: string): Promise<RemovedScope | null> {
  const target = historyOf(branch);
  const text = (await readSound(store, target))?.files.get(fileOf(branch));
  return text === undefined ? null : parse(text, target, fileOf(branch));
}

/** Reads from `pilotfish-receipts/<env>/_history` the note of a scope whose branch is packed; `null` when no run packed it, or it is back. */
export async function removedScope(store: Store, branch: string): Promise<RemovedScope | null> {
  const packed = await packedScope(store, branch);
  return packed?.back ? null : packed;
}

/** A scope that comes back begins with this, in place of a branch of its own. */
export interface Packed {
  readonly files: Files;
  readonly commit: CommitFacts;
}

/** The files and the commit of a packed scope, as its next run reads them. */
export function unpacked({ files, last, parent, message }: RemovedScope): Packed {
  const commit = { ...(parent !== undefined && { parent }), ...(message !== undefined && { message }) };
  return { files: new Map([...Object.entries(files ?? {}), [paths.history, `${JSON.stringify(last)}\n`]]), commit };
}

/** Gives the parts of a branch that its note keeps. A destroyed scope has no records. Its receipt and its lease say nothing to a later run. */
export function kept({ files, parent, message }: Tree): Pick<RemovedScope, 'files' | 'parent' | 'message'> {
  const notes = [...files].filter(([path]) => path === sealsPath || /^(?:left|deletes)\//.test(path));
  return { files: Object.fromEntries(notes), ...(parent !== undefined && { parent }), ...(message !== undefined && { message }) };
}

/** The same as yes or no, for a caller that knows only the branch. A history that cannot be read excuses nothing. */
export async function wasRemoved(store: Store, branch: string): Promise<boolean> {
  const target = historyOf(branch);
  if (branch === target) return false;
  try {
    return (await readSound(store, target))?.files.has(fileOf(branch)) ?? false;
  } catch (error) {
    if (isLedgerDamage(error)) return false;
    throw error;
  }
}

/** Stores the note of a scope before its branch is removed. A newer note of the same scope replaces the older one. */
export async function noteRemoved(store: Store, environment: string, removed: RemovedScope): Promise<void> {
  const target = historyBranch(environment);
  const path = fileOf(removed.branch);
  for (let attempt = 1; ; attempt += 1) {
    const tree = await readSound(store, target);
    const text = tree?.files.get(path);
    if (text !== undefined && parse(text, target, path).head === removed.head) return;
    try {
      await store.append(target, new Map([[path, toText(removed)]]), tree?.head ?? null, `history: ${removed.branch}`);
      return;
    } catch (error) {
      if (!(error instanceof HeadMoved) || attempt >= attempts) throw error;
    }
  }
}

/** Notes that a packed scope has a branch again. Nothing is written where the note is gone, or says so. */
export async function noteBack(store: Store, branch: string): Promise<void> {
  const [target, path] = [historyOf(branch), fileOf(branch)];
  for (let attempt = 1; ; attempt += 1) {
    const tree = await readSound(store, target);
    const text = tree?.files.get(path);
    if (!tree || text === undefined) return;
    const note = parse(text, target, path);
    if (note.back) return;
    try {
      await store.append(target, new Map([[path, toText({ ...note, back: true })]]), tree.head, `history: ${branch} is back`);
      return;
    } catch (error) {
      if (!(error instanceof HeadMoved) || attempt >= attempts) throw error;
    }
  }
}

function parse(text: string, branch: string, path: string): RemovedScope {
  const refuse = (why: string): Failure =>
    new Failure('LEDGER_CORRUPT', { detail: `${path} on ${branch} cannot be used: ${why}. Nothing was read from it.` });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('it is not JSON');
  }
  const why = tooNew(value);
  if (why !== null) throw new Failure('LEDGER_VERSION', { detail: `${path} on ${branch} ${why}.` });
  const checked = shape().safeParse(value);
  if (!checked.success) throw refuse(firstIssue(checked.error));
  return value as RemovedScope;
}
