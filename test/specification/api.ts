import '../support/own-facts.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { HttpResponse, http } from 'msw';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { type ErrorData, Failures, toErrorData } from '../../src/core/errors.ts';
import type { ApplyDoc, PlanDoc } from '../../src/engine/document.ts';
import { runApply, runPlan } from '../../src/engine/run.ts';
import type { RunRequest } from '../../src/engine/types.ts';
import type { LedgerState } from '../../src/ledger/model/facts.ts';
import { parseState } from '../../src/ledger/model/state.ts';
import { openLocalStore } from '../../src/ledger/stores/local/local-store.ts';
import { runRequest } from '../support/run-request.ts';
import { mswDispatcher } from '../support/via-msw.ts';

/** One request as the API received it. */
export interface Seen {
  readonly method: string;
  readonly host: string;
  /** Path with its query, as sent. */
  readonly path: string;
  readonly headers: Headers;
  readonly text: string;
  /** JSON where the text is JSON, else the text; null without a body. */
  readonly body: unknown;
}

export interface Reply {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
}

type Fields = { [field: string]: unknown };

/** What the API holds: objects by id, and parents of collections by name. */
export interface Shelf {
  readonly things: Map<string, Fields>;
  readonly boxes: Map<string, Fields>;
}

export interface ApiOptions {
  /** Lines of the plan, as data; or the text of the plan. */
  readonly lines: readonly Fields[] | string;
  /** Members of the block `providers.http.acme`, beside or instead of the usual ones. */
  readonly block?: Fields;
  /** Other blocks of `providers.http`. */
  readonly blocks?: Fields;
  readonly env?: NodeJS.ProcessEnv;
  /** Plays the API; `null` leaves the request to the shelf. */
  readonly answer?: (seen: Seen, shelf: Shelf) => Reply | null;
  /** Where the order of what waits matters; without it pauses take no time. */
  readonly clock?: Clock;
}

export type Outcome = { readonly doc: ApplyDoc | PlanDoc | null; readonly errors: readonly ErrorData[] };

/** An API that pilotfish knows nothing of, and whole runs against it. Waiting takes no time. */
export async function openApi(options: ApiOptions) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pilotfish-spec-'));
  const shelf: Shelf = { things: new Map(), boxes: new Map() };
  const seen: Seen[] = [];
  let count = 0;
  const nextId = (): string => {
    count += 1;
    return `t${count}`;
  };
  const answerOf = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const text = await request.text();
    const one: Seen = {
      method: request.method,
      host: url.host,
      path: `${url.pathname}${url.search}`,
      headers: request.headers,
      text,
      body: parsed(text),
    };
    seen.push(one);
    const reply = options.answer?.(one, shelf) ?? fromShelf(one, shelf, nextId);
    const { status = 200, body, headers = {} } = reply;
    if (typeof body === 'string') return new HttpResponse(body, { status, headers: { 'content-type': 'text/plain', ...headers } });
    return body === undefined ? new HttpResponse(null, { status, headers }) : HttpResponse.json(body as Fields, { status, headers });
  };
  const dispatcher = mswDispatcher([http.all('*', ({ request }) => answerOf(request))]);
  const write = (
    lines: readonly Fields[] | string,
    block: Fields = options.block ?? {},
    blocks: Fields = options.blocks ?? {},
  ): Promise<void> => {
    const file = path.join(folder, 'release.plan.yaml');
    if (typeof lines === 'string') return writeFile(file, lines);
    const acme = { base_url: 'https://api.acme.example', auth: { bearer_env: 'ACME_TOKEN' }, ...block };
    const providers = JSON.stringify({ http: { acme, ...blocks } });
    const changes = lines.map((line) => `  - ${JSON.stringify(line)}`).join('\n');
    return writeFile(file, `version: 1\nproviders: ${providers}\nchanges:\n${changes}\n`);
  };
  await write(options.lines);
  const store = () => openLocalStore({ folder: path.join(folder, 'ledger') });
  const env = { ACME_TOKEN: 'token-of-acme-1', ...options.env };
  const request = (change: Partial<RunRequest>): RunRequest => runRequest(folder, env, { pr: 12, branch: 'feature/x', ...change });
  const outcome = async (run: typeof runApply | typeof runPlan, change: Partial<RunRequest>): Promise<Outcome> => {
    try {
      const doc = await run(request(change), { dispatcher, store: store(), repository: null, clock: options.clock ?? impatient });
      const own = doc.error ? [doc.error] : [];
      return { doc, errors: [...own, ...doc.lines.flatMap((line) => (line.error ? [line.error] : []))] };
    } catch (thrown) {
      return { doc: null, errors: thrown instanceof Failures ? thrown.failures.map((one) => one.toData()) : [toErrorData(thrown)] };
    }
  };
  return {
    shelf,
    seen,
    folder,
    write,
    /** Method and path of what was sent since the last call. */
    sent: (): readonly string[] => seen.splice(0).map((one) => `${one.method} ${one.path}`),
    plan: (change: Partial<RunRequest> = {}) => outcome(runPlan, change),
    apply: (change: Partial<RunRequest> = {}) => outcome(runApply, change),
    destroy: (change: Partial<RunRequest> = {}) => outcome(runApply, { destroy: true, ...change }),
    ledger: async (): Promise<LedgerState> => {
      const tree = await store().read('pilotfish-receipts/preview/pr-12');
      return parseState(tree?.files ?? new Map(), 'ledger');
    },
    /** The commit that the ledger is at. */
    head: async (): Promise<string> => (await store().head('pilotfish-receipts/preview/pr-12')) ?? '',
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

export type Api = Awaited<ReturnType<typeof openApi>>;

/** Pauses take no time; what guards a request or a program (30 s and more) takes its own. */
const impatient: Clock = {
  ...systemClock,
  sleep: (ms, signal) => (ms < 20_000 ? new Promise((resolve) => setImmediate(resolve)) : systemClock.sleep(ms, signal)),
};

function parsed(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function fromShelf(seen: Seen, { things, boxes }: Shelf, nextId: () => string): Reply {
  const [, kind = '', id] = (seen.path.split('?')[0] ?? '').split('/').map(decodeURIComponent);
  const given = typeof seen.body === 'object' && seen.body !== null ? (seen.body as Fields) : {};
  if (kind === 'boxes' && id !== undefined) {
    if (seen.method === 'GET') return boxes.has(id) ? { body: boxes.get(id) } : { status: 404, body: { error: 'no such box' } };
    if (seen.method === 'DELETE') return boxes.delete(id) ? { status: 204 } : { status: 404 };
    boxes.set(id, seen.method === 'PUT' ? given : { ...boxes.get(id), ...given });
    return { body: boxes.get(id) };
  }
  if (kind !== 'things') return { status: 404, body: { error: 'no such path' } };
  if (id === undefined) {
    if (seen.method === 'GET') return { body: { items: [...things.values()] } };
    const made = { id: nextId(), ...given };
    things.set(made.id, made);
    return { status: 201, body: made };
  }
  const there = things.get(id);
  if (!there && seen.method !== 'PUT') return { status: 404, body: { error: 'no such thing' } };
  if (seen.method === 'GET') return { body: there };
  if (seen.method === 'DELETE') return things.delete(id) ? { status: 204 } : { status: 404 };
  const next = { ...(seen.method === 'PUT' ? { id } : there), ...given };
  things.set(id, next);
  return { body: next };
}
