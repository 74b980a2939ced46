import { ask, parseAnswer } from '../../ops/answer.ts';
import { type Desired, type Io, lookBy, type ObjectBound, type Params, type Readiness } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import { timeoutOf, timeoutParam } from '../../ops/timeout.ts';
import { findAll } from '../../remote/find.ts';
import type { Live } from '../../remote/live-object.ts';
import type { FindSpec } from '../../remote/reach.ts';
import { identityText } from '../../remote/value.ts';
import {
  type Branch,
  branchesPath,
  branchName,
  branchPath,
  branchSchema,
  databaseParams,
  only,
  type Place,
  readBranch,
  stateText,
  withParents,
} from './api.ts';

/** Seconds; a branch is provisioned in one or two minutes as a rule. */
const longest = 600;

/**
 * A branch of a database. Its name is its identity, in the paths of its reads and of its delete too; it is provisioned after its
 * create was answered, and ready when PlanetScale says so.
 */
export const branch: Op = {
  kind: 'object',
  doc: 'A branch of a PlanetScale database.',
  destroys: 'Destroy deletes it with its data.',
  params: {
    ...databaseParams,
    name: { type: 'string', required: true, pattern: branchName, doc: 'Name of the branch.', example: '${ctx.scope}' },
    parent_branch: {
      type: 'string',
      default: 'main',
      pattern: branchName,
      doc: 'Name of the branch that it is made from, which must be ready. Another parent makes a new branch.',
    },
    region: {
      type: 'string',
      min_length: 1,
      doc: 'Slug of its region; that of the database when left out. Another region makes a new branch.',
    },
    seed_data: {
      type: 'string',
      enum: ['last_successful_backup'],
      doc: 'Whether the data of the last backup comes along; the schema alone when left out. Used when the branch is made.',
    },
    backup_id: {
      type: 'string',
      min_length: 1,
      doc: 'Id of a backup to restore into it; needs `cluster_size`. Used when the branch is made.',
    },
    cluster_size: { type: 'string', min_length: 1, doc: 'Size of its cluster, such as `PS_10`. Used when the branch is made.' },
    deletion_protected: {
      type: 'boolean',
      doc: 'Whether it is protected from being deleted. PlanetScale does not delete such a branch, so it needs `destroy: keep`.',
    },
    timeout: timeoutParam(longest),
  },
  outputs: {
    id: { doc: 'Id of the branch.' },
    name: { doc: 'Name of the branch.' },
    kind: { doc: '`mysql` or `postgresql`, as its database is.' },
    html_url: { doc: 'Its page in the dashboard.' },
  },
  // The description tells of no limit; 422 is what it says of a request that cannot be done (2026-11-21).
  quota: { answers: [{ method: 'POST', status: 422, match: { '/message': { contains: 'limit' } } }] },
  notes: ['PlanetScale does not delete a production branch, the default branch of its database, or a protected one.'],
  bind(params, context) {
    const place = { organization: identityText(params.organization, 'organization'), database: identityText(params.database, 'database') };
    const keeps = context.destroy === 'keep' || context.destroy === 'never';
    const problems =
      params.deletion_protected === true && !keeps
        ? ['A branch with `deletion_protected` cannot be deleted. Add `destroy: keep`, or leave `deletion_protected` out.']
        : [];
    return new BranchLine(place, identityText(params.name, 'name'), params, problems);
  },
};

const sentOnce = ['seed_data', 'backup_id', 'cluster_size'] as const;
const compared = ['parent_branch', 'region'] as const;

class BranchLine implements ObjectBound {
  readonly kind = 'object';
  readonly immutable = compared;
  readonly writeOnly = sentOnce;
  /** Two branches of one database cannot have one name. */
  readonly coexist = false;
  readonly key: string;
  readonly fields: ObjectBound['fields'];
  readonly reach: ObjectBound['reach'];
  readonly problems: readonly string[];
  readonly timeout: number;
  readonly #place: Place;
  readonly #name: string;
  readonly #find: FindSpec;

  constructor(place: Place, name: string, params: Params, problems: readonly string[]) {
    this.#place = place;
    this.#name = name;
    this.problems = problems;
    this.timeout = timeoutOf(params, longest);
    const path = branchPath(place, name);
    this.key = path;
    const declared = [...compared, 'deletion_protected', ...sentOnce];
    this.fields = Object.fromEntries(declared.flatMap((field) => (params[field] === undefined ? [] : [[field, params[field]]])));
    this.#find = {
      request: { method: 'GET', path },
      list: null,
      match: { '/name': name },
      absent: ['/deleted_at'],
      // What a delete names is the name, so the name is what tells a branch from its successor: nothing does.
      id: '/name',
      created_at: '/created_at',
    };
    this.reach = {
      kind: 'object',
      find: this.#find,
      remove: { method: 'DELETE', path: `${branchesPath(place)}/{id}` },
      remove_fix: 'When it became a production branch or was protected, take that from it in the PlanetScale dashboard, then run again.',
      // An absent branch and a database that may not be seen are both 404.
      witness: { method: 'GET', path: branchesPath(place), query: { per_page: '1' } },
    };
  }

  async find(io: Io): Promise<readonly Live[]> {
    const found = await findAll(io.http, this.#find, lookBy(io));
    return found.map(({ item }) => liveOf(parseAnswer(branchSchema, item, `planetscale shows the branch ${this.#name}`)));
  }

  async create(io: Io, desired: Desired): Promise<Live> {
    const body = { name: this.#name, ...only(desired, Object.keys(desired)) };
    const request = { method: 'POST', path: branchesPath(this.#place), body } as const;
    try {
      return liveOf(await ask(io.http, request, { purpose: 'write', signal: io.signal, retry: 'none' }, branchSchema));
    } catch (thrown) {
      throw withParents(thrown, this.#place, typeof desired.parent_branch === 'string' ? desired.parent_branch : 'that it is made from');
    }
  }

  leaving(): 'unsent' {
    return 'unsent';
  }

  async update(io: Io, _live: Live, desired: Desired): Promise<Live> {
    const request = { method: 'PATCH', path: this.key, body: only(desired, ['deletion_protected']) } as const;
    return liveOf(await ask(io.http, request, { purpose: 'write', signal: io.signal }, branchSchema));
  }

  async ready(io: Io, live: Live): Promise<Readiness> {
    const now = await readBranch(io, this.#place, this.#name);
    const isOther = live.outputs.id !== undefined && live.outputs.id !== now.id;
    if (isOther) return { state: 'failed', detail: `The branch ${this.#name} was deleted and made anew by somebody else.` };
    return now.ready ? { state: 'ready', live: liveOf(now) } : { state: 'wait', detail: stateText(now) };
  }
}

function liveOf(now: Branch): Live {
  const { id, name, kind, html_url } = now;
  return {
    id: name,
    values: {
      ...(now.parent_branch && { parent_branch: now.parent_branch }),
      ...(now.region && { region: now.region.slug }),
      ...(now.deletion_protected !== undefined && { deletion_protected: now.deletion_protected }),
    },
    outputs: { id, name, kind, ...(html_url !== undefined && { html_url }) },
    createdAt: now.created_at,
  };
}
