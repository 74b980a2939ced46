import { createServer } from 'node:http';
import { answerAt, findDoor } from './door.ts';
import type { Simulation } from './types.ts';

/** Simulations on one loopback port, for whatever runs in a process of its own. */
export interface Served {
  /** Base URL of one simulation, its base path included: `http://127.0.0.1:<port>/neon/api/v2`. */
  base(name: string): string;
  /** `<NAME>_API_URL` of each, as the families name their overrides. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Serves each simulation under `/<name>/…`. */
export async function serve(simulations: readonly Simulation[]): Promise<Served> {
  const byName = new Map(simulations.map((simulation) => [simulation.name, simulation]));
  const server = createServer((message, answer) => {
    const door = findDoor(byName, message.method ?? 'GET', message.url ?? '/');
    if (door) void answerAt(door, message, answer);
    else answer.writeHead(502).end(`no simulation serves ${message.method} ${message.url}`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const base = (name: string): string => {
    const simulation = byName.get(name);
    if (!simulation) throw new Error(`${name} is not served`);
    return `http://127.0.0.1:${address.port}/${name}${simulation.basePath}`;
  };
  return {
    base,
    env: Object.fromEntries(simulations.map(({ name }) => [`${name.toUpperCase().replaceAll('-', '_')}_API_URL`, base(name)])),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
