import { ably } from '../ably.ts';
import { auth0 } from '../auth0/index.ts';
import { configcat } from '../configcat.ts';
import { firebaseAuth } from '../firebase-auth.ts';
import { flagsmith } from '../flagsmith.ts';
import { github } from '../github.ts';
import { growthbook } from '../growthbook.ts';
import { kinde } from '../kinde.ts';
import { launchdarkly } from '../launchdarkly.ts';
import { newrelic } from '../newrelic.ts';
import { okta } from '../okta.ts';
import { posthog } from '../posthog.ts';
import { sentry } from '../sentry.ts';
import { split } from '../split.ts';
import { statsig } from '../statsig.ts';
import { stytch } from '../stytch.ts';
import { svix } from '../svix.ts';
import { twilio } from '../twilio.ts';
import { unleash } from '../unleash.ts';
import { deepText, type Parent, parent, parentNamed, textIn } from './parent.ts';

/** Environments that a flag has before a plan names another one. */
const environments = ['development', 'dev', 'test', 'staging', 'preview', 'production'];

/** Apps, flags and organisations that a plan names at the other providers. */
export const services: { readonly [provider: string]: readonly Parent[] } = {
  ably: [
    parent(ably, '/v1/apps/{app}/', (world, { app }) => {
      if (!world.state.apps[app]) world.addApp(app);
    }),
  ],
  auth0: [
    parent(auth0, '/api/v2/clients/{client}/', (world, { client }) => {
      if (!world.state.clients[client]) world.addClient(client, { name: 'shop', callbacks: [], allowed_logout_urls: [] });
    }),
  ],
  configcat: [
    parent(configcat, '/v2/environments/{environment}/settings/{setting}/', (world, { environment, setting }) => {
      if (!world.state.environments[environment]?.[setting]) world.addFlag(environment, Number(setting));
    }),
  ],
  firebase_auth: [
    parent(firebaseAuth, '/admin/v2/projects/{project}/', (world, { project }) => {
      if (!world.state.projects[project]) world.addProject(project);
    }),
  ],
  flagsmith: [
    parentNamed(flagsmith, (world, named) => {
      const project = Number(textIn(named, 'project'));
      if (project > 0 && !world.state.projects.includes(project)) world.addProject(project);
    }),
  ],
  github: [
    parent(github, '/repos/{owner}/{repository}/', (world, { owner, repository }) => {
      if (!world.state.repositories[`${owner}/${repository}`]) world.addRepository(`${owner}/${repository}`);
    }),
  ],
  growthbook: [
    parent(growthbook, '/api/v2/features/{feature}/', (world, { feature }) => {
      if (!world.state.features[feature]) world.addFeature(feature, environments);
    }),
  ],
  kinde: [
    parent(kinde, '/api/v1/applications/{app}/', (world, { app }) => {
      if (!world.state.applications[app]) world.addApplication(app);
    }),
  ],
  launchdarkly: [
    parent(launchdarkly, '/api/v2/flags/{project}/{flag}/', (world, { project, flag }, named) => {
      const path = `${project}/${flag}`;
      const asked = textIn(named, 'env') ?? textIn(named, 'environmentKey');
      if (!world.state.flags[path]) world.addFlag(path, [...new Set([...environments, ...(asked === null ? [] : [asked])])]);
    }),
  ],
  newrelic: [
    parentNamed(newrelic, (world, { body }) => {
      const entity = deepText(body, 'entityGuid');
      if (entity !== null && !world.state.entities.includes(entity)) world.addEntity(entity);
    }),
  ],
  okta: [
    parent(okta, '/api/v1/apps/{app}/', (world, { app }) => {
      if (!world.state.apps[app])
        world.addApp(app, { redirect_uris: ['https://acme.example/login/callback'], post_logout_redirect_uris: [] });
    }),
  ],
  posthog: [
    parent(posthog, '/api/projects/{project}/feature_flags/{flag}/', (world, { project, flag }) => {
      const filters = { groups: [], multivariate: null, payloads: {}, aggregation_group_type_index: null };
      if (!world.state.projects[project]?.[flag] && Number(flag) > 0) world.addFlag(Number(project), Number(flag), filters);
    }),
  ],
  sentry: [
    parent(sentry, '/api/0/organizations/{organization}/', (world, { organization }, { body }) => {
      if (!world.state.organizations[organization]) world.addOrganization(organization, []);
      const { projects } = world.state.organizations[organization] ?? {};
      const named = Array.isArray(body.projects) ? body.projects.map(String) : [];
      projects?.push(...named.filter((one) => !projects.includes(one)));
    }),
  ],
  split: [
    parent(
      split,
      '/internal/api/v2/splits/ws/{workspace}/{flag}/environments/{environment}/',
      (world, { workspace, flag, environment }) => {
        if (!world.state.definitions[`${workspace}/${flag}/${environment}`]) world.addFlag(workspace, flag, environment);
      },
    ),
  ],
  statsig: [
    parent(statsig, '/console/v1/gates/{gate}/', (world, { gate }) => {
      if (!world.state.gates[gate]) world.addGate(gate);
    }),
  ],
  stytch: [
    parent(stytch, '/pwa/v3/projects/{project}/environments/{environment}/', (world, { project, environment }) => {
      if (!world.state.projects[project]?.[environment]) world.addEnvironment(project, environment);
    }),
  ],
  svix: [
    parent(svix, '/api/v1/app/{app}/', (world, { app }) => {
      const { apps } = world.state;
      if (apps[app] || Object.values(apps).some(({ uid }) => uid === app)) return;
      if (app.startsWith('app_')) apps[app] = { uid: null, endpoints: [] };
      else world.addApp(app);
    }),
  ],
  twilio: [
    parent(twilio, '/2010-04-01/Accounts/{account}/', (world, { account }) => {
      world.state.accounts[account] ??= [];
    }),
  ],
  unleash: [
    parent(
      unleash,
      '/api/admin/projects/{project}/features/{flag}/environments/{environment}/',
      (world, { project, flag, environment }) => {
        if (!world.state.projects[project]?.[flag]) world.addFlag(project, flag, [...new Set([...environments, environment])]);
      },
    ),
  ],
};
