import {
  type Call,
  flawsOf,
  Ids,
  json,
  makeKit,
  Refusal,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
  text,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** A database as the service shows it to its owner. */
export interface RedisDatabase {
  readonly database_id: string;
  database_name: string;
  readonly region: 'global';
  readonly port: number;
  /** Seconds. */
  readonly creation_time: number;
  readonly state: string;
  readonly endpoint: string;
  readonly tls: boolean;
  readonly primary_region: string;
  readonly read_regions: readonly string[];
  eviction: boolean;
  budget: number;
  readonly password: string;
  readonly rest_token: string;
  readonly read_only_rest_token: string;
}

export interface UpstashState {
  databases: RedisDatabase[];
  databaseLimit: number;
}

type Given = Pick<RedisDatabase, 'database_name'> & Partial<RedisDatabase>;

/** State, and what a person does in the console. */
export interface UpstashWorld {
  readonly state: UpstashState;
  /** The account that the tokens are API keys of. */
  readonly email: string;
  /** Live: changing one is a change from outside. */
  databases(): readonly RedisDatabase[];
  add(database: Given): RedisDatabase;
  remove(id: string): void;
}

/**
 * Redis databases: https://upstash.com/docs/devops/developer-api/redis/create_database_global. Names repeat, refusals are plain text,
 * and the passwords are in what one database answers, not in the list.
 */
export function upstashRedis(options: SimulationOptions = {}): Simulation<UpstashWorld> {
  const kit = makeKit('upstash-redis', options);
  const ids = new Ids('upstash-redis');
  const email = 'ops@acme.example';
  const make = (given: Given): RedisDatabase => ({
    database_id: ids.uuid(),
    region: 'global',
    port: 6379,
    creation_time: Math.floor(kit.clock.now() / 1000),
    state: 'active',
    endpoint: `${ids.text(8)}-${String(30_000 + ids.next())}`,
    tls: true,
    primary_region: 'us-east-1',
    read_regions: [],
    eviction: false,
    budget: 20,
    password: ids.text(32),
    rest_token: ids.text(40),
    read_only_rest_token: ids.text(40),
    ...given,
  });

  return simulate<UpstashState, UpstashWorld>(kit, {
    name: 'upstash-redis',
    origin: 'https://api.upstash.com',
    basePath: '/v2',
    state: { databases: [], databaseLimit: 100 },
    blind: () => ({ databases: [], databaseLimit: 100 }),
    world: (live) => ({
      state: live,
      email,
      databases: () => live.databases,
      add: (given) => {
        const database = make(given);
        live.databases.push(database);
        return database;
      },
      remove: (id) => {
        live.databases = live.databases.filter(({ database_id }) => database_id !== id);
      },
    }),
    tokens: kit.tokens,
    credential: ({ headers }) => {
      const header = headers.get('authorization');
      if (header === null) return null;
      const [user, key = ''] = Buffer.from(header.replace(/^Basic /, ''), 'base64')
        .toString()
        .split(':', 2);
      return user === email ? key : '';
    },
    refuseCredential: (_, why) => (why === 'read-only' ? text(403, 'Readonly API key') : text(401, 'Unauthorized')),
    routes: [
      route('GET', '/v2/redis/databases', (call) => json(200, call.state.databases.map(listed))),
      route('POST', '/v2/redis/database', (call) => {
        const database = make(wantedOf(call));
        // How an account that has no room answers is not documented.
        if (call.state.databases.length >= call.state.databaseLimit) throw refusal(400, 'database limit is exceeded for the account');
        call.state.databases.push(database);
        return json(200, database);
      }),
      route('GET', '/v2/redis/database/{id}', (call) => {
        const database = databaseOf(call);
        return json(200, call.query.get('credentials') === 'hide' ? listed(database) : database);
      }),
      route('DELETE', '/v2/redis/database/{id}', (call) => {
        const database = databaseOf(call);
        call.state.databases = call.state.databases.filter((one) => one !== database);
        return { status: 200, body: '"OK"', contentType: 'application/json' };
      }),
    ],
  });
}

const refusal = (status: number, message: string): Refusal => new Refusal(text(status, message));

const listed = ({ password: _password, rest_token: _rest, read_only_rest_token: _readOnly, ...database }: RedisDatabase) => database;

function databaseOf({ params, state }: Call<UpstashState, { readonly id: string }>): RedisDatabase {
  const database = state.databases.find(({ database_id }) => database_id === params.id);
  if (!database) throw refusal(404, 'Database not found');
  return database;
}

const regions = [
  ...['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'eu-central-1', 'eu-west-1', 'eu-west-2', 'sa-east-1'],
  ...['ap-south-1', 'ap-northeast-1', 'ap-southeast-1', 'ap-southeast-2', 'af-south-1'],
  ...['us-central1', 'us-east4', 'europe-west1', 'asia-northeast1'],
];
const region: Shape = { oneOf: regions };
const fields: Readonly<Record<string, Shape>> = {
  database_name: 'string',
  platform: { oneOf: ['aws', 'gcp'] },
  region: { oneOf: ['global'] },
  primary_region: region,
  read_regions: { list: region },
  plan: 'string',
  budget: 'integer',
  eviction: 'boolean',
  tls: 'boolean',
};

/** Either the document's form, with a platform, or that of the clients, with the region "global". */
function wantedOf({ body, contentType }: Call<UpstashState, unknown>): Given {
  if (contentType !== 'application/json' || !isMap(body)) throw refusal(400, 'invalid request body');
  const [flaw] = flawsOf(body, { fields, required: ['database_name', 'primary_region'] });
  if (flaw) throw refusal(400, `${flaw.at.slice(1)} is ${flaw.problem}: ${flaw.expected}`);
  const { database_name, platform, region: global, primary_region, read_regions, budget, eviction } = body;
  if (platform === undefined && global === undefined) throw refusal(400, 'platform is required');
  if (database_name === '') throw refusal(400, 'database_name is required');
  return {
    database_name: String(database_name),
    primary_region: String(primary_region),
    ...(Array.isArray(read_regions) && { read_regions: read_regions.map(String) }),
    ...(typeof budget === 'number' && { budget }),
    ...(typeof eviction === 'boolean' && { eviction }),
  };
}
