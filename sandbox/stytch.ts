import * as checks from './checks.ts';
import {
  type Call,
  flawsOf,
  Ids,
  json,
  makeKit,
  type Refusal,
  refuse,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

export interface ValidType {
  readonly type: string;
  is_default: boolean;
}

export interface RedirectUrl {
  readonly url: string;
  valid_types: ValidType[];
}

export interface StytchState {
  /** By project slug, then by environment slug. */
  readonly projects: Record<string, Record<string, RedirectUrl[]>>;
}

/** State, and what a person does in the dashboard. */
export interface StytchWorld {
  readonly state: StytchState;
  /** The workspace key; its secret is one of the tokens. */
  readonly keyId: string;
  /** Live: changing one is a change from outside. */
  urls(project: string, environment: string): RedirectUrl[];
  addEnvironment(project: string, environment: string): void;
  removeUrl(project: string, environment: string, url: string): void;
}

const keyId = 'workspace-key-prod-4881b3ba';

/**
 * Redirect URLs of the Programmatic Workspace Actions, version 3 (https://stytch.com/docs/workspace-management/pwa/overview,
 * 2026-11-21): a repeated create merges, and defaults are promoted unless the caller says not to.
 */
export function stytch(options: SimulationOptions = {}): Simulation<StytchWorld> {
  const kit = makeKit('stytch', options);
  const ids = new Ids('stytch');
  const base = '/pwa/v3/projects/{project}/environments/{environment}/redirect_urls';
  const answer = (body: object = {}) => json(200, { request_id: `request-id-test-${ids.uuid()}`, status_code: 200, ...body });

  return simulate<StytchState, StytchWorld>(kit, {
    name: 'stytch',
    origin: 'https://management.stytch.com',
    state: { projects: {} },
    blind: () => ({ projects: {} }),
    world: (live) => ({
      state: live,
      keyId,
      urls: (project, environment) => live.projects[project]?.[environment] ?? [],
      addEnvironment: (project, environment) => {
        live.projects[project] = { ...live.projects[project], [environment]: [] };
      },
      removeUrl: (project, environment, url) => {
        const list = live.projects[project]?.[environment] ?? [];
        list.splice(0, list.length, ...list.filter((one) => one.url !== url));
      },
    }),
    tokens: kit.tokens,
    checks: checks.stytch,
    credential: ({ headers }) => {
      const header = headers.get('authorization');
      if (header === null) return null;
      const [user, secret] = Buffer.from(header.replace(/^Basic /, ''), 'base64')
        .toString()
        .split(':', 2);
      return user === keyId ? (secret ?? '') : '';
    },
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? failure(403, 'unauthorized_action', 'The workspace key may not do this.').reply
        : failure(401, 'unauthorized_credentials', 'Unauthorized credentials.').reply,
    routes: [
      route('GET', `${base}/all`, (call) => answer({ redirect_urls: urlsOf(call) })),
      route('GET', base, (call) => answer({ redirect_url: urlOf(call) })),
      route('POST', base, (call) => {
        const urls = urlsOf(call);
        const body = bodyOf(call, { url: 'string' });
        const url = String(body.url);
        if (!URL.canParse(url)) throw failure(400, 'invalid_redirect_url', `${url} is no URL.`);
        const there = urls.find((one) => one.url === url) ?? { url, valid_types: [] };
        const given = typesIn(body);
        there.valid_types = [...there.valid_types.filter(({ type }) => !given.some((one) => one.type === type)), ...given];
        if (!urls.includes(there)) urls.push(there);
        settleDefaults(urls, there, body.do_not_promote_defaults === true);
        return answer({ redirect_url: there });
      }),
      route('PUT', base, (call) => {
        const there = urlOf(call);
        const body = bodyOf(call, {});
        there.valid_types = typesIn(body);
        settleDefaults(urlsOf(call), there, body.do_not_promote_defaults === true);
        return answer({ redirect_url: there });
      }),
      route('DELETE', base, (call) => {
        const urls = urlsOf(call);
        const there = urlOf(call);
        urls.splice(urls.indexOf(there), 1);
        for (const { type, is_default } of there.valid_types) {
          if (is_default && call.query.get('do_not_promote_defaults') !== 'true') promote(urls, type);
        }
        return answer();
      }),
    ],
  });

  function failure(status: number, type: string, message: string): Refusal {
    return refuse(status, {
      status_code: status,
      request_id: `request-id-test-${ids.uuid()}`,
      error_type: type,
      error_message: message,
      error_url: `https://stytch.com/docs/api/errors/${status}#${type}`,
    });
  }

  function urlsOf({ params, state }: UrlCall): RedirectUrl[] {
    const project = state.projects[params.project];
    if (!project) throw failure(404, 'project_not_found', 'The project could not be found.');
    const urls = project[params.environment];
    if (!urls) throw failure(404, 'environment_not_found', 'The environment could not be found.');
    return urls;
  }

  /** Named by the query; the match is exact. */
  function urlOf(call: UrlCall): RedirectUrl {
    const found = urlsOf(call).find(({ url }) => url === call.query.get('url'));
    if (!found) throw failure(404, 'redirect_url_not_found', 'The redirect URL could not be found.');
    return found;
  }

  function bodyOf({ body }: UrlCall, own: { readonly [name: string]: Shape }): Record<string, unknown> {
    const fields = { ...own, valid_types: { list: typeShape }, do_not_promote_defaults: 'boolean' } as const;
    const [flaw] = flawsOf(body, { fields, required: Object.keys(own) });
    if (flaw || !isMap(body)) throw failure(400, 'bad_request', `${flaw?.at ?? 'the body'}: ${flaw?.problem ?? 'type'}.`);
    return body;
  }
}

type UrlCall = Call<StytchState, { readonly project: string; readonly environment: string }>;

const typeShape: Shape = {
  fields: { type: { oneOf: ['LOGIN', 'INVITE', 'SIGNUP', 'RESET_PASSWORD', 'DISCOVERY'] }, is_default: 'boolean' },
  required: ['type', 'is_default'],
};

const typesIn = ({ valid_types: given }: Record<string, unknown>): ValidType[] =>
  Array.isArray(given)
    ? given.filter(isMap).map(({ type, is_default: isDefault }) => ({ type: String(type), is_default: isDefault === true }))
    : [];

/** A type has one default at most: a new one takes the place of the old, and the only URL of a type is promoted to it. */
function settleDefaults(urls: readonly RedirectUrl[], changed: RedirectUrl, mayNotPromote: boolean): void {
  for (const own of changed.valid_types) {
    const others = urls.filter((one) => one !== changed).flatMap((one) => one.valid_types.filter(({ type }) => type === own.type));
    if (own.is_default) for (const other of others) other.is_default = false;
    else if (others.length === 0 && !mayNotPromote) own.is_default = true;
  }
}

function promote(urls: readonly RedirectUrl[], type: string): void {
  const next = urls.flatMap((one) => one.valid_types).find((one) => one.type === type);
  if (next) next.is_default = true;
}
