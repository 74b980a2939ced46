import { Failure } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { Sealed } from '../../core/sealed.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { Body } from '../../http/types.ts';
import { ask, parseAnswer } from '../../ops/answer.ts';
import { type Desired, type Io, lookBy, type ObjectBound, type Params, type Readiness } from '../../ops/bound.ts';
import type { Op, ParamSpec } from '../../ops/op.ts';
import { timeoutOf, timeoutParam } from '../../ops/timeout.ts';
import { findAll } from '../../remote/find.ts';
import type { Live } from '../../remote/live-object.ts';
import { signsOf } from '../../remote/signs.ts';
import { asBody } from '../../remote/stored-json.ts';
import { identityText } from '../../remote/value.ts';
import { type Branch, branchesPath, branchSchema, type Details, findByName, type Place, readBranch, readCredentials } from './api.ts';

/** Seconds to wait. A copy-on-write branch exists in less than a minute, its cluster in a few minutes. */
const longest = 600;

const idOf = (what: string): Pick<ParamSpec, 'type' | 'min_length' | 'todo'> => ({
  type: 'string',
  min_length: 1,
  todo: `Xata console: the address of the ${what}'s page holds its id.`,
});

/**
 * A copy-on-write branch of a Postgres branch. Its name is its identity within the project, and only its existence is compared.
 * Its settings may be changed in the console, and such changes stay.
 */
export const branch: Op = {
  kind: 'object',
  doc: 'A copy-on-write branch of a Xata project. Identified by its name. Only its existence is compared.',
  subject: '{name} of {project_id}, {organization_id}',
  params: {
    organization_id: {
      ...idOf('organization'),
      required: true,
      pattern: '^[A-Za-z0-9_~:-]+$',
      doc: 'Id of the organization.',
      example: 'acme-1a2b3c',
    },
    project_id: {
      ...idOf('project'),
      required: true,
      pattern: '^[A-Za-z0-9_~:-]+$',
      doc: 'Id of the project.',
      example: 'prj_7f3kq2mznd2h1a',
    },
    name: { type: 'string', required: true, min_length: 1, doc: 'Name of the branch.', example: '${ctx.scope}' },
    parent_id: {
      ...idOf('branch'),
      required: true,
      doc: 'Id of the branch that gives its data and configuration. Used when the branch is made.',
      example: 'bt5fc0s2qd3mv6h1r8j40n9ka4',
    },
    description: {
      type: 'string',
      pattern: '^[a-zA-Z0-9]+[a-zA-Z0-9- ]*$',
      max_length: 50,
      doc: 'Description of the branch, in letters, digits, spaces and dashes. Used when the branch is made.',
      example: 'Preview of ${ctx.scope}',
    },
    scale_to_zero_minutes: {
      type: 'integer',
      minimum: 0,
      doc: 'Minutes without a connection until the branch hibernates; 0 for never; the value of its parent when left out. Used when the branch is made.',
    },
    timeout: timeoutParam(longest),
  },
  outputs: {
    id: { doc: 'Id of the branch.' },
    name: { doc: 'Name of the branch.' },
    connection_string: { doc: 'Connection string of its database.', sensitive: true, lazy: true },
    username: { doc: 'User of its database.', lazy: true },
    password: { doc: 'Password of that user.', sensitive: true, lazy: true },
  },
  notes: ['The parent branch must be healthy or hibernated.', 'A hibernated branch counts as ready: it wakes with the first connection.'],
  bind(params) {
    const place = {
      organization: identityText(params.organization_id, 'organization_id'),
      project: identityText(params.project_id, 'project_id'),
    };
    return new BranchLine(place, identityText(params.name, 'name'), params);
  },
};

const createOnly = ['parent_id', 'description', 'scale_to_zero_minutes'] as const;

class BranchLine implements ObjectBound {
  readonly kind = 'object';
  readonly writeOnly = createOnly;
  /** Xata refuses a taken name. */
  readonly coexist = false;
  readonly key: string;
  readonly fields: ObjectBound['fields'];
  readonly reach: ObjectBound['reach'];
  readonly timeout: number;
  readonly #place: Place;
  readonly #name: string;

  constructor(place: Place, name: string, params: Params) {
    this.#place = place;
    this.#name = name;
    this.timeout = timeoutOf(params, longest);
    const path = branchesPath(place);
    this.key = `${path}[name=${name}]`;
    this.fields = Object.fromEntries(createOnly.flatMap((field) => (params[field] === undefined ? [] : [[field, params[field]]])));
    this.reach = { kind: 'object', find: findByName(place, name), remove: { method: 'DELETE', path: `${path}/{id}` } };
  }

  async find(io: Io): Promise<readonly Live[]> {
    const found = await findAll(io.http, findByName(this.#place, this.#name), lookBy(io));
    return found.map(({ item }) => this.#live(parseAnswer(branchSchema, item, `xata lists the branch ${this.#name}`)));
  }

  async create(io: Io, desired: Desired): Promise<Live> {
    const { parent_id, description, scale_to_zero_minutes: minutes } = desired;
    const body: Body = {
      name: this.#name,
      mode: 'inherit',
      parentID: asBody(parent_id),
      ...(description !== undefined && { description: asBody(description) }),
      ...(typeof minutes === 'number' && { scaleToZero: { enabled: minutes > 0, inactivityPeriodMinutes: minutes > 0 ? minutes : 30 } }),
    };
    const request = { method: 'POST', path: branchesPath(this.#place), body } as const;
    try {
      return this.#live(await ask(io.http, request, { purpose: 'write', signal: io.signal, retry: 'none' }, branchSchema));
    } catch (thrown) {
      throw this.#explained(thrown);
    }
  }

  /** Only the read of one branch shows its state. A branch that scaled to zero wakes with the first connection, so it is ready (2026-11-21). */
  async ready(io: Io, live: Live): Promise<Readiness> {
    const { status } = await readBranch({ ...io, share: false }, this.#place, live.id);
    switch (status.statusType) {
      case 'STATUS_TYPE_HEALTHY':
      case 'STATUS_TYPE_HIBERNATED':
        return { state: 'ready', live };
      case 'STATUS_TYPE_FAULT':
        return { state: 'failed', detail: `The Xata branch ${this.#name} is faulty: ${status.message ?? stepOf(status)}.` };
      default:
        return { state: 'wait', detail: stepOf(status) };
    }
  }

  async output(io: Io, live: Live, name: string): Promise<Json | Sealed> {
    if (name === 'username') return (await readCredentials(io, this.#place, live.id)).username;
    const secret =
      name === 'password'
        ? (await readCredentials(io, this.#place, live.id)).password
        : (await readBranch(io, this.#place, live.id)).connectionString;
    if (typeof secret === 'string' && secret !== '') return new Sealed(secret, `xata ${name} of ${this.#name}`);
    throw new Failure('PROVIDER_NOT_FOUND', {
      detail: `Xata shows no connection string of the branch ${this.#name}.`,
      fix: 'Look at the branch in the Xata console. When it is healthy there, run again.',
    });
  }

  #live(now: Branch): Live {
    const signs = signsOf(findByName(this.#place, this.#name), now);
    return { id: now.id, values: {}, outputs: { id: now.id, name: now.name }, ...signs };
  }

  /** Explains a 412, which is about the parent. It does not mean that a branch of this name exists (2026-11-21). */
  #explained(thrown: unknown): unknown {
    if (!(thrown instanceof HttpFailure) || thrown.status !== 412 || thrown.unanswered) return thrown;
    return new Failure('PROVIDER_INVALID', {
      detail: `The parent of ${this.#name} is not healthy, so Xata makes no branch from it. ${thrown.detail}`,
      fix: 'Look at the branch of `parent_id` in the Xata console. Run again when it is healthy.',
      cause: thrown,
      status: 412,
    });
  }
}

/** The current step in a word or two. */
const stepOf = ({ lifecycle, message }: Details['status']): string => lifecycle?.phase ?? lifecycle?.state ?? message ?? 'provisioning';
