import {
  bearerOf,
  type Call,
  json,
  makeKit,
  type Refusal,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** The part of a project's configuration that matters here, and some of what stands around it. */
export interface AuthConfig {
  readonly name: string;
  /** Absent while it is empty. */
  authorizedDomains?: readonly string[];
  [member: string]: unknown;
}

export interface FirebaseAuthState {
  /** By project id; `null` where Authentication was never opened. */
  readonly projects: Record<string, AuthConfig | null>;
}

/** State, and what a person does in the console. */
export interface FirebaseAuthWorld {
  readonly state: FirebaseAuthState;
  /** Without domains it is new, and has those that the service gives every project. */
  addProject(id: string, domains?: readonly string[]): AuthConfig;
  /** A project without Authentication. */
  addEmptyProject(id: string): void;
  setDomains(id: string, domains: readonly string[]): void;
  /** Somebody deploys a channel with the vendor's CLI, which takes out each `<site>--…` domain that no live channel has. */
  runChannelCommand(id: string, site: string, live: readonly string[]): void;
}

/**
 * Configuration of projects, asked with the token of a person: Identity Toolkit API, version 2
 * (https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects/updateConfig, 2026-11-21).
 */
export function firebaseAuth(options: SimulationOptions = {}): Simulation<FirebaseAuthWorld> {
  const kit = makeKit('firebase-auth', options);
  const config = '/admin/v2/projects/{project}/config' as const;
  const put = (target: AuthConfig, domains: readonly string[]): void => {
    if (domains.length > 0) target.authorizedDomains = domains;
    else delete target.authorizedDomains;
  };

  return simulate<FirebaseAuthState, FirebaseAuthWorld>(kit, {
    name: 'firebase-auth',
    origin: 'https://identitytoolkit.googleapis.com',
    state: { projects: {} },
    blind: () => ({ projects: {} }),
    world: (live) => ({
      state: live,
      addProject: (id, domains = ['localhost', `${id}.firebaseapp.com`, `${id}.web.app`]) => {
        const made: AuthConfig = {
          name: 'projects/481516234200/config',
          subtype: 'FIREBASE_AUTH',
          mfa: { state: 'DISABLED' },
          signIn: { email: { enabled: true, passwordRequired: true } },
        };
        put(made, domains);
        live.projects[id] = made;
        return made;
      },
      addEmptyProject: (id) => {
        live.projects[id] = null;
      },
      setDomains: (id, domains) => {
        const found = live.projects[id];
        if (found) put(found, domains);
      },
      runChannelCommand: (id, site, channels) => {
        const found = live.projects[id];
        const isStale = (domain: string): boolean => domain.startsWith(`${site}--`) && !channels.includes(domain);
        if (found)
          put(
            found,
            (found.authorizedDomains ?? []).filter((domain) => !isStale(domain)),
          );
      },
    }),
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? forbidden('The caller does not have permission').reply
        : failure(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.').reply,
    routes: [
      route('GET', config, (call) => {
        checkQuery(call, []);
        return json(200, configOf(call));
      }),
      route('PATCH', config, (call) => {
        checkQuery(call, ['updateMask', 'update_mask']);
        const target = configOf(call);
        const mask = call.query.get('updateMask') ?? call.query.get('update_mask') ?? '';
        if (!isMap(call.body)) throw invalid('Invalid JSON payload received.');
        // What the mask does not name stays as it is, whatever the body holds.
        if (mask === '') return json(200, target);
        if (mask !== 'authorizedDomains' && mask !== 'authorized_domains') throw invalid(`Invalid field mask: ${mask}`);
        const domains: unknown = call.body.authorizedDomains ?? [];
        if (!isTexts(domains)) throw invalid('authorizedDomains: a list of strings is expected');
        const bad = domains.find((domain) => !/^[a-z0-9.-]+$/i.test(domain));
        if (bad !== undefined) throw invalid(`INVALID_CONFIG : ${bad} is not a valid domain`);
        put(
          target,
          domains.map((domain) => domain.toLowerCase()),
        );
        return json(200, target);
      }),
    ],
  });
}

type ConfigCall = Call<FirebaseAuthState, { readonly project: string }>;

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((one) => typeof one === 'string');

const failure = (code: number, status: string, message: string): Refusal => refuse(code, { error: { code, message, status } });
const invalid = (message: string): Refusal => failure(400, 'INVALID_ARGUMENT', message);
const forbidden = (message: string): Refusal => failure(403, 'PERMISSION_DENIED', message);

function configOf({ headers, params, state }: ConfigCall): AuthConfig {
  const quota = headers.get('x-goog-user-project');
  if (quota === null) {
    throw forbidden('Your application is authenticating by using local Application Default Credentials, which needs a quota project.');
  }
  const found = state.projects[params.project];
  // A project that is not there and one that the token may not see are told apart by nobody.
  if (found === undefined || state.projects[quota] === undefined) throw forbidden('The caller does not have permission');
  if (found === null) throw failure(404, 'NOT_FOUND', 'CONFIGURATION_NOT_FOUND');
  return found;
}

/** A parameter that the method does not have is refused. */
function checkQuery({ query }: ConfigCall, known: readonly string[]): void {
  const stray = [...query.keys()].find((name) => !known.includes(name));
  if (stray !== undefined) throw invalid(`Unknown name "${stray}": Cannot bind query parameter.`);
}
