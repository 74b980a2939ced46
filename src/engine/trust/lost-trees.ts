import { codeHostOf, isCodeHost } from '../../host/code-host.ts';
import { lostCommits } from '../../host/lost-commits.ts';
import type { Client } from '../../http/client.ts';
import { packedScope } from '../../ledger/model/removed.ts';
import type { Store, Tree } from '../../ledger/stores/store.ts';
import type { RepositoryFacts } from '../../platform/checkout.ts';
import type { Stop } from '../schedule/stop.ts';

export interface LostTreesOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly facts: RepositoryFacts | null;
  readonly client: Client;
  readonly store: Store;
  readonly branch: string;
  readonly stop: Pick<Stop, 'stopping'>;
}

/** Commits that a receipts branch has lost, and that the code host of a job still holds. pilotfish's own removal of a branch is no loss. */
export async function lostTrees({ env, facts, client, store, branch, stop }: LostTreesOptions): Promise<readonly Tree[]> {
  const host = store.recall && env.CI ? codeHostOf(env, facts) : null;
  if (!host || !isCodeHost(host)) return [];
  const commits = await lostCommits(client, host, branch, stop.stopping);
  if (commits.length === 0) return [];
  const removed = await packedScope(store, branch).catch(() => null);
  const lost = commits.filter((commit) => commit !== removed?.head);
  const trees = await Promise.all(lost.map(async (commit) => await store.recall?.(commit).catch(() => null)));
  return trees.flatMap((tree) => tree ?? []);
}
