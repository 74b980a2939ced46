import type { ApplyDoc } from '../../src/engine/document.ts';
import { runApply } from '../../src/engine/run.ts';
import type { RunRequest } from '../../src/engine/types.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { MemoryRemote } from '../support/memory-store.ts';
import { openStage } from '../support/stage.ts';
import { guardDoors, Process } from './process.ts';
import type { Scene, Site } from './scene.ts';

/** The defaults of a run: how long a request may take, and how long a dead run's lease is waited for. */
const deadlineMs = 30_000;
const leaseMs = 120_000;

export type Command = Pick<Partial<RunRequest>, 'destroy' | 'recreate' | 'prune'>;

/** One scene with a ledger and a virtual clock of its own, in which processes run one after the other. */
export interface World {
  readonly site: Site;
  readonly clock: LeapingClock;
  readonly remote: MemoryRemote;
  /** A new process; its run is `null` when it was killed. */
  run(command: Command, process?: Process): Promise<ApplyDoc | null>;
  process(cut?: ConstructorParameters<typeof Process>[1]): Process;
  write(plan: string): Promise<void>;
  ledger(): ReturnType<Awaited<ReturnType<typeof openStage>>['ledger']>;
  /** Writes to providers, and requests of any kind, since the call. */
  watch(): { readonly writes: () => readonly string[]; readonly all: () => readonly string[] };
  /** Until everything that was sent has landed. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export async function openWorld(scene: Scene): Promise<World> {
  const clock = new LeapingClock();
  const site = scene.open(clock);
  const remote = new MemoryRemote();
  const { simulations, env, plans } = site;
  const stage = await openStage({
    simulations,
    clock,
    env: { PILOTFISH_REQUEST_DEADLINE_MS: `${deadlineMs}`, PILOTFISH_LEASE_MS: `${leaseMs}`, ...env },
    plan: plans.first,
    store: () => remote.open(),
  });
  guardDoors(simulations);
  const parts = { clock, simulations, remote, latenessMs: deadlineMs - 1 };
  const newProcess: World['process'] = (cut) => new Process(parts, cut);
  return {
    site,
    clock,
    remote,
    process: newProcess,
    write: stage.write,
    ledger: stage.ledger,
    run: (command, process = newProcess()) => {
      const { dispatcher, store, signal } = process;
      // A destroy is a job: a person would be told that a run that died before its first push left no scope.
      const job = command.destroy ? { env: { ...stage.env, ...site.run?.env, CI: 'true' } } : {};
      const request = stage.request({ leaseTimeoutMs: 4 * leaseMs, waitTimeoutMs: 30 * deadlineMs, ...site.run, ...command, ...job });
      const running = runApply(request, { dispatcher, store, signal, clock: process.clock, repository: null });
      return Promise.race([running, process.death.then(() => null)]);
    },
    watch: () => {
      const marks = simulations.map(({ log }) => log.length);
      const since = () => simulations.flatMap(({ log }, i) => log.slice(marks[i]));
      const named = ({ method, path }: { readonly method: string; readonly path: string }): string => `${method} ${path}`;
      return {
        all: () => since().map(named),
        writes: () =>
          since()
            .filter(({ write }) => write)
            .map(named),
      };
    },
    settle: () => clock.sleep(deadlineMs),
    close: stage.close,
  };
}
