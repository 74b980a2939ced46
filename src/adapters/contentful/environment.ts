import { Failure } from '../../core/errors.ts';
import { HttpFailure } from '../../http/failure.ts';
import { ask, parseAnswer } from '../../ops/answer.ts';
import { type Desired, type Io, lookBy, type ObjectBound, type Params, type Readiness } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import { timeoutOf, timeoutParam } from '../../ops/timeout.ts';
import { findAll } from '../../remote/find.ts';
import { type Live, unreadable } from '../../remote/live-object.ts';
import type { FindSpec } from '../../remote/reach.ts';
import { asBody } from '../../remote/stored-json.ts';
import type { Value } from '../../remote/value.ts';
import { identityText, Kept } from '../../remote/value.ts';
import { type Environment, environmentPath, environmentSchema, environmentsPath, idPattern, readEnvironment, spaceId } from './api.ts';

/** Seconds to wait for a copy. Its time grows with the content, and is some minutes as a rule. */
const longest = 900;

/**
 * An environment of a space, which is always a copy of another one. Its id is chosen here and is its identity. The copy goes on after
 * the answer to the create. `master` and the environments of aliases serve production, so they are never written to.
 */
export const environment: Op = {
  kind: 'object',
  doc: 'An environment of a Contentful space: a copy of another one. Identified by its id.',
  destroys: 'Destroy deletes it with its content.',
  subject: '{environment_id} of space {space_id}',
  console: { page: 'https://app.contentful.com/spaces/{space_id}/environments/{id}', key: '/spaces/{space_id}/environments/' },
  params: {
    space_id: spaceId,
    environment_id: {
      type: 'string',
      required: true,
      pattern: idPattern,
      doc: 'Id of the environment, which the app asks for content.',
      example: '${ctx.scope}',
    },
    name: { type: 'string', min_length: 1, doc: 'Name of the environment. When left out, its id at first, and any later name stays.' },
    source_environment: {
      type: 'string',
      pattern: idPattern,
      doc: 'Id of the environment to copy, or of an alias; `master` when left out. Another source makes a new environment.',
      todo: 'Contentful web app: Settings, Environments, the ID of the environment.',
      example: 'staging',
    },
    timeout: timeoutParam(longest),
  },
  outputs: { id: { doc: 'Id of the environment.' }, name: { doc: 'Name of the environment.' } },
  quota: {
    limit: 'A space has as many environments as its plan allows.',
    // The docs name 403 for a limit of the plan, but not its words (2026-11-21).
    answers: ['/message', '/details'].map((at) => ({ method: 'PUT', status: 403, match: { [at]: { contains: 'limit' } } })),
  },
  notes: [
    '`master`, an alias, and an environment that an alias points to are never changed or deleted.',
    'Where the organization keeps its data in the EU, `base_url` of `providers.contentful` is https://api.eu.contentful.com.',
  ],
  bind(params) {
    return new EnvironmentLine(identityText(params.space_id, 'space_id'), identityText(params.environment_id, 'environment_id'), params);
  },
};

const fieldNames = ['name', 'source_environment'] as const;

class EnvironmentLine implements ObjectBound {
  readonly kind = 'object';
  readonly immutable = ['source_environment'];
  /** A space has an id only once. */
  readonly coexist = false;
  readonly key: string;
  readonly fields: { readonly [field: string]: Value };
  readonly reach: ObjectBound['reach'];
  readonly problems: readonly string[];
  readonly timeout: number;
  readonly #space: string;
  readonly #id: string;
  readonly #find: FindSpec;

  constructor(space: string, id: string, params: Params) {
    this.#space = space;
    this.#id = id;
    this.timeout = timeoutOf(params, longest);
    this.key = environmentPath(space, id);
    this.fields = Object.fromEntries(fieldNames.flatMap((field) => (params[field] === undefined ? [] : [[field, params[field]]])));
    this.problems = problemsOf(id, this.fields);
    this.#find = {
      request: { method: 'GET', path: this.key },
      list: null,
      match: { '/sys/id': id },
      id: '/sys/id',
      created_at: '/sys/createdAt',
    };
    this.reach = {
      kind: 'object',
      // An alias answers under its own id, but it is not the made environment.
      find: { ...this.#find, absent: ['/sys/aliasedEnvironment'] },
      remove: { method: 'DELETE', path: `${environmentsPath(space)}/{id}` },
      remove_fix:
        'Look at the environment in Contentful (Settings, Environments). Take away aliases that point to it, or wait until a running copy ends. Then run again.',
      until_gone: { read: { method: 'GET', path: `${environmentsPath(space)}/{id}` }, seconds: 120 },
      // A 404 means an absent environment, or a space that the token may not see.
      witness: { method: 'GET', path: environmentsPath(space), query: { limit: '1' } },
    };
  }

  async find(io: Io): Promise<readonly Live[]> {
    const found = await findAll(io.http, this.#find, lookBy(io));
    return found.map(({ item }) => this.#live(parseAnswer(environmentSchema, item, `contentful shows the environment ${this.#id}`)));
  }

  async create(io: Io, { name = this.#id, source_environment: source }: Desired): Promise<Live> {
    const request = {
      method: 'PUT',
      path: this.key,
      // A create without a version is refused where an environment exists (409, 2026-11-21).
      ...(typeof source === 'string' && { headers: { 'X-Contentful-Source-Environment': source } }),
      body: { name: asBody(name) },
    } as const;
    let made: Environment;
    try {
      made = await ask(io.http, request, { purpose: 'write', signal: io.signal, retry: 'none' }, environmentSchema);
    } catch (thrown) {
      throw this.#explained(thrown, typeof source === 'string' ? source : 'master');
    }
    if (stoodBefore(made)) {
      throw new Failure('PROVIDER_CONFLICT', { detail: `Somebody else made the environment ${this.#id} at the same moment.` });
    }
    return this.#live(made);
  }

  leaving(): 'unsent' {
    return 'unsent';
  }

  /** A write names the version that it changes. It is refused where somebody else was faster, or where its own first answer was lost. */
  async update(io: Io, _live: Live, { name }: Desired): Promise<Live> {
    for (let writes = 1; ; writes += 1) {
      const now = await readEnvironment(io, this.key);
      const [alias] = now.sys.aliases ?? [];
      if (alias) throw this.#serves(alias.sys.id);
      if (name === undefined || now.name === name) return this.#live(now);
      const headers = now.sys.version === undefined ? {} : { 'X-Contentful-Version': String(now.sys.version) };
      const request = { method: 'PUT', path: this.key, headers, body: { name: asBody(name) } } as const;
      try {
        return this.#live(await ask(io.http, request, { purpose: 'write', signal: io.signal }, environmentSchema));
      } catch (thrown) {
        if (!(thrown instanceof HttpFailure) || thrown.status !== 409 || writes === mostWrites) throw thrown;
      }
    }
  }

  /** Every status but these two means a running copy, as in the vendor's own web app (2026-11-21). */
  async ready(io: Io): Promise<Readiness> {
    const now = await readEnvironment(io, this.key);
    const live = this.#live(now);
    const status = now.sys.status?.sys.id ?? 'ready';
    if (status === 'ready') return { state: 'ready', live };
    if (status !== 'failed') return { state: 'wait', detail: status === 'queued' ? 'copying content' : status };
    return {
      state: 'failed',
      detail: `Contentful could not copy the content for the environment ${this.#id}. Delete it in the web app, so that the next run makes it anew.`,
    };
  }

  #live(now: Environment): Live {
    const { id, createdAt, aliasedEnvironment } = now.sys;
    if (aliasedEnvironment) {
      throw new Failure('PARAM_INVALID', {
        detail: `${id} is an alias of the environment ${aliasedEnvironment.sys.id}, not an environment itself.`,
        fix: 'Give `environment_id` another value.',
      });
    }
    return {
      id,
      values: {
        name: now.name,
        // The provider does not show the source of a copy.
        source_environment: unreadable,
      },
      outputs: { id, name: now.name },
      ...(createdAt !== undefined && { createdAt, revision: createdAt }),
    };
  }

  #serves(alias: string): Failure {
    return new Failure('PROVIDER_INVALID', {
      detail: `The alias ${alias} points to the environment ${this.#id}, so the environment serves more than this preview. pilotfish does not change it.`,
      fix: 'Point the alias elsewhere, or leave `name` out and add `destroy: keep`.',
    });
  }

  /** A missing space, a missing source and a token without rights on them give one answer. */
  #explained(thrown: unknown, source: string): unknown {
    if (!(thrown instanceof HttpFailure) || thrown.status !== 404 || thrown.unanswered) return thrown;
    return new Failure('PROVIDER_NOT_FOUND', {
      detail: `Contentful shows this token no space ${this.#space}, or no environment ${source} in it to copy. ${thrown.detail}`,
      fix: 'Correct `space_id` or `source_environment`, or use a token that may see both.',
      cause: thrown,
      status: 404,
    });
  }
}

/** Most writes: one, and two more when others wrote in between. */
const mostWrites = 3;

function problemsOf(id: string, fields: { readonly [field: string]: Value }): readonly string[] {
  const values = Object.values(fields);
  const isAdopted = values.length > 0 && values.every((value) => value instanceof Kept);
  return id === 'master' && !isAdopted
    ? ['`master` stays when every preview is gone, so it can only be adopted: `name: { keep: true }`.']
    : [];
}

/** Whether a write changed an existing environment. An environment that the write made was not changed since. */
function stoodBefore({ sys: { createdAt, updatedAt } }: Environment): boolean {
  return createdAt !== undefined && updatedAt !== undefined && Date.parse(updatedAt) - Date.parse(createdAt) > 10_000;
}
