import {
  bearerOf,
  type Call,
  flawsOf,
  Ids,
  json,
  makeKit,
  Refusal,
  type Reply,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** One entry of the allow-list as the provider shows it; times are milliseconds. */
export interface RedirectUrl {
  readonly object: 'redirect_url';
  readonly id: string;
  url: string;
  readonly created_at: number;
  updated_at: number;
}

export interface ClerkState {
  /** Oldest first. */
  urls: RedirectUrl[];
  /** How an URL that is there already is refused: the description does not say which. */
  duplicate: 400 | 422;
}

/** State, and what a person does in the dashboard. */
export interface ClerkWorld {
  readonly state: ClerkState;
  /** Nothing is checked, so that a world may hold what the API would refuse. */
  addUrl(url: string): RedirectUrl;
  removeUrl(url: string): void;
}

/** The redirect allow-list of one instance: Backend API 2026-05-12, https://clerk.com/docs/reference/backend-api (2026-11-21). */
export function clerk(options: SimulationOptions = {}): Simulation<ClerkWorld> {
  const kit = makeKit('clerk', options);
  const ids = new Ids('clerk');
  const newUrl = (url: string): RedirectUrl => {
    const time = kit.clock.now();
    return { object: 'redirect_url', id: `ru_${ids.text(27)}`, url, created_at: time, updated_at: time };
  };
  const path = '/v1/redirect_urls';

  return simulate<ClerkState, ClerkWorld>(kit, {
    name: 'clerk',
    origin: 'https://api.clerk.com',
    basePath: '/v1',
    state: { urls: [], duplicate: 422 },
    // The key of another instance.
    blind: () => ({ urls: [], duplicate: 422 }),
    world: (live) => ({
      state: live,
      addUrl: (url) => {
        const made = newUrl(url);
        live.urls.push(made);
        return made;
      },
      removeUrl: (url) => {
        live.urls = live.urls.filter((one) => one.url !== url);
      },
    }),
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? failure(403, 'authorization_invalid', 'You are not authorized to perform this request')
        : failure(401, 'authentication_invalid', 'Invalid authentication'),
    routes: [
      route('GET', path, (call) => {
        checkVersion(call);
        return json(200, listOf(call));
      }),
      route('POST', path, (call) => {
        checkVersion(call);
        const url = urlIn(call);
        if (call.state.urls.some((one) => one.url === url)) {
          throw refused(call.state.duplicate, 'duplicate_record', 'That redirect URL is already on the list.');
        }
        const made = newUrl(url);
        call.state.urls.push(made);
        return json(200, made);
      }),
      route('GET', `${path}/{id}`, (call) => json(200, urlOf(call))),
      route('DELETE', `${path}/{id}`, (call) => {
        checkVersion(call);
        const found = urlOf(call);
        call.state.urls = call.state.urls.filter((one) => one !== found);
        return json(200, { object: 'redirect_url', id: found.id, deleted: true });
      }),
    ],
  });
}

type Anything = Call<ClerkState, unknown>;

function failure(status: number, code: string, message: string): Reply {
  return json(status, { errors: [{ message, long_message: message, code }], clerk_trace_id: 'b1a6d4a04c1f4f0e9c7d0d6f5c2e8a11' });
}
const refused = (status: number, code: string, message: string) => new Refusal(failure(status, code, message));

/** Another version has other shapes, which this is no simulation of. */
function checkVersion({ headers }: Anything): void {
  const version = headers.get('clerk-api-version');
  if (version !== '2026-05-12') throw refused(400, 'api_version_invalid', `No simulation of version ${version ?? '(none)'}.`);
}

/** The body is one URL. */
function urlIn({ body, contentType }: Anything): string {
  if (contentType !== 'application/json') throw refused(415, 'unsupported_content_type', 'Content-Type must be application/json.');
  const [flaw] = flawsOf(body, { fields: { url: 'string' }, required: ['url'] });
  if (flaw || !isMap(body)) throw refused(422, 'form_param_unknown', `${flaw?.at ?? 'body'} ${flaw?.problem ?? ''}.`);
  const url = String(body.url);
  if (!/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(url) || /^http:/i.test(url)) {
    throw refused(422, 'form_param_format_invalid', 'url must be prefixed with https:// or a custom scheme.');
  }
  return url;
}

function urlOf(call: Call<ClerkState, { readonly id: string }>): RedirectUrl {
  const found = call.state.urls.find(({ id }) => id === call.params.id);
  if (!found) throw refused(404, 'resource_not_found', 'Resource not found');
  return found;
}

/** Newest first; a bare list unless pages were asked for. */
function listOf({ query, state }: Anything) {
  const limit = numberIn(query, 'limit', 10, 1, 500);
  const offset = numberIn(query, 'offset', 0, 0, Number.MAX_SAFE_INTEGER);
  const data = state.urls.toReversed().slice(offset, offset + limit);
  return query.get('paginated') === 'true' ? { data, total_count: state.urls.length } : data;
}

function numberIn(query: URLSearchParams, name: string, otherwise: number, least: number, most: number): number {
  const value = Number(query.get(name) ?? otherwise);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw refused(422, 'form_param_value_invalid', `${name} must be between ${least} and ${most}.`);
}
