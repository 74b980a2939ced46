import { type Call, flawsOf, type Refusal, refuse, type Shape } from '../kit/index.ts';
import { isMap } from '../kit/json.ts';

export interface EnvValue {
  id: string;
  value: string;
  context: string;
  context_parameter?: string;
}

/** A variable as the provider stores it: secrecy and scopes are of the whole, values of each context. */
export interface EnvVariable {
  readonly key: string;
  scopes: string[];
  values: EnvValue[];
  is_secret: boolean;
  updated_at: string;
}

export interface Deploy {
  readonly id: string;
  state: string;
  readonly context: string;
  readonly branch: string;
  readonly commit_ref?: string;
  readonly review_id?: number;
  readonly error_message?: string;
  readonly skipped?: boolean;
  readonly created_at: string;
  /** The variables of the moment when it started; never answered. */
  readonly env: Readonly<Record<string, string>>;
  /** Reads that saw it build. */
  polls: number;
  /** Stays where it is until the test moves it. */
  isHeld: boolean;
}

export interface Site {
  readonly id: string;
  readonly name: string;
  /** Automatic deploy subdomains. */
  deploy_preview_custom_domain: string | null;
  branch_deploy_custom_domain: string | null;
  /** Names that deploys of the command line took with `--alias`. */
  readonly taken: string[];
  variables: EnvVariable[];
  readonly deploys: Deploy[];
}

/** What the published description leaves open, as this account has it. */
export interface Unknowns {
  /** The answer to a second variable of one key. */
  duplicateStatus: number;
  /** Whether a variable without values goes by itself. */
  dropsEmpty: boolean;
  /** Whether a changed value is another one. */
  renewsIds: boolean;
  /** Spelling of the scope that the description writes `post-processing`. */
  postProcessing: 'post_processing' | 'post-processing';
}

export interface NetlifyState extends Unknowns {
  readonly accounts: Record<string, { readonly slug: string; readonly sites: Site[] }>;
  /** Variables that a site may have. */
  limit: number;
}

const contexts = ['all', 'dev', 'dev-server', 'branch-deploy', 'deploy-preview', 'production', 'branch'];
const scopeNames = ['builds', 'functions', 'runtime', 'post-processing', 'post_processing'];
export const valueFields: Shape = {
  fields: { id: 'string', value: 'string', context: { oneOf: contexts }, context_parameter: 'string' },
};
export const variableFields: Shape = {
  fields: { key: 'string', scopes: { list: { oneOf: scopeNames } }, values: { list: valueFields }, is_secret: 'boolean' },
};
export const valueWrite: Shape = {
  fields: { value: 'string', context: { oneOf: contexts }, context_parameter: 'string' },
  required: ['context'],
};

export type SiteCall = Call<NetlifyState, { readonly account: string; readonly key?: string }>;

export const refusal = (status: number, message: string): Refusal => refuse(status, { code: status, message });
export const spelled = ({ postProcessing }: NetlifyState, scope: string) => (/^post.processing$/.test(scope) ? postProcessing : scope);
export const everyScope = (all: NetlifyState): string[] => ['builds', 'functions', all.postProcessing, 'runtime'];
export const isAt = (value: EnvValue, context: string, branch?: string): boolean =>
  value.context === context && value.context_parameter === branch;

/** Values of a secret are masked: nobody reads them again, except that of local development. */
export const shown = ({ values, ...rest }: EnvVariable) => ({
  ...rest,
  values: values.map((each) => (rest.is_secret && each.context !== 'dev' ? { ...each, value: '****************' } : each)),
});

/** Without `site_id` the whole team would be meant, and nothing here does that. */
export function siteOf({ params, query, state }: SiteCall): Site {
  const name = query.get('context_name');
  if (name !== null && (name === 'branch' || !contexts.includes(name))) throw refusal(400, 'invalid request: non-compatible context');
  const account = state.accounts[params.account];
  const site = account?.sites.find(({ id }) => id === query.get('site_id'));
  if (!site) throw refusal(404, 'Not Found');
  return site;
}

export function foundIn(call: SiteCall): EnvVariable {
  const found = siteOf(call).variables.find(({ key }) => key === call.params.key);
  if (!found) throw refusal(404, 'Not Found');
  return found;
}

export function valueFrom(body: unknown, shape: Shape): Omit<EnvValue, 'id'> {
  const [flaw] = flawsOf(body, shape);
  if (flaw || !isMap(body)) throw refusal(422, `${flaw?.at ?? '/'} is invalid`);
  const { context = 'all', context_parameter: branch, value = '' } = body;
  if (context === 'branch' && (typeof branch !== 'string' || branch === '')) throw refusal(422, 'context_parameter is required');
  return { value: String(value), context: String(context), ...(typeof branch === 'string' && { context_parameter: branch }) };
}

export function refuseSecret({ is_secret: isSecret }: EnvVariable, context: string): void {
  if (isSecret && (context === 'all' || context === 'dev')) throw refusal(422, `A secret cannot have a value in the context ${context}`);
}

export function removeIn({ dropsEmpty }: NetlifyState, site: Site, variable: EnvVariable, id: string): boolean {
  const before = variable.values.length;
  variable.values = variable.values.filter((each) => each.id !== id);
  if (variable.values.length === 0 && dropsEmpty) site.variables = site.variables.filter((other) => other !== variable);
  return variable.values.length < before;
}
