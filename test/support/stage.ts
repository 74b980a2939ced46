import './own-facts.ts';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { mount } from 'pilotfish-sandbox/kit/index';
import type { LogEntry, Simulation } from 'pilotfish-sandbox/kit/types';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../src/core/clock.ts';
import type { ApplyDoc, PlanDoc, RunEvent } from '../../src/engine/document.ts';
import { runApply, runPlan } from '../../src/engine/run.ts';
import type { RunRequest } from '../../src/engine/types.ts';
import type { LedgerState } from '../../src/ledger/model/facts.ts';
import { parseState } from '../../src/ledger/model/state.ts';
import { openLocalStore } from '../../src/ledger/stores/local/local-store.ts';
import type { Store } from '../../src/ledger/stores/store.ts';
import { MemoryRemote } from './memory-store.ts';
import { runRequest } from './run-request.ts';

export interface StageOptions {
  readonly simulations: readonly Simulation[];
  readonly env: Readonly<Record<string, string>>;
  readonly plan: string;
  readonly clock?: Clock;
  /** In place of a ledger in memory. `folder`: one that no other test has. */
  readonly store?: (folder: string) => Store;
  /** What stands between the client and the providers. */
  readonly wire?: (providers: Dispatcher) => Dispatcher;
}

/** A list of events, or who hears each as it is told. */
interface Hearer {
  push(event: RunEvent): void;
}

/** A ledger in a folder, as a run without a git remote has it. */
export const onDisk = (folder: string): Store => openLocalStore({ folder });

/** A folder with a plan, a ledger of its own and providers in memory: everything that a run needs, and nothing shared. */
export async function openStage(options: StageOptions) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-stage-'));
  const write = (plan: string): Promise<void> => writeFile(path.join(folder, 'release.plan.yaml'), plan);
  await write(options.plan);
  const mounted = mount(options.simulations);
  const dispatcher = options.wire?.(mounted) ?? mounted;
  const ledger = path.join(folder, '.pilotfish', 'ledger');
  const remote = new MemoryRemote();
  const store = (): Store => options.store?.(ledger) ?? remote.open();
  const env = {
    PILOTFISH_REQUEST_DEADLINE_MS: '300',
    PILOTFISH_LEASE_MS: '3000',
    ...options.env,
  };
  const request = (change: Partial<RunRequest> = {}): RunRequest => runRequest(folder, env, change);
  const masked = new Set<string>();
  const world = ({ cwd }: RunRequest, events?: Hearer, signal?: AbortSignal) => ({
    dispatcher,
    store: store(),
    onSecret: (text: string) => void masked.add(text),
    // The folder is no checkout unless a test makes it one, or runs in another: git need not be asked in every run.
    ...(cwd === folder && !existsSync(path.join(folder, '.git')) && { repository: null }),
    ...(options.clock && { clock: options.clock }),
    ...(signal && { signal }),
    ...(events && { listen: (event: RunEvent) => events.push(event) }),
  });
  const apply = (change?: Partial<RunRequest>, events?: Hearer, signal?: AbortSignal): Promise<ApplyDoc> => {
    const asked = request(change);
    return runApply(asked, world(asked, events, signal));
  };
  const branchOf = (scope: string): string => `pilotfish-receipts/preview/${scope}`;
  return {
    folder,
    write,
    env,
    dispatcher,
    store,
    /** Requests to hosts that nobody plays, also of runs that took the broken connection for a weak network. */
    strangers: mounted.strangers,
    /** Throws where a run asked for what nobody plays. */
    verify: () => mounted.verify(),
    /** Every text that a run here would mask. */
    masked: masked as ReadonlySet<string>,
    request,
    plan: (change?: Partial<RunRequest>, events?: Hearer, signal?: AbortSignal): Promise<PlanDoc> => {
      const asked = request(change);
      return runPlan(asked, world(asked, events, signal));
    },
    apply,
    destroy: (change?: Partial<RunRequest>, events?: Hearer): Promise<ApplyDoc> => apply({ destroy: true, ...change }, events),
    ledger: async (scope = 'pr-12'): Promise<LedgerState> => {
      const tree = await store().read(branchOf(scope));
      return parseState(tree?.files ?? new Map(), branchOf(scope));
    },
    /** Every request that the providers saw since the call, by whether it could change something. */
    watch: () => {
      const marks = options.simulations.map((simulation) => simulation.log.length);
      const since = (): readonly LogEntry[] => options.simulations.flatMap((simulation, i) => simulation.log.slice(marks[i]));
      return { all: since, writes: () => since().filter((entry) => entry.write) };
    },
    /** Every byte below the folder and in the ledger's commits, for secrets that must not be there. */
    bytes: async (): Promise<string> => {
      const files = await readdir(folder, { recursive: true, withFileTypes: true });
      const texts = await Promise.all(
        files.filter((file) => file.isFile()).map((file) => readFile(path.join(file.parentPath, file.name), 'latin1')),
      );
      const committed = remote.commits.flatMap(({ change, message }) => [message, ...change.values()]);
      return [...texts, ...committed].join('\n');
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;
