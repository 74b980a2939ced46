import { z } from 'zod';
import type { Http } from '../../http/types.ts';
import { ask, parseAnswer } from '../../ops/answer.ts';
import { type Io, lookBy } from '../../ops/bound.ts';
import { findAll } from '../../remote/find.ts';
import type { FindSpec } from '../../remote/reach.ts';

/** The parts of Neon's API (v2) that a branch needs. */
export const branchSchema = z.object({
  id: z.string(),
  name: z.string(),
  parent_id: z.string().optional(),
  current_state: z.string(),
  pending_state: z.string().optional(),
  default: z.boolean().optional(),
  protected: z.boolean().optional(),
  init_source: z.string().optional(),
  expires_at: z.string().nullish(),
  created_at: z.string().optional(),
});
export type Branch = z.output<typeof branchSchema>;

export const endpointSchema = z.object({
  id: z.string(),
  host: z.string(),
  type: z.string(),
  current_state: z.string(),
  pending_state: z.string().optional(),
});
export type Endpoint = z.output<typeof endpointSchema>;

export const operationSchema = z.object({ id: z.string(), action: z.string().optional(), status: z.string() });
export type Operation = z.output<typeof operationSchema>;

export const createdSchema = z.object({
  branch: branchSchema,
  endpoints: z.array(endpointSchema).default([]),
  operations: z.array(operationSchema).default([]),
});

export const projectPath = (project: string): string => `/projects/${encodeURIComponent(project)}`;
export const branchPath = (project: string, id: string): string => `${projectPath(project)}/branches/${encodeURIComponent(id)}`;

/**
 * A branch by its exact name: `search` also matches parts of names and ids. A deleted branch stays recoverable for days. The list
 * shows it with `recovery` to a request for deleted ones. It is never a match.
 */
export const findByName = (project: string, name: string): FindSpec => ({
  request: { method: 'GET', path: `${projectPath(project)}/branches`, query: { search: name } },
  list: '/branches',
  match: { '/name': name },
  absent: ['/recovery'],
  page: { kind: 'cursor', next: '/pagination/next', param: 'cursor' },
  id: '/id',
  created_at: '/created_at',
});

/** Reads may be joined with equal ones unless the engine wants one of its own. */
export const readOf = (io: Io) => ({ purpose: 'read', signal: io.signal, share: io.share !== false }) as const;

export async function branchesNamed(io: Io, project: string, name: string): Promise<Branch[]> {
  const found = await findAll(io.http, findByName(project, name), lookBy(io));
  return found.map(({ item }) => parseAnswer(branchSchema, item, `neon lists the branch ${name}`));
}

export async function readBranch(io: Io, project: string, id: string): Promise<Branch> {
  const request = { method: 'GET', path: branchPath(project, id) } as const;
  return (await ask(io.http, request, readOf(io), z.object({ branch: branchSchema }))).branch;
}

/** The compute that takes connections. A branch made elsewhere may have none. */
export async function readEndpoint(io: Io, project: string, id: string): Promise<Endpoint | null> {
  const request = { method: 'GET', path: `${branchPath(project, id)}/endpoints` } as const;
  const { endpoints } = await ask(io.http, request, readOf(io), z.object({ endpoints: z.array(endpointSchema) }));
  return endpoints.find(({ type }) => type === 'read_write') ?? null;
}

export async function readOperation(http: Http, signal: AbortSignal, project: string, id: string): Promise<Operation> {
  const request = { method: 'GET', path: `${projectPath(project)}/operations/${encodeURIComponent(id)}` } as const;
  return (await ask(http, request, { purpose: 'read', signal }, z.object({ operation: operationSchema }))).operation;
}

/** Names of the roles or databases of a branch. Roles of the system are left out, because they are not for applications. */
export async function readNames(io: Io, project: string, id: string, kind: 'roles' | 'databases'): Promise<string[]> {
  const request = { method: 'GET', path: `${branchPath(project, id)}/${kind}` } as const;
  const list = z.array(z.object({ name: z.string(), protected: z.boolean().optional() }));
  const answer = await ask(io.http, request, readOf(io), z.object({ [kind]: list }));
  return (answer[kind] ?? []).filter((one) => one.protected !== true).map(({ name }) => name);
}

export async function readConnectionUri(
  io: Io,
  project: string,
  query: { readonly branch_id: string; readonly database_name: string; readonly role_name: string; readonly pooled: 'true' | 'false' },
): Promise<string> {
  const request = { method: 'GET', path: `${projectPath(project)}/connection_uri`, query } as const;
  return (await ask(io.http, request, readOf(io), z.object({ uri: z.string().min(1) }))).uri;
}
