import {
  bearerOf,
  Ids,
  json,
  makeKit,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from 'pilotfish-sandbox/kit/index';
import { isMap } from '../../../src/core/json.ts';

/** `mark` is kept and never shown. */
export interface Berth {
  readonly id: string;
  readonly name: string;
  [field: string]: unknown;
}

/** An office of the harbor: one list, one text with commas and one map. */
export interface Office {
  origins: string[];
  domains: string;
  settings: Record<string, unknown>;
}

export interface HarborWorld {
  readonly berths: () => readonly Berth[];
  readonly notices: readonly unknown[];
  readonly office: Office;
  addBerth(berth: Readonly<Record<string, unknown>> & { readonly name: string }): Berth;
  removeBerth(name: string): void;
}

interface HarborState {
  berths: Berth[];
  notices: object[];
  office: Office;
}

/** An API that has no recipe, as plain as they come: it takes two berths of one name, and knows no idempotency key. */
export function harbor(options: SimulationOptions = {}): Simulation<HarborWorld> {
  const kit = makeKit('harbor', options);
  const ids = new Ids('harbor');
  const state: HarborState = { berths: [], notices: [], office: { origins: [], domains: '', settings: {} } };
  const add = (on: HarborState, berth: Readonly<Record<string, unknown>>): Berth => {
    const made: Berth = { ...berth, name: String(berth.name), id: `berth-${ids.next()}` };
    on.berths.push(made);
    return made;
  };
  const remove = (on: HarborState, is: (berth: Berth) => boolean): boolean => {
    const left = on.berths.filter((berth) => !is(berth));
    const isGone = left.length < on.berths.length;
    on.berths = left;
    return isGone;
  };
  const shown = ({ mark: _, ...berth }: Berth): object => berth;
  const missing = refuse(404, { error: 'no such thing' });
  const membersOf = (body: unknown): Readonly<Record<string, unknown>> => {
    if (!isMap(body)) throw refuse(400, { error: 'a map is wanted' });
    return body;
  };
  return simulate<HarborState, HarborWorld>(kit, {
    name: 'harbor',
    origin: 'https://harbor.example',
    basePath: '/v1',
    state,
    blind: () => ({ berths: [], notices: [], office: { origins: [], domains: '', settings: {} } }),
    world: (on) => ({
      berths: () => on.berths,
      notices: on.notices,
      office: on.office,
      addBerth: (berth) => add(on, berth),
      removeBerth: (name) => void remove(on, (berth) => berth.name === name),
    }),
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: (_call, why) => json(why === 'read-only' ? 403 : 401, { error: `the token is ${why}` }),
    routes: [
      route('GET', '/v1/berths', (call) => json(200, { items: call.state.berths.map(shown) })),
      route('POST', '/v1/berths', (call) => json(201, shown(add(call.state, membersOf(call.body))))),
      route('PATCH', '/v1/berths/{id}', (call) => {
        const berth = call.state.berths.find(({ id }) => id === call.params.id);
        if (!berth) throw missing;
        return json(200, shown(Object.assign(berth, membersOf(call.body))));
      }),
      route('DELETE', '/v1/berths/{id}', (call) => {
        if (!remove(call.state, ({ id }) => id === call.params.id)) throw missing;
        return json(200, {});
      }),
      route('GET', '/v1/office', (call) => json(200, call.state.office)),
      route('PATCH', '/v1/office', (call) => json(200, patch(call.state.office, membersOf(call.body)))),
      route('POST', '/v1/notices', (call) => {
        const notice = { ...membersOf(call.body), id: `notice-${ids.next()}` };
        call.state.notices.push(notice);
        return json(201, notice);
      }),
    ],
  });
}

/** A merge patch (RFC 7396): `null` takes away, maps are merged, everything else is replaced. */
function patch<T extends object>(target: T, change: Readonly<Record<string, unknown>>): T {
  for (const [name, value] of Object.entries(change)) {
    const before: unknown = Reflect.get(target, name);
    if (value === null) Reflect.deleteProperty(target, name);
    else Reflect.set(target, name, isMap(value) ? patch(isMap(before) ? before : {}, value) : value);
  }
  return target;
}
