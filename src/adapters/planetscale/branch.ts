import { ask, parseAnswer } from '../../ops/answer.ts';
import { type Desired, type Io, lookBy, type ObjectBound, type Params, type Readiness } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import type { ParamProblem } from '../../ops/problem.ts';
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

/** Seconds to wait. A branch is provisioned in one or two minutes as a rule. */
const longest = 600;

/**
 * A branch of a database. Its name is its identity, and stands in the paths of its reads and its delete. It is provisioned after the
 * answer to its create, and is ready when PlanetScale says so.
 */
export const branch: Op = {
  kind: 'object',
  doc: 'A branch of a PlanetScale database.',
  destroys: 'Destroy deletes it with its data.',
  subject: '{name} of {organization}/{database}',
  console: {
    page: 'https://app.planetscale.com/{organization}/{database}/{id}',
    key: '/organizations/{organization}/databases/{database}/branches/',
  },
  params: {
    ...databaseParams,
    name: { type: 'string', required: true, pattern: branchName, doc: 'Name of the branch.', example: '${ctx.scope}' },
    parent_branch: {
      type: 'string',
      default: 'main',
      pattern: branchName,
      doc: 'Name of the parent branch, which must be ready. Another parent makes a new branch.',
    },
    region: {
      type: 'string',
      min_length: 1,
      doc: 'Slug of its region; the region of the database when left out. Another region makes a new branch.',
    },
    seed_data: {
      type: 'string',
      enum: ['last_successful_backup'],
      doc: 'Whether the branch gets the data of the last backup; only the schema when left out. Used when the branch is made.',
    },
    backup_id: {
      type: 'string',
      min_length: 1,
      doc: 'Id of a backup to restore into it; needs `cluster_size`. Used when the branch is made.',
    },
    cluster_size: { type: 'string', min_length: 1, doc: 'Size of its cluster, such as `PS_10`. Used when the branch is made.' },
    deletion_protected: {
      type: 'boolean',
      doc: 'Whether the branch is protected from deletion. PlanetScale does not delete such a branch, so it needs `destroy: keep`.',
    },
    timeout: timeoutParam(longest),
  },
  outputs: {
    id: { doc: 'Id of the branch.' },
    name: { doc: 'Name of the branch.' },
    kind: { doc: '`mysql` or `postgresql`, as its database is.' },
    html_url: { doc: 'Its page in the dashboard.' },
  },
  // The description names no limit. It says 422 for a request that cannot be done (2026-11-21).
  quota: { answers: [{ method: 'POST', status: 422, match: { '/message': { contains: 'limit' } } }] },
  notes: ['PlanetScale does not delete a production branch, the default branch of its database, or a protected one.'],
  bind(params, context) {
    const place = { organization: identityText(params.organization, 'organization'), database: identityText(params.database, 'database') };
    const keeps = context.destroy === 'keep' || context.destroy === 'never';
    const problems =
      params.deletion_protected === true && !keeps
        ? [
            {
              at: ['deletion_protected'],
              detail: 'A branch with `deletion_protected` cannot be deleted. Add `destroy: keep`, or leave `deletion_protected` out.',
            },
          ]
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
  readonly problems: readonly ParamProblem[];
  readonly timeout: number;
  readonly #place: Place;
  readonly #name: string;
  readonly #find: FindSpec;

  constructor(place: Place, name: string, params: Params, problems: readonly ParamProblem[]) {
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
      // A delete names the branch by its name, so the name is the id. The provider's own id tells a branch from its successor.
      id: '/name',
      uid: '/id',
      created_at: '/created_at',
    };
    this.reach = {
      kind: 'object',
      find: this.#find,
      remove: { method: 'DELETE', path: `${branchesPath(place)}/{id}` },
      remove_fix: 'If it is now a production branch, or protected, undo that in the PlanetScale dashboard, then run again.',
      // A 404 means an absent branch, or a database that the token may not see.
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
    if (isOther) return { state: 'failed', detail: `Somebody else deleted the branch ${this.#name} and made it anew.` };
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
    uid: id,
  };
}
