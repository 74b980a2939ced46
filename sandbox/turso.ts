import * as checks from './checks.ts';
import {
  bearerOf,
  type Call,
  flawsOf,
  Ids,
  json,
  makeKit,
  refuse,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** A database as the provider stores and shows it. */
export interface Database {
  readonly Name: string;
  readonly DbId: string;
  readonly Hostname: string;
  group: string;
  block_reads: boolean;
  block_writes: boolean;
  delete_protection: boolean;
  regions: readonly string[];
  primaryRegion: string;
  parent: { readonly id: string; readonly name: string; readonly branched_at: string } | null;
}

export interface Organization {
  readonly groups: string[];
  databases: Database[];
}

export interface TursoState {
  /** By slug. */
  readonly organizations: Record<string, Organization>;
  /** How a name that is taken is refused: the vendor's description and a user's report disagree. */
  duplicate: 409 | 400;
}

/** State, and what a person does in the dashboard. */
export interface TursoWorld {
  readonly state: TursoState;
  /** Live: changing it is a change from outside. */
  addOrganization(slug: string, groups?: readonly string[]): Organization;
  addDatabase(organization: string, name: string, parent?: string): Database;
  removeDatabase(organization: string, name: string): void;
}

const emptyState = (): TursoState => ({ organizations: {}, duplicate: 409 });

/** Databases and their branches: https://docs.turso.tech/api-reference/databases. */
export function turso(options: SimulationOptions = {}): Simulation<TursoWorld> {
  const kit = makeKit('turso', options);
  const ids = new Ids('turso');
  const databases = '/v1/organizations/{organization}/databases';

  const newDatabase = (organization: string, name: string, group: string, parent: Database | null): Database => {
    const hex = (length: number) => ids.text(length, '0123456789abcdef');
    return {
      Name: name,
      DbId: `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
      Hostname: `${name}-${organization}.aws-eu-west-1.turso.io`,
      group,
      block_reads: false,
      block_writes: false,
      delete_protection: false,
      regions: ['aws-eu-west-1'],
      primaryRegion: 'aws-eu-west-1',
      parent: parent && { id: parent.DbId, name: parent.Name, branched_at: new Date(kit.clock.now()).toISOString() },
    };
  };

  return simulate<TursoState, TursoWorld>(kit, {
    name: 'turso',
    origin: 'https://api.turso.tech',
    state: emptyState(),
    blind: emptyState,
    world: (live) => {
      const organizationIn = (slug: string): Organization => {
        const found = live.organizations[slug];
        if (!found) throw new Error(`the world has no organization ${slug}`);
        return found;
      };
      return {
        state: live,
        addOrganization: (slug, groups = ['default']) => {
          live.organizations[slug] = { groups: [...groups], databases: [] };
          return organizationIn(slug);
        },
        addDatabase: (slug, name, parent) => {
          const { databases: list } = organizationIn(slug);
          const made = newDatabase(slug, name, 'default', list.find(({ Name }) => Name === parent) ?? null);
          list.push(made);
          return made;
        },
        removeDatabase: (slug, name) => {
          const organization = organizationIn(slug);
          organization.databases = organization.databases.filter(({ Name }) => Name !== name);
        },
      };
    },
    tokens: kit.tokens,
    checks: checks.turso,
    credential: bearerOf,
    refuseCredential: (_, why) =>
      why === 'read-only' ? json(403, { error: 'you have no permission to do this' }) : json(401, { error: 'invalid or missing token' }),
    routes: [
      route('GET', databases, (call) => {
        const group = call.query.get('group');
        const parent = call.query.get('parent');
        const asked = (one: Database) => (group === null || one.group === group) && (parent === null || one.parent?.id === parent);
        return json(200, { databases: organizationOf(call).databases.filter(asked) });
      }),
      route('POST', databases, (call) => {
        const organization = organizationOf(call);
        const { name, group, seed } = bodyOf(call);
        if (!/^[a-z0-9-]{1,64}$/.test(name)) throw refuse(400, { error: 'database names have lower-case letters, digits and dashes' });
        if (organization.databases.some(({ Name }) => Name === name)) {
          throw refuse(call.state.duplicate, { error: 'database with same name already exists' });
        }
        if (!organization.groups.includes(group)) throw refuse(400, { error: `group not found: ${group}` });
        const made = newDatabase(call.params.organization, name, group, seed === undefined ? null : parentOf(call, seed));
        organization.databases.push(made);
        const { DbId, Hostname, Name } = made;
        return json(200, { database: { DbId, Hostname, Name } });
      }),
      route('GET', `${databases}/{name}`, (call) => json(200, { database: databaseOf(call) })),
      route('DELETE', `${databases}/{name}`, (call) => {
        const found = databaseOf(call);
        if (found.delete_protection) throw refuse(400, { error: 'database is protected from being deleted' });
        const organization = organizationOf(call);
        organization.databases = organization.databases.filter((one) => one !== found);
        return json(200, { database: found.Name });
      }),
    ],
  });
}

type OrganizationCall = Call<TursoState, { readonly organization: string }>;
type DatabaseCall = Call<TursoState, { readonly organization: string; readonly name: string }>;

function organizationOf({ params, state }: OrganizationCall): Organization {
  const found = state.organizations[params.organization];
  if (!found) throw refuse(404, { error: `organization not found: ${params.organization}` });
  return found;
}

function databaseOf(call: DatabaseCall): Database {
  const found = organizationOf(call).databases.find(({ Name }) => Name === call.params.name);
  if (!found) throw refuse(404, { error: `could not find database with name ${call.params.name}: record not found` });
  return found;
}

const shape: Shape = {
  fields: {
    name: 'string',
    group: 'string',
    seed: { fields: { type: { oneOf: ['database', 'database_upload'] }, name: 'string', timestamp: 'string' }, required: ['type'] },
    size_limit: 'string',
    remote_encryption: 'any',
  },
  required: ['name', 'group'],
};

function bodyOf({ body, contentType }: OrganizationCall) {
  if (contentType !== 'application/json' || !isMap(body)) throw refuse(400, { error: 'the body is not a JSON object' });
  const [flaw] = flawsOf(body, shape);
  if (flaw) throw refuse(400, { error: `${flaw.at}: ${flaw.problem}` });
  return { name: String(body.name), group: String(body.group), seed: isMap(body.seed) ? body.seed : undefined };
}

/** The database that a branch is copied from, at a moment that it remembers. */
function parentOf(call: OrganizationCall, { type, name, timestamp }: { readonly [name: string]: unknown }): Database {
  if (type !== 'database') throw refuse(400, { error: 'uploads are not served here' });
  if (typeof name !== 'string') throw refuse(400, { error: 'seed.name is required' });
  const found = organizationOf(call).databases.find(({ Name }) => Name === name);
  if (!found) throw refuse(400, { error: `could not find the database to copy: ${name}` });
  if (timestamp !== undefined && !(Date.parse(String(timestamp)) <= call.now))
    throw refuse(400, { error: 'seed.timestamp is no moment of the past' });
  return found;
}
