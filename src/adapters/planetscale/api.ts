import { z } from 'zod';
import { Failure } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Body } from '../../http/types.ts';
import { ask } from '../../ops/answer.ts';
import type { Desired, Io } from '../../ops/bound.ts';
import type { ParamSpec } from '../../ops/op.ts';
import { asBody } from '../../remote/stored-json.ts';

/** The parts of PlanetScale's API (v1) that branches and their passwords need. */
export const branchSchema = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  kind: z.string(),
  state: z.string(),
  ready: z.boolean(),
  parent_branch: z.string().nullish(),
  deletion_protected: z.boolean().optional(),
  production: z.boolean().optional(),
  region: z.object({ slug: z.string() }).nullish(),
  html_url: z.string().optional(),
  created_at: z.string(),
});
export type Branch = z.output<typeof branchSchema>;

const slug = '^[A-Za-z0-9][A-Za-z0-9._-]*$';

/** The params that name the database of a line. */
export const databaseParams = {
  organization: {
    type: 'string',
    required: true,
    pattern: slug,
    doc: 'Name of the organization.',
    todo: 'PlanetScale dashboard, the first part of its address: `app.planetscale.com/<organization>`.',
    example: 'acme',
  },
  database: {
    type: 'string',
    required: true,
    pattern: slug,
    doc: 'Name of the database.',
    todo: 'PlanetScale dashboard, the second part of the address of the database.',
    example: 'shop',
  },
} as const satisfies { readonly [name: string]: ParamSpec };

/** A branch name, which is one part of a path. */
export const branchName = slug;

export interface Place {
  readonly organization: string;
  readonly database: string;
}

export const branchesPath = ({ organization, database }: Place): string =>
  `/organizations/${encodeURIComponent(organization)}/databases/${encodeURIComponent(database)}/branches`;
export const branchPath = (place: Place, name: string): string => `${branchesPath(place)}/${encodeURIComponent(name)}`;

/** A read that is never joined with another, because it must show changes. */
export const readBranch = (io: Io, place: Place, name: string): Promise<Branch> =>
  ask(io.http, { method: 'GET', path: branchPath(place, name) }, { purpose: 'read', signal: io.signal }, branchSchema);

/** The state of a branch that is not ready, in words. */
export const stateText = ({ name, state }: Branch): string =>
  `The branch ${name} is ${{ pending: 'being provisioned', sleep_in_progress: 'going to sleep', sleeping: 'asleep', awakening: 'waking up' }[state] ?? 'not ready'}.`;

/** The named fields that are planned, for a body. */
export function only(desired: Desired, names: readonly string[]): { [name: string]: Body } {
  return Object.fromEntries(names.flatMap((name) => (desired[name] === undefined ? [] : [[name, asBody(desired[name])]])));
}

/** A 404 to a create does not say which of its parents is missing. */
export function withParents(thrown: unknown, { organization, database }: Place, parent: string): unknown {
  if (!(thrown instanceof HttpFailure) || thrown.status !== 404 || thrown.unanswered) return thrown;
  return new Failure('PROVIDER_NOT_FOUND', {
    detail: `The organization ${organization}, its database ${database} or the branch ${parent} is missing; PlanetScale does not say which. ${thrown.detail}`,
    fix: 'Check the three names, and check that the service token may see the database.',
    cause: thrown,
    status: 404,
  });
}
