import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetch } from 'undici';
import { findPostgres, password, startPostgres } from '../../real/kit/postgres.ts';
import { freePort } from '../../real/kit/program.ts';
import { findServer } from './installed.ts';

/** A server that nobody of this repository wrote, on a port of the loopback, with a state of its own. */
export interface Started {
  readonly base: string;
  /** In the words of a report. */
  readonly server: string;
  stop(): Promise<void>;
}

/** Runs a module as a process of its own, and resolves when its port answers over HTTP. */
async function startModule(text: string, port: number, env: { readonly [name: string]: string } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'pilotfish-live-server-'));
  const file = join(folder, 'start.mjs');
  await writeFile(file, text);
  const child = spawn(process.execPath, [file], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, FOLDER: folder, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const base = `http://127.0.0.1:${port}`;
  for (let looks = 0; looks < 1_200 && child.exitCode === null; looks += 1) {
    const isUp = await fetch(`${base}/`).then(
      async (answer) => {
        await answer.text();
        return true;
      },
      () => false,
    );
    if (isUp) return { base, folder, stop };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error(`the server does not answer: ${output}`);
}

export const unleashToken = `*:*.${'a1b2c3d4'.repeat(8)}`;

/** Unleash in front of a PostgreSQL, with the flag `live-proof` and a strategy of somebody else; `null` where one of the two is missing. */
export async function startUnleash(): Promise<Started | null> {
  const found = findServer('unleash-server');
  const postgres = findPostgres();
  if (found === null || postgres === null) return null;
  const database = await startPostgres(postgres);
  const port = await freePort();
  const server = await startModule(
    `import { start } from ${JSON.stringify(join(found.folder, 'dist/lib/server-impl.js'))};
const db = { host: '127.0.0.1', port: Number(process.env.DATABASE_PORT), user: 'ci', password: process.env.DATABASE_WORD, database: 'ledger', ssl: false };
const token = { environment: '*', projects: ['*'], secret: process.env.ADMIN_WORD, type: 'admin', tokenName: 'proof', alias: null };
await start({ db, server: { port: Number(process.env.PORT), host: '127.0.0.1' }, authentication: { initApiTokens: [token] }, versionCheck: { enable: false }, telemetry: false, logLevel: 'error' });`,
    port,
    { DATABASE_PORT: String(database.port), DATABASE_WORD: password, ADMIN_WORD: unleashToken },
  ).catch(async (thrown: unknown) => {
    await database.stop();
    throw thrown;
  });
  const send = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${server.base}/api/admin${path}`, {
      method: 'POST',
      headers: { authorization: unleashToken, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  };
  await send('/projects/default/features', { name: 'live-proof', type: 'release' });
  await send('/projects/default/features/live-proof/environments/development/strategies', {
    name: 'flexibleRollout',
    title: "somebody's own",
    parameters: { rollout: '10', stickiness: 'default', groupId: 'live-proof' },
  });
  await send('/ui-config/cors', { frontendApiOrigins: ['https://shop.example.com'] });
  return {
    base: server.base,
    server: `unleash-server ${found.version} with ${postgres.version}`,
    stop: async () => {
      await server.stop();
      await database.stop();
    },
  };
}

/** s3rver with the bucket `shop-assets`, which has a CORS rule of somebody else. It checks signatures. */
export async function startS3(): Promise<Started | null> {
  const found = findServer('s3rver');
  if (found === null) return null;
  const port = await freePort();
  const cors =
    '<CORSConfiguration><CORSRule><AllowedOrigin>https://shop.example.com</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule></CORSConfiguration>';
  const server = await startModule(
    `import { createRequire } from 'node:module';
const S3rver = createRequire(import.meta.url)(${JSON.stringify(found.folder)});
await new S3rver({ port: Number(process.env.PORT), address: '127.0.0.1', silent: true, directory: process.env.FOLDER + '/data',
  configureBuckets: [{ name: 'shop-assets', configs: [${JSON.stringify(cors)}] }] }).run();`,
    port,
  );
  return {
    base: server.base, // Its name is also its only password, which a report masks.
    server: `the S3 server of npm, ${found.version}`,
    stop: server.stop,
  };
}

/** json-server, with objects of others in each place that the lines write to. */
export async function startJsonServer(): Promise<Started | null> {
  const found = findServer('json-server');
  if (found === null) return null;
  const port = await freePort();
  const state = {
    posts: [{ id: 1, title: 'of somebody', views: 1 }],
    notes: Array.from({ length: 23 }, (_, i) => ({ id: i + 1, name: `note ${i}`, owner: 'ann' })),
    gateways: [
      { id: 1, name: 'shop', origins: ['https://shop.example.com'], routes: [{ path: '/', to: 'live', weight: 1 }], variables: { A: '1' } },
    ],
  };
  const server = await startModule(
    `import { createRequire } from 'node:module';
const json = createRequire(import.meta.url)(${JSON.stringify(found.folder)});
const app = json.create();
app.use(json.bodyParser);
app.use(json.router(${JSON.stringify(state)}));
app.listen(Number(process.env.PORT), '127.0.0.1');`,
    port,
  );
  return { base: server.base, server: `json-server ${found.version}`, stop: server.stop };
}
