import { parseBody, plainType } from './body.ts';
import { type Checks, checkRoutes, type Kind, tokenOfKind } from './checks.ts';
import { aheadOf, type Clock, shifted, systemClock } from './clock.ts';
import { type Fault, Faults } from './faults.ts';
import { publish, Recorder } from './recorder.ts';
import { ConnectionLost, json, Refusal, toResponse } from './reply.ts';
import type { Route } from './router.ts';
import type { Call, Outcome, Reply, Simulation, SimulationOptions, Tokens, Watcher } from './types.ts';

/** What a provider is: its state and how it answers. Faults, recordings and transport are the kit's. */
export interface Definition<S extends object, W> {
  readonly name: string;
  /** Why there is no published description to hold it against; left out where there is one. */
  readonly undescribed?: string;
  readonly origin: string;
  readonly basePath?: string;
  /** Plain data (`structuredClone` must copy it): faults work on copies of it. */
  readonly state: S;
  /** What a blind token sees. */
  readonly blind: () => S;
  readonly world: (state: S) => W;
  readonly routes: readonly Route<S>[];
  /** The credential of a request, `null` when it has none. */
  readonly credential: (call: Call<S>) => string | null;
  /** The provider's own answers to a wrong or missing credential, and to one that may not write. */
  readonly refuseCredential: (call: Call<S>, why: 'missing' | 'wrong' | 'read-only') => Reply;
  /** Turns a credential into the token it stands for (a bearer token that was exchanged); the default is itself. */
  readonly tokenOf?: (credential: string, call: Call<S>) => string | null;
  /** Headers that carry credentials, kept out of recordings. */
  readonly secretHeaders?: readonly string[];
  readonly tokens: Tokens;
  /** What it says of a credential itself, and further kinds of them. */
  readonly checks?: Checks;
}

export interface Kit {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly tokens: Tokens;
}

/** Another person's token, with the same rights. */
export const secondOf = (full: string): string => `${full}zz`;

/** What a simulation needs before its routes can be written: clock, faults, tokens. */
export function makeKit(name: string, options: SimulationOptions = {}): Kit {
  return {
    clock: shifted(options.clock ?? systemClock, options.ahead ?? options.clock?.ahead ?? aheadOf(name)),
    faults: new Faults(),
    tokens: {
      full: options.tokens?.full ?? `${name}-token-full-0123456789abcdef`,
      readOnly: options.tokens?.readOnly ?? `${name}-token-readonly-0123456789`,
      blind: options.tokens?.blind ?? `${name}-token-blind-0123456789ab`,
    },
  };
}

/** A state that ended with a write. */
interface Older<S> {
  readonly until: number;
  readonly state: S;
}

/** Makes a provider of its definition. Routes run in one turn: two requests never see each other's half-made change. */
export function simulate<S extends object, W>(kit: Kit, definition: Definition<S, W>): Simulation<W> {
  const { name, origin, state, checks = {} } = definition;
  const asks = checkRoutes<S>(checks);
  const routes = [...definition.routes, ...asks.keys()];
  const others = Object.fromEntries(Object.keys(checks.others ?? {}).map((kind) => [kind, tokenOfKind(name, kind)]));
  const { clock, faults } = kit;
  const whose = { provider: name, origin, ...(definition.undescribed !== undefined && { undescribed: definition.undescribed }) };
  const recorder = new Recorder(definition.secretHeaders ?? []);
  const unhandled: string[] = [];
  const watchers = new Set<Watcher>();
  const older: Older<S>[] = [];
  const later: { left: number; readonly due: number; readonly act: () => void }[] = [];

  async function handle(request: Request, signed: Request = request): Promise<Response> {
    const url = new URL(request.url);
    const parsed = await parseBody(await request.arrayBuffer(), request.headers.get('content-type') ?? '');
    const seen = { method: request.method, path: url.pathname, query: url.searchParams, ...parsed };
    const asSigned = signed === request ? null : await signedParts(signed);
    const found = find(routes, seen);
    if (!found) {
      // Remembered, because a client may well take the 501 for a provider's.
      unhandled.push(`${name}: ${request.method} ${url.pathname}${url.search}`);
      publish(recorder.exchangeOf({ ...seen, headers: request.headers }, null, whose, true));
      return toResponse(json(501, { error: `the ${name} simulation does not serve ${request.method} ${url.pathname}` }));
    }
    const { route, params } = found;
    const asTold = typeof route.write === 'function' ? route.write(seen) : route.write;
    const write = asTold ?? !['GET', 'HEAD'].includes(request.method);
    const about = { simulation: name, method: request.method, path: url.pathname, write };
    const tell = async (phase: 'before' | 'after'): Promise<void> => {
      for (const watcher of watchers) await watcher({ phase, ...about });
    };
    const call = (on: S): Call<S> => ({
      ...seen,
      params,
      headers: request.headers,
      contentType: plainType(request.headers.get('content-type') ?? ''),
      state: on,
      now: clock.now(),
      credential: '',
    });

    const { delay, fault } = faults.take(seen, write);
    if (delay > 0) await clock.sleep(delay, request.signal);
    await tell('before');
    const note = (outcome: Outcome, reply: Reply | null): void => {
      const at = clock.now();
      publish(recorder.add({ ...seen, headers: request.headers, write, outcome, at }, reply, whose));
    };
    if (fault?.kind === 'loseRequest') {
      note('request lost', null);
      throw new ConnectionLost('before');
    }
    if (fault?.kind === 'hang') {
      note('hung', null);
      return await never(request.signal);
    }
    if (fault?.kind === 'answer') {
      note('injected', fault.reply);
      await tell('after');
      return toResponse(dated(fault.reply));
    }
    for (const one of later.splice(0)) {
      if (one.left > 0 || one.due > clock.now()) later.push({ ...one, left: Math.max(0, one.left - 1) });
      else one.act();
    }
    const then = thenOf(fault);
    const reply = attempt(route, call, fault, write, { then, asSigned });
    note(fault?.kind === 'lags' && then ? 'stale' : outcomeOf(fault), reply);
    await tell('after');
    if (fault?.kind === 'loseAnswer') throw new ConnectionLost('after');
    return toResponse(dated(reply), fault?.kind === 'cutAnswer');
  }

  /** Every answer tells the provider's own time, as servers do. */
  function dated(reply: Reply): Reply {
    return { ...reply, headers: { date: new Date(clock.now()).toUTCString(), ...reply.headers } };
  }

  /** A defect of the simulation must not look like a weak network. */
  function attempt(...given: Parameters<typeof answer>): Reply {
    try {
      return answer(...given);
    } catch (thrown) {
      unhandled.push(`${name}: ${given[0].method} ${given[0].pattern} threw ${String(thrown)}`);
      throw thrown;
    }
  }

  /** The credential, then the route, on the state that the token and the fault let it see. */
  function answer(route: Route<S>, call: (on: S) => Call<S>, fault: Fault | null, write: boolean, { then, asSigned }: Seeing<S>): Reply {
    const first = call(state);
    const judged = { ...first, ...asSigned };
    const credential = route.open ? '' : (definition.credential(judged) ?? '');
    const kind = route.open ? 'full' : kindOf(credential, judged);
    const ask = asks.get(route);
    if (ask) return ask(kind, first) ?? definition.refuseCredential(first, kind === 'missing' ? 'missing' : 'wrong');
    const why = kind === 'missing' || kind === 'wrong' ? kind : null;
    if (why !== null) return definition.refuseCredential(first, why);
    const refusal = checks.others?.[kind]?.(first) ?? null;
    if (refusal) return refusal;
    if (write && kind === 'readOnly') return definition.refuseCredential(first, 'read-only');
    if (kind === 'blind') return serve(route, { ...call(definition.blind()), credential });
    if (fault?.kind === 'dropWrite') return serve(route, { ...call(structuredClone(state)), credential });
    if (fault?.kind === 'later' || fault?.kind === 'late') {
      const reply = serve(route, { ...call(structuredClone(state)), credential });
      const when = fault.kind === 'late' ? { left: 0, due: first.now + fault.ms } : { left: fault.requests, due: 0 };
      // What is refused is refused at once.
      if (reply.status < 400) later.push({ ...when, act: () => void serve(route, { ...call(state), credential }) });
      return reply;
    }
    if (then) return serve(route, { ...call(structuredClone(then)), credential });
    const { statesToKeep, timeToKeep } = faults;
    if (write && (statesToKeep > 0 || timeToKeep > 0)) older.push({ until: clock.now(), state: structuredClone(state) });
    while (older.length > statesToKeep && (older[0]?.until ?? 0) <= clock.now() - timeToKeep) older.shift();
    return serve(route, { ...first, credential });
  }

  /** What a late read sees; `null` where that is what is there now. */
  function thenOf(fault: Fault | null): S | null {
    if (fault?.kind === 'staleRead') return older[Math.max(0, older.length - fault.writes)]?.state ?? null;
    if (fault?.kind === 'lags') return older.find(({ until }) => until > clock.now() - fault.ms)?.state ?? null;
    return null;
  }

  function kindOf(credential: string, call: Call<S>): Kind {
    if (credential === '') return 'missing';
    const known = definition.tokenOf ? definition.tokenOf(credential, call) : credential;
    if (known === secondOf(kit.tokens.full)) return 'full';
    const kinds = Object.entries({ ...kit.tokens, ...others });
    return kinds.find(([, token]) => token === known)?.[0] ?? 'wrong';
  }

  return {
    name,
    origin,
    basePath: definition.basePath ?? '',
    handle,
    serves: (method, path) => find(routes, { method, path }) !== null,
    world: definition.world(state),
    dump: () => structuredClone(state),
    restore: (kept) => {
      for (const name of Object.keys(state)) Reflect.deleteProperty(state, name);
      Object.assign(state, structuredClone(kept));
    },
    faults,
    tokens: kit.tokens,
    others,
    log: recorder.log,
    exchanges: recorder.exchanges,
    unhandled,
    writes: (since = 0) => recorder.log.slice(since).filter(({ write }) => write),
    forget: () => recorder.forget(),
    watch: (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

function find<S>(routes: readonly Route<S>[], { method, path }: { readonly method: string; readonly path: string }) {
  for (const route of routes) {
    const params = route.method === method ? route.match(path) : null;
    if (params) return { route, params };
  }
  return null;
}

function serve<S>(route: Route<S>, call: Call<S>): Reply {
  try {
    return route.serve(call);
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.reply;
    throw thrown;
  }
}

function outcomeOf(fault: Fault | null): Outcome {
  switch (fault?.kind) {
    case 'loseAnswer':
      return 'answer lost';
    case 'cutAnswer':
      return 'answer cut';
    case 'dropWrite':
      return 'write dropped';
    case 'staleRead':
      return 'stale';
    default:
      return 'answered';
  }
}

/** What a signature is made over, where somebody between the client and the provider wrote the request anew. */
/** What a request is answered by: an older state, and the parts that its credential was made for, where a test changed them. */
interface Seeing<S> {
  readonly then: S | null;
  readonly asSigned: SignedParts | null;
}

type SignedParts = Pick<Call<unknown>, 'path' | 'query' | 'text' | 'body'>;

async function signedParts(request: Request): Promise<SignedParts> {
  const { pathname, searchParams } = new URL(request.url);
  return {
    path: pathname,
    query: searchParams,
    ...(await parseBody(await request.arrayBuffer(), request.headers.get('content-type') ?? '')),
  };
}

/** Pending until the client gives up. */
function never(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const giveUp = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
}
