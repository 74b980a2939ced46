import { hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { bounds } from '../../../core/bounds.ts';
import { Failure } from '../../../core/errors.ts';
import { once } from '../../../core/once.ts';
import { firstIssue } from '../../model/state.ts';
import type { Tree } from '../store.ts';
import { digest } from './local-store-files.ts';

/** A branch keeps this many commits, unless they are too large: for restores, and for the receipts of earlier runs. */
export const kept = 32;

/** Paths with their texts as bytes: most are only carried from file to file. */
export type Texts = ReadonlyMap<string, Buffer>;
/** `null` removes a path. */
export type Edit = ReadonlyMap<string, Buffer | null>;

export interface Commit {
  readonly head: string;
  readonly message: string;
  readonly files: Texts;
  /** What its writer called it before its head was known, in a store that makes the heads. */
  readonly id?: string | undefined;
  /** Only of a commit that was looked up: the head before it, `null` for the first, `undefined` when that head is no longer kept. */
  readonly parent?: string | null | undefined;
}

/** A branch at its newest commit, with the edits that lead back to the commits before, newest first. */
export interface Branch extends Commit {
  /** The first commit of a branch is 1. */
  readonly number: number;
  readonly older: readonly { readonly head: string; readonly id?: string | undefined; readonly message: string; readonly undo: Edit }[];
}

/** A look at the place of a branch. `newest`: the newest readable state. `damage`: the reason why that is not the state of `head`. */
export interface Look {
  readonly head: string;
  readonly newest: Branch | null;
  readonly damage: Failure | null;
}

/** A new commit with these files on top of a branch. */
export function commitOn(before: Branch | null, files: Texts, message: string): Branch {
  const head = digest(`${before?.head} ${message} ${randomBytes(16).toString('hex')}`);
  return chain((before?.number ?? 0) + 1, [{ head, message, files }, ...(before ? [before] : [])]);
}

/** The branch with these commits, the newest first. The last one may have more before it. */
export function chain(number: number, [newest, ...rest]: readonly [Commit, ...(Commit | Branch)[]]): Branch {
  let after: Commit = newest;
  const older = rest.flatMap((one) => {
    const undo = editBetween(after.files, one.files);
    after = one;
    const { head, id, message } = one;
    return [{ head, ...(id && { id }), message, undo }, ...('older' in one ? one.older : [])];
  });
  return { ...newest, number, older: withinSize(older.slice(0, kept - 1)) };
}

/** Commits of thousands of records would make the file larger than a run may read, so fewer of them are kept. */
function withinSize<T extends { readonly undo: Edit }>(older: readonly T[]): readonly T[] {
  let size = 0;
  const end = older.findIndex(({ undo }) => {
    for (const text of undo.values()) size += text?.length ?? 0;
    return size > bounds.localOlder;
  });
  return end < 0 ? older : older.slice(0, end);
}

/** The commit with this head, or with a head that starts so: the newest of them. */
export function commitAt({ older, number, ...newest }: Branch, head: string): Commit | null {
  let at: Commit = newest;
  for (const { undo, ...one } of older) {
    if (at.head.startsWith(head)) return { ...at, parent: one.head };
    at = { ...one, files: edited(at.files, undo) };
  }
  return at.head.startsWith(head) ? { ...at, parent: number === older.length + 1 ? null : undefined } : null;
}

export function edited(files: Texts, edit: Edit): Texts {
  const next = new Map(files);
  for (const [path, text] of edit) {
    if (text === null) next.delete(path);
    else next.set(path, text);
  }
  return new Map([...next].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function editBetween(from: Texts, to: Texts): Edit {
  const edit = new Map<string, Buffer | null>(to);
  for (const [path, text] of from) {
    const next = to.get(path);
    if (next === undefined) edit.set(path, null);
    else if (next === text || next.equals(text)) edit.delete(path);
  }
  return edit;
}

const shapes = once(() => {
  const sizes = z.array(z.tuple([z.string(), z.int().min(0).nullable()]));
  const commit = { head: z.string(), id: z.string().optional(), message: z.string() };
  return {
    top: z.object({ v: z.literal(2), digest: z.string() }),
    index: z.object({
      ...commit,
      branch: z.string(),
      number: z.int().positive(),
      texts: z.string().optional(),
      files: sizes,
      older: z.array(z.object({ ...commit, undo: sizes })),
    }),
  };
});

/**
 * The file of a branch: a line with the digest of the rest, a line with the paths and the sizes of their texts, then the texts. A person
 * can read the texts, nothing is escaped, and an append copies bytes without knowing their meaning.
 */
export function contentFor(ref: string, { files, older, ...newest }: Stored): readonly Buffer[] {
  const sizesOf = (texts: Edit) => [...texts].map(([path, text]) => [path, text?.length ?? null] as const);
  const index = { ...newest, branch: ref, files: sizesOf(files), older: older.map((one) => ({ ...one, undo: sizesOf(one.undo) })) };
  const texts = [files, ...older.map(({ undo }) => undo)].flatMap((some) => [...some.values()].filter((text) => text !== null));
  const rest = Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...texts]);
  return [Buffer.from(`${JSON.stringify({ v: 2, digest: hash('sha256', rest, 'hex') })}\n`), rest];
}

/** A branch as its file holds it. `files` changes the texts of another file where `texts` names one, and no texts elsewhere. */
export interface Stored extends Omit<Branch, 'files'> {
  readonly files: Edit;
  readonly texts?: string | undefined;
}

/** The branch that a file holds, all texts of it. Throws as `storedIn` does. */
export function branchIn(content: Buffer, ref: string, place: string): Branch {
  const { files, ...branch } = storedIn(content, ref, place);
  return { ...branch, files: new Map([...files].map(([path, text]) => [path, text ?? Buffer.alloc(0)])) };
}

/** What a file holds. Throws `LEDGER_CORRUPT`, or `LEDGER_VERSION` for a file of a newer pilotfish. */
export function storedIn(content: Buffer, ref: string, place: string): Stored {
  const lineEnd = (text: Buffer): number => text.indexOf('\n') + 1;
  const top = shapes().top.safeParse(parsed(content.subarray(0, lineEnd(content)), 2, ref, place));
  const rest = content.subarray(lineEnd(content));
  if (top.data?.digest !== hash('sha256', rest, 'hex')) throw corrupt(ref, place, 'it was changed after pilotfish wrote it');
  let at = lineEnd(rest);
  const index = shapes().index.safeParse(parsed(rest.subarray(0, at), 2, ref, place));
  if (index.error) throw corrupt(ref, place, firstIssue(index.error));
  const { branch, files, older, ...newest } = index.data;
  if (branch !== ref) throw corrupt(ref, place, `it belongs to ${branch}`);
  const take = (size: number): Buffer => {
    at += size;
    return rest.subarray(at - size, at);
  };
  const editOf = (sizes: typeof files): Edit => {
    const edit = new Map(sizes.map(([path, size]) => [path, size === null ? null : take(size)]));
    if (edit.size !== sizes.length) throw corrupt(ref, place, 'it names a path twice');
    return edit;
  };
  const here = editOf(files);
  const before = older.map((one) => ({ ...one, undo: editOf(one.undo) }));
  if (at !== rest.length) throw corrupt(ref, place, 'its texts do not have the lengths that it states');
  return { ...newest, files: here, older: before };
}

/** A line of JSON that tells its version. */
export function parsed(line: Buffer, known: number, ref: string, place: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch {
    throw corrupt(ref, place, 'it is not JSON');
  }
  const version = typeof value === 'object' && value !== null && 'v' in value ? Number(value.v) : 0;
  if (!(version > known)) return value;
  throw new Failure('LEDGER_VERSION', { detail: `${place} is of version ${version}; this pilotfish knows version ${known}.` });
}

export const corrupt = (ref: string, place: string, why: string): Failure =>
  new Failure('LEDGER_CORRUPT', {
    detail: `The ledger of ${ref} at ${place} cannot be used: ${why}. Nothing was written.`,
    fix: `Restore ${place} from a backup, or move it away when nothing of that scope is left.`,
  });

export const headsOf = ({ head, older }: Branch): readonly string[] => [head, ...older.map((one) => one.head)];

/** Whether a branch still holds the commit that is marked as its last one, as far as its kept commits tell. */
export function leadsBack(branch: Branch, mark: { readonly head: string; readonly number: number | null }): boolean {
  const heads = headsOf(branch);
  const oldest = branch.number - heads.length + 1;
  if (mark.number === null) return oldest > 1 || heads.includes(mark.head);
  return mark.number < oldest || heads[branch.number - mark.number] === mark.head;
}

export const treeOf = ({ head, message, files, parent }: Commit): Tree => ({
  head,
  message,
  ...(parent !== undefined && { parent }),
  files: new Map([...files].map(([file, text]) => [file, text.toString('utf8')])),
});
