import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../src/core/clock.ts';
import type { ApplyDoc, PlanDoc } from '../../../src/engine/document.ts';
import { runApply, runPlan } from '../../../src/engine/run.ts';
import type { RunRequest } from '../../../src/engine/types.ts';
import type { LedgerState } from '../../../src/ledger/model/facts.ts';
import { parseState } from '../../../src/ledger/model/state.ts';
import { openLocalStore } from '../../../src/ledger/stores/local/local-store.ts';
import type { Store } from '../../../src/ledger/stores/store.ts';
import { runRequest } from '../../support/run-request.ts';
import { tempFolder } from '../../support/temp-folder.ts';

export interface FieldOptions {
  /** The whole plan file. */
  readonly plan: string;
  readonly env: { readonly [name: string]: string };
  readonly clock?: Clock;
  /** A store of its own for each run; a local folder when left out. */
  readonly store?: () => Promise<Store>;
}

export const branch = 'pilotfish-receipts/preview/pr-12';

/** A folder with a plan, whose runs send their requests over the network as a person's do. */
export async function openField(options: FieldOptions) {
  const { env, clock } = options;
  const folder = await tempFolder('real');
  const write = (plan: string): Promise<void> => writeFile(join(folder, 'release.plan.yaml'), plan);
  await write(options.plan);
  const open = options.store ?? (async () => openLocalStore({ folder: join(folder, 'ledger') }));
  const request = (change: Partial<RunRequest>): RunRequest => runRequest(folder, env, change);
  const using = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const store = await open();
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  const world = (store: Store) => ({ store, repository: null, ...(clock && { clock }) });
  return {
    folder,
    write,
    plan: (change: Partial<RunRequest> = {}): Promise<PlanDoc> => using((store) => runPlan(request(change), world(store))),
    apply: (change: Partial<RunRequest> = {}): Promise<ApplyDoc> => using((store) => runApply(request(change), world(store))),
    destroy: (change: Partial<RunRequest> = {}): Promise<ApplyDoc> =>
      using((store) => runApply(request({ destroy: true, ...change }), world(store))),
    ledger: (): Promise<LedgerState> => using(async (store) => parseState((await store.read(branch))?.files ?? new Map(), branch)),
  };
}
