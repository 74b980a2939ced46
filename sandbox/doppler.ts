import {
  bearerOf,
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

export interface DopplerSecret {
  /** As it was written. */
  raw: string;
  visibility: 'masked' | 'unmasked' | 'restricted';
}

export interface DopplerConfig {
  readonly name: string;
  readonly project: string;
  readonly environment: string;
  /** The environment's own, which came with it. */
  readonly root: boolean;
  locked: boolean;
  readonly slug: string;
  readonly created_at: string;
  /** Its own ones by name; those of the root show through. */
  readonly secrets: Record<string, DopplerSecret>;
}

export interface DopplerState {
  configs: DopplerConfig[];
  /** Credentials that reads handed out: each one that asks for dynamic secrets. */
  leases: number;
  /** Runs of syncs and webhooks: one for each write of secrets. */
  syncs: number;
  /** Projects that the token may see. */
  readonly projects: string[];
}

/** State, and what a person does in the dashboard. */
export interface DopplerWorld {
  readonly state: DopplerState;
  /** An environment with its root config, live. */
  addEnvironment(project: string, environment: string): DopplerConfig;
  /** A branch config, live. */
  addConfig(project: string, environment: string, name: string): DopplerConfig;
  config(project: string, name: string): DopplerConfig | undefined;
  removeConfig(project: string, name: string): void;
}

/** Configs and their secrets (API v3): https://docs.doppler.com/reference/api and the vendor's generated client @dopplerhq/node-sdk. */
export function doppler(options: SimulationOptions = {}): Simulation<DopplerWorld> {
  const kit = makeKit('doppler', options);
  const ids = new Ids('doppler');
  const state: DopplerState = { configs: [], leases: 0, syncs: 0, projects: [] };
  const newConfig = (project: string, environment: string, name: string, root = false): DopplerConfig => ({
    name,
    project,
    environment,
    root,
    locked: false,
    slug: ids.uuid(),
    created_at: new Date(kit.clock.now()).toISOString(),
    secrets: {},
  });
  return simulate<DopplerState, DopplerWorld>(kit, {
    name: 'doppler',
    origin: 'https://api.doppler.com',
    state,
    blind: () => ({ configs: [], leases: 0, syncs: 0, projects: [] }),
    world: (live) => {
      const add = (config: DopplerConfig): DopplerConfig => {
        live.configs.push(config);
        return config;
      };
      return {
        state: live,
        addEnvironment: (project, environment) => {
          if (!live.projects.includes(project)) live.projects.push(project);
          return add(newConfig(project, environment, environment, true));
        },
        addConfig: (project, environment, name) => add(newConfig(project, environment, name)),
        config: (project, name) => live.configs.find((one) => one.project === project && one.name === name),
        removeConfig: (project, name) => {
          live.configs = live.configs.filter((one) => one.project !== project || one.name !== name);
        },
      };
    },
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: (_, why) =>
      why === 'read-only'
        ? refusal(403, 'You do not have permission to perform this action').reply
        : refusal(401, why === 'missing' ? 'Please provide a valid token' : 'Invalid Auth token').reply,
    routes: [
      route('GET', '/v3/configs', ({ query, state: live }) => {
        const project = projectOf(live, query.get('project'));
        const environment = query.get('environment');
        const page = countOf(query, 'page', 1);
        const size = countOf(query, 'per_page', 20);
        const all = live.configs.filter((one) => one.project === project && (environment === null || one.environment === environment));
        // An environment is never without its root config.
        if (environment !== null && all.length === 0) throw notFound('environment', environment);
        return json(200, { page, configs: all.slice((page - 1) * size, page * size).map(shown) });
      }),
      route('POST', '/v3/configs', (call) => {
        const { project, environment, name } = read(call, {
          fields: { project: 'string', environment: 'string', name: 'string' },
          required: ['project', 'environment', 'name'],
        }) as Record<'project' | 'environment' | 'name', string>;
        projectOf(call.state, project);
        if (!call.state.configs.some((one) => one.project === project && one.environment === environment))
          throw notFound('environment', environment);
        // Which status these two have is not documented (2026-11-27).
        if (!name.startsWith(`${environment}_`)) throw refusal(400, `Config name must start with "${environment}_"`);
        if (call.state.configs.some((one) => one.project === project && one.name === name))
          throw refusal(400, `A config with the name '${name}' already exists in this project`);
        const config = newConfig(project, environment, name);
        call.state.configs.push(config);
        return json(200, { config: shown(config) });
      }),
      route('GET', '/v3/configs/config', (call) => json(200, { config: shown(configOf(call, call.query)) })),
      route('DELETE', '/v3/configs/config', (call) => {
        const named = read(call, { fields: { project: 'string', config: 'string' }, required: ['project', 'config'] });
        const config = configOf(call, new URLSearchParams(named as Record<string, string>));
        // Which status these two have is not documented (2026-11-27).
        if (config.root) throw refusal(400, 'Root configs cannot be deleted');
        if (config.locked) throw refusal(400, 'This config is locked');
        call.state.configs = call.state.configs.filter((one) => one !== config);
        return json(200, { success: true });
      }),
      route('GET', '/v3/configs/config/secrets', (call) => {
        const config = configOf(call, call.query);
        if (call.query.get('include_dynamic_secrets') === 'true') call.state.leases += 1;
        const managed = call.query.get('include_managed_secrets') === 'false' ? {} : managedOf(config);
        const all = { ...managed, ...secretsOf(call.state, config) };
        const asked = call.query.get('secrets')?.split(',');
        const secrets = Object.entries(all).filter(([name]) => asked?.includes(name) ?? true);
        return json(200, { secrets: Object.fromEntries(secrets.map(([name, secret]) => [name, shownSecret(secret, all)])) });
      }),
      route('POST', '/v3/configs/config/secrets', (call) => {
        const body = read(call, writeShape) as { project: string; config: string; secrets: Record<string, string> };
        const config = configOf(call, new URLSearchParams({ project: body.project, config: body.config }));
        const names = Object.keys(body.secrets);
        const wrong = names.find((name) => !/^[A-Z_][A-Z0-9_]*$/.test(name) || Object.hasOwn(managedOf(config), name));
        if (wrong !== undefined) throw refusal(400, `The secret name '${wrong}' is not valid`);
        // Who is allowed to write a locked config is not documented, and whoever may does.
        for (const name of names) config.secrets[name] = { visibility: 'masked', ...config.secrets[name], raw: body.secrets[name] ?? '' };
        call.state.syncs += 1;
        const all = secretsOf(call.state, config);
        return json(200, {
          secrets: Object.fromEntries(names.flatMap((name) => (all[name] ? [[name, shownSecret(all[name], all)]] : []))),
        });
      }),
      route('DELETE', '/v3/configs/config/secret', (call) => {
        const config = configOf(call, call.query);
        const name = call.query.get('name') ?? '';
        if (!Object.hasOwn(config.secrets, name)) throw notFound('secret', name);
        delete config.secrets[name];
        call.state.syncs += 1;
        return { status: 204 };
      }),
    ],
  });
}

/** What the owner of an account knows: the variables of its credential, and what a plan needs to be told. */
export function account(options: SimulationOptions) {
  const simulation = doppler(options);
  const values = { project: 'shop', environment: 'dev' };
  simulation.world.addEnvironment(values.project, values.environment);
  return { simulation, credentials: { DOPPLER_TOKEN: simulation.tokens.full }, values };
}

const writeShape: Shape = {
  fields: { project: 'string', config: 'string', secrets: { values: 'string' } },
  required: ['project', 'config', 'secrets'],
};

const refusal = (status: number, message: string): Refusal => refuse(status, { messages: [message], success: false });
const notFound = (what: string, name: string): Refusal => refusal(404, `Could not find requested ${what} '${name}'`);

function projectOf(state: DopplerState, project: string | null): string {
  if (project === null) throw refusal(400, 'Missing parameter project');
  if (!state.projects.includes(project)) throw notFound('project', project);
  return project;
}

function configOf({ state }: Pick<Call<DopplerState>, 'state'>, named: URLSearchParams): DopplerConfig {
  const project = projectOf(state, named.get('project'));
  const name = named.get('config');
  if (name === null) throw refusal(400, 'Missing parameter config');
  const found = state.configs.find((one) => one.project === project && one.name === name);
  if (!found) throw notFound('config', name);
  return found;
}

function countOf(query: URLSearchParams, name: string, usual: number): number {
  const count = Number(query.get(name) ?? usual);
  if (!Number.isInteger(count) || count < 1 || count > 100) throw refusal(400, `Invalid parameter ${name}`);
  return count;
}

function read(call: Pick<Call<DopplerState>, 'body' | 'contentType'>, shape: Shape): object {
  const [flaw] = flawsOf(call.body, shape);
  if (call.contentType !== 'application/json' || flaw || !isMap(call.body))
    throw refusal(400, `Invalid body: ${flaw ? `${flaw.at} ${flaw.problem}` : 'not JSON'}`);
  return call.body;
}

const shown = ({ name, root, locked, created_at, environment, project, slug }: DopplerConfig): object => ({
  name,
  root,
  locked,
  inheritable: false,
  initial_fetch_at: null,
  last_fetch_at: null,
  created_at,
  environment,
  project,
  slug,
});

/** A branch config has the secrets of its environment's root, and its own over them. */
function secretsOf({ configs }: DopplerState, config: DopplerConfig): Readonly<Record<string, DopplerSecret>> {
  const root = configs.find((one) => one.root && one.project === config.project && one.environment === config.environment);
  return { ...root?.secrets, ...config.secrets };
}

const managedOf = ({ project, environment, name }: DopplerConfig): Readonly<Record<string, DopplerSecret>> => ({
  DOPPLER_PROJECT: { raw: project, visibility: 'unmasked' },
  DOPPLER_ENVIRONMENT: { raw: environment, visibility: 'unmasked' },
  DOPPLER_CONFIG: { raw: name, visibility: 'unmasked' },
});

/** `${NAME}` stands for another secret of the config: `raw` keeps it, `computed` has its value. */
function shownSecret({ raw, visibility }: DopplerSecret, all: Readonly<Record<string, DopplerSecret>>): object {
  const isHidden = visibility === 'restricted';
  const computed = raw.replace(/\$\{(\w+)\}/g, (whole, name: string) => all[name]?.raw ?? whole);
  return {
    raw: isHidden ? null : raw,
    computed: isHidden ? null : computed,
    note: '',
    rawVisibility: visibility,
    computedVisibility: visibility,
  };
}
