import { z } from 'zod';
import { Failure } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { Sealed } from '../../core/sealed.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Body } from '../../http/types.ts';
import { ask } from '../../ops/answer.ts';
import type { Desired, Io, ObjectBound, Params, Readiness } from '../../ops/bound.ts';
import { endsAt, expiresParam, expiresProblems, lifeOf, spanOf } from '../../ops/expires.ts';
import type { Op, ParamSpec } from '../../ops/op.ts';
import type { ParamProblem } from '../../ops/problem.ts';
import { timeoutOf, timeoutParam } from '../../ops/timeout.ts';
import type { Live } from '../../remote/live-object.ts';
import { asBody } from '../../remote/stored-json.ts';
import type { Value } from '../../remote/value.ts';
import { identityText, Kept, Pending } from '../../remote/value.ts';
import {
  type Branch,
  branchesNamed,
  branchPath,
  branchSchema,
  createdSchema,
  findByName,
  type Operation,
  projectPath,
  readBranch,
  readEndpoint,
  readOperation,
} from './api.ts';
import { connectionOutput } from './connection.ts';

const timestamp = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$';
/** Seconds to wait. A copy-on-write branch is ready in a few seconds, whatever its size. */
const longest = 300;
/** Neon takes an end that lies at most 30 days ahead. */
const longestLife = '30d';
const compute = { type: 'number', minimum: 0.25 } as const satisfies Partial<ParamSpec>;

/**
 * A copy-on-write Postgres branch. Its name is its identity within the project. It is forked from the default branch unless the line
 * names a parent, and gets one read-write compute. Connection strings are read only when a line asks for one.
 */
export const branch: Op = {
  kind: 'object',
  doc: 'A copy-on-write branch of a Neon project, with one compute.',
  subject: '{name} of {project_id}',
  console: { page: 'https://console.neon.tech/app/projects/{project_id}/branches/{id}', key: '/projects/{project_id}/branches' },
  params: {
    project_id: {
      type: 'string',
      required: true,
      pattern: '^[a-z0-9-]{1,60}$',
      doc: 'Id of the Neon project.',
      todo: 'Neon Console, the project, Settings, General, "Project ID".',
      example: 'quiet-river-12345678',
    },
    name: { type: 'string', required: true, min_length: 1, max_length: 256, doc: 'Name of the branch.', example: '${ctx.scope}' },
    parent: {
      type: 'string',
      min_length: 1,
      doc: 'Name or id of the branch to fork from; the default branch when left out. Another parent makes a new branch.',
    },
    init_source: {
      type: 'string',
      enum: ['parent-data', 'schema-only'],
      doc: 'Whether the branch gets the data of its parent. Another choice makes a new branch.',
    },
    expires_at: { type: 'string', pattern: timestamp, doc: 'When Neon deletes the branch by itself.' },
    expires: expiresParam('the branch'),
    protected: {
      type: 'boolean',
      doc: 'Whether the branch is protected. Neon does not delete a protected branch, so it needs `destroy: keep`.',
    },
    role: { type: 'string', min_length: 1, doc: 'Role of the connection strings; the only one of the branch when left out.' },
    database: { type: 'string', min_length: 1, doc: 'Database of the connection strings; the only one of the branch when left out.' },
    min_cu: { ...compute, doc: 'Least size of the compute. Used when the branch is made.' },
    max_cu: { ...compute, doc: 'Greatest size of the compute. Used when the branch is made.' },
    suspend_timeout_seconds: {
      type: 'integer',
      minimum: -1,
      doc: 'Idle seconds until the compute is suspended. Used when the branch is made.',
    },
    timeout: timeoutParam(longest),
  },
  destroys: 'Destroy deletes it. Neon keeps it and its data for 7 days, and it can be restored in the Neon Console that long.',
  notes: [
    'A deleted branch and its data stay recoverable for 7 days: pilotfish sends no `hard_delete`, a preview of Neon that not every account has, and never counts such a branch as existing (https://neon.com/api_spec/release/v2.json, 2026-11-25).',
  ],
  outputs: {
    id: { doc: 'Id of the branch.' },
    name: { doc: 'Name of the branch.' },
    host: { doc: 'Host of the compute.', lazy: true },
    connection_uri: { doc: 'Connection string, with its password.', sensitive: true, lazy: true },
    pooled_connection_uri: { doc: 'Connection string through the pooler, with its password.', sensitive: true, lazy: true },
  },
  bind(params, context) {
    const project = identityText(params.project_id, 'project_id');
    const name = identityText(params.name, 'name');
    const keeps = context.destroy === 'keep' || context.destroy === 'never';
    const problems = [
      ...(params.protected === true && !keeps
        ? [{ at: ['protected'], detail: 'A protected branch cannot be deleted. Add `destroy: keep`, or leave `protected` out.' }]
        : []),
      ...expiresProblems(params.expires, longestLife, 'Neon'),
      ...(params.expires !== undefined && params.expires_at !== undefined
        ? [{ at: ['expires'], detail: '`expires` and `expires_at` both say when the branch ends. Leave one of them out.' }]
        : []),
    ];
    return new BranchLine(project, name, params, problems);
  },
};

const createOnly = ['min_cu', 'max_cu', 'suspend_timeout_seconds'] as const;
const patchable = ['protected', 'expires_at'] as const;
const settled = new Set(['finished', 'skipped', 'cancelled']);

class BranchLine implements ObjectBound {
  readonly kind = 'object';
  readonly immutable = ['parent', 'init_source'];
  readonly writeOnly = createOnly;
  /** Two branches of one project cannot have one name. */
  readonly coexist = false;
  readonly key: string;
  readonly fields: ObjectBound['fields'];
  readonly reach: ObjectBound['reach'];
  readonly problems: readonly ParamProblem[];
  readonly timeout: number;
  readonly lives?: number;
  readonly #project: string;
  readonly #name: string;
  readonly #params: Params;

  constructor(project: string, name: string, params: Params, problems: readonly ParamProblem[]) {
    this.#project = project;
    this.#name = name;
    this.#params = params;
    this.problems = problems;
    this.timeout = timeoutOf(params, longest);
    this.key = `${projectPath(project)}/branches[name=${name}]`;
    const lives = spanOf(params.expires);
    if (lives !== null) this.lives = lives;
    const declared = ['parent', 'init_source', ...patchable, 'expires', ...createOnly];
    this.fields = Object.fromEntries(declared.flatMap((field) => (params[field] === undefined ? [] : [[field, params[field]]])));
    this.reach = {
      kind: 'object',
      find: findByName(project, name),
      remove: { method: 'DELETE', path: `${projectPath(project)}/branches/{id}` },
      // Neon may answer 422 to a second delete, after the answer to the first was lost (2026-11-25).
      until_gone: { read: { method: 'GET', path: `${projectPath(project)}/branches/{id}` }, seconds: 120 },
    };
  }

  async find(io: Io): Promise<readonly Live[]> {
    const branches = await branchesNamed(io, this.#project, this.#name);
    return await Promise.all(branches.map((found) => this.#live(io, found)));
  }

  async create(io: Io, desired: Desired): Promise<Live> {
    const parent = desired.parent === undefined ? null : await this.#parentId(io, identityText(desired.parent, 'parent'));
    const body: Body = {
      branch: {
        name: this.#name,
        ...(parent !== null && { parent_id: parent }),
        ...only(desired, ['init_source', ...patchable]),
        ...endOf(io, desired),
      },
      // A branch has no compute unless the create asks for one, and nothing could connect to it then.
      endpoints: [{ type: 'read_write', ...computeOf(desired) }],
    };
    const request = { method: 'POST', path: `${projectPath(this.#project)}/branches`, body } as const;
    try {
      const made = await ask(io.http, request, { purpose: 'write', signal: io.signal, retry: 'none' }, createdSchema);
      return { ...this.#liveOf(io, made.branch, made.branch.parent_id), raw: made.operations };
    } catch (thrown) {
      throw asQuota(thrown, this.#project);
    }
  }

  leaving(): 'unsent' {
    return 'unsent';
  }

  async update(io: Io, live: Live, desired: Desired, changed: readonly string[]): Promise<Live> {
    const fields = patchable.filter((field) => changed.includes(field));
    // Every update renews the end, so the record's time of the last write tells when the branch ended.
    const body: Body = { branch: { ...only(desired, fields), ...(io.leaves?.includes('expires') ? {} : endOf(io, desired)) } };
    const request = { method: 'PATCH', path: branchPath(this.#project, live.id), body } as const;
    const { branch: now } = await ask(io.http, request, { purpose: 'write', signal: io.signal }, z.object({ branch: branchSchema }));
    return await this.#live(io, now);
  }

  /** Ready when the branch, its compute and the operations of the create are. */
  async ready(shared: Io, live: Live): Promise<Readiness> {
    // A shared read would show the state of the first look for ever.
    const io: Io = { ...shared, share: false };
    const now = await readBranch(io, this.#project, live.id);
    if (now.current_state === 'init' || now.current_state === 'resetting') return wait(`The branch is ${now.current_state}.`);
    const endpoint = await readEndpoint(io, this.#project, live.id);
    if (endpoint && (endpoint.current_state === 'init' || endpoint.pending_state === 'init')) return wait('The compute is starting.');
    const operations = isOperations(live.raw) ? live.raw : [];
    for (const { id } of operations.filter(({ status }) => !settled.has(status))) {
      const operation = await readOperation(io.http, io.signal, this.#project, id);
      if (operation.status === 'failed' || operation.status === 'error') {
        return {
          state: 'failed',
          detail: `Neon ended the operation ${operation.action ?? operation.id} of the branch ${now.name} as ${operation.status}.`,
        };
      }
      if (!settled.has(operation.status)) return wait(`The operation ${operation.action ?? operation.id} is ${operation.status}.`);
    }
    const known = await this.#live(io, now);
    if (this.lives !== undefined && known.values.expires === undefined) io.note('Neon did not keep `expires`: the branch has no end.');
    return { state: 'ready', live: endpoint ? { ...known, outputs: { ...known.outputs, host: endpoint.host } } : known };
  }

  async output(io: Io, live: Live, name: string): Promise<Json | Sealed> {
    const { role, database } = this.#params;
    const of = { project: this.#project, branch: { id: live.id, name: this.#name } };
    return await connectionOutput(io, { ...of, role: textOf(role), database: textOf(database) }, name);
  }

  async #live(io: Io, now: Branch): Promise<Live> {
    return this.#liveOf(io, now, now.parent_id === undefined ? undefined : await this.#parentAsPlanned(io, now.parent_id));
  }

  #liveOf({ http }: Io, now: Branch, parent: string | undefined): Live {
    const life = lifeOf(http, this.#params.expires, now.expires_at);
    const values: Live['values'] = {
      protected: now.protected ?? false,
      ...(now.init_source !== undefined && { init_source: now.init_source }),
      ...(now.expires_at && { expires_at: sameMoment(this.#params.expires_at, now.expires_at) }),
      ...(life && { expires: life.value }),
      ...(parent !== undefined && { parent }),
    };
    return {
      id: now.id,
      values,
      ...(life?.isWorn && { worn: ['expires'] }),
      outputs: { id: now.id, name: now.name },
      ...(now.created_at !== undefined && { createdAt: now.created_at }),
    };
  }

  /** The plan may give the name of the parent, but the API shows its id. */
  async #parentAsPlanned(io: Io, id: string): Promise<string> {
    const { parent } = this.#params;
    if (typeof parent !== 'string' || parent === id) return id;
    const { name } = await readBranch(io, this.#project, id);
    return name === parent ? parent : name;
  }

  async #parentId(io: Io, parent: string): Promise<string> {
    if (/^br-[a-z0-9-]+$/.test(parent)) return parent;
    const [found, other] = await branchesNamed(io, this.#project, parent);
    if (found && !other) return found.id;
    throw new Failure('PROVIDER_NOT_FOUND', {
      detail: `The Neon project ${this.#project} has no branch named ${parent} to fork ${this.#name} from.`,
      fix: 'Correct `parent`, or leave it out to fork from the default branch.',
    });
  }
}

const wait = (detail: string): Readiness => ({ state: 'wait', detail });

const textOf = (value: Value | undefined): string | null =>
  value === undefined || value instanceof Kept || value instanceof Pending ? null : identityText(value, 'role and database');

const isOperations = (raw: unknown): raw is readonly Operation[] => Array.isArray(raw);

function only(desired: Desired, names: readonly string[]): { [name: string]: Body } {
  return Object.fromEntries(names.flatMap((name) => (desired[name] === undefined ? [] : [[name, asBody(desired[name])]])));
}

function endOf({ http }: Io, { expires }: Desired): { [name: string]: Body } {
  const span = spanOf(expires);
  return span === null ? {} : { expires_at: endsAt(http, span) };
}

function computeOf({ min_cu, max_cu, suspend_timeout_seconds }: Desired): { [name: string]: Body } {
  return {
    ...(min_cu !== undefined && { autoscaling_limit_min_cu: asBody(min_cu) }),
    ...(max_cu !== undefined && { autoscaling_limit_max_cu: asBody(max_cu) }),
    ...(suspend_timeout_seconds !== undefined && { suspend_timeout_seconds: asBody(suspend_timeout_seconds) }),
  };
}

/** The plan's spelling of a moment where both mean the same: `…:00Z` and `…:00.000Z` are one moment. */
function sameMoment(wanted: Value | undefined, live: string): string {
  return typeof wanted === 'string' && Date.parse(wanted) === Date.parse(live) ? wanted : live;
}

const limitCode = z.object({ code: z.string().regex(/LIMIT_EXCEEDED$/) });

function asQuota(thrown: unknown, project: string): unknown {
  if (!(thrown instanceof HttpFailure) || thrown.unanswered || !limitCode.safeParse(thrown.body).success) return thrown;
  return new Failure('PROVIDER_QUOTA', {
    detail: `The Neon project ${project} allows no more branches. ${thrown.detail}`,
    fix: 'Delete branches that are no longer needed, or raise the limit of the plan.',
    cause: thrown,
    ...(thrown.status !== null && { status: thrown.status }),
  });
}
