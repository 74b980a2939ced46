import { z } from 'zod';
import { ask } from '../../ops/answer.ts';
import { type Io, lookBy } from '../../ops/bound.ts';
import { findAll } from '../../remote/find.ts';
import type { FindSpec } from '../../remote/reach.ts';

export interface Step {
  readonly component_name?: string | undefined;
  readonly name?: string | undefined;
  readonly status?: string | undefined;
  readonly reason?: { readonly code?: string | undefined; readonly message?: string | undefined } | undefined;
  readonly steps?: readonly Step[] | undefined;
}

const step: z.ZodType<Step> = z.object({
  component_name: z.string().optional(),
  name: z.string().optional(),
  status: z.string().optional(),
  reason: z.object({ code: z.string().optional(), message: z.string().optional() }).optional(),
  get steps() {
    return z.array(step).optional();
  },
});

const deploymentSchema = z.object({
  id: z.string(),
  // An unknown phase counts as one of a running deployment.
  phase: z.string().default('UNKNOWN'),
  created_at: z.string().optional(),
  progress: z
    .object({ success_steps: z.number().optional(), total_steps: z.number().optional(), steps: z.array(step).optional() })
    .optional(),
});
export type Deployment = z.output<typeof deploymentSchema>;

const appSchema = z.object({
  id: z.string(),
  spec: z.record(z.string(), z.json()),
  created_at: z.string().optional(),
  live_url: z.string().optional(),
  default_ingress: z.string().optional(),
  pending_deployment: z.object({ id: z.string().optional() }).nullish(),
  in_progress_deployment: z.object({ id: z.string().optional() }).nullish(),
});
export type App = z.output<typeof appSchema>;

export const answeredApp = z.object({ app: appSchema });

export const appPath = (id: string): string => `/v2/apps/${encodeURIComponent(id)}`;

/** The list has no filter; names are unique in an account. */
export const findByName = (name: string): FindSpec => ({
  request: { method: 'GET', path: '/v2/apps', query: { per_page: '200' } },
  list: '/apps',
  // The description does not promise a list where it is empty (2026-11-21).
  empty: { '/meta/total': 0 },
  match: { '/spec/name': name },
  // The description: `per_page`, at most 200 (2026-11-25).
  page: { kind: 'page', param: 'page', size: 200, cap: 200 },
  id: '/id',
  created_at: '/created_at',
});

export async function appsNamed(io: Io, name: string): Promise<readonly unknown[]> {
  const found = await findAll(io.http, findByName(name), lookBy(io));
  return found.map(({ item }) => item);
}

/** Polling joins only reads that begin from now on. An older shared read would show the state of the first look for ever. */
const own = (io: Io) => ({ purpose: 'read', signal: io.signal, share: false }) as const;

export async function readApp(io: Io, id: string): Promise<App> {
  return (await ask(io.http, { method: 'GET', path: appPath(id) }, own(io), answeredApp)).app;
}

export async function readDeployment(io: Io, app: string, id: string): Promise<Deployment> {
  const request = { method: 'GET', path: `${appPath(app)}/deployments/${encodeURIComponent(id)}` } as const;
  return (await ask(io.http, request, own(io), z.object({ deployment: deploymentSchema }))).deployment;
}

/** The newest of an app's deployments, whatever order the list has; `null` when it has none yet. */
export async function newestDeployment(io: Io, app: string): Promise<Deployment | null> {
  const request = { method: 'GET', path: `${appPath(app)}/deployments`, query: { per_page: '20' } } as const;
  const { deployments } = await ask(io.http, request, own(io), z.object({ deployments: z.array(deploymentSchema).default([]) }));
  const [newest] = deployments.toSorted((a, b) => Date.parse(b.created_at ?? '') - Date.parse(a.created_at ?? ''));
  return newest ?? null;
}
