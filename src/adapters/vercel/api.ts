import { z } from 'zod';
import { HttpFailure } from '../../http/failure.ts';
import { pages } from '../../http/paging.ts';
import type { ProviderBlock } from '../../http/types.ts';
import { ask, parseAnswer } from '../../ops/answer.ts';
import type { Io } from '../../ops/bound.ts';
import type { FindSpec } from '../../remote/reach.ts';

/** The parts of Vercel's REST API that variables and deployments need. Paths bear the version that the provider lists now. */
export const envSchema = z.object({
  /** The contract does not promise an id. A variable without one can be neither changed nor removed, so it is never a match. */
  id: z.string().default(''),
  key: z.string(),
  value: z.string().optional(),
  type: z.string(),
  target: z.union([z.string(), z.array(z.string())]).default([]),
  gitBranch: z.string().nullish(),
  customEnvironmentIds: z.array(z.string()).default([]),
  comment: z.string().optional(),
  decrypted: z.boolean().optional(),
  createdAt: z.number().optional(),
  updatedAt: z.number().optional(),
});
export type EnvVar = z.output<typeof envSchema>;

export const createdSchema = z.object({
  created: z.union([envSchema, z.array(envSchema)]).optional(),
  failed: z
    .array(
      z.object({
        error: z.object({
          code: z.string(),
          message: z.string().default(''),
          envVarKey: z.string().optional(),
          key: z.string().optional(),
          gitBranch: z.string().nullish(),
          target: z.union([z.string(), z.array(z.string())]).optional(),
        }),
      }),
    )
    .default([]),
});

const projectSchema = z.object({ id: z.string(), name: z.string(), link: z.unknown().optional() });

const domainSchema = z.object({ name: z.string(), gitBranch: z.string().nullish(), redirect: z.string().nullish(), verified: z.boolean() });

const listedSchema = z.object({
  uid: z.string(),
  name: z.string(),
  url: z.string().nullish(),
  createdAt: z.number(),
  readyState: z.string(),
  target: z.string().nullish(),
  customEnvironment: z.unknown().optional(),
  inspectorUrl: z.string().nullish(),
  errorMessage: z.string().nullish(),
});
export type Listed = z.output<typeof listedSchema>;

const deploymentSchema = z.object({
  id: z.string(),
  readyState: z.string(),
  url: z.string().nullish(),
  deletedAt: z.number().nullish(),
  inspectorUrl: z.string().nullish(),
  errorMessage: z.string().nullish(),
  errorCode: z.string().optional(),
  alias: z.array(z.string()).default([]),
  aliasAssigned: z.boolean().default(true),
  aliasError: z.object({ message: z.string() }).nullish(),
});
export type Deployment = z.output<typeof deploymentSchema>;

/** The query that names the team. Every request for a team's objects needs its id or slug. */
export function teamOf({ settings }: ProviderBlock): { readonly [name: string]: string } {
  const { team_id, slug } = settings ?? {};
  return { ...(team_id !== undefined && { teamId: team_id }), ...(slug !== undefined && { slug }) };
}

export const projectPath = (version: 'v1' | 'v9' | 'v10', project: string): string => `/${version}/projects/${encodeURIComponent(project)}`;

/** The identity of a variable: key, targets and branch. A variable for several targets is another one. */
export interface EnvIdentity {
  readonly project: string;
  readonly key: string;
  /** Sorted. */
  readonly target: readonly string[];
  readonly gitBranch: string | null;
}

export const findEnv = (block: ProviderBlock, { project, key, target, gitBranch }: EnvIdentity): FindSpec => ({
  request: { method: 'GET', path: `${projectPath('v10', project)}/env`, query: teamOf(block) },
  list: '/envs',
  match: { '/key': key, '/target': target, ...(gitBranch !== null && { '/gitBranch': gitBranch }) },
  ...(gitBranch === null && { absent: ['/gitBranch'] }),
  // The next page holds variables made before a moment, in milliseconds.
  page: { kind: 'cursor', next: '/pagination/next', param: 'until' },
  id: '/id',
  created_at: '/createdAt',
});

const listForms = z.union([z.object({ envs: z.array(envSchema) }), envSchema]);

/** Every variable of the project, in one list that all lines of the project share. Vercel may answer with a lone one without a list. */
export async function listEnv(io: Io, project: string): Promise<readonly EnvVar[]> {
  const request = { method: 'GET', path: `${projectPath('v10', project)}/env`, query: teamOf(io.http.block) } as const;
  const options = { purpose: 'read', signal: io.signal, share: io.share !== false } as const;
  const inPage = (body: unknown): readonly EnvVar[] => {
    const answer = parseAnswer(listForms, body, `vercel answered GET ${request.path}`);
    return 'envs' in answer ? answer.envs : [answer];
  };
  // The list may hold one variable twice, with the same id.
  const all = new Map<string, EnvVar>();
  for await (const { body } of pages(io.http, request, { kind: 'cursor', next: '/pagination/next', param: 'until' }, options, {
    list: inPage,
    idOf: (one) => (one as EnvVar).id,
  })) {
    for (const one of inPage(body)) all.set(one.id === '' ? `without an id: ${all.size}` : one.id, one);
  }
  return [...all.values()];
}

export const targetsOf = ({ target }: EnvVar): readonly string[] => [target].flat().toSorted();

export function isSameEnv(env: EnvVar, { key, target, gitBranch }: EnvIdentity): boolean {
  if (env.key !== key) return false;
  const targets = targetsOf(env);
  const hasSameTargets = targets.length === target.length && targets.every((one, i) => one === target[i]);
  return env.id !== '' && hasSameTargets && (env.gitBranch ?? null) === gitBranch && env.customEnvironmentIds.length === 0;
}

/** The value of one variable. Only this read decrypts. `null` where the provider shows no value, as for a sensitive variable. */
export async function readEnvValue(io: Io, project: string, id: string): Promise<string | null> {
  const request = {
    method: 'GET',
    path: `${projectPath('v1', project)}/env/${encodeURIComponent(id)}`,
    query: teamOf(io.http.block),
  } as const;
  const schema = z.object({ value: z.string().optional(), decrypted: z.boolean().optional(), type: z.string() });
  const { value, decrypted, type } = await ask(io.http, request, { purpose: 'read', signal: io.signal, share: io.share !== false }, schema);
  return value === undefined || decrypted === false || type === 'sensitive' ? null : value;
}

export async function readProject(io: Io, project: string): Promise<z.output<typeof projectSchema>> {
  const request = { method: 'GET', path: projectPath('v9', project), query: teamOf(io.http.block) } as const;
  return await ask(io.http, request, { purpose: 'read', signal: io.signal, share: true }, projectSchema);
}

/** A domain of a project; the provider answers 404 where the project has none of this name. */
export async function readDomain(io: Io, project: string, domain: string): Promise<z.output<typeof domainSchema>> {
  const path = `${projectPath('v9', project)}/domains/${encodeURIComponent(domain)}`;
  const request = { method: 'GET', path, query: teamOf(io.http.block) } as const;
  return await ask(io.http, request, { purpose: 'read', signal: io.signal, share: true }, domainSchema);
}

/** The newest deployments of a commit or a branch, newest first. */
export async function listDeployments(
  io: Io,
  query: { readonly projectId: string; readonly sha?: string; readonly branch?: string },
): Promise<Listed[]> {
  const request = { method: 'GET', path: '/v7/deployments', query: { ...query, limit: '20', ...teamOf(io.http.block) } } as const;
  const answer = await ask(io.http, request, { purpose: 'read', signal: io.signal }, z.object({ deployments: z.array(listedSchema) }));
  return answer.deployments.toSorted((a, b) => b.createdAt - a.createdAt);
}

export async function readDeployment(io: Io, id: string): Promise<Deployment> {
  const request = { method: 'GET', path: `/v13/deployments/${encodeURIComponent(id)}`, query: teamOf(io.http.block) } as const;
  return await ask(io.http, request, { purpose: 'read', signal: io.signal }, deploymentSchema);
}

const errorSchema = z.object({ error: z.object({ code: z.string() }) });

/** The provider's own code of a refused request, because several refusals share a status. */
export function codeOf(thrown: unknown): string | null {
  if (!(thrown instanceof HttpFailure)) return null;
  const parsed = errorSchema.safeParse(thrown.body);
  return parsed.success ? parsed.data.error.code : null;
}
