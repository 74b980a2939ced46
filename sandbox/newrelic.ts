import {
  type Call,
  flawsOf,
  Ids,
  json,
  makeKit,
  type Reply,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
  text,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** A deployment as the schema has it; `timestamp` is milliseconds since 1970. */
export interface Deployment {
  readonly deploymentId: string;
  readonly entityGuid: string;
  readonly version: string;
  readonly timestamp: number;
  readonly [field: string]: unknown;
}

export interface NewRelicState {
  /** GUIDs of the entities that the key's user sees. */
  readonly entities: string[];
  readonly deployments: Deployment[];
}

export interface NewRelicWorld {
  readonly state: NewRelicState;
  readonly deployments: readonly Deployment[];
  addEntity(guid: string): void;
}

/**
 * Deployment markers by NerdGraph: https://docs.newrelic.com/docs/change-tracking/config/nerdgraph, and the schema as the vendor's own
 * client has it. Errors come with status 200; only a key that is none is 401. An answer holds what the query selects, and no more.
 */
export function newrelic(options: SimulationOptions = {}): Simulation<NewRelicWorld> {
  const kit = makeKit('newrelic', options);
  const ids = new Ids('newrelic');
  const state: NewRelicState = { entities: [], deployments: [] };
  return simulate<NewRelicState, NewRelicWorld>(kit, {
    name: 'newrelic',
    origin: 'https://api.newrelic.com',
    basePath: '/graphql',
    state,
    blind: () => ({ entities: [], deployments: [] }),
    world: (live) => ({
      state: live,
      deployments: live.deployments,
      addEntity: (guid) => {
        live.entities.push(guid);
      },
    }),
    tokens: kit.tokens,
    credential: ({ headers }) => headers.get('api-key'),
    secretHeaders: ['api-key'],
    // A key whose user may do nothing to the account is known, so it is told in the answer.
    refuseCredential: (_, why) => (why === 'read-only' ? failed('FORBIDDEN', 'Insufficient permissions') : text(401, 'Unauthorized')),
    routes: [route('POST', '/graphql', (call) => perform(call), { write: ({ body }) => /^\s*mutation\b/.test(queryOf(body)) })],
  });

  function perform(call: Call<NewRelicState, unknown>): Reply {
    const query = queryOf(call.body).trim();
    if (/^\{\s*actor\s*\{\s*user\s*\{\s*id\s*\}\s*\}\s*\}$/.test(query)) return json(200, { data: { actor: { user: { id: '1000001' } } } });
    const parts = mutation.exec(query);
    if (!parts) return invalid('Cannot query field on type "RootMutationType".');
    const variables = isMap(call.body) && isMap(call.body.variables) ? call.body.variables : {};
    const unknown = Object.keys(variables).find((name) => name !== 'deployment');
    if (unknown !== undefined) return invalid(`Variable "$${unknown}" is never declared.`);
    const { deployment: input } = variables;
    const [flaw] = flawsOf(input, inputShape);
    if (flaw || !isMap(input)) return invalid(`Variable "$deployment" got invalid value at ${flaw?.at ?? ''}: ${flaw?.problem ?? 'null'}.`);
    const selected = (parts[1] ?? '').trim().split(/\s+/);
    const stranger = selected.find((field) => !outputFields.includes(field));
    if (stranger !== undefined) return invalid(`Cannot query field "${stranger}" on type "ChangeTrackingDeployment".`);
    const { entityGuid, version, timestamp } = input;
    if (!call.state.entities.includes(String(entityGuid))) return failed('NOT_FOUND', 'The entity was not found.');
    if (typeof timestamp === 'number' && Math.abs(timestamp - call.now) > day) return failed('BAD_REQUEST', 'timestamp is out of range');
    const made: Deployment = {
      ...input,
      deploymentId: ids.uuid(),
      entityGuid: String(entityGuid),
      version: String(version),
      timestamp: typeof timestamp === 'number' ? timestamp : Math.floor(call.now),
    };
    call.state.deployments.push(made);
    return json(200, { data: { [root]: Object.fromEntries(selected.map((field) => [field, made[field] ?? null])) } });
  }
}

const root = 'changeTrackingCreateDeployment';
const day = 24 * 60 * 60 * 1000;
const mutation =
  /^mutation\s*\w*\s*\(\s*\$deployment:\s*ChangeTrackingDeploymentInput!\s*\)\s*\{\s*changeTrackingCreateDeployment\s*\(\s*deployment:\s*\$deployment\s*\)\s*\{([\w\s]+)\}\s*\}$/;

const queryOf = (body: unknown): string => (isMap(body) && typeof body.query === 'string' ? body.query : '');
const failed = (errorClass: string, message: string): Reply =>
  json(200, { data: { [root]: null }, errors: [{ message, path: [root], extensions: { errorClass } }] });
const invalid = (message: string): Reply => json(200, { errors: [{ message }] });

const optional = { nullable: 'string' } as const;
const inputShape: Shape = {
  fields: {
    entityGuid: 'string',
    version: 'string',
    changelog: optional,
    commit: optional,
    deepLink: optional,
    deploymentType: { nullable: { oneOf: ['BASIC', 'BLUE_GREEN', 'CANARY', 'OTHER', 'ROLLING', 'SHADOW'] } },
    description: optional,
    groupId: optional,
    timestamp: { nullable: 'integer' },
    user: optional,
  },
  required: ['entityGuid', 'version'],
};
const outputFields = [
  ...['changelog', 'commit', 'deepLink', 'deploymentId', 'deploymentType', 'description'],
  ...['entityGuid', 'groupId', 'timestamp', 'user', 'version'],
];
