import { AsyncLocalStorage } from 'node:async_hooks';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../../src/core/clock.ts';
import type { Store } from '../../../src/ledger/stores/store.ts';
import type { RepositoryFacts } from '../../../src/platform/checkout.ts';

/** What one job finds around it: the runner's variables, its output, its clocks, its network, its checkout. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly write: (text: string) => void;
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  readonly checkout: RepositoryFacts;
  openStore(url: string): Store;
  isAncestor(older: string, newer: string): boolean;
}

/** The machine of the code that runs now. Several jobs run side by side in this process, and each must see only its own machine. */
export const machines = new AsyncLocalStorage<Machine>();

/** The machine of this job. Code that runs in no job has none, and nothing of the program may run there. */
export function here(): Machine {
  const machine = machines.getStore();
  if (!machine) throw new Error('no job runs here');
  return machine;
}
