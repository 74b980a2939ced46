import type { IncomingMessage, ServerResponse } from 'node:http';
import { wholeBody } from '../git/backend.ts';
import { isMap } from '../kit/json.ts';
import { edited, type Path } from './objects.ts';
import type { Provider } from './providers.ts';
import type { FaultSwitches } from './switches.ts';
import { type FaultName, faults, type Order } from './told.ts';

/** The header by which the page shows that it read this sandbox's own document. No other page can read it. */
export const tokenHeader = 'x-sandbox-token';

export interface Controlled {
  readonly token: string;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly switches: FaultSwitches;
  /** Somebody edited a provider. */
  changed(provider: Provider): void;
  switched(): void;
}

/** Does what the page asks for. Every other caller is refused, and nothing happens. */
export async function control(request: IncomingMessage, response: ServerResponse, o: Controlled): Promise<void> {
  const answer = (status: number, text: string): void => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
  };
  if (request.method !== 'POST') return answer(405, 'Orders are posted.');
  if (request.headers[tokenHeader] !== o.token) return answer(403, 'Only the page of this sandbox gives orders.');
  if (request.headers['content-type'] !== 'application/json') return answer(415, 'An order is JSON.');
  const order = orderIn((await wholeBody(request)).toString('utf8'));
  if (order === null) return answer(400, 'This is no order.');
  if (order.do === 'fault') {
    if (!o.switches.turn(order.place, order.fault, order.on)) return answer(404, `There is no provider ${order.place}.`);
    o.switched();
    return answer(200, 'done');
  }
  const provider = o.providers.get(order.provider);
  const edit = order.do === 'change' ? { field: order.field, value: order.value } : null;
  const state = provider && edited(provider.simulation.dump(), order.path, edit);
  if (!provider || state === null || state === undefined) return answer(404, 'Nothing stands there any more.');
  provider.simulation.restore(state);
  o.changed(provider);
  return answer(200, 'done');
}

function orderIn(text: string): Order | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isMap(value)) return null;
  if (value.do === 'fault') {
    const { place, fault, on } = value;
    const isFault = typeof fault === 'string' && Object.hasOwn(faults, fault);
    return typeof place === 'string' && isFault && typeof on === 'boolean' ? { do: 'fault', place, fault: fault as FaultName, on } : null;
  }
  const { provider, path, field } = value;
  if (typeof provider !== 'string' || !isPath(path)) return null;
  if (value.do === 'remove') return { do: 'remove', provider, path };
  if (value.do !== 'change' || typeof field !== 'string' || !('value' in value)) return null;
  return { do: 'change', provider, path, field, value: value.value };
}

const isPath = (value: unknown): value is Path =>
  Array.isArray(value) && value.length > 0 && value.length < 40 && value.every((key) => typeof key === 'string' || typeof key === 'number');
