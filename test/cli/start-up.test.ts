import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { writePrograms } from '../../scripts/build/programs.ts';
import { root } from '../../scripts/tasks.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { binary, pilotfish } from './program.ts';

// What a start loads is what it costs. It is counted, because seconds say more of the machine than of the program.

const dist = dirname(binary);

test('`--version` loads a few small files, and what reads the command line', async () => {
  const loaded = await start(['--version'], '');
  expect(loaded.files.length).toBeLessThanOrEqual(15);
  // Most of it is the table of all commands.
  expect(loaded.bytes).toBeLessThan(102_000);
  expect(loaded.data).toEqual([]);
  expect(loaded.libraries).toEqual(['cac', 'get-east-asian-width']);
});

test.for(['plan', 'apply'] as const)('`%s` of three lines loads what such a run uses', async (command) => {
  const { address, close } = await serve();
  const loaded = await start([command, '--scope', 'pr-1'], planOf(address, [1, 2, 3].map(line).join('')));
  close();
  expect(loaded.bytes).toBeLessThan(1_700_000);
  expect(loaded.libraries).toEqual(expect.arrayContaining(['cac', 'p-queue', 'p-retry', 'undici', 'xstate', 'yaml', 'zod']));
  expect(loaded.libraries.filter((name) => unusedLibraries.test(name))).toEqual([]);
  expect(loaded.own).toContain('engine/run.ts');
  expect(loaded.own.filter((name) => unusedSources.test(name))).toEqual([]);
  // Their names alone.
  expect(loaded.data).toEqual(['families/index.json']);
  expect(loaded.processes, 'git is not asked where no repository can be').toBe(0);
});

const unusedLibraries = /^(@clack|@modelcontextprotocol|@opentelemetry|@smithy|fast-xml|isomorphic-git|jsonc-parser|pako|smol-toml)/;

/** A git ledger, a trace, an export, the completion of a shell, a plugin, a comment, `init`, and recipes that nobody has checked yet. */
const unusedSources =
  /^(mcp|onboard|cli\/completion|report\/(trace\/(?!kept-run)|telemetry|markdown)|ledger\/stores\/git\/git-(store|cache|http|push)|ops\/plugin|recipes\/(schema|parse))/;

test('an export loads its own libraries, and a trace only those that write its files', async () => {
  const { address, close } = await serve();
  const plan = planOf(address, line(1));
  const exported = await start(['plan', '--scope', 'pr-1'], plan, undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: address });
  const traced = await start(['plan', '--scope', 'pr-1', '--trace', 'seen'], plan);
  close();
  expect(exported.libraries).toContain('@opentelemetry/exporter-trace-otlp-proto');
  expect(traced.libraries).toContain('@opentelemetry/otlp-transformer');
  expect(traced.libraries.filter((name) => name.startsWith('@opentelemetry/exporter'))).toEqual([]);
});

test('a TAB loads neither the engine nor the network', async () => {
  const loaded = await start(['complete', '--', 'plan', '--only', ''], planOf('http://127.0.0.1:1', line(1)));
  expect(loaded.own).toContain('cli/completion/answer.ts');
  expect(loaded.own.filter((name) => /^(engine\/run|http\/|adapters\/|onboard\/)/.test(name))).toEqual([]);
  expect(loaded.libraries.filter((name) => /^(undici|xstate|zod|@opentelemetry)/.test(name))).toEqual([]);
  expect(loaded.processes).toBe(0);
});

test('a plan reads the recipe families only where its lines name one', async () => {
  const { address, close } = await serve();
  const plan = planOf(
    address,
    '  - { id: hook, recipe: stripe.webhook_endpoint, url: "https://shop.example", events: ["charge.failed"] }\n',
  );
  const loaded = await start(['plan', '--scope', 'pr-1'], plan);
  close();
  expect(loaded.data).toEqual(['families/index.json', 'families/families.json.br']);
});

test('git is asked where a repository may be', async () => {
  const cwd = await tempFolder('start-up');
  await mkdir(join(cwd, '.git'));
  await mkdir(join(cwd, 'below'));
  const below = await start(['plan', '--scope', 'pr-1'], 'changes: []\n', join(cwd, 'below'));
  expect(below.processes).toBeGreaterThan(0);
  const top = await start(['plan', '--scope', 'pr-1'], 'changes: []\n', cwd);
  expect(top.processes).toBeGreaterThan(0);
});

interface Loaded {
  /** Of the package, by name. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** What else of the package was read. */
  readonly data: readonly string[];
  /** The sources that these files were made of, below `src/`. */
  readonly own: readonly string[];
  readonly libraries: readonly string[];
  /** How many others it started. */
  readonly processes: number;
}

/** What the watch below tells, of whole paths. */
interface Seen extends Pick<Loaded, 'processes'> {
  readonly modules: readonly string[];
  readonly read: readonly string[];
}

async function start(
  args: readonly string[],
  plan: string,
  folder?: string,
  more: { readonly [name: string]: string } = {},
): Promise<Loaded> {
  const cwd = folder ?? (await tempFolder('start-up'));
  await writeFile(join(cwd, 'release.plan.yaml'), plan);
  const [watch, told] = [join(cwd, 'watch.mjs'), join(cwd, 'told.json')];
  await writeFile(watch, watchText);
  const env = { PILOTFISH_LEDGER: 'local', SHOP_TOKEN: 'a-token-of-the-shop', TOLD: told, ...more };
  const ended = await pilotfish(args, { cwd, env, node: ['--import', watch] });
  expect([0, 2], ended.stderr).toContain(ended.code);
  const seen: Seen = JSON.parse(await readFile(told, 'utf8'));
  const inPackage = (path: string): boolean => path.startsWith(`${dist}/`);
  const modules = [...new Set(seen.modules)].filter(inPackage);
  const sizes = await Promise.all(modules.map(async (path) => (await stat(path)).size));
  bundled ??= sourcesByFile();
  const sourcesOf = await bundled;
  const sources = modules.flatMap((path) => sourcesOf.get(basename(path)) ?? []);
  const named = (pattern: RegExp): string[] => [...new Set(sources.flatMap((name) => pattern.exec(name)?.[1] ?? []))].sort();
  return {
    files: modules.map((path) => basename(path)),
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    data: seen.read.filter(inPackage).map((path) => path.slice(dist.length + 1)),
    own: named(/^src\/(.+)/),
    libraries: named(/node_modules\/((?:@[^/]+\/)?[^/]+)\//),
    processes: seen.processes,
  };
}

let bundled: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

/** What each file of the package was made of. The names of files hold a hash of them, so those of a bundle made now are those of `dist`. */
async function sourcesByFile(): Promise<ReadonlyMap<string, readonly string[]>> {
  const chunks = await writePrograms(await tempFolder('bundle'), {});
  const made = new Map(
    chunks.map(({ fileName, modules }) => [
      fileName,
      Object.entries(modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [relative(root, id)] : [])),
    ]),
  );
  expect(await readdir(dist), 'dist is of other sources: npm run build').toEqual(expect.arrayContaining([...made.keys()]));
  return made;
}

/** Tells at the end which modules and files a process loaded. */
const watchText = `
import { subscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
const modules = [];
const read = [];
let processes = 0;
subscribe('child_process', () => {
  processes += 1;
});
const write = fs.writeFileSync;
const pathOf = (of) => (of instanceof URL ? of.pathname : String(of));
for (const [at, name] of [[fs, 'readFileSync'], [fs.promises, 'readFile']]) {
  const real = at[name];
  at[name] = (of, ...rest) => {
    const path = pathOf(of);
    // Node reads modules by the same function.
    if (!path.endsWith('.js')) read.push(path);
    return real(of, ...rest);
  };
}
syncBuiltinESMExports();
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) modules.push(new URL(url).pathname);
    return next(url, context);
  },
});
process.on('exit', () => {
  write(process.env.TOLD, JSON.stringify({ modules, read, processes }));
});
`;

async function serve(): Promise<{ readonly address: string; close(): void }> {
  const items: object[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isNew = request.method === 'POST' && request.url === '/items';
      if (isNew) items.push({ ...JSON.parse(Buffer.concat(chunks).toString()), id: `i${items.length}` });
      response.writeHead(isNew ? 201 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isNew ? items.at(-1) : { data: items }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

const planOf = (address: string, lines: string): string => `version: 1
providers:
  http:
    shop: { base_url: "${address}", auth: { bearer_env: SHOP_TOKEN } }
changes:
${lines}`;

const line = (number: number): string => `  - id: item-${number}
    adapter: http
    op: resource
    api: shop
    find: { path: /items, list_path: /data, match: { name: item-${number} } }
    create: { path: /items }
    delete: { path: "/items/{id}" }
    fields: { name: item-${number} }
`;
