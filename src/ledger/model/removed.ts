import { z } from 'zod';
import { Failure } from '../../core/errors.ts';
import { once } from '../../core/once.ts';
import { HeadMoved, readSound, type Store } from '../stores/store.ts';
import type { HistoryEntry } from './facts.ts';
import { fileSchemas } from './file-schema.ts';
import { toText } from './file-text.ts';
import { historyBranch } from './names.ts';
import { firstIssue, isLedgerDamage } from './state.ts';
import { tooNew } from './version.ts';

/** A scope that was destroyed long ago and whose branch was taken away: its last line, which outlives the branch. */
export interface RemovedScope {
  readonly v: 1;
  readonly scope: string;
  readonly plan: string | null;
  readonly branch: string;
  /** Of the branch, when it was taken away. */
  readonly head: string;
  readonly removedAt: string;
  readonly last: HistoryEntry;
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
  }),
);

/** One file a scope: two runs that take away different scopes never change the same one. */
const fileOf = (branch: string): string => `removed/${branch.slice(branch.lastIndexOf('/') + 1)}.json`;

/** So many runs at most add to one history at the same moment. */
const attempts = 20;

/** Reads from `pilotfish-receipts/<env>/_history` the last line of a scope whose branch is gone; `null` when no run removed it. */
export async function removedScope(store: Store, environment: string, branch: string): Promise<RemovedScope | null> {
  const tree = await readSound(store, historyBranch(environment));
  const text = tree?.files.get(fileOf(branch));
  return text === undefined ? null : parse(text, historyBranch(environment), fileOf(branch));
}

/** The same, where only the branch is known, and as yes or no: a history that cannot be read excuses nothing. */
export async function wasRemoved(store: Store, branch: string): Promise<boolean> {
  const target = `${branch.slice(0, branch.lastIndexOf('/'))}/_history`;
  if (branch === target) return false;
  try {
    return (await readSound(store, target))?.files.has(fileOf(branch)) ?? false;
  } catch (error) {
    if (isLedgerDamage(error)) return false;
    throw error;
  }
}

/** Stores the last line of a scope before its branch is taken away. A newer line of the same scope takes the older one's place. */
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
