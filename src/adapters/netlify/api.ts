import { z } from 'zod';
import type { StoredRequest } from '../../http/types.ts';
import { ask, parseAnswer } from '../../ops/answer.ts';
import type { Io } from '../../ops/bound.ts';
import type { FindSpec } from '../../remote/reach.ts';

/** The parts of Netlify's REST API that variables of a site need. */
const valueSchema = z.object({
  /** The contract does not promise an id. A value without one can be neither found again nor removed, so it is never a match. */
  id: z.string().default(''),
  value: z.string().optional(),
  context: z.string().default('all'),
  context_parameter: z.string().nullish(),
});
export type EnvValue = z.output<typeof valueSchema>;

/** A variable holds one value for each context and for each branch. All of its values are secret, or none is. */
export const variableSchema = z.object({
  key: z.string(),
  scopes: z.array(z.string()).default([]),
  values: z
    .array(valueSchema)
    .nullish()
    .transform((values) => values ?? []),
  is_secret: z.boolean().nullish(),
  updated_at: z.string().nullish(),
});
export type EnvVariable = z.output<typeof variableSchema>;
export const variablesSchema = z.array(variableSchema);

/** The place of a value. Without `site_id` the API means the variables of the whole team. */
export interface EnvIdentity {
  readonly account: string;
  readonly site: string;
  readonly key: string;
  readonly context: string;
  /** The branch, of the context `branch` alone. */
  readonly branch: string | null;
}

type Place = Pick<EnvIdentity, 'account' | 'site'>;

export const listRequest = ({ account, site }: Place): StoredRequest & { readonly method: 'GET' } => ({
  method: 'GET',
  path: listPath(account),
  query: { site_id: site },
});

export const listPath = (account: string): string => `/accounts/${encodeURIComponent(account)}/env`;
export const keyPath = ({ account, key }: EnvIdentity): string => `${listPath(account)}/${encodeURIComponent(key)}`;

export function findValue(identity: EnvIdentity): FindSpec {
  const { site, context, branch } = identity;
  return {
    // `?context_name=` takes no branch: it answers 400 (netlify/build issue 6891, read 2026-11-21), so all values are read.
    request: { method: 'GET', path: keyPath(identity), query: { site_id: site } },
    list: '/values',
    match: { '/context': context, ...(branch !== null && { '/context_parameter': branch }) },
    id: '/id',
    // There is no variable with this key, so no value either. The witness tells whether the credential may look.
    none: [404, 410],
    // The docs do not say how soon a read sees a write. A second look is cheap where the first one is a surprise.
    settle: 2,
  };
}

/** Every variable of the site, in one list that all lines of the site share. It has no pages. */
export async function listVariables(io: Io, place: Place): Promise<readonly EnvVariable[]> {
  return await ask(io.http, listRequest(place), { purpose: 'read', signal: io.signal, share: io.share !== false }, variablesSchema);
}

/** One variable as it is at this moment; `null` when there is none of this key. */
export async function readVariable(io: Io, identity: EnvIdentity): Promise<EnvVariable | null> {
  const { request } = findValue(identity);
  const { status, body } = await io.http.send(request, { purpose: 'read', signal: io.signal, accept: [404, 410], share: false });
  return status >= 400 ? null : parseAnswer(variableSchema, body, `netlify answered GET ${request.path}`);
}

export const valuesOf = (variable: EnvVariable | null | undefined, { context, branch }: EnvIdentity): readonly EnvValue[] =>
  (variable?.values ?? []).filter(
    (one) => one.id !== '' && one.context === context && (context !== 'branch' || one.context_parameter === branch),
  );

/** The vendor's description writes `post-processing`, and the service answers `post_processing` (2026-11-21): the two are one. */
export const plainScopes = (scopes: readonly string[]): string[] =>
  [...new Set(scopes.map((scope) => scope.replaceAll('-', '_')))].toSorted();
