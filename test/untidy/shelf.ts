import {
  bearerOf,
  type Call,
  empty,
  Ids,
  json,
  makeKit,
  type Reply,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from 'pilotfish-sandbox/kit/index';

export type Thing = { readonly [member: string]: unknown };
export type Kept = {
  readonly id: string;
  readonly made: number;
  readonly changed: number;
  /** When it was made, also by a person in the console. */
  readonly born: number;
  before: Thing | null;
  thing: Thing;
};
export interface State {
  things: Kept[];
}

/** How a provider differs from one that keeps and shows what it is sent. */
export interface Manners {
  /** The thing that it keeps of what it was sent. `before`: of an update. */
  readonly keeps?: (thing: Thing, before: Thing | null) => Thing;
  /** Its answers to writes show what was sent, and not what is kept. */
  readonly echoes?: boolean;
  /** Milliseconds by which lists lag behind creates. */
  readonly listLags?: number;
  /** Milliseconds after a write in which a thing's own path shows what stood before. */
  readonly readLags?: number;
  /** A page never has more entries, whatever `size` asks for. */
  readonly cap?: number;
  /** The id that a thing gets of one that was chosen. */
  readonly idOf?: (chosen: string) => string;
  /** The id as lists show it. */
  readonly listedId?: (id: string) => string;
  /** A deleted thing stays in lists with this mark. */
  readonly deletedMark?: string;
  /** What an answer to such a request shows of when the thing was made, and `undefined` where it shows nothing of that. */
  readonly dates?: (request: 'create' | 'update' | 'read' | 'list', thing: Pick<Kept, 'born' | 'changed'>) => unknown;
  /** One thing stands twice in each list. */
  readonly doubles?: boolean;
}

export interface ShelfWorld {
  readonly things: () => readonly Thing[];
  /** What a person makes in the console, under an id of the person's choice where there is one. */
  add(thing: Thing, chosen?: string): string;
  /** What a person changes in the console: kept as it is. */
  edit(id: string, change: Thing): void;
  remove(id: string): void;
  /** How many things were ever made by requests. */
  readonly made: () => number;
}

/** Things of a provider that no vendor has: it has each of the bad manners that providers are known for. */
export function shelf(
  manners: Manners,
  { start = [], ...options }: SimulationOptions & { readonly start?: Kept[] } = {},
): Simulation<ShelfWorld> {
  const kit = makeKit('shelf', options);
  const ids = new Ids('shelf');
  const { keeps = (thing) => thing, cap = 1_000, listLags = 0, readLags = 0, idOf = (id) => id, listedId = (id) => id } = manners;
  let made = 0;
  const now = (): number => kit.clock.now();
  const shown = ({ id, thing }: Pick<Kept, 'id' | 'thing'>): Thing => ({ ...thing, id });
  const answered = (request: 'create' | 'update' | 'read' | 'list', one: Kept, thing = one.thing): Thing => {
    const made = manners.dates?.(request, one);
    return { ...shown({ id: one.id, thing }), ...(made !== undefined && { made }) };
  };
  const find = ({ state, params }: Call<State>): Kept => {
    const found = state.things.find(({ id, thing }) => id === params.id && !isDeleted(thing));
    if (!found) throw refuse(404, { error: 'not found' });
    return found;
  };
  const isDeleted = (thing: Thing): boolean => manners.deletedMark !== undefined && thing[manners.deletedMark] === true;
  const bodyOf = ({ body }: Call<State, unknown>): Thing => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refuse(400, { error: 'no object' });
    return body as Thing;
  };
  const make = (call: Call<State, unknown>, chosen?: string): Reply => {
    const { id: _none, ...sent } = bodyOf(call);
    const id = chosen === undefined ? ids.text(12) : idOf(chosen);
    if (call.state.things.some((one) => one.id === id && !isDeleted(one.thing))) throw refuse(409, { error: 'already exists' });
    made += 1;
    const kept: Kept = { id, made: now(), changed: now(), born: now(), before: null, thing: keeps(sent, null) };
    call.state.things.push(kept);
    return json(201, answered('create', kept, manners.echoes ? sent : kept.thing));
  };
  const list = ({ state, query }: Call<State, unknown>): Reply => {
    const size = Math.min(cap, Number(query.get('size') ?? 20));
    const page = Number(query.get('page') ?? 1);
    const listed = state.things.filter((one) => one.made === 0 || now() - one.made >= listLags);
    const all = listed.flatMap((one) => {
      const entry = { ...answered('list', one), id: listedId(one.id) };
      return manners.doubles ? [entry, entry] : [entry];
    });
    return json(200, { things: all.slice((page - 1) * size, page * size), total: all.length });
  };

  return simulate<State, ShelfWorld>(kit, {
    name: 'shelf',
    undescribed: 'no vendor has it',
    origin: 'https://shelf.example',
    state: { things: start },
    blind: () => ({ things: [] }),
    world: (live) => ({
      things: () => live.things.filter(({ thing }) => !isDeleted(thing)).map(shown),
      made: () => made,
      add: (thing, chosen) => {
        const id = chosen ?? ids.text(12);
        live.things.push({ id, made: 0, changed: 0, born: now(), before: null, thing });
        return id;
      },
      edit: (id, change) => {
        for (const one of live.things) if (one.id === id) one.thing = { ...one.thing, ...change };
      },
      remove: (id) => {
        live.things = live.things.filter((one) => one.id !== id);
      },
    }),
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: () => json(401, { error: 'unauthorized' }),
    routes: [
      route('GET', '/things', (call) => list(call)),
      route('POST', '/things', (call) => make(call)),
      route('PUT', '/things/{id}', (call) => make(call, call.params.id)),
      route('GET', '/things/{id}', (call) => {
        const one = find(call);
        const isLate = one.made !== 0 && now() - one.changed < readLags;
        if (isLate && one.before === null) throw refuse(404, { error: 'not found' });
        return json(200, answered('read', one, isLate && one.before ? one.before : one.thing));
      }),
      route('PATCH', '/things/{id}', (call) => {
        const one = find(call);
        const before = one.thing;
        const sent = { ...before, ...bodyOf(call) };
        Object.assign(one, { before, changed: now(), thing: keeps(sent, before) });
        return json(200, answered('update', one, manners.echoes ? sent : one.thing));
      }),
      route('DELETE', '/things/{id}', (call) => {
        const one = find(call);
        if (manners.deletedMark !== undefined) one.thing = { ...one.thing, [manners.deletedMark]: true };
        else call.state.things = call.state.things.filter((other) => other !== one);
        return empty();
      }),
    ],
  });
}
