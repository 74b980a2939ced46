import { amplify } from '../aws-amplify.ts';
import { s3ByPath } from '../aws-s3.ts';
import { azureStaticWebApps } from '../azure-static-web-apps.ts';
import { firebaseHosting } from '../firebase-hosting.ts';
import { fly } from '../fly.ts';
import { cloudRun } from '../google-cloud-run/index.ts';
import { gcs } from '../google-cloud-storage.ts';
import { heroku } from '../heroku.ts';
import { netlify } from '../netlify/index.ts';
import { railway } from '../railway.ts';
import { render } from '../render.ts';
import { vercel } from '../vercel/index.ts';
import { deepText, type Parent, parent, parentNamed, textIn } from './parent.ts';

/** Projects, sites, services and builds that a plan names at hosts. */
export const hosts: { readonly [provider: string]: readonly Parent[] } = {
  amplify: [
    parent(amplify, '/apps/{app}/', (world, { app }) => {
      if (!world.state.apps?.[app]) world.addApp(app);
    }),
  ],
  azure_static_web_apps: [
    parent(
      azureStaticWebApps,
      '/subscriptions/{subscription}/resourceGroups/{group}/providers/Microsoft.Web/staticSites/{site}/builds/{build}/',
      (world, { subscription, group, site, build }) => {
        const id = Object.keys(world.state.sites ?? {}).find((one) =>
          one.endsWith(`/resourceGroups/${group}/providers/Microsoft.Web/staticSites/${site}`),
        );
        const place = id ?? world.addSite(subscription, group, site);
        if (!world.state.sites?.[place]?.builds[build]) world.deploy(place, build, {});
      },
    ),
  ],
  cloud_run: [
    parent(cloudRun, '/v2/projects/{project}/locations/{location}/services/{service}/', (world, { project, location, service }) => {
      Object.assign(world.state, { project, location });
      if (!world.state.services.some(({ id }) => id === service)) world.addService(service);
    }),
  ],
  firebase_hosting: [
    parent(firebaseHosting, '/v1beta1/projects/{project}/sites/{site}/', (world, { project, site }) => {
      if (!world.state.sites?.[site]) world.addSite(project, site);
    }),
  ],
  fly: [
    parentNamed(fly, (world, named) => {
      const organization = textIn(named, 'org_slug');
      if (organization !== null && !world.state.organizations.includes(organization)) world.state.organizations.push(organization);
    }),
    // A workflow makes the app of a pull request. What a line makes itself is looked for at the app's own address.
    parent(fly, '/v1/apps/{app}/secrets/', (world, { app }) => {
      if (!world.state.apps.some(({ name }) => name === app)) world.addApp(world.state.organizations[0] ?? 'acme', app);
    }),
  ],
  google_cloud_storage: [parent(gcs, '/storage/v1/b/{bucket}/', (world, { bucket }) => world.addBucket(bucket))],
  heroku: [
    parent(heroku, '/apps/{app}/', (world, { app }) => {
      if (!world.state.apps.some(({ id, name }) => id === app || name === app)) world.addApp(app);
    }),
  ],
  netlify: [
    parent(netlify, '/api/v1/sites/{site}/', (world, { site }) => siteAt(world, 'acme', site)),
    parent(netlify, '/api/v1/accounts/{account}/env/', (world, { account }, { query }) => {
      const site = query.get('site_id');
      if (site !== null) siteAt(world, account, site);
    }),
  ],
  railway: [
    parentNamed(railway, (world, { body }) => {
      const [project, environment, service] = ['projectId', 'environmentId', 'serviceId'].map((name) => deepText(body, name));
      if (project === null || project === undefined || environment === null || environment === undefined) return;
      const there = world.state.environments[environment];
      if (!there) world.addEnvironment(project, environment, service ?? '');
      else if (service) there.services[service] ??= {};
    }),
  ],
  render: [
    parent(render, '/v1/services/{service}/', (world, { service }) => {
      if (!world.state.services[service]) world.addService(service);
    }),
    parentNamed(render, (world, { method, path, query }) => {
      const name = query.get('name');
      if (method !== 'GET' || path !== '/v1/services' || name === null) return;
      if (!Object.values(world.state.names).includes(name)) world.addService(`srv-${idOf(name)}`, {}, name);
    }),
  ],
  s3: [parent(s3ByPath, '/{bucket}/', (world, { bucket }) => world.addBucket(bucket))],
  vercel: [
    parent(vercel, '/{version}/projects/{project}/', (world, { project }, named) => {
      projectAt(world, project);
      // An account is of one team: the one that the plan names.
      const [id, slug] = [named.query.get('teamId'), named.query.get('slug')];
      if (id !== null) world.state.team = { id, slug: world.state.team?.slug ?? 'acme' };
      else if (slug !== null) world.state.team = { id: world.state.team?.id ?? 'team_acme', slug };
    }),
    // The host builds a commit that its code host has. Here every commit that somebody asks for was pushed.
    parentNamed(vercel, (world, named) => {
      const [project, sha] = [named.query.get('projectId'), named.query.get('sha')];
      if (named.method !== 'GET' || !/^\/v\d+\/deployments$/.test(named.path) || project === null || sha === null) return;
      const own = projectAt(world, project);
      if (!own.repository || world.state.deployments.some((one) => one.projectId === own.id && one.sha === sha)) return;
      // The question names no branch. Who asks for a build has just set variables for its branch.
      const ofVariables = own.env.findLast(({ gitBranch }) => gitBranch !== null)?.gitBranch;
      const branch = named.query.get('branch') ?? branchOf(own.repository.heads, sha) ?? ofVariables;
      if (branch !== null && branch !== undefined) world.push(branch, sha, own.id);
      else if (asksOf(own, sha) > 2) world.push('preview', sha, own.id);
    }),
  ],
};

type WorldOf<T> = T extends (...given: never) => { readonly world: infer W } ? W : never;

function projectAt(world: WorldOf<typeof vercel>, project: string) {
  const found = world.state.projects.find(({ id, name }) => id === project || name === project);
  if (found) return found;
  const isId = project.startsWith('prj_');
  const made = world.addProject(isId ? project.toLowerCase().replaceAll('_', '-') : project);
  return isId ? Object.assign(made, { id: project }) : made;
}

/** How often somebody asked for a commit whose branch nothing tells yet. */
function asksOf(project: object, sha: string): number {
  const of = asks.get(project) ?? new Map<string, number>();
  asks.set(project, of.set(sha, (of.get(sha) ?? 0) + 1));
  return of.get(sha) ?? 0;
}

const asks = new WeakMap<object, Map<string, number>>();

const branchOf = (heads: Readonly<Record<string, string>>, sha: string): string | undefined =>
  Object.keys(heads).find((branch) => heads[branch] === sha);

/** A site belongs to one account. A plan may name the site before the account. */
function siteAt(world: WorldOf<typeof netlify>, account: string, site: string): void {
  const { accounts } = world.state;
  if (accounts[account]?.sites.some(({ id }) => id === site)) return;
  const [elsewhere] = Object.values(accounts).flatMap(({ sites }) => sites.filter(({ id }) => id === site));
  if (elsewhere === undefined) world.addSite(account, site);
  else if (account !== 'acme')
    Object.assign(accounts, { [account]: { slug: account, sites: [...(accounts[account]?.sites ?? []), elsewhere] } });
}

/** Letters of a name, in the form of an id. */
const idOf = (name: string): string => Buffer.from(name).toString('hex').slice(0, 20).padEnd(20, '0');
