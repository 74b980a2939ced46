import * as checks from '../checks.ts';
import { bearerOf, empty, flawsOf, Ids, json, makeKit, route, type Simulation, type SimulationOptions, simulate } from '../kit/index.ts';
import { isMap } from '../kit/json.ts';
import { deploysOf } from './deploys.ts';
import {
  type Deploy,
  type EnvValue,
  type EnvVariable,
  everyScope,
  foundIn,
  isAt,
  type NetlifyState,
  refusal,
  refuseSecret,
  removeIn,
  type Site,
  shown,
  siteOf,
  spelled,
  valueFields,
  valueFrom,
  valueWrite,
  variableFields,
} from './state.ts';

export type { Deploy, EnvValue, EnvVariable, NetlifyState } from './state.ts';

/** State, and what a person does in the dashboard. */
export interface NetlifyWorld {
  readonly state: NetlifyState;
  addSite(account: string, site: string, more?: Partial<Site>): Site;
  /** Live: changing one is a change from outside. */
  variable(site: string, key: string): EnvVariable | undefined;
  setValue(
    site: string,
    key: string,
    value: string,
    where?: { context?: string; branch?: string; secret?: boolean; scopes?: string[] },
  ): EnvValue;
  removeValue(site: string, key: string, where: { readonly context: string; readonly branch?: string }): void;
  /** A push starts a deploy, which takes the variables as they are now. */
  deploy(site: string, what: Pick<Deploy, 'context' | 'branch'> & Partial<Deploy>): Deploy;
}

/** Variables and deploys of sites: https://open-api.netlify.com (the vendor's published description, v1). */
export function netlify(options: SimulationOptions = {}): Simulation<NetlifyWorld> {
  const kit = makeKit('netlify', options);
  const ids = new Ids('netlify');
  const time = () => new Date(kit.clock.now()).toISOString();
  const nothing = { duplicateStatus: 422, dropsEmpty: true, renewsIds: false, postProcessing: 'post_processing', limit: 1000 } as const;
  const state: NetlifyState = { accounts: {}, ...nothing };
  const siteIn = (all: NetlifyState, id: string): Site | undefined =>
    Object.values(all.accounts)
      .flatMap(({ sites }) => sites)
      .find((one) => one.id === id);
  const variableOf = (site: string, key: string) => siteIn(state, site)?.variables.find((one) => one.key === key);
  const env = '/api/v1/accounts/{account}/env';
  const one = `${env}/{key}`;

  return simulate<NetlifyState, NetlifyWorld>(kit, {
    name: 'netlify',
    origin: 'https://api.netlify.com',
    basePath: '/api/v1',
    state,
    blind: () => ({ accounts: {}, ...nothing }),
    world: (live) => ({
      state: live,
      addSite: (account, id, more = {}) => {
        const none = { variables: [], deploys: [], taken: [], deploy_preview_custom_domain: null, branch_deploy_custom_domain: null };
        const site: Site = { id, name: id, ...none, ...more };
        live.accounts[account] ??= { slug: account, sites: [] };
        live.accounts[account].sites.push(site);
        return site;
      },
      variable: variableOf,
      setValue: (siteId, key, value, { context = 'branch', branch, secret = false, scopes } = {}) => {
        const site = siteIn(live, siteId);
        if (!site) throw new Error(`there is no site ${siteId}`);
        let variable = variableOf(siteId, key);
        if (!variable) {
          variable = { key, scopes: scopes ?? everyScope(live), values: [], is_secret: secret, updated_at: time() };
          site.variables.push(variable);
        }
        return setIn(live, variable, { value, context, ...(branch !== undefined && { context_parameter: branch }) });
      },
      removeValue: (siteId, key, where) => {
        const site = siteIn(live, siteId);
        const variable = variableOf(siteId, key);
        const found = variable?.values.find((each) => isAt(each, where.context, where.branch));
        if (site && variable && found) removeIn(live, site, variable, found.id);
      },
      deploy: (siteId, what) => {
        const site = siteIn(live, siteId);
        if (!site) throw new Error(`there is no site ${siteId}`);
        const seen = site.variables.flatMap(({ key, values }) => {
          const value = values.find((each) => isAt(each, 'branch', what.branch)) ?? values.find((each) => each.context === what.context);
          return value ? [[key, value.value] as const] : [];
        });
        const made: Deploy = {
          id: ids.text(24),
          state: 'building',
          created_at: time(),
          env: Object.fromEntries(seen),
          polls: 0,
          isHeld: false,
          ...what,
        };
        site.deploys.push(made);
        return made;
      },
    }),
    tokens: kit.tokens,
    checks: checks.netlify,
    credential: bearerOf,
    refuseCredential: (_, why) => (why === 'read-only' ? refusal(403, 'Forbidden').reply : refusal(401, 'Access Denied').reply),
    routes: [
      route('GET', env, (call) => json(200, siteOf(call).variables.map(shown))),
      route('POST', env, (call) => {
        const site = siteOf(call);
        if (!Array.isArray(call.body)) throw refusal(422, 'body must be an array');
        const asked = call.body.map((each: unknown) => variableFrom(call.state, each));
        // Nothing is made unless everything can be.
        if (asked.some(({ key }) => site.variables.some((other) => other.key === key))) {
          throw refusal(call.state.duplicateStatus, 'An environment variable with this key already exists');
        }
        if (site.variables.length + asked.length > call.state.limit) throw refusal(422, 'Too many environment variables for this project');
        site.variables.push(...asked);
        return json(201, asked.map(shown));
      }),
      route('GET', one, (call) => json(200, shown(foundIn(call)))),
      route('PUT', one, (call) => {
        const there = foundIn(call);
        const asked = variableFrom(call.state, { key: there.key, ...(isMap(call.body) && call.body) }, there);
        Object.assign(there, { ...asked, scopes: isMap(call.body) && call.body.scopes ? asked.scopes : there.scopes, updated_at: time() });
        return json(200, shown(there));
      }),
      route('PATCH', one, (call) => {
        const variable = foundIn(call);
        const asked = valueFrom(call.body, valueWrite);
        refuseSecret(variable, asked.context);
        setIn(call.state, variable, asked);
        return json(201, shown(variable));
      }),
      route('DELETE', one, (call) => {
        const variable = foundIn(call);
        const site = siteOf(call);
        site.variables = site.variables.filter((other) => other !== variable);
        return empty();
      }),
      route('DELETE', `${one}/value/{id}`, (call) => {
        if (!removeIn(call.state, siteOf(call), foundIn(call), call.params.id)) throw refusal(404, 'Not Found');
        return empty();
      }),
      route('GET', '/api/v1/sites/{site}', (call) => {
        const site = siteIn(call.state, call.params.site);
        if (!site) throw refusal(404, 'Not Found');
        const [account] = Object.entries(call.state.accounts).find(([, { sites }]) => sites.includes(site)) ?? [];
        const { id, name, deploy_preview_custom_domain, branch_deploy_custom_domain } = site;
        // What is not set is left out of the answer.
        const custom = Object.entries({ deploy_preview_custom_domain, branch_deploy_custom_domain }).filter(([, set]) => set !== null);
        return json(200, { id, name, account_id: account, account_slug: account, ...Object.fromEntries(custom) });
      }),
      route('GET', '/api/v1/sites/{site}/deploys', (call) =>
        deploysOf(call, siteIn(call.state, call.params.site), kit.faults.pollsUntilReady),
      ),
    ],
  });

  function setIn({ renewsIds }: NetlifyState, variable: EnvVariable, asked: Omit<EnvValue, 'id'>): EnvValue {
    const there = variable.values.find((each) => isAt(each, asked.context, asked.context_parameter));
    variable.updated_at = time();
    if (!there) variable.values.push({ ...asked, id: ids.uuid() });
    else Object.assign(there, asked, renewsIds && { id: ids.uuid() });
    const [set] = variable.values.filter((each) => isAt(each, asked.context, asked.context_parameter));
    if (!set) throw new Error('a value that was set is there');
    return set;
  }

  function variableFrom(all: NetlifyState, body: unknown, there?: EnvVariable): EnvVariable {
    const idOf = (given: unknown): string => there?.values.find(({ id }) => isMap(given) && given.id === id)?.id ?? ids.uuid();
    const [flaw] = flawsOf(body, variableFields);
    if (flaw || !isMap(body)) throw refusal(422, `${flaw?.at ?? '/'} is invalid`);
    const { key, scopes, values, is_secret: isSecret } = body;
    if (typeof key !== 'string' || !/^[A-Za-z_]\w*$/.test(key)) throw refusal(422, 'key is invalid');
    const variable: EnvVariable = {
      key,
      scopes: Array.isArray(scopes)
        ? scopes.map((scope) => spelled(all, String(scope))).toSorted()
        : everyScope(all).filter((scope) => isSecret !== true || scope !== all.postProcessing),
      values: (Array.isArray(values) ? values : []).map((each: unknown) => ({ ...valueFrom(each, valueFields), id: idOf(each) })),
      is_secret: isSecret === true,
      updated_at: time(),
    };
    for (const { context } of variable.values) refuseSecret(variable, context);
    if (isSecret === true && Array.isArray(scopes) && variable.scopes.includes(all.postProcessing)) {
      throw refusal(422, 'A secret cannot have the post-processing scope');
    }
    return variable;
  }
}
