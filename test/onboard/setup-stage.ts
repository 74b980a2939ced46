import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { openPrograms, type Programs } from '../support/programs.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Tokens of this world. Each is told apart from all other text, so that one that leaked is found. */
export const tokens = {
  neon: 'napi_right0neon0token0q7w8e9r0t1y2u3',
  vercel: 'vcp_right0vercel0token0a1s2d3f4g5h6',
  wrong: 'napi_wrong0neon0token0z9x8c7v6b5n4m3',
} as const;

export const plan = `version: 1
changes:
  - { id: database, adapter: neon, op: branch, project_id: quiet-river-12345678, name: "shop-\${ctx.scope}" }
  - { id: url, adapter: vercel, op: env, project: shop, key: DATABASE_URL, value: { from: database.connection_uri }, target: [preview] }
`;

export interface Asked {
  readonly method: string;
  readonly path: string;
}

export interface Setup {
  readonly folder: string;
  readonly home: string;
  readonly programs: Programs;
  /** What the providers were asked, in order. */
  readonly asked: readonly Asked[];
  /** The environment of every process that is started here. */
  readonly env: Record<string, string>;
  /** Makes both providers answer everything with this status, or not at all; then those who wait are answered by the next call. */
  answerWith(status: number | 'nothing'): void;
  /** At a pseudo-terminal. */
  atTerminal(args?: readonly string[], program?: string): Session;
  /** Without one. */
  alone(args?: readonly string[], program?: string): Session;
  /** Values that `gh` or `glab` got on stdin, by name. */
  stored(): Promise<Record<string, string>>;
  read(path: string): Promise<string>;
  /** No token, and nothing that was stored, stands in a file, an argument, a command line of a process that ran, or what was written to a screen. */
  nothingLeaked(...sessions: readonly Session[]): Promise<void>;
}

export interface SetupOptions {
  readonly origin?: string | null;
  /** `null`: there is none yet. */
  readonly plan?: string | null;
  readonly env?: Readonly<Record<string, string>>;
  /** Programs on the PATH beside git. */
  readonly clis?: readonly ('gh' | 'glab')[];
}

/** A clone with a plan, a home of its own, two providers on loopback, and stand-ins for the programs of code hosts. */
export async function openSetup(o: SetupOptions = {}): Promise<Setup> {
  const folder = await tempFolder('setup');
  const home = await tempFolder('setup-home');
  const programs = await openPrograms();
  onTestFinished(() => programs.close());
  await symlink(whereIs('git'), join(programs.PATH, 'git'));
  for (const name of o.clis ?? ['gh']) await programs.add(name, standIn(name, programs.folder));
  const git = (...args: readonly string[]): void => {
    execFileSync('git', [...args], { cwd: folder, env: { PATH: programs.PATH, HOME: home } });
  };
  git('init', '--quiet', '--initial-branch=main');
  const origin = o.origin === undefined ? 'git@github.com:acme/shop.git' : o.origin;
  if (origin !== null) git('remote', 'add', 'origin', origin);
  if (o.plan !== null) await writeFile(join(folder, 'release.plan.yaml'), o.plan ?? plan);
  const providers = await openProviders();
  await mkdir(join(home, 'tmp'));
  const env = {
    NODE_COMPILE_CACHE: compiled,
    PATH: programs.PATH,
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    TERM: 'xterm-256color',
    SHELL: '/bin/sh',
    ...providers.env,
    ...o.env,
  };
  const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
  const stored = async (): Promise<Record<string, string>> => {
    const into = join(programs.folder, 'stored');
    const names = await readdir(into).catch(() => []);
    return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(into, name), 'utf8')] as const)));
  };
  return {
    folder,
    home,
    programs,
    env,
    asked: providers.asked,
    answerWith: providers.answerWith,
    atTerminal: (args = ['init', '--setup'], program = entry) => {
      const line = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ');
      // A pseudo-terminal has no size of its own, and prompts would be a character wide.
      const sized = `${whereIs('stty')} cols 160 rows 50; exec ${line}`;
      return new Session(spawn(whereIs('script'), ['--echo', 'always', '-qec', sized, '/dev/null'], { cwd: folder, env, stdio: 'pipe' }));
    },
    alone: (args = ['init', '--setup'], program = entry) =>
      new Session(spawn(process.execPath, [program, ...args], { cwd: folder, env, stdio: 'pipe' })),
    stored,
    read,
    nothingLeaked: async (...sessions) => {
      const texts = [
        ...(await filesBelow(folder)),
        ...(await filesBelow(home)),
        ...(await filesBelow(programs.folder)).filter(([file]) => !file.includes('/stored/')),
        ...sessions.map((session, i) => [`screen ${i}`, session.raw] as const),
      ];
      const secrets = [...Object.values(tokens), ...Object.values(await stored())];
      for (const [where, text] of texts) {
        for (const token of secrets) expect(text.includes(token) ? `${where} holds a token` : '').toBe('');
      }
    },
  };
}

/** Shared, because no test changes what is compiled. */
const compiled = join(tmpdir(), 'pilotfish-setup-compiled');
const entry = join(import.meta.dirname, 'setup-program.ts');

/** Reason why there is no pseudo-terminal here, or `null`. Only this one `script` passes an exit code on and echoes as terminals do. */
export function whyNoTerminal(): string | null {
  try {
    const help = execFileSync(whereIs('script'), ['--help'], { encoding: 'utf8' });
    return help.includes('--echo') ? null : 'script is not that of util-linux 2.37 or later';
  } catch {
    return 'there is no script (util-linux)';
  }
}

/** A program that runs, with a keyboard and a screen. */
export class Session {
  readonly process: ChildProcess;
  /** As it came, colours and cursor movements included. */
  raw = '';
  stdout = '';
  readonly ended: Promise<number>;
  #seen = 0;

  constructor(child: ChildProcess) {
    this.process = child;
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      this.stdout += part;
      this.raw += part;
    });
    child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      this.raw += part;
    });
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(signal === null ? (code ?? -1) : -1));
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
  }

  /** The screen's text without colours. */
  get text(): string {
    return plain(this.raw);
  }

  /** Waits until these words stand on the screen, behind those that were waited for before. */
  async shows(words: string): Promise<this> {
    const end = performance.now() + 30_000;
    for (;;) {
      const at = this.text.indexOf(words, this.#seen);
      if (at >= 0) {
        this.#seen = at + words.length;
        return this;
      }
      const isOver = await Promise.race([this.ended.then(() => true), new Promise<false>((resolve) => setTimeout(resolve, 10, false))]);
      if (isOver && !this.text.slice(this.#seen).includes(words)) throw new Error(`it ended without "${words}":\n${this.text}`);
      if (performance.now() > end) throw new Error(`"${words}" never came:\n${this.text}`);
    }
  }

  type(keys: string): this {
    this.process.stdin?.write(keys);
    return this;
  }
}

const plain = (text: string): string => stripVTControlCharacters(text).replaceAll('\r', '');

function whereIs(program: string): string {
  const folder = (process.env.PATH ?? '').split(':').find((one) => existsSync(join(one, program)));
  if (folder === undefined) throw new Error(`there is no ${program} on the PATH`);
  return join(folder, program);
}

/** Notes what it was called with, the command lines of itself and its parent, and what came on stdin. */
const standIn = (name: 'gh' | 'glab', folder: string): string => `
const at = ${JSON.stringify(folder)};
for (const pid of [process.pid, process.ppid]) fs.appendFileSync(at + '/cmdlines', fs.readFileSync('/proc/' + pid + '/cmdline'));
const has = (flag) => fs.existsSync(at + '/' + flag);
if (args[0] === 'auth') process.exit(has('signed-out') ? 1 : 0);
if (args[0] === 'api') {
  if (has('mute')) fail(1, 'HTTP 403: Must have admin rights');
  const of = args.find((arg) => arg.startsWith('repos/'));
  const isShared = of.includes('/organization-secrets');
  if (isShared && !has('shared')) fail(1, 'HTTP 404: Not Found');
  const names = fs.existsSync(at + '/stored') && !isShared ? fs.readdirSync(at + '/stored') : [];
  out(isShared ? fs.readFileSync(at + '/shared', 'utf8') : names.map((name) => name + '\\n').join(''));
  process.exit(0);
}
const value = fs.readFileSync(0, 'utf8');
const isSet = args[1] === 'set' && ['secret', 'variable'].includes(args[0]);
if (has('refuses')) fail(1, 'HTTP 403: Resource not accessible, not even with ' + value + '\\n');
if (has('slow')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
fs.mkdirSync(at + '/stored', { recursive: true });
const file = at + '/stored/' + args[2];
if (${JSON.stringify(name)} === 'glab' && isSet && fs.existsSync(file)) fail(1, 'key: (' + args[2] + ') has already been taken\\n');
fs.writeFileSync(file, value);
`;

async function openProviders() {
  const asked: Asked[] = [];
  let status: number | 'nothing' | null = null;
  const waiting: ((status: number) => void)[] = [];
  const server = createServer((request, answer) => {
    const [, provider = '', ...rest] = (request.url ?? '').split('/');
    asked.push({ method: request.method ?? '', path: `${provider}: /${rest.join('/')}` });
    if (status === 'nothing') {
      waiting.push((now) => answer.writeHead(now).end());
      return;
    }
    const right = provider === 'neon' ? tokens.neon : provider === 'vercel' ? tokens.vercel : 'key:pass-word-1';
    const given = request.headers.authorization ?? '';
    const basic = `Basic ${Buffer.from('shop-user:shop-password-1').toString('base64')}`;
    const isRight = given === `Bearer ${right}` || given === basic;
    // A provider may repeat what it was sent.
    const body = JSON.stringify(isRight ? { projects: [] } : { message: `${given} is not known` });
    answer.writeHead(status ?? (isRight ? 200 : provider === 'neon' ? 401 : 403), { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const base = `http://127.0.0.1:${address.port}`;
  return {
    asked,
    base,
    env: { NEON_API_URL: `${base}/neon`, VERCEL_API_URL: `${base}/vercel`, OKTA_API_URL: `${base}/okta` },
    answerWith: (all: number | 'nothing') => {
      status = all;
      if (all !== 'nothing') for (const answer of waiting.splice(0)) answer(all);
    },
  };
}

/** Every file with its text, whatever it holds. */
async function filesBelow(folder: string): Promise<readonly (readonly [string, string])[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => [join(parentPath, name), await readFile(join(parentPath, name), 'latin1')] as const),
  );
}
