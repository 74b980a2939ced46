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

/** A scope that was destroyed long ago and whose branch was removed: its last line, which outlives the branch. */
export interface RemovedScope {
  readonly v: 1;
  readonly scope: string;
  readonly plan: string | null;
  readonly branch: string;
  /** The head of the branch when it was removed. */
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

/** One file a scope, so two runs that remove different scopes never change the same file. */
const fileOf = (branch: string): string => `removed/${branch.slice(branch.lastIndexOf('/') + 1)}.json`;

/** At most this many runs add to one history at the same moment. */
const attempts = 20;

/** Reads from `pilotfish-receipts/<env>/_history` the last line of a scope whose branch is gone; `null` when no run removed it. */
export async function removedScope(store: Store, environment: string, branch: string): Promise<RemovedScope | null> {
  const tree = await readSound(store, historyBranch(environment));
  const text = tree?.files.get(fileOf(branch));
  return text === undefined ? null : parse(text, historyBranch(environment), fileOf(branch));
}

/** The same as yes or no, for a caller that knows only the branch. A history that cannot be read excuses nothing. */
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

/** Stores the last line of a scope before its branch is removed. A newer line of the same scope replaces the older one. */
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
