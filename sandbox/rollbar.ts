import {
  type Call,
  Ids,
  json,
  makeKit,
  type Reply,
  refuse,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** A deploy as the provider stores it. Times are seconds since 1970. */
export interface RollbarDeploy {
  readonly id: number;
  environment: string;
  revision: string;
  status: DeployStatus;
  local_username: string | null;
  comment: string | null;
  readonly start_time: number;
  finish_time: number | null;
}

const statuses = ['started', 'succeeded', 'failed', 'timed_out'] as const;
export type DeployStatus = (typeof statuses)[number];

export interface RollbarState {
  readonly projectId: number;
  readonly deploys: RollbarDeploy[];
  /** What a token without any scope meets. */
  readonly isClosed: boolean;
}

/** The project's deploys, oldest first, and the token that only reports. */
export interface RollbarWorld {
  readonly state: RollbarState;
  readonly deploys: readonly RollbarDeploy[];
  /** Scope `post_server_item`: reports and updates, reads nothing back. */
  readonly reportToken: string;
}

/** Deploy reports of one project: https://docs.rollbar.com/reference/post-deploy. Statuses of refusals are not documented: 422 for a bad field, 401 and 403 for a bad token. */
export function rollbar(options: SimulationOptions = {}): Simulation<RollbarWorld> {
  const kit = makeKit('rollbar', options);
  const ids = new Ids('rollbar');
  const state: RollbarState = { projectId: 81_234, deploys: [], isClosed: false };
  const reportToken = 'rollbar-token-report-0123456789ab';
  const seconds = () => Math.floor(kit.clock.now() / 1000);

  return simulate<RollbarState, RollbarWorld>(kit, {
    name: 'rollbar',
    origin: 'https://api.rollbar.com',
    basePath: '/api/1',
    state,
    blind: () => ({ projectId: 0, deploys: [], isClosed: true }),
    world: (live) => ({ state: live, deploys: live.deploys, reportToken }),
    tokens: kit.tokens,
    credential: ({ headers }) => headers.get('x-rollbar-access-token'),
    secretHeaders: ['x-rollbar-access-token'],
    tokenOf: (credential) => (credential === reportToken ? kit.tokens.full : credential),
    refuseCredential: (_, why) => {
      if (why === 'read-only') return failure(403, 'insufficient privileges: the token needs scope post_server_item');
      return failure(401, why === 'missing' ? 'access token required' : 'invalid access token');
    },
    routes: [
      route('POST', '/api/1/deploy', (call) => {
        checkOpen(call);
        const body = bodyOf(call, ['environment', 'revision']);
        const status = statusOf(body.status) ?? 'succeeded';
        const deploy: RollbarDeploy = {
          id: 12_000_000 + ids.next(),
          environment: String(body.environment),
          revision: String(body.revision),
          status,
          local_username: body.local_username ?? null,
          comment: body.comment ?? null,
          start_time: seconds(),
          finish_time: status === 'started' ? null : seconds(),
        };
        call.state.deploys.push(deploy);
        return json(200, { data: { deploy_id: deploy.id } });
      }),
      route('PATCH', '/api/1/deploy/{id}', (call) => {
        checkOpen(call);
        const deploy = deployOf(call);
        const { environment, revision, status, local_username, comment } = bodyOf(call, []);
        const next = statusOf(status);
        Object.assign(deploy, {
          ...(environment !== undefined && { environment }),
          ...(revision !== undefined && { revision }),
          ...(local_username !== undefined && { local_username }),
          ...(comment !== undefined && { comment }),
          ...(next && { status: next, finish_time: next === 'started' ? null : seconds() }),
        });
        return shown(call, deploy);
      }),
      route('GET', '/api/1/deploy/{id}', (call) => {
        checkOpen(call);
        if (call.credential === reportToken) throw refuse(403, { err: 1, message: 'insufficient privileges: the token needs scope read' });
        return shown(call, deployOf(call));
      }),
    ],
  });
}

type DeployCall = Call<RollbarState, { readonly id?: string }>;

const failure = (status: number, message: string): Reply => json(status, { err: 1, message });

const shown = ({ state }: DeployCall, deploy: RollbarDeploy): Reply =>
  json(200, { err: 0, result: { ...deploy, project_id: state.projectId, user_id: null } });

function checkOpen({ state }: Pick<DeployCall, 'state'>): void {
  if (state.isClosed) throw refuse(403, { err: 1, message: 'insufficient privileges' });
}

function deployOf({ params, state }: DeployCall): RollbarDeploy {
  const deploy = state.deploys.find(({ id }) => String(id) === params.id);
  if (!deploy) throw refuse(404, { err: 1, message: 'Not found' });
  return deploy;
}

/** A report's fields, from JSON or either form encoding: all of them are text, none is longer than 255 but the comment. */
function bodyOf({ body }: Pick<DeployCall, 'body'>, required: readonly string[]): { readonly [name: string]: string | undefined } {
  const sent = isMap(body) ? Object.entries(body) : Array.isArray(body) ? body.filter(isPair) : null;
  if (!sent) throw refuse(400, { err: 1, message: 'invalid body' });
  const fields: Record<string, string> = {};
  for (const [name, value] of sent) {
    if (typeof value !== 'string') throw refuse(422, { err: 1, message: `invalid value for ${name}` });
    if (name !== 'comment' && value.length > 255) throw refuse(422, { err: 1, message: `${name} is longer than 255 characters` });
    fields[name] = value;
  }
  const absent = required.find((name) => !fields[name]);
  if (absent !== undefined) throw refuse(422, { err: 1, message: `missing required field: ${absent}` });
  return fields;
}

const isPair = (value: unknown): value is readonly [string, unknown] => Array.isArray(value) && typeof value[0] === 'string';

function statusOf(value: string | undefined): DeployStatus | null {
  if (value === undefined) return null;
  const status = statuses.find((one) => one === value);
  if (!status) throw refuse(422, { err: 1, message: `invalid status: ${value}` });
  return status;
}
