import { type Call, flawsOf, refuse, type Shape } from '../kit/index.ts';
import { isMap } from '../kit/json.ts';
import type { Branch, Project, SupabaseState } from './state.ts';

type AnyCall = Call<SupabaseState, { readonly ref: string }>;

const instance = [
  ...['pico', 'nano', 'micro', 'small', 'medium', 'large', 'xlarge', '2xlarge', '4xlarge', '8xlarge', '12xlarge', '16xlarge'],
  ...['24xlarge', '24xlarge_optimized_memory', '24xlarge_optimized_cpu', '24xlarge_high_memory'],
  ...['48xlarge', '48xlarge_optimized_memory', '48xlarge_optimized_cpu', '48xlarge_high_memory'],
];

const create: Shape = {
  fields: {
    branch_name: 'string',
    git_branch: 'string',
    is_default: 'boolean',
    persistent: 'boolean',
    region: 'string',
    desired_instance_size: { oneOf: instance },
    release_channel: { oneOf: ['internal', 'alpha', 'beta', 'ga', 'withdrawn', 'preview'] },
    postgres_engine: { oneOf: ['15', '17', '17-oriole'] },
    secrets: { values: 'string' },
    with_data: 'boolean',
    notify_url: 'string',
  },
  required: ['branch_name'],
};

const patch: Shape = {
  fields: {
    branch_name: 'string',
    git_branch: 'string',
    reset_on_push: 'boolean',
    persistent: 'boolean',
    status: 'string',
    request_review: 'boolean',
    notify_url: 'string',
  },
};

const config: Shape = { fields: { site_url: { nullable: 'string' }, uri_allow_list: { nullable: 'string' } } };

export interface BranchBody {
  readonly branch_name: string;
  readonly git_branch?: string;
  readonly is_default?: boolean;
  readonly persistent?: boolean;
  readonly with_data?: boolean;
  readonly notify_url?: string;
  readonly [other: string]: unknown;
}

/** A create's body, as the vendor's description allows it. */
export function branchBody(call: AnyCall): BranchBody {
  const { branch_name, ...rest } = bodyOf(call, create);
  if (typeof branch_name !== 'string' || branch_name === '') throw refuse(400, { message: 'branch_name must not be empty' });
  return { ...rest, branch_name };
}

export function patchBody(call: AnyCall): Partial<Branch> {
  const { branch_name, git_branch, persistent, notify_url } = bodyOf(call, patch);
  return {
    ...(typeof branch_name === 'string' && { name: branch_name }),
    ...(typeof git_branch === 'string' && { git_branch }),
    ...(typeof persistent === 'boolean' && { persistent }),
    ...(typeof notify_url === 'string' && { notify_url }),
  };
}

export function configBody(call: AnyCall): Partial<Project> {
  const body = bodyOf(call, config);
  return {
    ...(isTextOrNull(body.site_url) && { site_url: body.site_url }),
    ...(isTextOrNull(body.uri_allow_list) && { uri_allow_list: body.uri_allow_list }),
  };
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';

function bodyOf({ body, contentType }: AnyCall, shape: Shape): Record<string, unknown> {
  if (contentType !== 'application/json' || !isMap(body)) throw refuse(400, { message: 'the body is not a JSON object' });
  const [flaw] = flawsOf(body, shape);
  if (flaw)
    throw refuse(400, { message: `${flaw.at.slice(1)}: ${flaw.problem === 'unknown' ? 'Unrecognized key' : `expected ${flaw.expected}`}` });
  return body;
}

/** A branch as lists and writes show it. `status` speaks of migrations and is deprecated. */
export function branchAnswer(branch: Branch, project: Project | undefined): Record<string, unknown> {
  const { made: _, ...shown } = branch;
  return {
    ...shown,
    status: project?.status === 'ACTIVE_HEALTHY' ? 'FUNCTIONS_DEPLOYED' : 'CREATING_PROJECT',
    ...(project && { preview_project_status: project.status }),
  };
}
