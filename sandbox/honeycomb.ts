import * as checks from './checks.ts';
import {
  type Call,
  flawsOf,
  Ids,
  json,
  makeKit,
  type Reply,
  refuse,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** A marker as the server stores it. Start and end are seconds since 1970. */
export interface Marker {
  readonly id: string;
  message?: string;
  type?: string;
  url?: string;
  start_time: number;
  end_time?: number;
  color?: string;
  readonly created_at: string;
  updated_at: string;
}

export interface HoneycombState {
  /** Slug of a dataset → its markers. `__all__`, which marks the whole environment, is always there. */
  readonly datasets: Record<string, Marker[]>;
}

/** State, and what a person does in the console. */
export interface HoneycombWorld {
  readonly state: HoneycombState;
  /** Its slug is made of the name, and paths take the slug alone. */
  addDataset(name: string): void;
  /** Live: changing one is a change from outside. */
  markers(dataset: string): Marker[];
  addMarker(dataset: string, marker: Partial<Marker>): Marker;
}

/**
 * Markers: https://docs.honeycomb.io/api/markers/. The list is a bare array on one page, one marker cannot be read, and a PUT replaces
 * the whole marker. A key without "Manage Markers" is refused with 401 like a wrong one: the page has no 403.
 */
export function honeycomb(options: SimulationOptions = {}): Simulation<HoneycombWorld> {
  const kit = makeKit('honeycomb', options);
  const ids = new Ids('honeycomb');
  const state: HoneycombState = { datasets: { __all__: [] } };
  const list = '/1/markers/{dataset}';
  const made = (now: number): Pick<Marker, 'id' | 'created_at' | 'updated_at'> => ({
    id: ids.text(16, '0123456789abcdef'),
    created_at: timeOf(now),
    updated_at: timeOf(now),
  });

  return simulate<HoneycombState, HoneycombWorld>(kit, {
    name: 'honeycomb',
    origin: 'https://api.honeycomb.io',
    state,
    blind: () => ({ datasets: {} }),
    world: (live) => ({
      state: live,
      addDataset: (name) => {
        live.datasets[name.toLowerCase().replaceAll(/[^a-z0-9_]+/g, '-')] = [];
      },
      markers: (dataset) => live.datasets[dataset] ?? [],
      addMarker: (dataset, given) => {
        const markers = live.datasets[dataset];
        if (!markers) throw new Error(`the world has no dataset ${dataset}`);
        const now = kit.clock.now();
        const marker: Marker = { ...made(now), start_time: Math.floor(now / 1000), ...given };
        markers.push(marker);
        return marker;
      },
    }),
    tokens: kit.tokens,
    checks: checks.honeycomb,
    credential: ({ headers }) => headers.get('x-honeycomb-team'),
    secretHeaders: ['x-honeycomb-team'],
    refuseCredential: (_, why) => failure(401, why === 'read-only' ? 'unauthorized' : 'unknown API key - check your credentials'),
    routes: [
      route('GET', list, (call) => json(200, markersOf(call))),
      route('POST', list, (call) => {
        const markers = markersOf(call);
        const marker: Marker = { ...made(call.now), ...writtenBy(call) };
        markers.push(marker);
        return json(201, marker);
      }),
      route('PUT', `${list}/{id}`, (call) => {
        const markers = markersOf(call);
        const { id, created_at, color } = markerOf(call);
        const next: Marker = { id, created_at, updated_at: timeOf(call.now), ...(color !== undefined && { color }), ...writtenBy(call) };
        markers[markers.findIndex((one) => one.id === id)] = next;
        return json(200, next);
      }),
      route('DELETE', `${list}/{id}`, (call) => {
        const markers = markersOf(call);
        const marker = markerOf(call);
        markers.splice(markers.indexOf(marker), 1);
        return json(200, marker);
      }),
    ],
  });
}

type MarkerCall = Call<HoneycombState, { readonly dataset: string; readonly id?: string }>;

const failure = (status: number, error: string): Reply => json(status, { error });
const timeOf = (now: number): string => new Date(now).toISOString();

function markersOf({ params, state }: MarkerCall): Marker[] {
  const markers = state.datasets[params.dataset];
  if (!markers) throw refuse(404, { error: 'dataset not found' });
  return markers;
}

function markerOf(call: MarkerCall): Marker {
  const marker = markersOf(call).find(({ id }) => id === call.params.id);
  if (!marker) throw refuse(404, { error: 'marker not found' });
  return marker;
}

/** What a caller may send: id, color and the times of the record are the server's own. */
const shape: Shape = { fields: { message: 'string', type: 'string', url: 'string', start_time: 'integer', end_time: 'integer' } };

/** The marker as one body says it, start at the time of the request where the body has none; nothing of the old one stays. */
function writtenBy({ body, now }: MarkerCall): Pick<Marker, 'message' | 'type' | 'url' | 'start_time' | 'end_time'> {
  const [flaw] = flawsOf(body, shape);
  if (flaw || !isMap(body)) throw refuse(400, { error: flaw ? `${flaw.at}: ${flaw.problem}, expected ${flaw.expected}` : 'invalid JSON' });
  return { start_time: Math.floor(now / 1000), ...body };
}
