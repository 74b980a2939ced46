import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { openRepository, type Repository } from '../git/repository.ts';
import { answerAt, findDoor } from '../kit/door.ts';
import type { Simulation } from '../kit/types.ts';
import { sendPage } from '../page/page.ts';
import { build, isBuilder } from '../parents/builds.ts';
import { prepare } from '../parents/index.ts';
import { habits } from '../untidy/habits.ts';
import { type Manners, untidied } from '../untidy/manners.ts';
import { refusalOf } from './callers.ts';
import { control } from './control.ts';
import { groupsOf, type Variables } from './environment.ts';
import { Feed } from './feed.ts';
import { Folder } from './folder.ts';
import { Problem } from './problem.ts';
import { moveHere, openProviders, type Provider } from './providers.ts';
import { FaultSwitches } from './switches.ts';

export interface SandboxOptions {
  /** The folder that keeps the state. */
  readonly state: string;
  /** `null`: the port of the last start, or a free one at the first. */
  readonly port: number | null;
  /** The version of the package, which the state belongs to. */
  readonly version: string;
}

/** All simulated providers and a git remote on one loopback port. */
export interface Sandbox {
  /** `http://127.0.0.1:<port>`, which is also the address of the page. */
  readonly url: string;
  readonly providers: readonly Provider[];
  /** By provider: what leads its requests here. */
  readonly variables: ReadonlyMap<string, Variables>;
  /** The key for facts whose credential seals nothing. */
  readonly ledgerKey: string;
  /** The address of the git remote for a repository such as `acme/shop`; `null` where this machine has no git. */
  remote(slug: string): string | null;
  /** Keeps everything, and ends. */
  stop(): Promise<void>;
}

/** Starts a sandbox, with what its folder has of an earlier one. Throws a `Problem` for what a person can mend. */
export async function startSandbox({ state, port, version }: SandboxOptions): Promise<Sandbox> {
  const folder = Folder.open(state, version);
  try {
    const providers = openProviders();
    for (const provider of providers) folder.read(provider);
    const feed = new Feed(providers);
    const changed = (provider: Provider): void => {
      folder.write(provider);
      feed.changed(provider);
    };
    const repository = await openRepository(join(state, 'remote.git'), folder.kept.password, () => {
      for (const provider of providers.filter(({ name }) => isBuilder(name))) {
        build(provider.name, provider.simulation, repository?.heads() ?? []);
        changed(provider);
      }
    });
    const served = serveAll(providers, folder, feed, repository);
    const doors: Doors = { ...served, repository, feed, token: randomBytes(24).toString('base64url'), changed };
    const server = createServer((request, response) => {
      route(request, response, doors).catch((error: unknown) => {
        if (response.headersSent) request.socket.destroy();
        else response.writeHead(500).end(`${String(error)}\n`);
      });
    });
    const url = `http://127.0.0.1:${await listen(server, port ?? folder.kept.port)}`;
    folder.keep(Number(new URL(url).port));
    moveHere(providers, url);
    const { password, ledgerKey } = folder.kept;
    return {
      url,
      providers,
      variables: groupsOf(providers, url),
      ledgerKey,
      remote: (slug) => repository && `${url.replace('//', `//${repository.user}:${password}@`)}/${slug}.git`,
      stop: async () => {
        feed.close();
        server.closeAllConnections();
        await new Promise((closed) => server.close(closed));
        served.flush();
        folder.close();
      },
    };
  } catch (error) {
    folder.close();
    throw error;
  }
}

interface Doors {
  readonly simulations: ReadonlyMap<string, Simulation>;
  readonly named: ReadonlyMap<string, Provider>;
  readonly switches: FaultSwitches;
  readonly repository: Repository | null;
  readonly feed: Feed;
  readonly token: string;
  changed(provider: Provider): void;
}

async function route(request: IncomingMessage, response: ServerResponse, doors: Doors): Promise<void> {
  const refusal = refusalOf(request);
  if (refusal !== null) {
    response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end(`${refusal}\n`);
    return;
  }
  const { feed, switches } = doors;
  const url = request.url ?? '/';
  if (url === '/') return sendPage(response, doors.token);
  if (url === '/~/events') return feed.open(response, switches.shown);
  if (url === '/~/control') {
    const switched = (): void => feed.switched(switches.shown);
    return await control(request, response, { ...doors, providers: doors.named, switched });
  }
  // Any path is the one repository, so a checkout keeps the name that its own remote has.
  const git = /^\/[^?]+\.git(\/(?:info\/refs|git-upload-pack|git-receive-pack)(?:\?.*)?)$/.exec(url);
  if (git?.[1] !== undefined && doors.repository) return await doors.repository.serve(request, response, git[1]);
  const door = findDoor(doors.simulations, request.method ?? 'GET', url);
  if (door) return await answerAt(door, request, response);
  response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end(`The sandbox has nothing at ${url.split('?')[0]}.\n`);
}

/** The simulations as they are served. Each keeps what a write changed before its answer leaves; what reads count is kept soon, and at the end. */
function serveAll(providers: readonly Provider[], folder: Folder, feed: Feed, repository: Repository | null) {
  const changed = new Set<Provider>();
  const flush = (): void => {
    for (const provider of changed) folder.write(provider);
    changed.clear();
  };
  const soon = setInterval(flush, 1_000);
  soon.unref();
  const named = new Map(providers.map((provider) => [provider.name, provider]));
  const manners = new Map<string, Manners>(providers.map(({ name }) => [name, { isUntidy: false }]));
  const switches = new FaultSwitches(named, manners);
  const served = (provider: Provider): Simulation => {
    const { simulation } = provider;
    simulation.watch(({ phase, write }) => {
      if (phase !== 'after' || !write) return;
      folder.write(provider);
      changed.delete(provider);
    });
    const spoken = untidied(simulation, manners.get(provider.name) ?? { isUntidy: false }, habits[provider.name] ?? []);
    const handle: Simulation['handle'] = async (request, signed) => {
      changed.add(provider);
      const before = JSON.stringify(switches.shown);
      const misses = simulation.unhandled.length;
      await prepare(provider.name, simulation, request);
      if (isBuilder(provider.name)) build(provider.name, simulation, repository?.heads() ?? []);
      try {
        return await spoken.handle(request, signed);
      } finally {
        const missed = {
          method: request.method,
          path: new URL(request.url).pathname,
          status: 501,
          write: false,
          outcome: 'answered' as const,
        };
        if (simulation.unhandled.length > misses) feed.heard(provider, [missed], true);
        feed.heard(provider, [...simulation.log], false);
        simulation.forget();
        if (JSON.stringify(switches.shown) !== before) feed.switched(switches.shown);
      }
    };
    return { ...simulation, handle };
  };
  return {
    simulations: new Map(providers.map((provider) => [provider.name, served(provider)])),
    named,
    switches,
    flush: () => {
      clearInterval(soon);
      flush();
    },
  };
}

const refusals: Readonly<Record<string, string>> = { EADDRINUSE: 'is taken', EACCES: 'is kept for other users' };

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === undefined ? undefined : refusals[error.code];
      const fix = 'End the program that has it, or name a port with --port. Scopes that were applied before know the earlier address.';
      reject(why === undefined ? error : new Problem(`Port ${port} of this machine ${why}.`, fix));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
