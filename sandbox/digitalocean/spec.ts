import { flawsOf, type Refusal, type Shape } from '../kit/index.ts';
import { isMap } from '../kit/json.ts';
import { type DigitalOceanState, encrypted, type Spec } from './state.ts';

const source: Shape = { fields: { repo: 'string', branch: 'string', deploy_on_push: 'boolean' } };
const variables: Shape = {
  list: {
    required: ['key'],
    fields: {
      key: 'string',
      value: 'string',
      scope: { oneOf: ['UNSET', 'RUN_TIME', 'BUILD_TIME', 'RUN_AND_BUILD_TIME'] },
      type: { oneOf: ['GENERAL', 'SECRET'] },
    },
  },
};
const routes: Shape = { list: { fields: { path: 'string', preserve_path_prefix: 'boolean' } } };

const base: { readonly [name: string]: Shape } = {
  name: 'string',
  git: { fields: { branch: 'string', repo_clone_url: 'string' } },
  github: source,
  gitlab: source,
  bitbucket: source,
  image: {
    fields: {
      registry: 'string',
      registry_type: { oneOf: ['DOCKER_HUB', 'DOCR', 'GHCR'] },
      registry_credentials: 'string',
      repository: 'string',
      tag: 'string',
      digest: 'string',
      deploy_on_push: { fields: { enabled: 'boolean' } },
    },
  },
  dockerfile_path: 'string',
  build_command: 'string',
  run_command: 'string',
  source_dir: 'string',
  envs: variables,
  environment_slug: 'string',
  log_destinations: { list: 'any' },
};
const instances: { readonly [name: string]: Shape } = {
  instance_count: 'integer',
  instance_size_slug: 'string',
  termination: 'any',
  autoscaling: 'any',
  liveness_health_check: 'any',
};

const components: { readonly [kind: string]: Shape } = {
  services: {
    fields: {
      ...base,
      ...instances,
      cors: 'any',
      health_check: 'any',
      protocol: { oneOf: ['HTTP', 'HTTP2'] },
      http_port: 'integer',
      internal_ports: { list: 'integer' },
      routes,
    },
  },
  static_sites: {
    fields: {
      ...base,
      index_document: 'string',
      error_document: 'string',
      catchall_document: 'string',
      output_dir: 'string',
      cors: 'any',
      routes,
    },
  },
  jobs: { fields: { ...base, ...instances, kind: { oneOf: ['UNSPECIFIED', 'PRE_DEPLOY', 'POST_DEPLOY', 'FAILED_DEPLOY'] } } },
  workers: { fields: { ...base, ...instances } },
  functions: { fields: { name: 'string', source_dir: 'string', envs: variables, github: source, gitlab: source, cors: 'any', routes } },
  databases: { fields: { name: 'string', engine: 'string', version: 'string', production: 'boolean', cluster_name: 'string' } },
};

const shape: Shape = {
  required: ['name'],
  fields: {
    name: 'string',
    region: { oneOf: ['atl', 'nyc', 'sfo', 'tor', 'ams', 'fra', 'lon', 'blr', 'sgp', 'syd'] },
    disable_edge_cache: 'boolean',
    disable_email_obfuscation: 'boolean',
    enhanced_threat_control_enabled: 'boolean',
    domains: { list: { open: true, required: ['domain'], fields: { domain: 'string' } } },
    ingress: { fields: { rules: { list: 'any' }, custom_error_page_url: 'string' } },
    egress: { fields: { type: 'string' } },
    // Not in the published description, which leaves specs open; apps of the dashboard have them.
    features: { list: 'string' },
    alerts: { list: 'any' },
    maintenance: { fields: { enabled: 'boolean', archive: 'boolean', offline_page_url: 'string' } },
    ...Object.fromEntries(Object.entries(components).map(([kind, component]) => [kind, { list: component }])),
  },
};

const namePattern = /^[a-z][a-z0-9-]{0,30}[a-z0-9]$/;

/** Refuses what is no spec: types and members of the description, names that are unique, rules that speak of components. */
export function checkSpec(spec: unknown, codeHosts: readonly string[], invalid: (message: string) => Refusal): asserts spec is Spec {
  const [flaw] = flawsOf(spec, shape);
  if (flaw) throw invalid(`error validating app spec field "${flaw.at.slice(1).replaceAll('/', '.')}": ${flaw.problem} (${flaw.expected})`);
  if (!isMap(spec)) throw invalid('spec is required');
  if (!namePattern.test(String(spec.name))) throw invalid('error validating app spec field "name": invalid value');
  const all = componentsOf(spec);
  if (all.length === 0) throw invalid('an app must have at least one component');
  const names = all.map(({ name }) => String(name));
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw invalid(`component name "${twice}" is not unique`);
  const wrong = names.find((name) => !namePattern.test(name));
  if (wrong !== undefined) throw invalid(`invalid component name "${wrong}"`);
  const hasRoutes = all.some(({ routes: given }) => given !== undefined);
  const rules = rulesOf(spec);
  if (hasRoutes && rules.length > 0) throw invalid('routes of components and ingress rules cannot be given together');
  const stray = rules.find((rule) => isMap(rule.component) && !names.includes(String(rule.component.name)));
  if (stray) throw invalid('an ingress rule names a component that the app does not have');
  for (const host of ['github', 'gitlab', 'bitbucket']) {
    if (!codeHosts.includes(host) && all.some((one) => one[host] !== undefined)) throw invalid(`${host} user not authenticated`);
  }
}

/** A spec as it is kept: secrets encrypted, routes as rules, defaults that say nothing left out. */
export function kept(state: Pick<DigitalOceanState, 'opened'>, spec: Spec, invalid: (message: string) => Refusal): Spec {
  const next = structuredClone(spec);
  next.region ??= 'nyc';
  const rules = [...rulesOf(next)];
  for (const kind of ['services', 'static_sites', 'functions']) {
    for (const component of listOf(next[kind])) {
      const given = listOf(component.routes);
      delete component.routes;
      for (const { path, preserve_path_prefix: preserve } of given)
        rules.push({
          match: { path: { prefix: path } },
          component: { name: component.name, ...(preserve === true && { preserve_path_prefix: 'true' }) },
        });
      const isReached = rules.some((rule) => isMap(rule.component) && rule.component.name === component.name);
      if (!isReached)
        rules.push({
          match: { path: { prefix: rules.length === 0 ? '/' : `/${String(component.name)}` } },
          component: { name: component.name },
        });
    }
  }
  if (rules.length > 0) next.ingress = { ...(isMap(next.ingress) && next.ingress), rules };
  for (const component of componentsOf(next)) for (const variable of listOf(component.envs)) keepVariable(state, variable, invalid);
  return withoutSilence(next) as Spec;
}

function keepVariable(state: Pick<DigitalOceanState, 'opened'>, variable: Spec, invalid: (message: string) => Refusal): void {
  if (variable.type === 'GENERAL') delete variable.type;
  if (variable.type !== 'SECRET' || typeof variable.value !== 'string') return;
  if (variable.value.startsWith('EV[')) {
    if (!Object.hasOwn(state.opened, variable.value)) throw invalid('an encrypted value cannot be decrypted');
    return;
  }
  const cipher = encrypted(variable.value);
  state.opened[cipher] = variable.value;
  variable.value = cipher;
}

/** What says no more than its default is left out of answers. */
function withoutSilence(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSilence);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (one === false || one === '' || one === 0 ? [] : [[name, withoutSilence(one)]])),
  );
}

const componentsOf = (spec: Spec): Spec[] => Object.keys(components).flatMap((kind) => listOf(spec[kind]));
const rulesOf = (spec: Spec): Spec[] => (isMap(spec.ingress) ? listOf(spec.ingress.rules) : []);
const listOf = (value: unknown): Spec[] => (Array.isArray(value) ? value.filter(isMap) : []);
