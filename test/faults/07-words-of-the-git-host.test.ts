import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { appendFile, chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { createOutput } from '../../src/cli/output.ts';
import { systemClock } from '../../src/core/clock.ts';
import { readReceipts } from '../../src/engine/finish/receipts.ts';
import { runApply, runClosed, runPlan } from '../../src/engine/run.ts';
import type { RunWorld } from '../../src/engine/types.ts';
import { pilotfish } from '../cli/program.ts';
import { filesUnder, leaks, type Places } from '../leaks/places.ts';
import { quotations } from '../leaks/spellings.ts';
import { cleanGitEnv } from '../support/git-remote.ts';
import { tempFolder } from '../support/temp-folder.ts';

// The host of the ledger may quote any credential of this machine, in whatever it answers.

const planted = {
  origin: 'origin-4f1d9a77c2',
  lock: 'lock-place-90ab31cd',
  variable: 'ghp_variable5e8f21',
  other: 'other-service-77e1fa',
  proxy: 'proxy-word-3c9d1e',
  header: 'header-of-ci-8a8b8c',
  helper: 'helper-gave-5d5e5f',
  pushed: 'push-address-1f2e3d',
  mirror: 'mirror-word-6b7a8c',
};
const secrets = Object.values(planted);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const mark = 'the host explains';

type Kind = (request: IncomingMessage, response: ServerResponse, said: string) => void;

const packet = (text: string | Buffer): Buffer => {
  const content = Buffer.from(text);
  return Buffer.concat([Buffer.from((content.length + 4).toString(16).padStart(4, '0')), content]);
};
const flush = Buffer.from('0000');
const greeting = (service: string): Buffer =>
  Buffer.concat([
    packet(`# service=${service}\n`),
    flush,
    packet(`${'0'.repeat(40)} capabilities^{}\0report-status side-band-64k agent=host\n`),
    flush,
  ]);

const status =
  (code: number, headers: (said: string) => { readonly [name: string]: string } = () => ({})): Kind =>
  (_, response, said) =>
    void response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8', ...headers(said) }).end(said);

/** An empty repository that takes no push. */
const refusing =
  (answer: (said: string) => Buffer): Kind =>
  (request, response, said) => {
    const service = /service=(git-[a-z]+-pack)/.exec(request.url ?? '')?.[1];
    if (service) response.writeHead(200, { 'content-type': `application/x-${service}-advertisement` }).end(greeting(service));
    else response.writeHead(200, { 'content-type': 'application/x-git-receive-pack-result' }).end(answer(said));
  };
const band = (number: number, content: Buffer | string): Buffer => packet(Buffer.concat([Buffer.from([number]), Buffer.from(content)]));
const ref = 'refs/heads/pilotfish-receipts/preview/pr-12';
/** Words of a packet fit into one. */
const brief = (said: string): string => said.slice(0, 60_000);

const kinds: { readonly [name: string]: Kind } = {
  'a 400': status(400),
  'a 401': status(401, () => ({ 'www-authenticate': `Basic realm="${planted.origin} ${planted.header}"` })),
  'a 403': status(403),
  'a 404': status(404),
  'a 407': status(407),
  'a 413': status(413),
  'a 429': status(429),
  'a 500': status(500),
  'a 503': status(503, () => ({ 'retry-after': planted.origin })),
  'a 301': status(301, () => ({ location: `http://robot:${planted.origin}@elsewhere.example/${planted.header}?token=${planted.proxy}` })),
  'a 302': status(302, () => ({ location: `/sign-in?was=${encodeURIComponent(`robot:${planted.origin}`)}&p=${planted.lock}` })),
  'a 307': status(307, () => ({ location: `//${planted.origin}.example/${planted.mirror}` })),
  'a page': (_, response, said) =>
    void response.writeHead(200, { 'content-type': `text/html; said="${said.slice(0, 2000).replace(/[^\t -~]/g, ' ')}"` }).end(said),
  'an ERR packet': (request, response, said) => {
    const service = /service=(git-[a-z]+-pack)/.exec(request.url ?? '')?.[1] ?? 'git-receive-pack';
    const body = Buffer.concat([packet(`# service=${service}\n`), flush, packet(`ERR ${brief(said)}\n`), flush]);
    response.writeHead(200, { 'content-type': `application/x-${service}-advertisement` }).end(body);
  },
  'an ng reason': refusing((said) =>
    Buffer.concat([
      band(1, Buffer.concat([packet('unpack ok\n'), packet(`ng ${ref} ${brief(said)}\n`), flush]).subarray(0, 60_000)),
      flush,
    ]),
  ),
  'a message beside an ng': refusing((said) =>
    Buffer.concat([
      ...[brief(said).slice(0, 900), brief(said).slice(900)].map((part) => band(2, part)),
      band(1, Buffer.concat([packet('unpack ok\n'), packet(`ng ${ref} pre-receive hook declined\n`), flush])),
      flush,
    ]),
  ),
  'a failed unpack': refusing((said) =>
    Buffer.concat([band(1, Buffer.concat([packet(`unpack ${brief(said)}\n`), packet(`ng ${ref} unpacker error\n`), flush])), flush]),
  ),
  'a fatal message': refusing((said) => Buffer.concat([band(3, brief(said)), flush])),
};

/** Everything that could be quoted, and some of it in the middle of what is cut. */
const saidBy = (request: IncomingMessage): string => {
  const seen = request.headers.authorization ?? '';
  const known = secrets.filter((secret) => secret !== planted.helper || seen.includes(base64(`bot:${secret}`)));
  const quoted = known.flatMap((secret) => [secret, base64(`robot:${secret}`), encodeURIComponent(`robot:${secret}`)]);
  return `${mark}: ${quoted.join(' ')} ${seen} ${'x'.repeat(50)} ${known.flatMap(quotations).join('|')}`;
};

async function checkout(origin: (folder: string) => string, more: NodeJS.ProcessEnv = {}) {
  const root = await tempFolder('git-host');
  const cwd = join(root, 'work');
  const env: NodeJS.ProcessEnv = {
    ...cleanGitEnv(root),
    GITHUB_TOKEN: planted.variable,
    SHOP_TOKEN: planted.other,
    HTTPS_PROXY: `http://proxy-user:${planted.proxy}@127.0.0.1:9`,
    NO_PROXY: '127.0.0.1',
    ...more,
  };
  await mkdir(cwd);
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd, env: cleanGitEnv(root), encoding: 'utf8' });
  git('init', '--quiet');
  const helper = `!f() { echo username=bot; echo password=${planted.helper}; }; f`;
  await appendFile(
    join(cwd, '.git/config'),
    `[remote "origin"]
	url = ${origin(root)}
	fetch = +refs/heads/*:refs/remotes/origin/*
[remote "mirror"]
	url = https://robot:${planted.mirror}@mirror.example/shop.git
[http]
	extraheader = "AUTHORIZATION: basic ${base64(`x-access-token:${planted.header}`)}"
[credential]
	helper = "${helper}"
[url "https://robot:${planted.pushed}@code.example/"]
	insteadOf = code:
`,
  );
  await writeFile(
    join(cwd, 'release.plan.yaml'),
    `version: 1
providers: { http: { shop: { base_url: http://127.0.0.1:9, auth: { bearer_env: SHOP_TOKEN } } } }
changes:
  - { id: bell, adapter: http, op: action, api: shop, trigger: { scope: pr-12 }, request: { path: /bells } }
`,
  );
  return { root, cwd, env, git };
}
type Checkout = Awaited<ReturnType<typeof checkout>>;

/** The host asks to be asked again; nobody waits for that here. */
const clock = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms < 25_000 ? 0 : ms, signal) };

async function typed({ cwd, env }: Checkout, line: string): Promise<string> {
  let text = '';
  const screen = new Writable({
    write: (part: Buffer, _, done) => {
      text += part.toString();
      done();
    },
  });
  const timed = (given: RunWorld = {}): RunWorld => ({ ...given, clock });
  const world = {
    cwd,
    env,
    stdout: screen,
    stderr: screen,
    signals: new EventEmitter(),
    now: () => clock.mono(),
    exit: null,
    network: { clock },
    loadRunner: () =>
      Promise.resolve({
        runPlan: (request: Parameters<typeof runPlan>[0], given?: RunWorld) => runPlan(request, timed(given)),
        runApply: (request: Parameters<typeof runApply>[0], given?: RunWorld) => runApply(request, timed(given)),
        runClosed: (request: Parameters<typeof runClosed>[0], given?: RunWorld) => runClosed(request, timed(given)),
      }),
  };
  const argv = line.split(' ');
  await main(argv, world, createOutput(world, argv));
  return text;
}

/** An error with all that hangs on it, as a log would show it. */
const allOf = (thrown: unknown): string => {
  const parts: string[] = [];
  for (let at = thrown; at instanceof Error; at = at.cause) parts.push(at.stack ?? '', at.message, JSON.stringify({ ...at }));
  return parts.join('\n');
};

const lines = [
  'plan --scope=pr-12 --json --events --trace=trace',
  'apply --scope=pr-12 --progress=plain',
  'apply --scope=pr-12 --destroy --json --progress=none',
  'plan --scope=pr-12 --run=abc --trace=trace',
];

async function everything(place: Checkout): Promise<Places> {
  const places: Places = new Map();
  for (const line of lines) places.set(line, await typed(place, line));
  const { cwd, env } = place;
  const request = { cwd, env, plan: null, environment: 'preview', scope: 'pr-12', pr: null };
  const run = {
    ...request,
    branch: null,
    sha: null,
    only: [],
    recreate: [],
    reconcile: false,
    destroy: false,
    expect: null,
    approvedBy: null,
  };
  const times = { leaseTimeoutMs: 1_000, waitTimeoutMs: 1_000 };
  const caught = async (name: string, act: () => Promise<unknown>): Promise<void> => {
    places.set(name, await act().then((value) => JSON.stringify(value), allOf));
  };
  await caught('readReceipts', () => readReceipts(request, { clock }));
  await caught('runApply', () => runApply({ ...run, ...times }, { clock }));
  for (const [file, bytes] of await filesUnder(join(cwd, '.pilotfish'))) places.set(file, bytes);
  for (const [file, bytes] of await filesUnder(join(cwd, 'trace'))) places.set(file, bytes);
  return places;
}

async function host(kind: Kind): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => kind(request, response, saidBy(request)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

const ofWeb = async (kind: Kind): Promise<Checkout> => {
  const at = await host(kind);
  return await checkout(() => `http://robot:${planted.origin}@${at}/shop/web.git`, {
    PILOTFISH_LOCK_REMOTE: `http://robot:${planted.lock}@${at}/locks.git`,
  });
};

describe('nothing that the host of the ledger says shows a credential', () => {
  it.each(Object.entries(kinds))('%s', async (name, kind) => {
    const places = await everything(await ofWeb(kind));
    expect(leaks(places, secrets)).toEqual([]);
    // It is told what happened, and what the host said of it where a host's words are told.
    expect(places.get('apply --scope=pr-12 --progress=plain')).toMatch(/LEDGER_REFUSED|LEDGER_CORRUPT/);
    if (['a 400', 'a 403', 'an ng reason', 'a message beside an ng', 'an ERR packet'].includes(name))
      expect(places.get('apply --scope=pr-12 --progress=plain')).toContain(`${mark}: ***`);
  });

  it('over ssh, where a command of the user speaks', async () => {
    const known = secrets.filter((secret) => ![planted.helper, planted.lock].includes(secret));
    const words = `${mark}: ${known.flatMap((secret) => [secret, base64(`robot:${secret}`)]).join(' ')}`;
    const place = await checkout(() => `ssh://git:${planted.origin}@git.example/shop/web.git`);
    const script = join(place.root, 'ssh');
    await writeFile(script, `#!/bin/sh\nprintf '%s\\n' '${words}' 'fatal: no' >&2\nexit 128\n`);
    await chmod(script, 0o755);
    const places = await everything({ ...place, env: { ...place.env, GIT_SSH_COMMAND: script } });
    expect(leaks(places, known)).toEqual([]);
    expect(places.get('plan --scope=pr-12 --json --events --trace=trace')).toContain(`${mark}: ***`);
  });

  it('in a folder, where a hook speaks', async () => {
    const place = await checkout((root) => `file://${root}/remote.git`);
    execFileSync('git', ['init', '--quiet', '--bare', join(place.root, 'remote.git')], { env: cleanGitEnv(place.root) });
    const known = secrets.filter((secret) => ![planted.helper, planted.origin, planted.lock].includes(secret));
    const hook = join(place.root, 'remote.git/hooks/pre-receive');
    await writeFile(hook, `#!/bin/sh\nprintf '%s\\n' '${mark}: ${known.join(' ')}' >&2\nexit 1\n`);
    await chmod(hook, 0o755);
    const places = await everything(place);
    expect(leaks(places, known)).toEqual([]);
    expect(places.get('apply --scope=pr-12 --progress=plain')).toContain(`${mark}: ***`);
  });

  it('in the built program, its warnings and what a plugin leaves to itself included', async () => {
    const place = await ofWeb(status(403));
    const env = Object.fromEntries(Object.entries(place.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
    const places: Places = new Map();
    for (const line of ['plan --scope pr-12', 'plan --scope pr-12 --json', 'apply --scope pr-12 --events', 'init --setup --yes']) {
      const { stdout, stderr } = await pilotfish(line.split(' '), { cwd: place.cwd, env });
      places.set(line, `${stdout}\n${stderr}`);
    }
    const warn = `process.emitWarning('the address robot:${planted.origin} is deprecated');`;
    for (const [name, code] of [
      ['a warning', warn],
      ['a rejection', `Promise.reject(new Error('robot:${planted.origin} ${planted.variable}'));`],
      ['an exception', `setImmediate(() => { throw new TypeError('robot:${planted.lock} ${planted.proxy}'); });`],
    ] as const) {
      await writeFile(join(place.cwd, 'plugin.mjs'), `${code}\nexport const register = () => undefined;\n`);
      const { stdout, stderr } = await pilotfish(['plan', '--scope', 'pr-12'], {
        cwd: place.cwd,
        env: { ...env, PILOTFISH_PLUGINS: './plugin.mjs' },
      });
      places.set(name, `${stdout}\n${stderr}`);
    }
    expect(leaks(places, secrets)).toEqual([]);
    expect(places.get('a warning')).toContain('the address robot:*** is deprecated');
    expect(places.get('plan --scope pr-12')).toContain(`${mark}: ***`);
  });
});
