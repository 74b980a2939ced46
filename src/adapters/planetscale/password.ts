import { z } from 'zod';
import { Failure } from '../../core/errors.ts';
import { Sealed } from '../../core/sealed.ts';
import { ask, parseAnswer } from '../../ops/answer.ts';
import { type Desired, type Io, lookBy, type ObjectBound, type Params, type Room } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import { timeoutOf, timeoutParam } from '../../ops/timeout.ts';
import { findAll } from '../../remote/find.ts';
import type { Live } from '../../remote/live-object.ts';
import type { FindSpec } from '../../remote/reach.ts';
import { identityText } from '../../remote/value.ts';
import { branchName, branchPath, databaseParams, only, type Place, readBranch, stateText, withParents } from './api.ts';

/** Seconds to wait until the branch is ready. */
const longest = 600;

/**
 * A password of a MySQL branch. Only the answer to its create shows its secret. A renewal would keep the user name and break every user
 * of the old secret. So a new password is made beside the old one, and the old one goes when the dependents have moved on.
 */
export const password: Op = {
  kind: 'object',
  doc: 'A password of a branch of a PlanetScale MySQL database. Its secret is shown once, to the run that makes it.',
  subject: '{name} of {organization}/{database}, branch {branch}',
  params: {
    ...databaseParams,
    branch: {
      type: 'string',
      required: true,
      pattern: branchName,
      doc: 'Name of the branch. The password is made when the branch is ready.',
      example: { from: 'db.name' },
    },
    name: {
      type: 'string',
      required: true,
      min_length: 1,
      doc: 'Name of the password, one per scope. Only this name tells it from others, and PlanetScale does not keep names unique.',
      example: 'preview-${ctx.scope}',
    },
    role: {
      type: 'string',
      enum: ['reader', 'writer', 'admin', 'readwriter'],
      doc: 'Rights of the password. Another role makes a new password.',
    },
    replica: { type: 'boolean', doc: 'Whether the password is for read replicas. Another choice makes a new password.' },
    ttl: {
      type: 'integer',
      minimum: 1,
      doc: 'Seconds until the password expires; never when left out. The next apply makes an expired one anew. Another number makes a new password.',
    },
    cidrs: {
      type: 'list',
      items: 'string',
      min_length: 1,
      doc: 'Addresses or CIDR ranges that may use the password, such as `203.0.113.0/24`; all when left out.',
    },
    direct_vtgate: { type: 'boolean', doc: 'Whether connections bypass the load balancers. Another choice makes a new password.' },
    timeout: {
      ...timeoutParam(longest),
      doc: 'Seconds to wait for the branch, at most as long as the run waits. After that nothing is made.',
    },
  },
  outputs: {
    id: { doc: 'Id of the password.' },
    name: { doc: 'Name of the password.' },
    username: { doc: 'User name to connect with.' },
    host: { doc: 'Host to connect to.' },
    plain_text: { doc: 'The password itself.', sensitive: true, once: true },
    connection_uri: {
      doc: 'Connection string with user name, password and database, in the form of mysql2. For another driver, join one from the other outputs.',
      sensitive: true,
      once: true,
    },
  },
  notes: ['Postgres databases have roles in place of passwords. This operation does not make roles.'],
  bind(params) {
    const place = { organization: identityText(params.organization, 'organization'), database: identityText(params.database, 'database') };
    return new PasswordLine(place, identityText(params.branch, 'branch'), identityText(params.name, 'name'), params);
  },
};

const passwordSchema = z.object({
  id: z.string().min(1),
  name: z.string(),
  role: z.string(),
  cidrs: z.array(z.string()).nullish(),
  replica: z.boolean().optional(),
  direct_vtgate: z.boolean().optional(),
  ttl_seconds: z.number().nullish(),
  username: z.string(),
  access_host_url: z.string(),
  created_at: z.string(),
});
const createdSchema = passwordSchema.extend({ plain_text: z.string().min(1) });

/** Fields that no write can change. */
const fixed = ['role', 'replica', 'ttl', 'direct_vtgate'] as const;

class PasswordLine implements ObjectBound {
  readonly kind = 'object';
  readonly immutable = fixed;
  readonly key: string;
  readonly fields: ObjectBound['fields'];
  readonly reach: ObjectBound['reach'];
  readonly timeout: number;
  readonly #place: Place;
  readonly #branch: string;
  readonly #name: string;
  readonly #path: string;
  readonly #find: FindSpec;

  constructor(place: Place, branch: string, name: string, params: Params) {
    this.#place = place;
    this.#branch = branch;
    this.#name = name;
    this.timeout = timeoutOf(params, longest);
    this.#path = `${branchPath(place, branch)}/passwords`;
    this.key = `${this.#path}[name=${name}]`;
    this.fields = Object.fromEntries([...fixed, 'cidrs'].flatMap((field) => (params[field] === undefined ? [] : [[field, params[field]]])));
    this.#find = {
      request: { method: 'GET', path: this.#path, query: { per_page: '25' } },
      list: '/data',
      match: { '/name': name },
      // An expired password opens nothing, so it counts as absent.
      absent: ['/deleted_at', '/expired'],
      // A page holds 25 entries by default, and the docs name no maximum (2026-11-21). The last page has no `next_page`.
      page: { kind: 'cursor', next: '/next_page', param: 'page' },
      id: '/id',
      created_at: '/created_at',
    };
    this.reach = { kind: 'object', find: this.#find, remove: { method: 'DELETE', path: `${this.#path}/{id}` } };
  }

  async find(io: Io): Promise<readonly Live[]> {
    const found = await findAll(io.http, this.#find, lookBy(io));
    return found.map(({ item }) => this.#liveOf(parseAnswer(passwordSchema, item, `planetscale lists the password ${this.#name}`)));
  }

  async room(io: Io): Promise<Room> {
    const branch = await readBranch(io, this.#place, this.#branch);
    if (branch.kind !== 'mysql') {
      throw new Failure('PARAM_INVALID', {
        detail: `The branch ${branch.name} of ${this.#place.database} is a ${branch.kind} branch, but PlanetScale has passwords for MySQL branches only.`,
        fix: 'Make a role for the Postgres branch in the PlanetScale dashboard, and give it to the line that connects as a `{ secret }`.',
      });
    }
    return branch.ready ? { state: 'ready' } : { state: 'wait', detail: stateText(branch) };
  }

  async create(io: Io, desired: Desired): Promise<Live> {
    // Without a name PlanetScale would choose one, and nobody could find the password by it.
    const body = { name: this.#name, ...only(desired, Object.keys(desired)) };
    const request = { method: 'POST', path: this.#path, body } as const;
    try {
      const made = await ask(io.http, request, { purpose: 'write', signal: io.signal, retry: 'none' }, createdSchema);
      const live = this.#liveOf(made);
      const origin = `planetscale password ${this.#name}`;
      return {
        ...live,
        outputs: {
          ...live.outputs,
          plain_text: new Sealed(made.plain_text, origin),
          connection_uri: new Sealed(this.#uriOf(made), `${origin}, connection_uri`),
        },
      };
    } catch (thrown) {
      throw withParents(thrown, this.#place, this.#branch);
    }
  }

  leaving(): 'unsent' {
    return 'unsent';
  }

  async update(io: Io, live: Live, desired: Desired): Promise<Live> {
    const request = { method: 'PATCH', path: `${this.#path}/${encodeURIComponent(live.id)}`, body: only(desired, ['cidrs']) } as const;
    return this.#liveOf(await ask(io.http, request, { purpose: 'write', signal: io.signal }, passwordSchema));
  }

  /** The connection string. PlanetScale accepts only encrypted connections. */
  #uriOf({ username, plain_text, access_host_url }: z.output<typeof createdSchema>): string {
    const user = `${encodeURIComponent(username)}:${encodeURIComponent(plain_text)}`;
    const tls = encodeURIComponent('{"rejectUnauthorized":true}');
    return `mysql://${user}@${access_host_url}/${encodeURIComponent(this.#place.database)}?ssl=${tls}`;
  }

  #liveOf({
    id,
    name,
    role,
    cidrs,
    replica,
    direct_vtgate,
    ttl_seconds,
    username,
    access_host_url,
    created_at,
  }: z.output<typeof passwordSchema>): Live {
    return {
      id,
      values: {
        role,
        ...(cidrs && { cidrs }),
        ...(replica !== undefined && { replica }),
        ...(direct_vtgate !== undefined && { direct_vtgate }),
        ...(ttl_seconds != null && { ttl: ttl_seconds }),
      },
      outputs: { id, name, username, host: access_host_url },
      createdAt: created_at,
    };
  }
}
