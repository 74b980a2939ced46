import { type Call, flawsOf, type Reply, route, type Shape } from '../kit/index.ts';
import { isMap } from '../kit/json.ts';
import { deployTo, type PagesDeployment } from './deployments.ts';
import { refusal, success } from './envelope.ts';

export interface PagesVariable {
  type: 'plain_text' | 'secret_text';
  value: string;
}

export interface PagesConfig {
  env_vars: Record<string, PagesVariable>;
  /** Only where a deploy came with a Wrangler configuration. */
  wrangler_config_hash?: string;
}

export interface PagesProject {
  readonly name: string;
  /** Another name than that of the project where somebody else has it. */
  readonly subdomain: string;
  /** Oldest first. */
  readonly deployments: PagesDeployment[];
  readonly configs: { readonly preview: PagesConfig; readonly production: PagesConfig };
  /** What else stands in the configurations: nobody writes it here, and it must stay. */
  readonly compatibility_date: string;
}

export interface PagesState {
  /** By account id, then by name. */
  readonly accounts: Record<string, Record<string, PagesProject>>;
  /** What a read shows as the value of a secret, which is documented nowhere: an empty text or a mask. */
  secretsShow: string;
}

/** Pages projects as a person has them in the dashboard. */
export interface PagesWorld {
  /** Live: changing it is a change from outside. */
  addPages(account: string, name: string, preview?: Readonly<Record<string, PagesVariable>>, subdomain?: string): PagesProject;
  /** A push starts a deployment, which takes the variables as they are now. */
  deployPages(project: PagesProject, branch: string, commit: string, more?: Partial<PagesDeployment>): PagesDeployment;
  /** The configuration file is the source of truth: plain variables that are not in it go, secrets stay. */
  deployWithWrangler(project: PagesProject, hash: string): void;
}

export const emptyPages = (): PagesState => ({ accounts: {}, secretsShow: '' });

export const pagesWorld = (state: PagesState, now: () => number): PagesWorld => ({
  deployPages: (project, branch, commit, more = {}) => deployTo(project, { branch, commit, at: now() }, more),
  addPages: (account, name, preview = {}, subdomain = `${name}.pages.dev`) => {
    const project: PagesProject = {
      name,
      subdomain,
      deployments: [],
      configs: { preview: { env_vars: { ...preview } }, production: { env_vars: {} } },
      compatibility_date: '2026-11-01',
    };
    state.accounts[account] = { ...state.accounts[account], [name]: project };
    return project;
  },
  deployWithWrangler: ({ configs }, hash) => {
    for (const config of [configs.preview, configs.production]) {
      for (const [name, { type }] of Object.entries(config.env_vars)) if (type === 'plain_text') delete config.env_vars[name];
      config.wrangler_config_hash = hash;
    }
  },
});

const variable: Shape = {
  fields: { type: { oneOf: ['plain_text', 'secret_text'] }, value: 'string' },
  required: ['type', 'value'],
};
const config: Shape = { fields: { env_vars: { nullable: { values: { nullable: variable } } }, wrangler_config_hash: 'string' } };
const project: Shape = {
  fields: { name: 'string', production_branch: 'string', deployment_configs: { fields: { preview: config, production: config } } },
};

const path = '/client/v4/accounts/{account}/pages/projects/{project}';

/** Projects: https://developers.cloudflare.com/api/resources/pages/subresources/projects/ (API v4). The codes of refusals are not certain. */
export const pagesRoutes = [
  route('GET', path, (call: ProjectCall) => shown(projectOf(call), call.state.pages)),
  route('PATCH', path, (call: ProjectCall) => {
    const found = projectOf(call);
    const [flaw] = flawsOf(call.body, project);
    if (flaw || !isMap(call.body)) throw refusal(400, 8000009, `Invalid request body at ${flaw?.at ?? '/'}`);
    const { deployment_configs: configs } = call.body;
    for (const name of ['preview', 'production'] as const) {
      const asked = isMap(configs) ? configs[name] : undefined;
      if (isMap(asked)) merge(found.configs[name], asked.env_vars);
    }
    return shown(found, call.state.pages);
  }),
];

export type ProjectCall = Call<{ readonly pages: PagesState }, { readonly account: string; readonly project: string }>;

export function projectOf({ params, state }: ProjectCall): PagesProject {
  const account = state.pages.accounts[params.account];
  if (!account) throw refusal(403, 10000, 'Authentication error');
  const found = account[params.project];
  if (!found) throw refusal(404, 8000007, 'Project not found. The specified project name does not match any of your existing projects.');
  return found;
}

/** Names that are not sent stay, and null takes one away. */
function merge(into: PagesConfig, asked: unknown): void {
  if (!isMap(asked)) return;
  for (const [name, value] of Object.entries(asked)) {
    if (value === null) delete into.env_vars[name];
    else if (isMap(value)) {
      into.env_vars[name] = { type: value.type === 'secret_text' ? 'secret_text' : 'plain_text', value: String(value.value) };
    }
  }
}

/** Build settings that nobody made: each answer shows their emptiness in another way (cloudflare/terraform-provider-cloudflare, 2026-11-25). */
const buildConfigs = [
  { build_config: { build_command: '', destination_dir: '', root_dir: '' } },
  { build_config: { build_command: null, destination_dir: null, root_dir: null } },
  {},
];

/** Answers with a project so far. A read changes nothing that the provider keeps, so it is no part of the state. */
const answers = new WeakMap<PagesState, number>();

function shown({ name, subdomain, configs, compatibility_date }: PagesProject, state: PagesState): Reply {
  const { secretsShow } = state;
  const nth = answers.get(state) ?? 0;
  answers.set(state, nth + 1);
  const answer = ({ env_vars, wrangler_config_hash: hash }: PagesConfig) => ({
    compatibility_date,
    compatibility_flags: [],
    // A project that never had a variable shows null.
    env_vars:
      Object.keys(env_vars).length === 0 ? null : Object.fromEntries(Object.entries(env_vars).map(([key, one]) => [key, masked(one)])),
    ...(hash !== undefined && { wrangler_config_hash: hash }),
  });
  const masked = ({ type, value }: PagesVariable) => (type === 'plain_text' ? { type, value } : { type, value: secretsShow });
  return success({
    id: `pages-${name}`,
    name,
    subdomain,
    domains: [subdomain],
    created_on: '2026-01-01T00:00:00.000000Z',
    production_branch: 'main',
    ...buildConfigs[nth % buildConfigs.length],
    deployment_configs: { preview: answer(configs.preview), production: answer(configs.production) },
  });
}
