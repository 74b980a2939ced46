import { algolia } from '../algolia/index.ts';
import { route53 } from '../aws-route53/index.ts';
import { cloudflare } from '../cloudflare.ts';
import { cockroachdb } from '../cockroachdb.ts';
import { contentful } from '../contentful/index.ts';
import { convex } from '../convex.ts';
import { doppler } from '../doppler.ts';
import { isMap } from '../kit/json.ts';
import { mongodbAtlas } from '../mongodb-atlas.ts';
import { neon } from '../neon/index.ts';
import { planetscale } from '../planetscale/index.ts';
import { prismaPostgres } from '../prisma-postgres.ts';
import { sanity } from '../sanity.ts';
import { supabase } from '../supabase/index.ts';
import { turso } from '../turso.ts';
import { xata } from '../xata.ts';
import { type Named, type Parent, parent, parentNamed, textIn } from './parent.ts';

/** Projects, clusters and zones that a plan names at providers of data and names. */
export const data: { readonly [provider: string]: readonly Parent[] } = {
  algolia: [
    parent(algolia, '/1/indexes/{index}/operation', (world, { index }) => {
      if (!world.state.indices.some(({ name }) => name === index)) world.addIndex(index);
    }),
  ],
  cloudflare: [
    parent(cloudflare, '/client/v4/zones/{zone}/', (world, { zone }, named) => {
      if (!world.state.zones[zone]) world.addZone(zoneOf(named.query.get('name') ?? named.query.get('name.exact')), zone);
    }),
    parent(cloudflare, '/client/v4/accounts/{account}/pages/projects/{project}/', (world, { account, project }) => {
      if (!world.state.pages.accounts[account]?.[project]) world.addPages(account, project);
    }),
  ],
  cockroachdb: [
    parent(cockroachdb, '/api/v1/clusters/{cluster}/', (world, { cluster }) => {
      if (!world.state.clusters[cluster]) world.addCluster(cluster);
    }),
  ],
  contentful: [
    parent(contentful, '/spaces/{space}/', (world, { space }) => {
      if (!world.state.spaces[space]) world.addSpace(space);
    }),
    parent(contentful, '/spaces/{space}/api_keys/{key}/', (world, { space, key }) => {
      if (!world.state.spaces[space]?.keys.some(({ id }) => id === key)) world.addKey(space, key, ['master']);
    }),
  ],
  convex: [
    parent(convex, '/v1/projects/{project}/', (world, { project }) => {
      if (!world.state.projects.includes(Number(project))) world.addDeployment(Number(project), 'main', 'prod');
    }),
  ],
  doppler: [
    parentNamed(doppler, (world, named) => {
      const project = textIn(named, 'project');
      const environment = textIn(named, 'environment');
      if (project === null || environment === null) return;
      const isThere = world.state.configs.some((one) => one.project === project && one.environment === environment);
      if (!isThere) world.addEnvironment(project, environment);
    }),
  ],
  mongodb_atlas: [
    parent(mongodbAtlas, '/api/atlas/v2/groups/{project}/', (world, { project }) => {
      if (!world.state.projects[project]) world.addProject(project);
    }),
  ],
  neon: [
    parent(neon, '/api/v2/projects/{project}/', (world, { project }) => {
      if (!world.state.projects[project]) world.addProject(project);
    }),
  ],
  planetscale: [
    parent(planetscale, '/v1/organizations/{organization}/databases/{database}/', (world, { organization, database }) => {
      const path = `${organization}/${database}`;
      if (!world.state.databases[path]) world.addDatabase(path);
    }),
  ],
  prisma_postgres: [
    parentNamed(prismaPostgres, (world, named) => {
      const project = textIn(named, 'projectId');
      if (project !== null && !world.state.projects[project]) world.addProject(project);
    }),
  ],
  route53: [
    parent(route53, '/2013-04-01/hostedzone/{zone}/rrset/', (world, { zone }, named) => {
      if (!world.state.zones?.[zone]) world.addZone(zoneOf(named.query.get('name')), { id: zone });
    }),
  ],
  sanity: [
    parent(sanity, '/v2021-06-07/projects/{project}/', (world, { project }) => {
      if (!world.state.projects[project]) world.addProject(project);
    }),
  ],
  supabase: [
    // A branch has a reference of its own at the same place. It is gone after its delete, so only what a parent alone has counts here.
    parent(supabase, '/v1/projects/{ref}/branches/', (world, { ref }) => {
      if (!world.state.projects[ref]) world.addProject(ref);
    }),
  ],
  turso: [
    parent(turso, '/v1/organizations/{organization}/databases/', (world, { organization }, named) => {
      if (!world.state.organizations[organization]) world.addOrganization(organization);
      const there = world.state.organizations[organization];
      const group = textIn(named, 'group');
      if (group !== null && there && !there.groups.includes(group))
        world.state.organizations[organization] = { ...there, groups: [...there.groups, group] };
      const source = seedOf(named);
      if (source !== null && !there?.databases.some(({ Name }) => Name === source)) world.addDatabase(organization, source);
    }),
  ],
  xata: [
    parent(xata, '/organizations/{organization}/projects/{project}/', (world, { organization, project }) => {
      if (!world.state.projects[`${organization}/${project}`]) world.addProject(organization, project);
    }),
  ],
};

/** The zone of a host name: its last two parts. A zone that nobody named a host of is `acme.example`. */
const zoneOf = (host: string | null): string => host?.replace(/\.$/, '').split('.').slice(-2).join('.') || 'acme.example';

/** The database that a create copies. */
function seedOf({ body }: Named): string | null {
  const { seed } = body;
  return isMap(seed) && typeof seed.name === 'string' ? seed.name : null;
}
