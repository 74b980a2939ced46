import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { createWorld } from 'pilotfish-sandbox/all';
import { mount, type Simulation } from 'pilotfish-sandbox/kit/index';
import { main } from '../../src/cli/main.ts';
import { createOutput } from '../../src/cli/output.ts';
import { runApply, runClosed, runPlan } from '../../src/engine/run.ts';
import type { RunWorld } from '../../src/engine/types.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { MemoryRemote } from '../support/memory-store.ts';
import { determine } from './determined.ts';

/** Stands in a variable that plans name. It must never be seen again. */
export const plantedSecret = 'planted-hook-secret-4f1c9b7e2d';

/** One request as it was sent, to be sent again to a fresh provider. */
export interface Sent {
  readonly simulation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** Providers, a ledger and a clock in memory, as one input finds them. */
export interface World {
  readonly company: ReturnType<typeof createWorld>;
  readonly simulations: readonly Simulation[];
  readonly remote: MemoryRemote;
  readonly clock: LeapingClock;
  readonly env: Readonly<Record<string, string>>;
  /** Every request of a run that reached a provider, in order. */
  readonly sent: Sent[];
  /** From here on what is written counts: what was there before was the input's own doing. */
  begin(): void;
  /** Writes at providers since then: `stripe POST /v1/webhook_endpoints`. */
  writes(): readonly string[];
  /** What a provider answers goes through here: a test may put a lie in its place. */
  answer: (number: number, sent: Sent, honest: Response) => Response | Promise<Response>;
}

export function openWorld(): World {
  const clock = new LeapingClock();
  const company = createWorld({ clock });
  const sent: Sent[] = [];
  let marks: readonly number[] = [];
  const world: World = {
    company,
    simulations: company.simulations.map((simulation) => overheard(simulation, sent, (...given) => world.answer(...given))),
    remote: new MemoryRemote(),
    clock,
    env: { ...company.credentials, AUTH0_API_URL: 'https://acme.eu.auth0.com/api/v2', PREVIEW_WEBHOOK_SECRET: plantedSecret },
    sent,
    begin: () => {
      marks = company.simulations.map(({ log }) => log.length);
    },
    writes: () =>
      company.simulations.flatMap((one, i) => one.writes(marks[i] ?? 0).map(({ method, path }) => `${one.name} ${method} ${path}`)),
    answer: (_number, _sent, honest) => honest,
  };
  return world;
}

function overheard(simulation: Simulation, sent: Sent[], answer: World['answer']): Simulation {
  const handle = async (request: Request): Promise<Response> => {
    const body = await request.clone().text();
    const one = { simulation: simulation.name, method: request.method, url: request.url, headers: [...request.headers], body };
    const number = sent.push(one) - 1;
    return await answer(number, one, await simulation.handle(request));
  };
  return Object.create(simulation, { handle: { value: handle } });
}

/** Brings fresh providers to where others stand, by sending them the same writes. */
export async function replay(world: World, writes: readonly Sent[]): Promise<void> {
  for (const { simulation, method, url, headers, body } of writes) {
    const provider = world.company.simulations.find(({ name }) => name === simulation);
    await provider?.handle(
      new Request(url, { method, headers: headers.map(([a, b]): [string, string] => [a, b]), ...(body !== '' && { body }) }),
    );
  }
}

/** How one invocation of the command line ended. */
export interface Ended {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What `main` threw, which it never should. */
  readonly thrown: unknown;
  /** Time that passed for the run: what a person would have waited. */
  readonly waitedMs: number;
}

export interface Invocation {
  readonly folder: string;
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the command line in this process, over the world. */
export async function invoke(world: World, { folder, argv, env = world.env }: Invocation): Promise<Ended> {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const began = world.clock.mono();
  const runWorld = (given: RunWorld = {}): RunWorld => ({
    ...given,
    clock: world.clock,
    dispatcher: mount(world.simulations),
    store: world.remote.open(),
    repository: null,
  });
  const cli = {
    cwd: folder,
    env: { HOME: folder, PATH: '', ...env },
    stdout,
    stderr,
    signals: { on: () => undefined, off: () => undefined },
    now: () => world.clock.mono(),
    exit: () => undefined,
    loadRunner: async () => ({
      runPlan: (request: Parameters<typeof runPlan>[0], given?: RunWorld) => runPlan(request, runWorld(given)),
      runApply: (request: Parameters<typeof runApply>[0], given?: RunWorld) => runApply(request, runWorld(given)),
      runClosed: (request: Parameters<typeof runClosed>[0], given?: RunWorld) => runClosed(request, runWorld(given)),
    }),
  };
  let exit = -1;
  let thrown: unknown = null;
  try {
    exit = await main(argv, cli, createOutput(cli, argv));
  } catch (error) {
    thrown = error ?? new Error('nothing was thrown');
  }
  return { exit, stdout: stdout.text, stderr: stderr.text, thrown, waitedMs: world.clock.mono() - began };
}

class Screen extends Writable {
  text = '';

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}

/** Files of one input. What an earlier input left is gone. */
export async function lay(folder: string, files: { readonly [name: string]: Uint8Array | string }): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    if (name.includes('/')) await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

/** A world that starts like every other: equal run ids, equal time. */
export function freshWorld(seed = 1): World {
  determine(seed);
  return openWorld();
}
