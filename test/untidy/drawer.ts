import {
  bearerOf,
  type Call,
  json,
  makeKit,
  type Reply,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from 'pilotfish-sandbox/kit/index';
import type { Thing } from './shelf.ts';

/** One object that everybody's entries stand in: a list, a list of maps, a map, and a text with commas. */
export interface Drawer {
  origins: readonly unknown[];
  rules: readonly Thing[];
  /** A write of them by PATCH is a merge, and `null` takes the value away and leaves the name. */
  variables: Thing;
  text: string;
}

/** How a provider keeps entries otherwise than it is sent them. */
export interface DrawerManners {
  readonly keeps?: (sent: Drawer) => Drawer;
  /** Its answers to writes show what was sent. */
  readonly echoes?: boolean;
  /** Its answers to writes show nothing. */
  readonly isSilent?: boolean;
  /** Milliseconds after a write in which reads show what stood before it. */
  readonly readLags?: number;
}

export interface DrawerWorld {
  readonly drawer: () => Drawer;
  /** Another machine of the provider answers, which shows for a while what stood before the last write. */
  late(): void;
  /** What a person saves in the console. */
  save(change: Partial<Drawer>): void;
}

/** A provider that no vendor has, with one shared object. */
export function cabinet(manners: DrawerManners, start: Drawer, options: SimulationOptions = {}): Simulation<DrawerWorld> {
  const kit = makeKit('cabinet', options);
  const { keeps = (sent) => sent, readLags = 0 } = manners;
  let written = -readLags;
  let before = start;
  const write = ({ state, body, method }: Call<{ drawer: Drawer }, unknown>): Reply => {
    if (typeof body !== 'object' || body === null) throw refuse(400, { error: 'no object' });
    const sent = body as Partial<Drawer>;
    const isPatch = method === 'PATCH';
    const variables = isPatch ? { ...state.drawer.variables, ...sent.variables } : (sent.variables ?? state.drawer.variables);
    const whole = { ...state.drawer, ...sent, variables };
    before = state.drawer;
    written = kit.clock.now();
    state.drawer = keeps(whole);
    if (manners.isSilent) return json(200, { ok: true });
    return json(200, manners.echoes ? whole : state.drawer);
  };
  return simulate<{ drawer: Drawer }, DrawerWorld>(kit, {
    name: 'cabinet',
    undescribed: 'no vendor has it',
    origin: 'https://cabinet.example',
    state: { drawer: start },
    blind: () => ({ drawer: { origins: [], rules: [], variables: {}, text: '' } }),
    world: (live) => ({
      drawer: () => structuredClone(live.drawer),
      late: () => {
        written = kit.clock.now();
      },
      save: (change) => {
        live.drawer = { ...live.drawer, ...change };
      },
    }),
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: () => json(401, { error: 'unauthorized' }),
    routes: [
      route('GET', '/drawer', ({ state }) => json(200, kit.clock.now() - written < readLags ? before : state.drawer)),
      route('PUT', '/drawer', (call) => write(call)),
      route('PATCH', '/drawer', (call) => write(call)),
    ],
  });
}
