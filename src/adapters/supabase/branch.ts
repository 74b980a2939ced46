import type { Json } from '../../core/json.ts';
import type { Sealed } from '../../core/sealed.ts';
import type { Body } from '../../http/types.ts';
import { ask } from '../../ops/answer.ts';
import type { Desired, Io, ObjectBound, Params, Readiness } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import { timeoutOf, timeoutParam } from '../../ops/timeout.ts';
import type { Live } from '../../remote/live-object.ts';
import { asBody } from '../../remote/stored-json.ts';
import { identityText } from '../../remote/value.ts';
import { type Branch, branchesNamed, branchesPath, branchPath, branchSchema, findByName, projectPath, readConfig } from './api.ts';
import { outputs, readOutput } from './outputs.ts';
import { projectRef } from './params.ts';

/** Seconds to wait. A branch is a project of its own with a new database, which takes minutes. */
const longest = 900;

const sizes = [
  ...['pico', 'nano', 'micro', 'small', 'medium', 'large', 'xlarge', '2xlarge', '4xlarge', '8xlarge', '12xlarge', '16xlarge'],
  ...['24xlarge', '48xlarge'].flatMap((size) => [
    size,
    ...['cpu', 'memory'].map((what) => `${size}_optimized_${what}`),
    `${size}_high_memory`,
  ]),
];

/**
 * A preview branch: a copy of a project with a database, an API and keys of its own. Its name is its identity within the project.
 * It is provisioned after the answer to the create, and separate requests show its parts.
 */
export const branch: Op = {
  kind: 'object',
  doc: 'A preview branch of a Supabase project, with its own database, API and keys. Identified by its name.',
  subject: '{branch_name} of project {project_ref}',
  console: { page: 'https://supabase.com/dashboard/project/{project_ref}/branches', key: '/v1/projects/{project_ref}/branches' },
  params: {
    project_ref: projectRef,
    branch_name: { type: 'string', required: true, min_length: 1, doc: 'Name of the branch.', example: '${ctx.scope}' },
    git_branch: {
      type: 'string',
      min_length: 1,
      doc: 'Git branch with the migrations that the branch runs.',
      example: '${ctx.git.branch}',
    },
    persistent: {
      type: 'boolean',
      doc: 'Whether the branch keeps running when it is idle, instead of being paused. Destroy takes this back first, because Supabase deletes no persistent branch.',
    },
    with_data: {
      type: 'boolean',
      doc: "Whether the branch gets the project's data, which needs the point-in-time recovery add-on. Another choice makes a new branch.",
    },
    notify_url: { type: 'string', format: 'url', doc: 'Where Supabase reports changes of its status.' },
    region: { type: 'string', min_length: 1, doc: 'Region; the region of the project when left out. Used when the branch is made.' },
    desired_instance_size: { type: 'string', enum: sizes, doc: 'Size of its database server. Used when the branch is made.' },
    release_channel: {
      type: 'string',
      enum: ['internal', 'alpha', 'beta', 'ga', 'withdrawn', 'preview'],
      doc: 'Release channel of its Postgres. Used when the branch is made.',
    },
    postgres_engine: { type: 'string', enum: ['15', '17', '17-oriole'], doc: 'Version of its Postgres. Used when the branch is made.' },
    secrets: { type: 'map', secret: true, doc: 'Secrets of its edge functions by name. Sent when the branch is made and never compared.' },
    timeout: timeoutParam(longest),
  },
  outputs,
  notes: [
    'Branching must be enabled for the project, and its plan must include branching.',
    'Supabase pauses an idle branch that is not persistent. Only the dashboard wakes it, but its values stay readable.',
  ],
  quota: { limit: 'A project has as many branches at a time as the settings of its organization allow.' },
  bind(params) {
    const ref = identityText(params.project_ref, 'project_ref');
    return new BranchLine(ref, identityText(params.branch_name, 'branch_name'), params);
  },
};

const createOnly = ['region', 'desired_instance_size', 'release_channel', 'postgres_engine', 'secrets'] as const;
const patchable = ['git_branch', 'persistent', 'notify_url'] as const;

class BranchLine implements ObjectBound {
  readonly kind = 'object';
  readonly immutable = ['with_data'];
  readonly writeOnly = createOnly;
  /** The docs do not say whether two branches of one project may share a name, so this is not tried (2026-11-21). */
  readonly coexist = false;
  readonly key: string;
  readonly fields: ObjectBound['fields'];
  readonly reach: ObjectBound['reach'];
  readonly timeout: number;
  readonly #ref: string;
  readonly #name: string;

  constructor(ref: string, name: string, params: Params) {
    this.#ref = ref;
    this.#name = name;
    this.timeout = timeoutOf(params, longest);
    this.key = `${branchesPath(ref)}[name=${name}]`;
    const declared = [...patchable, 'with_data', ...createOnly];
    this.fields = Object.fromEntries(declared.flatMap((field) => (params[field] === undefined ? [] : [[field, params[field]]])));
    this.reach = {
      kind: 'object',
      find: findByName(ref, name),
      remove: { method: 'DELETE', path: '/v1/branches/{id}' },
      remove_fix:
        'Make the branch not persistent in the Supabase dashboard, or add `persistent: true` to its line and apply that. Then run again.',
      // Supabase deletes a persistent branch only after persistence was taken back. A branch that somebody else made persistent must stay.
      ...(params.persistent === true && {
        unlock: { on: [422], request: { method: 'PATCH' as const, path: '/v1/branches/{id}', body: { persistent: false } } },
      }),
      // Besides 200 the docs name only this failure of a delete, and it also stands for a missing branch (2026-11-21). A look at the
      // list tells the two apart.
      gone_match: { '/message': 'Failed to delete database branch' },
      // Where branching was turned off, the list answers 422 but the project still answers.
      witness: { method: 'GET', path: projectPath(ref) },
    };
  }

  async find(io: Io): Promise<readonly Live[]> {
    return (await branchesNamed(io, this.#ref, this.#name)).map(liveOf);
  }

  async create(io: Io, desired: Desired): Promise<Live> {
    const body: Body = { branch_name: this.#name, ...only(desired, [...patchable, 'with_data', ...createOnly]) };
    const request = { method: 'POST', path: branchesPath(this.#ref), body } as const;
    return liveOf(await ask(io.http, request, { purpose: 'write', signal: io.signal, retry: 'none' }, branchSchema));
  }

  leaving(): 'unsent' {
    return 'unsent';
  }

  async update(io: Io, live: Live, desired: Desired, changed: readonly string[]): Promise<Live> {
    const fields = patchable.filter((field) => changed.includes(field));
    const request = { method: 'PATCH', path: branchPath(live.id), body: only(desired, fields) } as const;
    return liveOf(await ask(io.http, request, { purpose: 'write', signal: io.signal }, branchSchema));
  }

  /** The status of the branch's own project counts. The `status` in lists is about migrations and deprecated (2026-11-21). */
  async ready(io: Io, live: Live): Promise<Readiness> {
    const { status } = await readConfig({ ...io, share: false }, live.id);
    if (status === 'ACTIVE_HEALTHY') return { state: 'ready', live };
    const end = ends[status];
    if (end !== undefined) return { state: 'failed', detail: `The Supabase branch ${this.#name} ${end} (${status}).` };
    return { state: 'wait', detail: steps[status] ?? status.toLowerCase().replaceAll('_', ' ') };
  }

  async output(io: Io, live: Live, name: string): Promise<Json | Sealed> {
    return await readOutput(io, { ref: live.id, name: this.#name }, name);
  }
}

/** States that do not pass by themselves. */
const ends: { readonly [status: string]: string | undefined } = {
  INIT_FAILED: 'could not be set up. Delete it in the dashboard, so that the next run makes it anew',
  RESTORE_FAILED: 'could not be restored. Delete it in the dashboard, so that the next run makes it anew',
  PAUSE_FAILED: 'could not be paused. Look at it in the dashboard, then run again',
  INACTIVE: 'is paused. Restore it in the dashboard, then run again',
  REMOVED: 'was removed during the wait. Run again to make it anew',
};

const steps: { readonly [status: string]: string | undefined } = {
  COMING_UP: 'provisioning',
  ACTIVE_UNHEALTHY: 'starting services',
  UNKNOWN: 'state unknown',
};

function liveOf(now: Branch): Live {
  const { git_branch, notify_url, persistent, with_data, created_at } = now;
  return {
    id: now.project_ref,
    values: { persistent, with_data, ...(git_branch && { git_branch }), ...(notify_url && { notify_url }) },
    outputs: { id: now.project_ref, name: now.name, api_url: `https://${now.project_ref}.supabase.co` },
    ...(created_at !== undefined && { createdAt: created_at }),
  };
}

function only(desired: Desired, names: readonly string[]): { readonly [name: string]: Body } {
  return Object.fromEntries(names.flatMap((name) => (desired[name] === undefined ? [] : [[name, asBody(desired[name])]])));
}
