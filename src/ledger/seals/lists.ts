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

/** What one key seals of one scope: path of a fact → its essence. */
export interface SealList {
  readonly key: string;
  /** Rises with each change of the list. */
  readonly n: number;
  readonly source: KeySource;
  /** Ids of the other keys that had a list beside this one: a list that was taken away is missed. */
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

/** The same, of a text that a run asks for several times in turn. */
export function listsIn(text: string | undefined): readonly SealList[] {
  if (text === undefined) return [];
  if (last?.text !== text) last = { text, lists: parseLists(text) };
  return last.lists;
}

/** The lists of a file. A file that is none has no list: whoever could damage it could as well have removed it. */
export function parseLists(text: string | undefined): readonly SealList[] {
  if (text === undefined) return [];
  try {
    const { success, data } = schema().safeParse(JSON.parse(text));
    return success ? (data.lists as readonly SealList[]) : [];
  } catch {
    return [];
  }
}

/** Where a list belongs: the same facts on the branch of another scope, environment or repository are sealed by nobody. */
export interface Place {
  readonly repository: string;
  readonly branch: string;
}

/** Whether a list is of this key and place, as it was written. */
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
 * The line of a commit's message that says that a list stood in it. `on`: the head that the commit was made on, `null` for the first. Files of
 * an older commit that are put back stand in a commit without it.
 */
export function markOf({ key, mac }: SealList, { bytes }: SealKey, { repository, branch }: Place, on: string | null): string {
  const text = canonicalJson(['pilotfish seal mark', repository, branch, on, mac]);
  return `Seal ${key} ${createHmac('sha256', bytes).update(text).digest('hex').slice(0, markSigns)}`;
}

const markSigns = 32;

/** Thousands of facts are one text: each of them has its own in the list already. */
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
