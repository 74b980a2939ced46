import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../core/canonical.ts';
import { once } from '../../core/once.ts';
import type { AuthForm } from '../../http/types.ts';
import { authSchema } from '../model/auth-schema.ts';

/** The file of a receipts branch with the seal lists of all keys. */
export const sealsPath = 'seals.json';

/** The credential that a key is derived from, by the names of its variables. */
export interface CredentialSource {
  readonly auth: AuthForm | null;
  readonly session_token_env?: string | undefined;
  readonly credential: 'block' | { readonly secret: string };
}

/** `ledger` stands for `PILOTFISH_LEDGER_KEY`. */
export type KeySource = 'ledger' | CredentialSource;

/** A key that seals facts. `id` names it in the ledger and tells nothing of it. */
export interface SealKey {
  readonly id: string;
  readonly bytes: Buffer;
  readonly source: KeySource;
}

/** The facts of one scope that one key seals, as path → essence. */
export interface SealList {
  readonly key: string;
  /** Rises with each change of the list. */
  readonly n: number;
  readonly source: KeySource;
  /** Ids of the other keys that had a list beside this one. They show when a list was taken away. */
  readonly beside: readonly string[];
  readonly facts: { readonly [path: string]: string };
  /** Numbers of the pull requests that runs of this key worked for: a sweep asks about them, whatever the history says. */
  readonly pulls: readonly number[];
  readonly mac: string;
}

/** A scope of more keys than this drops the list that was written longest ago. */
const mostLists = 32;

const schema = once(() =>
  z.object({
    v: z.number(),
    lists: z.array(
      z.object({
        key: z.string().regex(/^[0-9a-f]{16}$/),
        n: z.int().positive(),
        source: z.union([
          z.literal('ledger'),
          z.object({
            auth: authSchema().nullable(),
            session_token_env: z.string().optional(),
            credential: z.union([z.literal('block'), z.object({ secret: z.string() })]),
          }),
        ]),
        beside: z.array(z.string()),
        facts: z.record(z.string(), z.string()),
        pulls: z.array(z.int()),
        mac: z.string(),
      }),
    ),
  }),
);

let last: { readonly text: string; readonly lists: readonly SealList[] } | null = null;

/** Parses the lists of a text, and remembers the last text: a run asks for the same one several times in a row. */
export function listsIn(text: string | undefined): readonly SealList[] {
  if (text === undefined) return [];
  if (last?.text !== text) last = { text, lists: parseLists(text) };
  return last.lists;
}

/** The lists of a file. A damaged file counts as one without lists: anybody who can damage the file can also remove it. */
export function parseLists(text: string | undefined): readonly SealList[] {
  if (text === undefined) return [];
  try {
    const { success, data } = schema().safeParse(JSON.parse(text));
    return success ? (data.lists as readonly SealList[]) : [];
  } catch {
    return [];
  }
}

/** The place of a list. The same facts on the branch of another scope, environment or repository have no seal. */
export interface Place {
  readonly repository: string;
  readonly branch: string;
}

/** Whether this key sealed the list for this place, and nobody changed the list since. */
export function isSealed(list: SealList, key: SealKey, place: Place): boolean {
  if (list.key !== key.id) return false;
  const { mac, ...rest } = list;
  const [is, must] = [Buffer.from(mac, 'hex'), macOf(rest, key, place)];
  return is.length === must.length && timingSafeEqual(is, must);
}

export function sealList(list: Omit<SealList, 'mac'>, key: SealKey, place: Place): SealList {
  return { ...list, mac: macOf(list, key, place).toString('hex') };
}

/** The text of the file: lists that were written last stand first. */
export function listsText(all: readonly SealList[]): string {
  const lists = all.slice(0, mostLists);
  const text = `${JSON.stringify({ v: 2, lists }, null, 1)}\n`;
  last = { text, lists };
  return text;
}

/**
 * The line of a commit's message that proves that a list stood in the commit. `on`: the head below the commit, `null` for the first. A commit
 * that puts files of an older one back has no such line.
 */
export function markOf({ key, mac }: SealList, { bytes }: SealKey, { repository, branch }: Place, on: string | null): string {
  const text = canonicalJson(['pilotfish seal mark', repository, branch, on, mac]);
  return `Seal ${key} ${createHmac('sha256', bytes).update(text).digest('hex').slice(0, markSigns)}`;
}

const markSigns = 32;

/** All facts go in as one text. Each of the thousands is already a short text in the list. */
const macOf = (
  { key, n, source, beside, facts, pulls }: Omit<SealList, 'mac'>,
  { bytes }: SealKey,
  { repository, branch }: Place,
): Buffer =>
  createHmac('sha256', bytes)
    .update(
      JSON.stringify(['pilotfish seal list', repository, branch, key, n, canonicalJson(source), beside, Object.entries(facts), pulls]),
    )
    .digest();
