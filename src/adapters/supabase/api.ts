import { z } from 'zod';
import { Failure } from '../../core/errors.ts';
import { ask, parseAnswer } from '../../ops/answer.ts';
import type { Io } from '../../ops/bound.ts';
import { isOtherForm } from '../../remote/forms.ts';
import type { FindSpec } from '../../remote/reach.ts';

/** The parts of Supabase's Management API (v1) that a branch needs. */
export const branchSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The ref of the branch's own project, which every other call takes. Paths by `id` are deprecated (2026-11-21). */
  project_ref: z.string().min(1),
  git_branch: z.string().nullish(),
  persistent: z.boolean(),
  with_data: z.boolean(),
  notify_url: z.string().nullish(),
  created_at: z.string().optional(),
});
export type Branch = z.output<typeof branchSchema>;

/** A branch's project as it is now. The answer leaves `db_user`, `db_pass` and `jwt_secret` out for a token that may not see them. */
export const configSchema = z.object({
  status: z.string(),
  db_host: z.string(),
  db_port: z.number(),
  db_user: z.string().optional(),
  db_pass: z.string().optional(),
  jwt_secret: z.string().optional(),
});
export type Config = z.output<typeof configSchema>;

export const keySchema = z.object({ name: z.string(), type: z.string().nullish(), api_key: z.string().nullish() });
export type Key = z.output<typeof keySchema>;

export const projectPath = (ref: string): string => `/v1/projects/${encodeURIComponent(ref)}`;
export const branchesPath = (ref: string): string => `${projectPath(ref)}/branches`;
export const branchPath = (ref: string): string => `/v1/branches/${encodeURIComponent(ref)}`;
export const authPath = (ref: string): string => `${projectPath(ref)}/config/auth`;

/**
 * A branch by its exact name, in a bare list without pages. An entry with `deletion_scheduled_at` is being deleted. 422 means
 * that branching is not enabled for the project, so it has no branches (2026-11-21).
 */
export const findByName = (ref: string, name: string): FindSpec => ({
  request: { method: 'GET', path: branchesPath(ref) },
  list: '',
  match: { '/name': name },
  absent: ['/deletion_scheduled_at'],
  none: [422],
  id: '/project_ref',
  created_at: '/created_at',
});

/** Reads may be joined with equal ones unless the engine wants one of its own. */
export const readOf = (io: Io) => ({ purpose: 'read', signal: io.signal, share: io.share !== false }) as const;

/**
 * The branches of that name, as `findByName` sees them too. The list of a project with branching has at least its production
 * branch. So an empty list means the same as 422: there is no branch to make another one from.
 */
export async function branchesNamed(io: Io, ref: string, name: string): Promise<readonly Branch[]> {
  const request = { method: 'GET', path: branchesPath(ref) } as const;
  const { status, body } = await io.http.send(request, { ...readOf(io), accept: [422] });
  const list = status === 422 ? [] : parseAnswer(entriesSchema, body, `supabase answered GET ${request.path}`);
  if (list.length === 0) throw withoutBranching(ref);
  const standing = list.filter((entry) => (entry.deletion_scheduled_at ?? null) === null);
  const named = standing.filter((entry) => entry.name === name || io.ids?.includes(entry.project_ref));
  const alike = io.isAlike && named.length === 0 ? standing.filter((entry) => isOtherForm(name, entry.name, { isLoose: true })) : [];
  return [...named, ...alike].map((entry) => parseAnswer(branchSchema, entry, `supabase lists the branch ${name}`));
}

const entriesSchema = z.array(z.looseObject({ project_ref: z.string(), name: z.string(), deletion_scheduled_at: z.string().nullish() }));

const withoutBranching = (ref: string): Failure =>
  new Failure('PROVIDER_INVALID', {
    detail: `Branching is not enabled for the Supabase project ${ref}, so it has no production branch to make others from.`,
    fix: 'Enable branching for the project in the Supabase dashboard, which its plan must include, then run again.',
  });

export async function readConfig(io: Io, ref: string): Promise<Config> {
  return await ask(io.http, { method: 'GET', path: branchPath(ref) }, readOf(io), configSchema);
}

/** How to reach the pooler of a project. Its user differs from that of the direct address, and its text holds no password (2026-11-25). */
export const poolerSchema = z.object({
  database_type: z.string(),
  pool_mode: z.string().nullish(),
  db_user: z.string(),
  db_host: z.string(),
  db_port: z.number(),
  db_name: z.string(),
  connection_string: z.string().nullish(),
});
export type Pooler = z.output<typeof poolerSchema>;

export async function readPoolers(io: Io, ref: string): Promise<readonly Pooler[]> {
  const request = { method: 'GET', path: `${projectPath(ref)}/config/database/pooler` } as const;
  return await ask(io.http, request, readOf(io), z.array(poolerSchema));
}

/** The keys of a project. The answer shows whole keys only when the request asks for them. */
export async function readKeys(io: Io, ref: string): Promise<readonly Key[]> {
  const request = { method: 'GET', path: `${projectPath(ref)}/api-keys`, query: { reveal: 'true' } } as const;
  return await ask(io.http, request, readOf(io), z.array(keySchema));
}
