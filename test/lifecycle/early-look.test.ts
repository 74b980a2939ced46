import {
  bearerOf,
  type Call,
  empty,
  Ids,
  json,
  makeKit,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
  verifyHandled,
} from 'pilotfish-sandbox/kit/index';
import { afterEach, expect, it } from 'vitest';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage, type Stage } from '../support/stage.ts';

// A line looks while the lines that it comes after are still being made: rooms are listed beside the houses that they stand in.

interface House {
  readonly id: string;
  readonly name: string;
  readonly colour: string;
  readonly at: number;
  guests: string[];
}
interface Room {
  readonly id: string;
  readonly name: string;
  readonly house: string;
  readonly floor: string;
}
interface State {
  houses: House[];
  rooms: Room[];
}
interface Street {
  rooms(): readonly Room[];
  houses(): readonly House[];
  /** What a person makes in the console. */
  addRoom(name: string): void;
}

function street(options: SimulationOptions): Simulation<Street> {
  const kit = makeKit('street', options);
  const ids = new Ids('street');
  const named = ({ state, params }: Call<State>): House => {
    const house = state.houses.find(({ name }) => name === params.name);
    if (!house) throw refuse(404, { error: 'no such house' });
    return house;
  };
  const shown = (house: House): object => ({ ...house, is_built: kit.clock.now() - house.at >= 40_000 });
  return simulate<State, Street>(kit, {
    name: 'street',
    undescribed: 'no vendor has it',
    origin: 'https://street.example',
    state: { houses: [], rooms: [] },
    blind: () => ({ houses: [], rooms: [] }),
    world: (live) => ({
      rooms: () => live.rooms,
      houses: () => live.houses,
      addRoom: (name) => void live.rooms.push({ id: ids.text(12), name, house: 'elsewhere', floor: '1' }),
    }),
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: () => json(401, { error: 'unauthorized' }),
    routes: [
      route('GET', '/houses', ({ state }) => json(200, { houses: state.houses.map(shown) })),
      route('POST', '/houses', ({ state, body }: Call<State, unknown>) => {
        const house: House = { id: ids.text(12), at: kit.clock.now(), guests: [], ...(body as Pick<House, 'name' | 'colour'>) };
        state.houses.push(house);
        return json(201, shown(house));
      }),
      route('DELETE', '/houses/{id}', ({ state, params }) => {
        state.houses = state.houses.filter(({ id }) => id !== params.id);
        state.rooms = state.rooms.filter(({ house }) => house !== params.id);
        return empty();
      }),
      route('GET', '/houses/named/{name}', (call) => json(200, named(call))),
      route('PATCH', '/houses/named/{name}', (call: Call<State>) => json(200, Object.assign(named(call), call.body))),
      route('GET', '/rooms', ({ state }) => json(200, { rooms: state.rooms })),
      route('POST', '/rooms', ({ state, body }: Call<State, unknown>) => {
        const room: Room = { id: ids.text(12), ...(body as Omit<Room, 'id'>) };
        state.rooms.push(room);
        return json(201, room);
      }),
      route('PATCH', '/rooms/{id}', ({ state, params, body }: Call<State>) => {
        state.rooms = state.rooms.map((room) => (room.id === params.id ? { ...room, ...(body as Partial<Room>) } : room));
        return json(200, state.rooms.find(({ id }) => id === params.id) ?? null);
      }),
      route('DELETE', '/rooms/{id}', ({ state, params }) => {
        state.rooms = state.rooms.filter(({ id }) => id !== params.id);
        return empty();
      }),
    ],
  });
}

const common = { adapter: 'http', op: 'resource', api: 'street', id_path: '/id' };
const house = (colour = 'white'): object => ({
  ...common,
  id: 'house',
  find: { path: '/houses', list_path: '/houses', match: { '/name': 'shop' } },
  create: { path: '/houses', body: { name: 'shop' } },
  delete: { path: '/houses/{id}' },
  fields: { '/colour': colour },
  immutable: ['/colour'],
  coexist: false,
});
const room = (more: object = {}): object => ({
  ...common,
  id: 'room',
  find: { path: '/rooms', list_path: '/rooms', match: { '/name': 'kitchen' } },
  create: { path: '/rooms', body: { name: 'kitchen' } },
  update: { method: 'PATCH', path: '/rooms/{id}' },
  delete: { path: '/rooms/{id}' },
  fields: { '/house': { from: 'house.id' }, '/floor': '1' },
  ...more,
});
const guest = {
  ...{ id: 'guest', adapter: 'http', op: 'list_item', api: 'street', depends_on: ['house'] },
  ...{ parent: { path: '/houses/named/shop', method: 'PATCH' }, list_path: '/guests', item: 'ada' },
};

const planOf = (...changes: readonly object[]): string =>
  JSON.stringify({
    version: 1,
    providers: { http: { street: { base_url: 'https://street.example', auth: { bearer_env: 'STREET_TOKEN' } } } },
    changes,
  });

let stage: Stage;
let simulation: Simulation<Street>;
let clock: LeapingClock;
afterEach(async () => {
  verifyHandled([simulation]);
  await stage.close();
});

async function open(...changes: readonly object[]): Promise<void> {
  clock = new LeapingClock();
  simulation = street({ clock });
  const env = { STREET_TOKEN: simulation.tokens.full, PILOTFISH_REQUEST_DEADLINE_MS: '30000', PILOTFISH_LEASE_MS: '120000' };
  stage = await openStage({ simulations: [simulation], env, plan: planOf(...changes), clock });
}

const asked = (): readonly string[] => simulation.log.map(({ method, path }) => `${method} ${path}`);
const times = (request: string): number => asked().filter((one) => one === request).length;

it('looks while its producer is being made, and once: its turn comes with a write', async () => {
  await open(house(), room());
  simulation.faults.slow('POST /houses', 20_000);
  const doc = await stage.apply();
  expect(doc).toMatchObject({ ok: true, status: 'complete' });
  expect(times('GET /rooms')).toBe(1);
  // The lines whose turn it is ask first.
  expect(asked()[0]).toBe('GET /houses');
  const look = simulation.log.find(({ path }) => path === '/rooms');
  const made = simulation.log.find(({ method, path }) => method === 'POST' && path === '/houses');
  expect(look?.at).toBeLessThan(made?.at ?? 0);
  expect(simulation.world.rooms()).toMatchObject([{ name: 'kitchen', house: simulation.world.houses()[0]?.id }]);
  expect(await stage.apply()).toMatchObject({ ok: true, stats: { writes: 0 } });
});

it('looks again when its turn comes later than a request may take: what somebody else made meanwhile is not made twice', async () => {
  await open({ ...house(), ready: { path: '/is_built', value: true } }, room());
  simulation.watch(({ phase, method, path }) => {
    if (phase === 'after' && method === 'POST' && path === '/houses') simulation.world.addRoom('kitchen');
  });
  const doc = await stage.apply({ waitTimeoutMs: 120_000 });
  expect(doc.lines.find(({ id }) => id === 'room')).toMatchObject({ error: { code: 'RESOURCE_FOREIGN' } });
  expect(times('GET /rooms')).toBeGreaterThan(1);
  expect(simulation.world.rooms()).toHaveLength(1);
});

it('does not believe that an object stands which went with the one that was made anew', async () => {
  await open(house(), room());
  expect(await stage.apply()).toMatchObject({ ok: true });
  await stage.write(planOf(house('red'), room()));
  const doc = await stage.apply();
  expect(doc).toMatchObject({ ok: true, status: 'complete' });
  expect(simulation.world.houses()).toMatchObject([{ colour: 'red' }]);
  expect(simulation.world.rooms()).toMatchObject([{ house: simulation.world.houses()[0]?.id }]);
  expect(await stage.apply()).toMatchObject({ ok: true, stats: { writes: 0 } });
});

it('leaves an entry of a list that is not there yet to its turn', async () => {
  await open(house(), guest);
  expect(await stage.apply()).toMatchObject({ ok: true, status: 'complete' });
  expect(simulation.world.houses()).toMatchObject([{ guests: ['ada'] }]);
});

it('leaves a list that may be missing to its turn as well: an entry that comes with its object is not ours', async () => {
  await open(house(), { ...guest, parent: { ...guest.parent, if_missing: 'empty' } });
  simulation.watch(({ phase, method }) => {
    if (phase === 'after' && method === 'POST') for (const one of simulation.world.houses()) one.guests = ['ada'];
  });
  const doc = await stage.apply();
  expect(doc.lines.find(({ id }) => id === 'guest')).toMatchObject({ error: { code: 'RESOURCE_FOREIGN' } });
});

it('leaves what it was refused to its turn', async () => {
  await open(house(), room());
  const armed = simulation.faults.once('GET /rooms', 403, { error: 'no house, no rooms' });
  expect(await stage.apply()).toMatchObject({ ok: true, status: 'complete' });
  expect(armed.hits).toBe(1);
  expect(simulation.world.rooms()).toHaveLength(1);
});

it('leaves what an earlier run announced to its turn', async () => {
  await open(house(), room());
  simulation.faults.loseAnswer('POST /rooms');
  simulation.faults.times(20, 'GET /rooms', 500);
  expect(await stage.apply()).toMatchObject({ ok: false });
  simulation.faults.clear();
  expect(await stage.apply()).toMatchObject({ ok: true, status: 'complete' });
  expect(simulation.world.rooms()).toHaveLength(1);
});

it('waits where its key is an output of what is made', async () => {
  await open(house(), room({ find: { path: '/rooms', list_path: '/rooms', match: { '/house': { from: 'house.id' } } } }));
  simulation.faults.slow('POST /houses', 20_000);
  expect(await stage.apply()).toMatchObject({ ok: true, status: 'complete' });
  const order = asked().filter((one) => one === 'GET /rooms' || one === 'POST /houses' || one === 'POST /rooms');
  expect(order).toEqual(['POST /houses', 'GET /rooms', 'POST /rooms']);
});

it('says of a line whose producer failed which one that is, and writes nothing for it', async () => {
  await open(house(), room());
  simulation.faults.once('POST /houses', 422, { error: 'no more houses' });
  const doc = await stage.apply();
  expect(doc.lines.find(({ id }) => id === 'room')).toMatchObject({
    state: 'skipped',
    code: 'DEPENDENCY_FAILED',
    because: ['house'],
  });
  expect(simulation.world.rooms()).toEqual([]);
});
