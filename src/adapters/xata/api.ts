import { z } from 'zod';
import { ask } from '../../ops/answer.ts';
import type { Io } from '../../ops/bound.ts';
import type { FindSpec } from '../../remote/reach.ts';

/** The place of a branch. */
export interface Place {
  readonly organization: string;
  readonly project: string;
}

/** The members that lists, creates and reads of a branch all show. Lists carry no status. */
export const branchSchema = z.object({ id: z.string().min(1), name: z.string(), createdAt: z.string().optional() });
export type Branch = z.output<typeof branchSchema>;

/** Only the read of one branch shows its state and how to connect to it. */
const detailsSchema = branchSchema.extend({
  status: z.object({
    statusType: z.string(),
    message: z.string().optional(),
    lifecycle: z.object({ state: z.string(), phase: z.string().optional(), reason: z.string().optional() }).optional(),
  }),
  connectionString: z.string().nullish(),
});
export type Details = z.output<typeof detailsSchema>;

const credentialsSchema = z.object({ username: z.string(), password: z.string() });
export type Credentials = z.output<typeof credentialsSchema>;

export const branchesPath = ({ organization, project }: Place): string =>
  `/organizations/${encodeURIComponent(organization)}/projects/${encodeURIComponent(project)}/branches`;

const branchPath = (place: Place, id: string): string => `${branchesPath(place)}/${encodeURIComponent(id)}`;

/** A branch by its exact name, in one list without pages. */
export const findByName = (place: Place, name: string): FindSpec => ({
  request: { method: 'GET', path: branchesPath(place) },
  list: '/branches',
  match: { '/name': name },
  id: '/id',
  created_at: '/createdAt',
});

/** Reads may be joined with equal ones unless the engine wants one of its own. */
const readOf = (io: Io) => ({ purpose: 'read', signal: io.signal, share: io.share !== false }) as const;

export async function readBranch(io: Io, place: Place, id: string): Promise<Details> {
  return await ask(io.http, { method: 'GET', path: branchPath(place, id) }, readOf(io), detailsSchema);
}

export async function readCredentials(io: Io, place: Place, id: string): Promise<Credentials> {
  return await ask(io.http, { method: 'GET', path: `${branchPath(place, id)}/credentials` }, readOf(io), credentialsSchema);
}
