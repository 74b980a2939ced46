import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { mount, type Simulation } from 'pilotfish-sandbox/kit/index';
import { rollbar } from 'pilotfish-sandbox/rollbar';
import { Agent, request as send } from 'undici';
import { Failure } from '../../../src/core/errors.ts';
import { openGitStore } from '../../../src/ledger/stores/git/git-store.ts';
import { type Files, HeadMoved, type Tree } from '../../../src/ledger/stores/store.ts';
import { cleanGitEnv, startGitRemote } from '../../support/git-remote.ts';
import { LeapingClock } from '../../support/leaping-clock.ts';
import { mutateBytes } from '../bytes.ts';
import { determine } from '../determined.ts';
import { bytesOf, type Input, type Kind, type Outcome, part } from '../kind.ts';
import { shown } from '../oracle.ts';
import type { Random } from '../random.ts';

/** One answer of the git host. */
interface Answer {
  readonly request: string;
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

const branch = 'pilotfish-receipts/preview/pr-12';
const honestFiles: Files = new Map(
  Array.from({ length: 40 }, (_, i) => [`records/${String(i).padStart(2, '0')}/${i}.json`, `{"i":${i}}\n`]),
);

let place = '';
let origin = '';
let answers: readonly Answer[] = [];
let url = '';

/** A dispatcher for one host that is not there. */
function host(handle: (request: Request) => Promise<Response>) {
  const base: Simulation = rollbar();
  return mount([Object.create(base, { origin: { value: origin }, handle: { value: handle } })]);
}

const nameOf = (request: Request): string => `${request.method} ${request.url.slice(origin.length)}`;

/** Reads and appends once at a real git host, and keeps what it answered. */
async function record(): Promise<void> {
  const remote = await startGitRemote({ user: 'ci', password: 'word' });
  const agent = new Agent({ allowH2: false });
  try {
    url = remote.url;
    origin = new URL(remote.url).origin;
    const env = cleanGitEnv(join(place, 'home'));
    const first = openGitStore({ url: remote.urlWithAuth, cwd: place, env, dispatcher: agent });
    await first.append(branch, honestFiles, null, 'first');
    await first.close();
    const taken: Answer[] = [];
    const dispatcher = host(async (request) => {
      const body = Buffer.from(await request.arrayBuffer());
      const method = request.method === 'POST' ? 'POST' : 'GET';
      const headers = Object.fromEntries(request.headers);
      const answer = await send(request.url, { dispatcher: agent, method, headers, ...(method === 'POST' && { body }) });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      const type = String(answer.headers['content-type'] ?? '');
      taken.push({ request: nameOf(request), status: answer.statusCode, type, body: bytes });
      return new Response(new Uint8Array(bytes), { status: answer.statusCode, headers: { 'content-type': type } });
    });
    await use(dispatcher, { ...env, HOME: join(place, 'other') }, remote.urlWithAuth);
    answers = taken;
  } finally {
    await agent.destroy();
    await remote.stop();
  }
}

interface Used {
  readonly tree: Tree | null;
  readonly wasAppended: boolean;
}

/** What a run does with its ledger: reads it, and writes one commit on what it read. */
async function use(dispatcher: ReturnType<typeof mount>, env: NodeJS.ProcessEnv, address: string): Promise<Used> {
  const store = openGitStore({
    url: address,
    cwd: place,
    env,
    dispatcher,
    clock: new LeapingClock(),
    cacheDir: join(place, 'cache'),
  });
  try {
    const tree = await store.read(branch);
    if (tree === null) return { tree, wasAppended: false };
    await store.append(branch, new Map([['lease.json', '{}\n']]), tree.head, 'second');
    return { tree, wasAppended: true };
  } finally {
    await store.close();
  }
}

/** A git host that answers something else than git does: a sign-in page, half a pack, a line too many. */
export const gitKind: Kind = {
  name: 'git answers',
  share: 1,
  prepare: async (folder) => {
    place = join(folder, 'git');
    await mkdir(place, { recursive: true });
    await record();
    const honest = await runAnswer({ how: '-1', parts: [] });
    if (answers.length < 3 || honest.finding !== null || honest.codes.length > 0)
      throw new Error(`the honest host fails: ${honest.finding}`);
  },
  make: (random) => {
    const at = random.int(answers.length);
    const answer = answers[at];
    if (!answer) throw new Error('nothing was recorded');
    return { how: `${at}`, parts: lieOf(answer, random) };
  },
  run: runAnswer,
};

const statuses: readonly [number, ...number[]] = [200, 203, 204, 301, 302, 400, 401, 403, 404, 409, 413, 422, 429, 500, 502, 503];
const pages: readonly [string, ...string[]] = [
  '',
  '<!doctype html><title>Sign in</title>',
  '0000',
  '0004',
  'ffff',
  '001e# service=git-upload-pack\n',
  '001e# service=git-upload-pack\n00000000',
  '0009ERR x',
  `${'0'.repeat(40)} refs/heads/main\n`,
  '{"message":"Repository rule violations found"}',
];

function lieOf(answer: Answer, random: Random) {
  const roll = random.next();
  const others = answers.map(({ body }) => body);
  const body = roll < 0.65 ? mutateBytes(answer.body, random, others) : roll < 0.8 ? Buffer.from(random.pick(pages)) : answer.body;
  const status = random.chance(roll < 0.8 ? 0.1 : 0.9) ? random.pick(statuses) : answer.status;
  const type = random.chance(0.1) ? random.pick(['text/plain', 'text/html', 'application/json', '']) : answer.type;
  return [part('status', String(status)), part('type', type), part('body', body)];
}

async function runAnswer(input: Input): Promise<Outcome> {
  determine(8);
  await rm(join(place, 'cache'), { recursive: true, force: true });
  await rm(join(place, 'cache.known'), { recursive: true, force: true });
  const target = Number(input.how);
  const used = new Set<number>();
  const dispatcher = host(async (request) => {
    const name = nameOf(request);
    const fits = (one: Answer, i: number): boolean => one.request === name && !used.has(i);
    const at = answers.findIndex(fits);
    // What is asked again is answered as before: a lie is told once.
    const found = at >= 0 ? at : answers.findLastIndex((one) => one.request === name);
    const first = at >= 0;
    used.add(found);
    const answer = answers[found];
    if (!answer) return new Response('not here', { status: 404, headers: { 'content-type': 'text/plain' } });
    return first && found === target ? lieFrom(input) : response(answer.status, answer.type, answer.body);
  });
  // Git reads what was fetched, and knows no helper: a credential that is refused stays refused.
  const env = { ...cleanGitEnv(place), GITHUB_SERVER_URL: origin, GITHUB_TOKEN: 'token-of-the-job' };
  try {
    const { tree } = await use(dispatcher, env, url);
    return { codes: [], finding: tree === null ? emptyProblem(input) : treeProblem(tree.files) };
  } catch (error) {
    if (error instanceof HeadMoved) return { codes: ['moved'], finding: null };
    if (!(error instanceof Failure)) return { codes: [], finding: `the store threw ${shown(error)}` };
    const isNamed = ['LEDGER_REFUSED', 'LEDGER_CORRUPT', 'USAGE'].includes(error.code);
    return { codes: [error.code], finding: isNamed ? null : `the store refused with ${error.code}` };
  }
}

/** Git's hashes leave no room for a file that nobody wrote. */
function treeProblem(files: Files): string | null {
  const isHonest = files.size === honestFiles.size && [...honestFiles].every(([path, text]) => files.get(path) === text);
  return isHonest ? null : 'a ledger was read that nobody wrote';
}

/** "Nothing there" is believed of a host that lists its refs to the end, and of nobody else: it would begin a ledger anew. */
function emptyProblem(input: Input): string | null {
  const body = bytesOf(input, 'body')?.toString('latin1') ?? '';
  const isList = body.startsWith('001e# service=git-upload-pack\n0000') && body.trimEnd().endsWith('0000');
  return isList ? null : 'an answer that lists nothing was taken for an empty ledger';
}

function lieFrom(input: Input): Response {
  const status = Number(bytesOf(input, 'status')?.toString('latin1'));
  const type = (bytesOf(input, 'type')?.toString('latin1') ?? '').replace(/[^\x20-\x7e]/g, '');
  return response(status >= 200 && status <= 599 ? status : 200, type, bytesOf(input, 'body') ?? Buffer.alloc(0));
}

const response = (status: number, type: string, body: Buffer): Response =>
  new Response([204, 205, 304].includes(status) ? null : new Uint8Array(body), {
    status,
    headers: type === '' ? {} : { 'content-type': type },
  });
