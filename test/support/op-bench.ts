import { mount, type Simulation } from 'pilotfish-sandbox/kit/index';
import type { Json } from '../../src/core/json.ts';
import { Redactor } from '../../src/core/redact.ts';
import { createClient } from '../../src/http/client.ts';
import type { Bound, Io, ObjectBound, Params, Readiness, WaitBound } from '../../src/ops/bound.ts';
import type { Adapter, BindContext, Op } from '../../src/ops/op.ts';
import { resolveBlock } from '../../src/ops/provider.ts';
import type { ProviderEntry } from '../../src/plan/types.ts';
import type { Live } from '../../src/remote/live-object.ts';
import { quickClock } from './quick-clock.ts';

/** One adapter at one simulated provider, without engine and ledger: what its ops do by themselves. */
export function openBench(
  adapter: Adapter,
  simulation: Simulation,
  o: { readonly token?: string; readonly settings?: { [key: string]: Json } } = {},
) {
  const token = o.token ?? simulation.tokens.full;
  const variable = adapter.provider.auth && 'bearer_env' in adapter.provider.auth ? adapter.provider.auth.bearer_env : 'NONE';
  const place = { file: 'p.yaml', line: 1, column: 1 };
  const entry: ProviderEntry = { name: adapter.name, place, values: o.settings ?? {}, placeOf: () => place };
  const block = resolveBlock({ name: adapter.name, defaults: adapter.provider, entry, env: {} });
  const notes: string[] = [];
  const signal = new AbortController().signal;
  const client = createClient({
    env: { [variable]: token },
    redactor: new Redactor(),
    clock: quickClock,
    dispatcher: mount([simulation]),
    signal,
  });
  const io: Io = { http: client.api(block), signal, note: (text) => notes.push(text) };
  const bind = (op: string, params: Params, context: Partial<BindContext> = {}): Bound => {
    const found: Op | undefined = adapter.ops[op];
    if (!found) throw new Error(`${adapter.name} has no op ${op}`);
    return found.bind(params, { block, environment: 'preview', scope: 'pr-12', sha: null, branch: null, ...context });
  };
  return {
    io,
    block,
    notes,
    bind,
    object(op: string, params: Params, context: Partial<BindContext> = {}): ObjectBound {
      const bound = bind(op, params, context);
      if (bound.kind !== 'object') throw new Error(`${op} is no object`);
      return bound;
    },
    wait(op: string, params: Params, context: Partial<BindContext> = {}): WaitBound {
      const bound = bind(op, params, context);
      if (bound.kind !== 'wait') throw new Error(`${op} does not wait`);
      return bound;
    },
  };
}

/** Looks until the answer is final, and tells what was waited for on the way. */
export async function settle(look: () => Promise<Readiness>): Promise<{ last: Readiness; waits: readonly string[] }> {
  const waits: string[] = [];
  for (let i = 0; i < 50; i += 1) {
    const last = await look();
    if (last.state !== 'wait') return { last, waits };
    waits.push(last.detail);
  }
  throw new Error(`never ready: ${waits.at(-1)}`);
}

export function readyLive(readiness: Readiness): Live {
  if (readiness.state !== 'ready') throw new Error(`it is ${readiness.state}: ${readiness.detail}`);
  return readiness.live;
}
