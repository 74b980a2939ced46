import path from 'node:path';
import { z } from 'zod';
import { once } from '../../../core/once.ts';
import { isLedgerDamage } from '../../model/state.ts';
import { type Commit, chain, corrupt, type Edit, edited, kept, type Look, parsed, type Texts } from './local-file.ts';
import { contentOf, digest, namesIn } from './local-store-files.ts';

const shapes = once(() => ({
  commit: z.object({
    branch: z.string(),
    head: z.string(),
    message: z.string(),
    /** Each pack changes the ones before it. */
    packs: z.array(z.object({ name: z.string().regex(/^[0-9a-z.]+$/) })),
    /** The branch ended with this commit. */
    removed: z.literal(true).optional(),
  }),
  lengths: z.array(z.tuple([z.string(), z.int().min(0).nullable()])),
}));

/**
 * Looks at a branch as earlier versions kept it: a folder with a commit in each `commits/<number>/commit.json`, and the texts in packs beside
 * them. The folder is read until the first append makes a file of it.
 */
export async function lookInFolder(home: string, ref: string): Promise<Look | null> {
  const packs = new Map<string, Edit>();
  const textsOf = (names: readonly string[]): Texts => {
    for (const name of names) if (!packs.has(name)) packs.set(name, packIn(path.join(home, 'texts', name), ref));
    return names.reduce<Texts>((files, name) => edited(files, packs.get(name) ?? new Map()), new Map());
  };
  const sound: Commit[] = [];
  let look: Omit<Look, 'newest'> | null = null;
  let last = 0;
  for (const number of (await namesIn(path.join(home, 'commits')))
    .filter((name) => /^\d+$/.test(name))
    .sort()
    .reverse()
    .slice(0, kept)) {
    const place = path.join(home, 'commits', number, 'commit.json');
    const content = contentOf(place) ?? Buffer.alloc(0);
    last ||= Number(number);
    try {
      const { branch, head, message, packs: names, removed } = shapes().commit.parse(parsed(content, 1, ref, place));
      if (removed) break;
      if (branch !== ref) throw corrupt(ref, place, 'it is not a commit of this branch');
      sound.push({ head, message, files: textsOf(names.map(({ name }) => name)) });
      look ??= { head, damage: null };
    } catch (error) {
      const damage =
        error instanceof z.ZodError || error instanceof SyntaxError ? corrupt(ref, place, 'it is not a commit of this branch') : error;
      if (!isLedgerDamage(damage)) throw error;
      look ??= { head: `damaged-${number}-${digest(content)}`, damage };
    }
  }
  const [newest, ...older] = sound;
  return look && { ...look, newest: newest ? chain(last, [newest, ...older]) : null };
}

/** A line with the paths and the lengths of their texts in characters, then the texts. The name of the file begins with its digest. */
function packIn(file: string, ref: string): Edit {
  const content = contentOf(file);
  if (content === null) throw corrupt(ref, file, 'a file that a commit names is missing');
  if (!path.basename(file).startsWith(`${digest(content)}.`)) throw corrupt(ref, file, 'it was changed after pilotfish wrote it');
  const text = content.toString('utf8');
  let at = text.indexOf('\n') + 1;
  const lengths = shapes().lengths.parse(JSON.parse(text.slice(0, at)));
  const take = (length: number): Buffer => {
    at += length;
    return Buffer.from(text.slice(at - length, at));
  };
  return new Map(lengths.map(([name, length]) => [name, length === null ? null : take(length)]));
}
