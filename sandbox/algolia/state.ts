export interface Index {
  readonly name: string;
  /** Of the index that it was copied from, where it is a copy. */
  createdAt: string;
  updatedAt: string;
  records: readonly string[];
  settings: Readonly<Record<string, unknown>>;
  synonyms: readonly string[];
  rules: readonly string[];
  /** Set where it is a replica. */
  primary?: string;
  replicas?: readonly string[];
}

/** What was accepted and is done later, in its turn. */
export interface Task {
  readonly id: number;
  /** The index that it changes, and the one that a copy reads. */
  readonly index: string;
  readonly source: string | null;
  readonly scope: readonly string[] | null;
  /** Looks at its index until it is done, once it is its turn. */
  looksLeft: number;
  isDone: boolean;
}

export interface AlgoliaState {
  indices: Index[];
  readonly tasks: Task[];
  indexLimit: number;
  /** How a copy beyond the limit is met: a refusal, or a task that ends and leaves nothing. */
  full: { readonly status: number; readonly message: string } | 'silent';
  /** A copy that waits or goes on is listed, empty, with a pending task. Otherwise it is not to be seen: the description does not say. */
  showsCopies: boolean;
  /** An older cluster says at once that a copy of nothing is done; a newer one never says so (algolia/algoliasearch-sfcc-b2c PR 114, 2026-11-25). */
  isOldCluster: boolean;
  /** Looks at an index that was deleted until it is gone. */
  looksUntilGone: number;
  /** What the key is restricted to; `null` where it is not. */
  readonly allowed: readonly string[] | null;
}

/** State, and what a person does in the dashboard. Indices are live. */
export interface AlgoliaWorld {
  readonly state: AlgoliaState;
  readonly appId: string;
  addIndex(name: string, given?: Partial<Index>): Index;
  removeIndex(name: string): void;
  /** What stands, and what is on its way where `showsCopies` says so. */
  index(name: string): Index | undefined;
  /** Everything in the queue is done. */
  finish(): void;
}

export const emptyState = (allowed: readonly string[] | null = null): AlgoliaState => ({
  indices: [],
  tasks: [],
  indexLimit: 1000,
  full: { status: 402, message: 'Too many indices (1001 > 1000), please remove unused indices before pushing' },
  showsCopies: true,
  isOldCluster: false,
  looksUntilGone: 0,
  allowed,
});

export const indexIn = (state: AlgoliaState, name: string): Index | undefined => state.indices.find((one) => one.name === name);

export const isPending = (state: AlgoliaState, name: string): boolean => state.tasks.some((task) => task.index === name && !task.isDone);

/**
 * Somebody looks at an index: what is to be done to it goes on. Tasks of an index are done in their order, but one that never ends, as
 * clients have met it, holds up no other.
 */
export function look(state: AlgoliaState, name: string, now: string): void {
  const task = state.tasks.find(({ index, isDone, looksLeft }) => index === name && !isDone && Number.isFinite(looksLeft));
  if (!task) return;
  task.looksLeft -= 1;
  if (task.looksLeft <= 0) finish(state, task, now);
}

/** A copy of an index that is not there makes an empty one at once, and nothing is ever done about its task. */
export function copyNothing(state: AlgoliaState, task: Task, now: string): void {
  task.looksLeft = Number.POSITIVE_INFINITY;
  task.isDone = state.isOldCluster;
  if (!indexIn(state, task.index)) state.indices.push(blank(task.index, now));
}

export function finish(state: AlgoliaState, task: Task, now: string): void {
  task.isDone = true;
  if (task.source === null) {
    state.indices = state.indices.filter(({ name }) => name !== task.index);
    for (const earlier of state.tasks) if (earlier.index === task.index && earlier.id < task.id) earlier.isDone = true;
    return;
  }
  const standing = indexIn(state, task.index);
  if (!standing && state.indices.length >= state.indexLimit) return;
  const source = indexIn(state, task.source);
  const { scope } = task;
  const takes = (part: string): boolean => scope === null || scope.includes(part);
  const before = standing ?? blank(task.index, now);
  // Replicas are not copied, and neither are these settings.
  const { mode, enableReRanking, ...settings } = source?.settings ?? {};
  const copy: Index = {
    ...before,
    createdAt: source?.createdAt ?? '',
    updatedAt: now,
    ...(scope === null && { records: [...(source?.records ?? [])] }),
    ...(takes('settings') && { settings: structuredClone(settings) }),
    ...(takes('synonyms') && { synonyms: [...(source?.synonyms ?? [])] }),
    ...(takes('rules') && { rules: [...(source?.rules ?? [])] }),
  };
  if (standing) Object.assign(standing, copy);
  else state.indices.push(copy);
}

export const blank = (name: string, now: string): Index => ({
  name,
  createdAt: '',
  updatedAt: now,
  records: [],
  settings: {},
  synonyms: [],
  rules: [],
});
