import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Change, Files } from '../store.ts';
import { digest, measure, syncFolder, together, writeDurably } from './local-store-files.ts';

/** A file of `texts/`. Its name begins with the digest of what it holds. */
export interface Pack {
  readonly name: string;
  /** Characters in it. */
  readonly size: number;
}

/** A pack that is there and is not what was written. */
export class PackDamaged extends Error {}

type Entry = readonly [path: string, text: string | null];

/** What some packs hold, by their names: a pack is never changed. */
export type PackTexts = ReadonlyMap<string, readonly Entry[]>;

/** The same of packs that a later append may take in: of large ones the paths alone, which often are all that is asked for. */
export type PackContents = ReadonlyMap<string, { readonly paths: Iterable<string>; readonly entries: readonly Entry[] | null }>;

/** From this size on a pack is read again where its texts are wanted: they would be as large as all that a run knows of its lines. */
const large = 1_000_000;

/** What is kept of packs for the next append. */
export const contentsOf = (packs: readonly Pack[], texts: PackTexts): PackContents =>
  new Map(
    packs.flatMap(({ name, size }) => {
      const entries = texts.get(name);
      return entries ? [[name, { paths: entries.map(([file]) => file), entries: size < large ? entries : null }] as const] : [];
    }),
  );

/**
 * What appends changed, as files: each append writes one, however many paths it changes, and what a later one says of a path holds.
 * So an append costs what it changes and not what the branch holds. A new pack takes in those before it that are not twice as large as
 * itself: there are never more of them than the branch doubled its size, and no text is written again more often than that.
 * Gives the packs of the new commit and the one among them that is still to be written, by `storePack`.
 */
export async function makePack(
  texts: string,
  { packs: before, known }: { readonly packs: readonly Pack[]; readonly known: PackContents },
  change: Change,
): Promise<Packing> {
  if (change.size === 0) return { packs: before, fresh: null };
  const earlier = [...before];
  let entries = new Map(change);
  for (let last = earlier.at(-1); last !== undefined && last.size <= 2 * sizeOf(entries); last = earlier.at(-1)) {
    const held = known.get(last.name);
    if (held && isIn(held.paths, entries)) {
      earlier.pop();
      continue;
    }
    // A pack that cannot be read stays as it is: what this append says must not be lost with it.
    const older = held?.entries ?? (await readPack(texts, last).catch(() => null));
    if (older === null) break;
    const both = new Map(older);
    for (const [file, text] of entries) both.set(file, text);
    entries = both;
    earlier.pop();
  }
  // With nothing before it, there is nothing that a removal could hide.
  const all = [...entries].filter(([, text]) => earlier.length > 0 || text !== null).sort(byPath);
  if (all.length === 0) return { packs: earlier, fresh: null };
  const { digest, size } = measure(packed(all));
  const name = `${digest}.${randomBytes(6).toString('hex')}`;
  return { packs: [...earlier, { name, size }], fresh: { name, entries: all } };
}

/** Whether nothing that the paths say is left to be told. */
function isIn(paths: Iterable<string>, entries: Change): boolean {
  for (const file of paths) if (!entries.has(file)) return false;
  return true;
}

export interface Packing {
  readonly packs: readonly Pack[];
  readonly fresh: Fresh | null;
}

/** A pack before it is a file. */
export interface Fresh {
  readonly name: string;
  readonly entries: readonly Entry[];
}

export async function storePack(texts: string, { name, entries }: Fresh): Promise<void> {
  await together(writeDurably(path.join(texts, name), packed(entries)), syncFolder(texts));
}

/** What each of some packs holds. Throws `PackDamaged`, or what the system says. */
export async function readPacks(texts: string, packs: readonly Pack[]): Promise<PackTexts> {
  return new Map(await Promise.all(packs.map(async (pack) => [pack.name, await readPack(texts, pack)] as const)));
}

/** The files that packs hold, one after the other, in the order of their paths. */
export function filesIn(packs: PackTexts): Files {
  const [only, ...more] = packs.values();
  // A pack is written in order, and the first one of a commit removes nothing.
  const found = new Map<string, string>();
  for (const [file, text] of only ?? []) if (text !== null) found.set(file, text);
  if (more.length === 0) return found;
  for (const entries of more) {
    for (const [file, text] of entries) {
      if (text === null) found.delete(file);
      else found.set(file, text);
    }
  }
  return new Map([...found].sort(byPath));
}

async function readPack(texts: string, { name }: Pack): Promise<readonly Entry[]> {
  const text = await readFile(path.join(texts, name), 'utf8');
  if (!name.startsWith(`${digest(text)}.`)) throw new PackDamaged(name);
  return unpacked(text, name);
}

/**
 * The paths with the lengths of their texts in one line, then the texts: a person can read them, and nothing is escaped. It comes in
 * pieces: whole, a pack of thousands of records would stand in memory twice more, as one text and as its bytes.
 */
function* packed(entries: readonly Entry[]): Generator<string> {
  let piece = `${JSON.stringify(entries.map(([file, text]) => [file, text === null ? null : text.length]))}\n`;
  for (const [, text] of entries) {
    piece += text ?? '';
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

const pieceLength = 250_000;

function unpacked(text: string, name: string): readonly Entry[] {
  let at = text.indexOf('\n') + 1;
  const head: unknown = JSON.parse(text.slice(0, at));
  if (!Array.isArray(head)) throw new PackDamaged(name);
  return head.map((one: unknown): Entry => {
    const [file, length]: readonly unknown[] = Array.isArray(one) ? one : [];
    if (typeof file !== 'string' || !(length === null || typeof length === 'number')) throw new PackDamaged(name);
    if (length === null) return [file, null];
    at += length;
    return [file, text.slice(at - length, at)];
  });
}

/** About what they take as a pack. */
function sizeOf(entries: Change): number {
  let size = 0;
  for (const [file, text] of entries) size += file.length + (text?.length ?? 0) + 10;
  return size;
}

const byPath = ([a]: Entry | readonly [string, string], [b]: Entry | readonly [string, string]): number => (a < b ? -1 : 1);
