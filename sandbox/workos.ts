import {
  bearerOf,
  type Call,
  empty,
  flawsOf,
  Ids,
  json,
  makeKit,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** One redirect URI as the provider shows it. */
export interface RedirectUri {
  readonly object: 'redirect_uri';
  readonly id: string;
  readonly uri: string;
  default: boolean;
  readonly created_at: string;
  updated_at: string;
}

export interface WorkosState {
  /** Oldest first. */
  uris: RedirectUri[];
}

/** State, and what a person does in the dashboard. */
export interface WorkosWorld {
  readonly state: WorkosState;
  /** Nothing is checked, so that a world may hold what the API would refuse. */
  addUri(uri: string, given?: Partial<RedirectUri>): RedirectUri;
  removeUri(uri: string): void;
}

/** Redirect URIs of one environment: https://workos.com/docs/reference/authkit/redirect-uri (2026-11-21). */
export function workos(options: SimulationOptions = {}): Simulation<WorkosWorld> {
  const kit = makeKit('workos', options);
  const ids = new Ids('workos');
  const newUri = (uri: string, given: Partial<RedirectUri> = {}): RedirectUri => {
    const time = new Date(kit.clock.now()).toISOString();
    const id = `redir_01${ids.text(24, '0123456789ABCDEFGHJKMNPQRSTVWXYZ')}`;
    return { object: 'redirect_uri', id, uri, default: false, created_at: time, updated_at: time, ...given };
  };
  const uris = '/user_management/redirect_uris';

  return simulate<WorkosState, WorkosWorld>(kit, {
    name: 'workos',
    origin: 'https://api.workos.com',
    state: { uris: [] },
    // The key of another environment.
    blind: () => ({ uris: [] }),
    world: (live) => ({
      state: live,
      addUri: (uri, given) => {
        const made = newUri(uri, given);
        live.uris.push(made);
        return made;
      },
      removeUri: (uri) => {
        live.uris = live.uris.filter((one) => one.uri !== uri);
      },
    }),
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: () => json(401, { message: 'Unauthorized' }),
    routes: [
      route('GET', uris, (call) => json(200, pageOf(call))),
      route('POST', uris, (call) => {
        const uri = uriIn(call.body);
        if (call.state.uris.some((one) => one.uri === uri)) throw refuse(422, { message: `Redirect URI ${uri} already exists.` });
        const made = newUri(uri);
        call.state.uris.push(made);
        return json(201, made);
      }),
      route('DELETE', `${uris}/{id}`, ({ params, state }) => {
        const found = state.uris.find(({ id }) => id === params.id);
        if (!found) throw refuse(404, { message: `Redirect URI not found: '${params.id}'.` });
        if (found.default) throw refuse(409, { message: 'The default redirect URI cannot be deleted.' });
        state.uris = state.uris.filter((one) => one !== found);
        return empty();
      }),
    ],
  });
}

/** The body is closed: the URI, and nothing beside it. */
function uriIn(body: unknown): string {
  const [flaw] = flawsOf(body, { fields: { uri: 'string' }, required: ['uri'] });
  if (flaw || !isMap(body)) throw refuse(422, { message: `Validation failed: ${flaw?.at ?? ''} ${flaw?.problem ?? ''}.` });
  const uri = String(body.uri);
  if (!URL.canParse(uri)) throw refuse(422, { message: `Validation failed: ${uri} is not a URI.` });
  return uri;
}

/** Newest first unless the order says otherwise; `after` and `before` name the entry that the page begins or ends beside. */
function pageOf({ query, state }: Call<WorkosState, unknown>) {
  const limit = Number(query.get('limit') ?? 10);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) throw refuse(422, { message: 'limit must be between 1 and 100.' });
  const all = query.get('order') === 'asc' ? state.uris : state.uris.toReversed();
  const at = (name: string, otherwise: number): number => {
    const id = query.get(name);
    if (id === null) return otherwise;
    const found = all.findIndex((one) => one.id === id);
    if (found === -1) throw refuse(422, { message: `${name} is no cursor of this list.` });
    return found;
  };
  const start = query.has('before') ? Math.max(0, at('before', 0) - limit) : at('after', -1) + 1;
  const data = all.slice(start, query.has('before') ? at('before', 0) : start + limit);
  const end = start + data.length;
  return {
    object: 'list',
    data,
    list_metadata: { before: start > 0 ? (data[0]?.id ?? null) : null, after: end < all.length ? (data.at(-1)?.id ?? null) : null },
  };
}
