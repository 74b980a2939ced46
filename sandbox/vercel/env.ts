import { type Call, json, type Reply, route, type Shape } from '../kit/index.ts';
import { type AskedEnv, checkEnv, rivalsOf, sameTargets } from './env-rules.ts';
import { badRequest, error, notFound, projectOf, readBody, refuseWhileTransferring } from './errors.ts';
import { type EnvVar, type Maker, type Project, type Target, tick, type VercelState } from './state.ts';

type AnyCall = Call<VercelState, unknown>;

const fields: { readonly [name: string]: Shape } = {
  key: 'string',
  value: 'string',
  type: { oneOf: ['system', 'encrypted', 'plain', 'sensitive'] },
  target: { list: { oneOf: ['production', 'preview', 'development'] } },
  gitBranch: { nullable: 'string' },
  comment: 'string',
  customEnvironmentIds: { list: 'string' },
};
const createShape: Shape = { fields, required: ['key', 'value', 'type', 'target'] };
const editShape: Shape = { fields };

type Body = Partial<AskedEnv> & { readonly comment?: string };

/** Variables of a project: list and create v10, single read v1, edit and delete v9. */
export const envRoutes = (make: Maker) => [
  route<VercelState, '/v10/projects/{idOrName}/env'>('GET', '/v10/projects/{idOrName}/env', (call) =>
    json(200, listAnswer(call, projectOf(call, call.params.idOrName))),
  ),

  route<VercelState, '/v10/projects/{idOrName}/env'>('POST', '/v10/projects/{idOrName}/env', (call) => {
    const project = projectOf(call, call.params.idOrName);
    refuseWhileTransferring(project);
    const body = readBody(call, Array.isArray(call.body) ? { list: createShape } : createShape);
    refuseOngoing(call);
    return createAnswer(call, project, body as Body | readonly Body[], make);
  }),

  route<VercelState, '/v1/projects/{idOrName}/env/{id}'>('GET', '/v1/projects/{idOrName}/env/{id}', (call) => {
    const env = envOf(projectOf(call, call.params.idOrName), call.params.id);
    const { value, ...rest } = envAnswer(env, !call.state.keepsCipher);
    // A sensitive value is in no answer, not even in this one.
    return json(200, {
      ...rest,
      ...(env.type !== 'sensitive' && { value }),
      decrypted: env.type !== 'sensitive' && !call.state.keepsCipher,
    });
  }),

  route<VercelState, '/v9/projects/{idOrName}/env/{id}'>('PATCH', '/v9/projects/{idOrName}/env/{id}', (call) => {
    const project = projectOf(call, call.params.idOrName);
    refuseWhileTransferring(project);
    const env = envOf(project, call.params.id);
    const body = readBody(call, editShape) as Body;
    refuseOngoing(call);
    if (env.type === 'sensitive' && body.type !== undefined && body.type !== 'sensitive') {
      throw badRequest('You cannot change the type of a Sensitive Environment Variable.');
    }
    const next = { ...env, ...body };
    checkEnv(call.state, project, next);
    if (rivalsOf(project, next).some((other) => other !== env)) {
      throw error(
        400,
        'EXISTING_KEY_AND_TARGET',
        `Another Environment Variable with the name "${next.key}" and this target already exists.`,
      );
    }
    Object.assign(env, body, { updatedAt: tick(call.state, call.now) });
    return json(200, envAnswer(env, false));
  }),

  route<VercelState, '/v9/projects/{idOrName}/env/{id}'>('DELETE', '/v9/projects/{idOrName}/env/{id}', (call) => {
    const project = projectOf(call, call.params.idOrName);
    refuseWhileTransferring(project);
    const env = envOf(project, call.params.id);
    refuseOngoing(call);
    project.env.splice(project.env.indexOf(env), 1);
    return json(200, envAnswer(env, false));
  }),
];

function envOf(project: Project, id: string): EnvVar {
  const env = project.env.find((one) => one.id === id);
  if (!env) throw notFound('The Environment Variable was not found.');
  return env;
}

function refuseOngoing({ state }: AnyCall): void {
  if (state.ongoingUpdates === 0) return;
  state.ongoingUpdates -= 1;
  throw badRequest('The request cannot be served: an ongoing update env update is already happening.');
}

/** Lists show the ciphertext of an encrypted value and nothing of a sensitive one. */
function envAnswer(env: EnvVar, decrypt: boolean): Record<string, unknown> {
  const cipher = Buffer.from(`${env.id}:${env.updatedAt}`).toString('base64');
  return {
    id: env.id,
    key: env.key,
    value: env.type === 'sensitive' ? '' : env.type === 'encrypted' && !decrypt ? cipher : env.value,
    type: env.type,
    // In the provider's order, whatever it was sent in.
    target: targets.filter((one) => env.target.includes(one)),
    ...(env.gitBranch !== null && { gitBranch: env.gitBranch }),
    ...(env.comment !== null && { comment: env.comment }),
    configurationId: null,
    createdAt: env.createdAt,
    updatedAt: env.updatedAt,
    createdBy: 'usr_person',
    updatedBy: null,
    ...(env.type === 'encrypted' && { decrypted: decrypt }),
  };
}

const targets: readonly Target[] = ['production', 'preview', 'development'];

/** In a list one target stands alone, and what is empty is shown where the other answers leave it out. */
function listed(env: EnvVar, decrypt: boolean): Record<string, unknown> {
  const { target, ...rest } = envAnswer(env, decrypt);
  const [one, ...more] = env.target;
  return { comment: '', customEnvironmentIds: [], ...rest, target: more.length > 0 ? target : one };
}

/** Newest first, by pages of a size that the client cannot choose; the next one ends before a time. */
function listAnswer({ query, state }: AnyCall, project: Project): unknown {
  const decrypt = query.get('decrypt') === 'true' && !state.keepsCipher;
  const branch = query.get('gitBranch');
  const until = query.get('until');
  const all = project.env.filter((one) => branch === null || one.gitBranch === branch).toReversed();
  const [only] = all;
  if (state.envListForm === 'single' && only && all.length === 1) return envAnswer(only, decrypt);
  // One variable may stand there twice, under one id.
  const answers = (list: readonly EnvVar[]) => [...list, ...list.slice(0, 1)].map((one) => listed(one, decrypt));
  if (state.envListForm !== 'paged') return { envs: answers(all), hiddenProductionEnvCount: 0 };
  const rest = until === null ? all : all.filter(({ createdAt }) => createdAt < Number(until));
  const page = rest.slice(0, state.envPageSize);
  const hasMore = rest.length > page.length;
  return {
    envs: answers(page),
    pagination: { count: page.length, next: hasMore ? (page.at(-1)?.createdAt ?? null) : null, prev: page[0]?.createdAt ?? null },
  };
}

interface FailedEnv {
  readonly error: Readonly<Record<string, unknown>>;
}

/** One variable that exists is refused as a whole; among several, and for an upsert that fits no variable exactly, it is in `failed`. */
function createAnswer(call: AnyCall, project: Project, body: Body | readonly Body[], make: Maker): Reply {
  const upserts = call.query.get('upsert') === 'true';
  const isList = Array.isArray(body);
  const asked = [body].flat().map((one: Body): AskedEnv & { comment: string | null } => ({
    key: one.key ?? '',
    value: one.value ?? '',
    type: one.type ?? 'encrypted',
    target: one.target ?? [],
    gitBranch: one.gitBranch ?? null,
    comment: one.comment ?? null,
  }));
  for (const one of asked) checkEnv(call.state, project, one);
  if (project.env.length + asked.length > call.state.envLimit) {
    throw error(400, 'MAX_ENVS_EXCEEDED', `The project may have at most ${call.state.envLimit} Environment Variables.`);
  }
  const created: EnvVar[] = [];
  const failed: FailedEnv[] = [];
  for (const one of asked) {
    const rivals = rivalsOf(project, one);
    const same = rivals.length === 1 && rivals[0] && sameTargets(rivals[0].target, one.target) ? rivals[0] : null;
    if (rivals.length === 0) {
      const env = make.env(call.state, one, call.now);
      project.env.push(env);
      created.push(env);
    } else if (upserts && same) {
      Object.assign(same, {
        value: one.value,
        type: one.type,
        comment: one.comment ?? same.comment,
        updatedAt: tick(call.state, call.now),
      });
      created.push(same);
    } else if (!isList && !upserts) {
      throw error(403, 'ENV_ALREADY_EXISTS', 'The environment variable cannot be created because it already exists', {
        key: one.key,
        target: one.target,
      });
    } else {
      failed.push({ error: conflictOf(one, rivals[0]) });
    }
  }
  const answers = created.map((env) => envAnswer(env, false));
  return json(201, { ...(isList ? { created: answers } : answers[0] && { created: answers[0] }), failed });
}

const conflictOf = (asked: AskedEnv, rival: EnvVar | undefined): FailedEnv['error'] => ({
  code: 'ENV_CONFLICT',
  message: `Another Environment Variable with the name "${asked.key}" and one of these targets already exists.`,
  envVarKey: asked.key,
  ...(rival && { envVarId: rival.id }),
  ...(asked.gitBranch !== null && { gitBranch: asked.gitBranch }),
  target: asked.target,
});
