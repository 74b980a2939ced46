import { runApply, runPlan } from '../../src/engine/run.ts';
import type { RunRequest, RunWorld } from '../../src/engine/types.ts';
import { Machine } from '../support/machine.ts';
import { branch, openShop } from './shop.ts';

export const second = 1_000;
export const minute = 60 * second;
/** The promises that runs make when nobody sets anything else. */
export const terms = { lease: 2 * minute, deadline: 30 * second } as const;

/** A shop that several computers work on, each with clocks, a network and a life of its own. The real lease and deadline hold. */
export async function openTown(plan: string) {
  const shop = await openShop(plan);
  const request = (change: Partial<RunRequest> = {}): RunRequest =>
    shop.request({
      leaseTimeoutMs: 10 * minute,
      waitTimeoutMs: 15 * minute,
      ...change,
      env: { PILOTFISH_REQUEST_DEADLINE_MS: String(terms.deadline), PILOTFISH_LEASE_MS: String(terms.lease), ...change.env },
    });
  const computer = () => {
    const machine = new Machine(shop.clock, shop.world.simulations);
    const signal = new AbortController();
    const world = () => ({
      clock: machine,
      dispatcher: machine.dispatcher(),
      store: machine.store(shop.remote.open()),
      signal: signal.signal,
      repository: null,
    });
    return {
      machine,
      /** What Ctrl-C does. */
      interrupt: () => signal.abort(new Error('SIGINT')),
      plan: (change?: Partial<RunRequest>) => runPlan(request(change), world()),
      apply: (change?: Partial<RunRequest>) => runApply(request(change), world()),
      destroy: (change?: Partial<RunRequest>, more: RunWorld = {}) =>
        runApply(request({ destroy: true, ...change }), { ...world(), ...more }),
    };
  };
  return {
    ...shop,
    computer,
    /** Begins a run that a dead computer never ends. */
    abandon: (run: Promise<unknown>): void => void run.catch(() => undefined),
    /** This much time goes by in the world. */
    pass: (ms: number) => shop.clock.sleep(ms),
    lease: async () => (await shop.ledger()).lease,
    /** The paths that each commit of the receipts branch changed. */
    commits: () => shop.remote.on(branch).map((change) => [...change.keys()]),
    locks: () =>
      [...shop.remote.branches].filter(([name]) => name.includes('locks')).map(([, { files }]) => JSON.parse(files.get('lock.json') ?? '')),
  };
}

export type Town = Awaited<ReturnType<typeof openTown>>;
export type Computer = ReturnType<Town['computer']>;
