import {
  bearerOf,
  type Call,
  flawsOf,
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

/** Settings of each environment of one static web app. */
export interface AzureSite {
  readonly id: string;
  readonly builds: Record<string, Record<string, string>>;
}

export interface AzureState {
  /** `null` where the caller has no role on anything. */
  sites: Record<string, AzureSite> | null;
  /** How names begin that the service keeps for itself: a write of one is a success, and it does not stand. */
  readonly reserved: string[];
}

export interface AzureWorld {
  readonly state: AzureState;
  /** Path of the site below the origin. */
  addSite(subscription: string, group: string, name: string): string;
  /** Somebody deploys a pull request for the first time. Live: changing the settings is a change from outside. */
  deploy(site: string, environment: string, settings?: Record<string, string>): Record<string, string>;
  settings(site: string, environment: string): Record<string, string>;
  /** The pull request is closed. */
  removeBuild(site: string, environment: string): void;
}

/** Azure/static-web-apps issue 334, 2026-11-25; it says that there are more. */
const reserved = [
  ...['APPINSIGHTS_', 'APPSETTING_', 'AZUREBLOBSTORAGE_', 'CONTAINER_', 'DIAGNOSTICS_', 'DOCKER_', 'FUNCTIONS_', 'IDENTITY_'],
  ...['WEBSITE_', 'SCM_'],
];

const versions = ['2025-03-01', '2025-05-01'];
const sitePath = '/subscriptions/{subscription}/resourceGroups/{group}/providers/Microsoft.Web/staticSites/{site}';
const build = `${sitePath}/builds/{environment}`;

/**
 * Application settings of the environments of a static web app:
 * https://learn.microsoft.com/en-us/rest/api/appservice/static-sites/create-or-update-static-site-build-app-settings (2025-05-01).
 * What the list action answers for an environment that is not there is taken from the environment's own read.
 */
export function azureStaticWebApps(options: SimulationOptions = {}): Simulation<AzureWorld> {
  const kit = makeKit('azure-static-web-apps', options);
  const state: AzureState = { sites: {}, reserved: [...reserved] };
  const settingsIn = (live: AzureState, site: string, environment: string): Record<string, string> => {
    const found = live.sites?.[site]?.builds[environment];
    if (!found) throw new Error(`the world has no environment ${environment} of ${site}`);
    return found;
  };
  return simulate<AzureState, AzureWorld>(kit, {
    name: 'azure-static-web-apps',
    origin: 'https://management.azure.com',
    state,
    blind: () => ({ sites: null, reserved }),
    world: (live) => ({
      state: live,
      addSite: (subscription, group, name) => {
        const id = siteId({ subscription, group, site: name });
        live.sites = { ...live.sites, [id]: { id, builds: {} } };
        return id;
      },
      deploy: (site, environment, settings = {}) => {
        const builds = live.sites?.[site]?.builds;
        if (!builds) throw new Error(`the world has no ${site}`);
        builds[environment] = settings;
        return settings;
      },
      settings: (site, environment) => settingsIn(live, site, environment),
      removeBuild: (site, environment) => {
        delete live.sites?.[site]?.builds[environment];
      },
    }),
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: (_, why) => {
      if (why === 'read-only') return unauthorized();
      return why === 'missing'
        ? failure(401, 'AuthenticationFailed', "Authentication failed. The 'Authorization' header is missing.")
        : failure(401, 'InvalidAuthenticationToken', 'The access token is invalid.');
    },
    routes: [
      route('POST', `${build}/listAppSettings`, (call) => json(200, shown(call, settingsOf(call))), { write: false }),
      route('PUT', `${build}/config/appsettings`, (call) => {
        const settings = settingsOf(call);
        const [flaw] = flawsOf(call.body, { fields: { kind: 'string', properties: { values: 'string' } } });
        if (flaw || !isMap(call.body))
          throw bad('InvalidRequestContent', `The request content was invalid${flaw ? ` at ${flaw.at}` : ''}.`);
        const { properties = {} } = call.body;
        for (const name of Object.keys(settings)) delete settings[name];
        for (const [name, value] of Object.entries(isMap(properties) ? properties : {})) {
          if (!call.state.reserved.some((start) => name.startsWith(start))) settings[name] = String(value);
        }
        return json(200, shown(call, settings));
      }),
      route('GET', build, (call) => {
        settingsOf(call);
        const { environment } = call.params;
        return json(200, {
          id: `${siteId(call.params)}/builds/${environment}`,
          name: environment,
          properties: { status: 'Ready', hostname: hostOf(call.params) },
        });
      }),
    ],
  });
}

type SiteNames = { readonly subscription: string; readonly group: string; readonly site: string };
type BuildCall = Call<AzureState, SiteNames & { readonly environment: string }>;

/** The address has a region and a number that no page explains. */
const hostOf = ({ site, environment }: BuildCall['params']): string =>
  environment === 'default'
    ? `${site}-0a1b2c3d4.3.azurestaticapps.net`
    : `${site}-0a1b2c3d4-${environment}.westeurope.3.azurestaticapps.net`;

const siteId = ({ subscription, group, site }: SiteNames): string =>
  sitePath.replace('{subscription}', subscription).replace('{group}', group).replace('{site}', site);

const failure = (status: number, code: string, message: string): Reply => json(status, { error: { code, message } });
const bad = (code: string, message: string): Refusal => new Refusal(failure(400, code, message));
const unauthorized = (): Reply =>
  failure(403, 'AuthorizationFailed', 'The client does not have authorization to perform this action over this scope.');

function settingsOf({ state, params, query }: BuildCall): Record<string, string> {
  const version = query.get('api-version');
  if (version === null) throw bad('MissingApiVersionParameter', 'The api-version query parameter (?api-version=) is required.');
  if (!versions.includes(version)) throw bad('NoRegisteredProviderFound', `No registered resource provider found for ${version}.`);
  // Who has no role there is told so before anything is looked for.
  if (state.sites === null) throw new Refusal(unauthorized());
  const site = state.sites[siteId(params)];
  if (!site) throw new Refusal(failure(404, 'ResourceNotFound', `The Resource 'Microsoft.Web/staticSites/${params.site}' was not found.`));
  const settings = site.builds[params.environment];
  if (!settings) throw new Refusal(failure(404, 'NotFound', `The environment ${params.environment} was not found.`));
  return settings;
}

/** An environment without settings shows an empty map. */
const shown = ({ params }: BuildCall, settings: Readonly<Record<string, string>>) => ({
  id: `${siteId(params)}/builds/${params.environment}/config/appsettings`,
  name: 'appsettings',
  type: 'Microsoft.Web/staticSites/builds/config',
  properties: { ...settings },
});
