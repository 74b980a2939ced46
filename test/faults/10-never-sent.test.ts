import { createWorld, seed } from 'pilotfish-sandbox/all';
import { railway } from 'pilotfish-sandbox/railway';
import { Agent, type buildConnector, Dispatcher } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { LeapingClock } from '../support/leaping-clock.ts';
import { MemoryRemote } from '../support/memory-store.ts';
import { openStage } from '../support/stage.ts';

type Dispatch = (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => boolean;

/** Passes what does not match on to the providers; `fault` takes the rest. */
class Wire extends Dispatcher {
  readonly #providers: Dispatcher;
  fault: { readonly takes: (options: Dispatcher.DispatchOptions) => boolean; readonly dispatch: Dispatch } | null = null;
  taken = 0;

  constructor(providers: Dispatcher) {
    super();
    this.#providers = providers;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (!this.fault?.takes(options)) return this.#providers.dispatch(options, handler);
    this.taken += 1;
    return this.fault.dispatch(options, handler);
  }
}

/** undici itself, whose connections fail like this. */
const unconnected =
  (error: Error & { code?: string }): Dispatch =>
  (options, handler) => {
    const connect: buildConnector.connector = (_, callback) => void setImmediate(() => callback(error, null));
    return new Agent({ allowH2: false, connect }).dispatch(options, handler);
  };
const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

/** undici itself, given a request that it refuses to write. */
const withHeader =
  (...header: readonly [string, string]): Dispatch =>
  (options, handler) =>
    new Agent({ allowH2: false, connect: () => expect.unreachable('a connection was opened') }).dispatch(
      { ...options, headers: [...(options.headers as string[]), ...header] },
      handler,
    );

const neverSent: readonly (readonly [string, Dispatch, code: string, detail: string])[] = [
  ['a header that undici refuses', withHeader('transfer-encoding', 'chunked'), 'PARAM_INVALID', 'transfer-encoding'],
  ['a header that undici does not support', withHeader('expect', '100-continue'), 'PARAM_INVALID', 'expect'],
  ['a value with a control character', withHeader('x-note', 'a\u0001b'), 'PARAM_INVALID', 'x-note'],
  [
    'a path that undici refuses',
    (options, handler) => new Agent().dispatch({ ...options, path: '/a b' }, handler),
    'PARAM_INVALID',
    'invalid request path',
  ],
  ['a refused connection', unconnected(coded('ECONNREFUSED', { syscall: 'connect' })), 'PROVIDER_TRANSIENT', 'the connection was refused'],
  ['a host name that does not exist', unconnected(coded('ENOTFOUND')), 'PROVIDER_TRANSIENT', 'host name does not exist'],
  ['a name server that is down', unconnected(coded('EAI_AGAIN')), 'PROVIDER_TRANSIENT', 'the look-up of its host name failed'],
  ['a name server that fails otherwise', unconnected(coded('ESERVFAIL')), 'PROVIDER_TRANSIENT', 'the connection failed (ESERVFAIL)'],
  ['a connection that is not made in time', unconnected(coded('UND_ERR_CONNECT_TIMEOUT')), 'PROVIDER_TRANSIENT', 'in time'],
  ['a reset while TLS begins', unconnected(coded('ECONNRESET')), 'PROVIDER_TRANSIENT', 'the connection failed (ECONNRESET)'],
  ['a certificate that nobody trusts', unconnected(coded('SELF_SIGNED_CERT_IN_CHAIN')), 'PROVIDER_TRANSIENT', 'no trusted connection'],
  ['a certificate of another name', unconnected(coded('ERR_TLS_CERT_ALTNAME_INVALID')), 'PROVIDER_TRANSIENT', 'no trusted connection'],
  [
    'a proxy that refuses the tunnel',
    unconnected(Object.assign(new Error('Proxy response (403) !== 200 when HTTP Tunneling'), { code: 'UND_ERR_ABORTED' })),
    'PROVIDER_TRANSIENT',
    'the proxy refused the connection with 403',
  ],
  [
    'a client that is closed',
    (options, handler) => {
      const agent = new Agent();
      void agent.close();
      return agent.dispatch(options, handler);
    },
    'PROVIDER_TRANSIENT',
    'the connection failed (UND_ERR_CLOSED)',
  ],
  ['an error without a code', unconnected(new Error('no idea')), 'PROVIDER_TRANSIENT', 'the connection failed'],
];

/** The same errors once the request was being written, and those that come only then. */
const cut = (error: Error): Dispatch => {
  return (_, handler) => {
    const controller = { aborted: false, paused: false, reason: null, rawHeaders: [], abort: () => {}, pause: () => {}, resume: () => {} };
    handler.onRequestStart?.(controller, null);
    setImmediate(() => handler.onResponseError?.(controller, error));
    return true;
  };
};

const maySent = [
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_DESTROYED',
  'ERR_SSL_SSLV3_ALERT',
  'EPROTO',
  'ECONNREFUSED',
  'ENOTFOUND',
  'X',
];

const dns = (target: string) => ({
  id: 'dns',
  recipe: 'cloudflare.dns_cname',
  zone_id: seed.zone.id,
  name: `pr-12.${seed.zone.name}`,
  target,
});
const variable = (value: string) => ({
  id: 'railway',
  recipe: 'railway.variable',
  project_id: 'p-1',
  environment_id: 'e-1',
  service_id: 's-1',
  name: 'API_URL',
  value,
});
const deploy = (revision: string) => ({ id: 'deploy', recipe: 'rollbar.deploy', environment: 'pr-12', revision });
const callback = { id: 'callback', recipe: 'auth0.callback_url', client_id: seed.auth0Client, url: 'https://pr-12.acme.example/callback' };
const envs = ['ONE', 'TWO', 'SIX'].map((key) => ({
  id: key.toLowerCase(),
  adapter: 'vercel',
  op: 'env',
  project: 'shop',
  key,
  value: `${key} of the preview`,
  git_branch: 'feature',
}));

type Stand = Awaited<ReturnType<typeof open>>;

interface Kind {
  readonly before?: readonly object[];
  readonly lines: readonly object[];
  readonly destroy?: true;
  /** What stands at the provider. */
  readonly there: (stand: Stand) => unknown;
}

const records = ({ world }: Stand) => world.cloudflare.world.records(seed.zone.id).map(({ content }) => content);

const kinds: { readonly [name: string]: Kind } = {
  create: { lines: [dns('a.acme.example')], there: records },
  update: { before: [dns('a.acme.example')], lines: [dns('b.acme.example')], there: records },
  delete: { before: [dns('a.acme.example')], lines: [dns('a.acme.example')], destroy: true, there: records },
  'list write': { lines: [callback], there: ({ world }) => world.auth0.world.client(seed.auth0Client).callbacks },
  'list removal': {
    before: [callback],
    lines: [callback],
    destroy: true,
    there: ({ world }) => world.auth0.world.client(seed.auth0Client).callbacks,
  },
  bulk: { lines: envs, there: ({ world }) => envs.map(({ key }) => world.vercel.world.env(key, { gitBranch: 'feature' })?.value) },
  GraphQL: { lines: [variable('https://a.example')], there: ({ rail }) => rail.world.variables('e-1', 's-1') },
  action: { lines: [deploy('4f2a91c')], there: ({ world }) => world.rollbar.world.deploys.length },
};

const planOf = (changes: readonly object[]): string => JSON.stringify({ version: 1, changes });

let close: (() => Promise<void>) | null = null;
afterEach(async () => {
  await close?.();
  close = null;
});

async function open(lines: readonly object[], env: Readonly<Record<string, string>> = {}) {
  const clock = new LeapingClock();
  const world = createWorld({ clock });
  world.vercel.world.addBranch('feature');
  const rail = railway();
  rail.world.addEnvironment('p-1', 'e-1', 's-1');
  const remote = new MemoryRemote();
  let wire: Wire | null = null;
  const stage = await openStage({
    simulations: [...world.simulations, rail],
    env: {
      ...world.credentials,
      RAILWAY_API_TOKEN: rail.tokens.full,
      AUTH0_API_URL: 'https://acme.eu.auth0.com/api/v2',
      PILOTFISH_REQUEST_DEADLINE_MS: '30000',
      PILOTFISH_LEASE_MS: '120000',
      ...env,
    },
    plan: planOf(lines),
    clock,
    store: () => remote.open(),
    wire: (providers) => {
      wire = new Wire(providers);
      return wire;
    },
  });
  close = stage.close;
  if (wire === null) throw new Error('the stage was opened without a wire');
  const timed = async <T>(act: () => Promise<T>): Promise<{ doc: T; ms: number }> => {
    const began = clock.mono();
    const doc = await act();
    return { doc, ms: clock.mono() - began };
  };
  return { ...stage, wire: wire as Wire, world, rail, clock, timed };
}

/** A write, not the reads around it: GraphQL reads by POST, and so does whoever asks for a token. */
const isWrite = ({ method, path, body }: Dispatcher.DispatchOptions): boolean =>
  method !== 'GET' && !path.endsWith('/oauth/token') && !(path.includes('graphql') && !String(body).includes('mutation'));

const run = (stand: Stand, { destroy }: Kind) => (destroy ? stand.destroy() : stand.apply());

/** The kind's world as it was before, with the next write in the hands of the fault. */
async function stage(kind: Kind, dispatch: Dispatch): Promise<Stand> {
  const stand = await open(kind.before ?? kind.lines);
  if (kind.before) {
    expect(await stand.apply()).toMatchObject({ status: 'complete' });
    await stand.write(planOf(kind.lines));
  }
  stand.wire.fault = { takes: isWrite, dispatch };
  return stand;
}

describe('a request of which no byte left this machine', () => {
  const table = Object.keys(kinds).flatMap((name) => neverSent.map(([fault, ...rest]) => [name, fault, ...rest] as const));

  it.each(table)('of a %s, for %s, is told as never sent and waited for by nobody', async (name, _, dispatch, code, detail) => {
    const kind = kinds[name] as Kind;
    const stand = await stage(kind, dispatch);
    const stood = JSON.stringify(kind.there(stand));
    const { doc, ms } = await stand.timed(() => run(stand, kind));
    expect(stand.wire.taken).toBeGreaterThan(0);
    expect(doc.ok).toBe(false);
    for (const { error } of doc.lines) {
      expect(error).toMatchObject({ code, detail: expect.stringContaining(detail) });
      expect(error?.detail).not.toContain('may have taken effect');
    }
    // The repeats of what was never sent take some seconds; the deadline of a request that may land is thirty.
    expect(ms).toBeLessThan(15_000);
    expect(JSON.stringify(kind.there(stand))).toBe(stood);
    const ledger = await stand.ledger();
    expect(ledger.intents.size).toBe(0);
    // The next run has nothing to wait out, and does what this one could not.
    stand.wire.fault = null;
    const next = await stand.timed(() => run(stand, kind));
    expect(next.doc).toMatchObject({ status: 'complete' });
    expect(next.ms).toBeLessThan(15_000);
    expect(JSON.stringify(kind.there(stand))).not.toBe(stood);
  });
});

describe('a request of which a byte may have left', () => {
  const table = ['create', 'list write', 'GraphQL', 'action', 'update', 'delete'].flatMap((name) =>
    maySent.map((code) => [name, code] as const),
  );

  it.each(table)('of a %s that ends with %s may have taken effect, whatever the error is called', async (name, code) => {
    const kind = kinds[name] as Kind;
    const stand = await stage(kind, cut(coded(code)));
    const { doc, ms } = await stand.timed(() => run(stand, kind));
    expect(doc.ok).toBe(false);
    expect(doc.lines.map(({ error }) => error?.detail).join()).toContain('may have taken effect');
    stand.wire.fault = null;
    const next = await stand.timed(() => run(stand, kind));
    // In this run or at the start of the next, the deadline passes before anything is written again.
    expect(ms + next.ms).toBeGreaterThanOrEqual(29_000);
    expect(next.doc).toMatchObject({ status: 'complete' });
  });
});

it('a write whose run ends while its connection is still being made was never sent: its intent is withdrawn', async () => {
  const stand = await open([dns('a.acme.example')]);
  const stop = new AbortController();
  stand.wire.fault = {
    takes: isWrite,
    dispatch: (options, handler) => {
      setImmediate(() => stop.abort(new Error('SIGTERM')));
      // A connector that never calls back: the request waits for its connection for good.
      return new Agent({ allowH2: false, connect: () => undefined }).dispatch(options, handler);
    },
  };
  const doc = await stand.apply({}, undefined, stop.signal);
  expect(doc.status).toBe('interrupted');
  expect((await stand.ledger()).intents.size).toBe(0);
  stand.wire.fault = null;
  const next = await stand.timed(() => stand.apply());
  expect(next.doc).toMatchObject({ status: 'complete' });
  expect(next.ms).toBeLessThan(15_000);
});

it('a create whose token cannot be had is never sent, so nothing is looked for and its intent is withdrawn', async () => {
  const database = {
    id: 'rule',
    adapter: 'http',
    op: 'resource',
    api: 'idp',
    find: { path: '/clients', list_path: '', match: { '/name': 'pr-12' } },
    create: { path: '/clients', body: { name: 'pr-12' } },
    delete: { path: '/clients/{id}' },
    id_path: '/client_id',
    fields: {},
  };
  const auth = { oauth_client_credentials: { client_id_env: 'AUTH0_CLIENT_ID', client_secret_env: 'AUTH0_CLIENT_SECRET' } };
  const stand = await open([database]);
  await stand.write(
    JSON.stringify({
      version: 1,
      providers: { http: { idp: { base_url: 'https://acme.eu.auth0.com/api/v2', auth } } },
      changes: [database],
    }),
  );
  let looks = 0;
  stand.wire.fault = {
    takes: ({ method, path }) => {
      if (method === 'GET' && path.includes('/clients')) looks += 1;
      return path.endsWith('/oauth/token') || path.includes('/clients');
    },
    dispatch: ({ path, method }, handler) => {
      const controller = {
        aborted: false,
        paused: false,
        reason: null,
        rawHeaders: [],
        abort: () => {},
        pause: () => {},
        resume: () => {},
      };
      handler.onRequestStart?.(controller, null);
      const isToken = path.endsWith('/oauth/token');
      // The token serves the look, has ended when the create is to be sent, and no other is to be had.
      const status = isToken ? (looks === 0 ? 200 : 503) : method === 'GET' ? 200 : 401;
      const body = isToken ? (looks === 0 ? { access_token: 'token-of-the-look', token_type: 'Bearer', expires_in: 1 } : {}) : [];
      handler.onResponseStart?.(controller, status, { 'content-type': 'application/json' }, '');
      handler.onResponseData?.(controller, Buffer.from(JSON.stringify(body)));
      handler.onResponseEnd?.(controller, {});
      return true;
    },
  };
  const doc = await stand.apply();
  expect(doc.ok).toBe(false);
  expect(doc.error?.detail).toContain('503');
  expect(doc.error?.detail).toContain('/oauth/token');
  expect((await stand.ledger()).intents.size).toBe(0);
});
