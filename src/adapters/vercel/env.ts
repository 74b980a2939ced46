import type { z } from 'zod';
import { Failure } from '../../core/errors.ts';
import { Sealed } from '../../core/sealed.ts';
import type { Body } from '../../http/types.ts';
import { ask } from '../../ops/answer.ts';
import type { Bulk, Desired, Io, ObjectBound, Params } from '../../ops/bound.ts';
import type { BindContext, Op } from '../../ops/op.ts';
import type { ParamProblem } from '../../ops/problem.ts';
import { type Live, type LiveValue, Unread, unreadable } from '../../remote/live-object.ts';
import { asBody } from '../../remote/stored-json.ts';
import { identityText, Kept } from '../../remote/value.ts';
import {
  createdSchema,
  type EnvIdentity,
  type EnvVar,
  envSchema,
  findEnv,
  isSameEnv,
  listEnv,
  projectPath,
  readEnvValue,
  teamOf,
} from './api.ts';
import { type EnvRefusal, envFailure, failureFor, isOngoing, reasonsOf, refusalOf } from './env-refusal.ts';
import { projectParam } from './params.ts';

/**
 * An environment variable of a project. Its identity is key, targets and git branch. A deployment sees the values that were set
 * before it was made. One list serves all lines of a project, and each encrypted value costs one more read.
 */
export const env: Op = {
  kind: 'object',
  doc: 'An environment variable of a Vercel project, for some targets or for one git branch.',
  subject: '{key} of {project}, {target}[, branch {git_branch}]',
  params: {
    project: { ...projectParam, doc: 'Id or name of the project. Always use the same one.' },
    key: {
      type: 'string',
      required: true,
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      max_length: 256,
      doc: 'Name of the variable.',
      example: 'DATABASE_URL',
    },
    value: { type: 'string', required: true, doc: 'Value of the variable.', example: { from: 'database.connection_uri' } },
    target: {
      type: 'list',
      items: 'string',
      enum: ['preview', 'production', 'development'],
      min_length: 1,
      default: ['preview'],
      doc: 'Targets of the variable. Production needs an approval.',
    },
    git_branch: {
      type: 'string',
      min_length: 1,
      doc: 'Git branch of the variable; all branches when left out. Needs `target: [preview]` and a project that is connected to its repository.',
      example: '${ctx.git.branch}',
    },
    type: {
      type: 'string',
      enum: ['encrypted', 'sensitive', 'plain'],
      doc: 'Type of the variable. When left out, a new one is `encrypted`, and its type is not compared. A `sensitive` value can never be read again, so a change from outside is not seen.',
    },
    comment: { type: 'string', max_length: 500, doc: 'A note that the dashboard shows beside the variable.' },
  },
  outputs: { id: { doc: 'Id of the variable.' }, key: { doc: 'Name of the variable.' } },
  writesProduction: ({ target }) => Array.isArray(target) && target.includes('production'),
  bind(params, context) {
    const list = Array.isArray(params.target) ? params.target : ['preview'];
    const target = [...new Set(list.map((one) => identityText(one, 'target')))].toSorted();
    const gitBranch = params.git_branch === undefined ? null : identityText(params.git_branch, 'git_branch');
    const identity = { project: identityText(params.project, 'project'), key: identityText(params.key, 'key'), target, gitBranch };
    return new EnvLine(identity, params, context, problemsOf(identity, params));
  },
};

function problemsOf({ target, gitBranch }: EnvIdentity, { type }: Params): ParamProblem[] {
  const problems: ParamProblem[] = [];
  if (gitBranch !== null && target.join() !== 'preview')
    problems.push({ at: ['git_branch'], detail: 'git_branch is for `target: [preview]` only.' });
  if (type === 'sensitive' && target.includes('development'))
    problems.push({ at: ['target'], detail: 'A sensitive variable cannot have the target development.' });
  return problems;
}

/** Variables in one request. The provider names no limit of a request, but the document of a project has one. */
const mostAtOnce = 50;

class EnvLine implements ObjectBound {
  readonly kind = 'object';
  /** The provider refuses a second variable of the same key, target and branch. */
  readonly coexist = false;
  readonly key: string;
  readonly fields: ObjectBound['fields'];
  readonly reach: ObjectBound['reach'];
  readonly problems: readonly ParamProblem[];
  readonly bulk: Bulk;
  readonly #identity: EnvIdentity;
  readonly #keepsValue: boolean;
  readonly #path: string;

  constructor(identity: EnvIdentity, params: Params, { block }: Pick<BindContext, 'block'>, problems: readonly ParamProblem[]) {
    const { project, key, target, gitBranch } = identity;
    this.#identity = identity;
    this.#path = `${projectPath('v9', project)}/env`;
    this.#keepsValue = params.value instanceof Kept;
    this.problems = problems;
    this.bulk = {
      key: this.#path,
      most: mostAtOnce,
      create: (io, wanted) =>
        this.#createAll(
          io,
          wanted.flatMap(({ bound, desired }) => (bound instanceof EnvLine ? [{ line: bound, desired }] : [])),
        ),
    };
    this.key = `/projects/${encodeURIComponent(project)}/env[key=${key},target=${target.join('+')},gitBranch=${gitBranch ?? ''}]`;
    // A type that the plan does not name is not compared: a team may turn all of its variables into sensitive ones.
    this.fields = {
      ...(params.value !== undefined && { value: params.value }),
      ...(params.type !== undefined && { type: params.type }),
      ...(params.comment !== undefined && { comment: params.comment }),
    };
    this.reach = {
      kind: 'object',
      find: findEnv(block, identity),
      remove: { method: 'DELETE', path: `${this.#path}/{id}`, query: teamOf(block) },
    };
  }

  async find(io: Io): Promise<readonly Live[]> {
    const all = await listEnv(io, this.#identity.project);
    return all.filter((one) => isSameEnv(one, this.#identity)).map((one) => this.#live(one, this.#valueOf(io, one)));
  }

  async create(io: Io, desired: Desired): Promise<Live> {
    const body = this.#bodyOf(desired);
    let refusal: EnvRefusal;
    try {
      const { created, failed } = await this.#post(io, body);
      const made = this.#madeIn(created, desired);
      if (made) return made;
      // A 201 may still say that nothing was created.
      refusal = { code: failed[0]?.error.code ?? '', detail: failed[0]?.error.message ?? '', cause: null };
    } catch (thrown) {
      const refused = refusalOf(thrown);
      if (!refused) throw thrown;
      refusal = refused;
    }
    throw await envFailure(io, this.#identity, refusal);
  }

  async #createAll(
    io: Io,
    wanted: readonly { readonly line: EnvLine; readonly desired: Desired }[],
  ): Promise<readonly (Live | Error)[] | null> {
    const bodies = wanted.map(({ line, desired }) => line.#bodyOrWhy(desired));
    const sent = bodies.flatMap((body) => (body instanceof Error ? [] : [body]));
    try {
      const { created, failed } = sent.length > 0 ? await this.#post(io, sent) : { failed: [] };
      const outcomes = wanted.map(({ line, desired }, i) => {
        const body = bodies[i];
        return body instanceof Error ? body : line.#madeIn(created, desired);
      });
      const unmade = wanted.flatMap(({ line }, i) => (outcomes[i] === null ? [line.#identity] : []));
      const reasons = reasonsOf(
        unmade,
        failed.map(({ error }) => error),
      );
      return await Promise.all(
        wanted.map(async ({ line }, i) => outcomes[i] ?? (await failureFor(io, line.#identity, reasons.get(line.#identity)))),
      );
    } catch (thrown) {
      const refused = refusalOf(thrown);
      // Sending each variable alone would repeat a failure that must be reported.
      if (!refused || isOngoing(refused)) throw thrown;
      return null;
    }
  }

  /** Creates without `upsert`: an existing variable must be a visible error, and its value must never be overwritten. */
  #post(io: Io, body: Body): Promise<z.output<typeof createdSchema>> {
    const request = {
      method: 'POST',
      path: `${projectPath('v10', this.#identity.project)}/env`,
      query: teamOf(io.http.block),
      body,
    } as const;
    return ask(io.http, request, { purpose: 'write', signal: io.signal, retry: 'none' }, createdSchema);
  }

  #madeIn(created: EnvVar | readonly EnvVar[] | undefined, desired: Desired): Live | null {
    const made = [created ?? []].flat().find((one) => isSameEnv(one, this.#identity));
    return made ? this.#live(made, liveValue(desired.value)) : null;
  }

  #bodyOf(desired: Desired): Body {
    const { key, target, gitBranch } = this.#identity;
    if (desired.value === undefined) {
      throw new Failure('PARAM_INVALID', {
        detail: `The variable ${key} does not exist, so pilotfish cannot keep its value.`,
        fix: 'Give `value`, or create the variable first.',
      });
    }
    return { key, target, type: 'encrypted', ...partOf(desired, Object.keys(desired)), ...(gitBranch !== null && { gitBranch }) };
  }

  #bodyOrWhy(desired: Desired): Body | Error {
    try {
      return this.#bodyOf(desired);
    } catch (thrown) {
      if (thrown instanceof Failure) return thrown;
      throw thrown;
    }
  }

  leaving(_field: string, changed: readonly string[]): 'unsent' | 'as read' {
    return changed.includes('type') ? 'as read' : 'unsent';
  }

  async update(io: Io, live: Live, desired: Desired, changed: readonly string[]): Promise<Live> {
    // A new type stores the value in another way, and the provider takes type and value only together.
    const fields = changed.includes('type') && desired.value !== undefined ? [...changed, 'value'] : changed;
    const path = `${this.#path}/${encodeURIComponent(live.id)}`;
    const request = { method: 'PATCH', path, query: teamOf(io.http.block), body: partOf(desired, fields) } as const;
    const now = await ask(io.http, request, { purpose: 'write', signal: io.signal }, envSchema);
    return this.#live({ ...now, id: live.id }, liveValue(desired.value) ?? live.values.value);
  }

  #valueOf(io: Io, one: EnvVar): LiveValue {
    // A kept value is never compared, so it is not read.
    if (this.#keepsValue || one.type === 'sensitive') return unreadable;
    if (one.type === 'plain') return one.value ?? unreadable;
    const sealed = (value: string | null): LiveValue => (value === null ? unreadable : new Sealed(value, `vercel ${one.key}`));
    if (one.decrypted === true && one.value !== undefined) return sealed(one.value);
    return new Unread(async () => sealed(await readEnvValue(io, this.#identity.project, one.id)));
  }

  #live(one: EnvVar, value: LiveValue): Live {
    const changed = one.updatedAt ?? one.createdAt;
    return {
      id: one.id,
      values: { type: one.type, ...(value !== undefined && { value }), ...(one.comment !== undefined && { comment: one.comment }) },
      outputs: { id: one.id, key: one.key },
      ...(one.createdAt !== undefined && { createdAt: new Date(one.createdAt).toISOString() }),
      ...(changed !== undefined && { changedAt: new Date(changed).toISOString() }),
      ...(one.updatedAt !== undefined && { revision: String(one.updatedAt) }),
    };
  }
}

/** The fields of the plan under the provider's names, which are the same. */
function partOf(desired: Desired, fields: readonly string[]): { [name: string]: Body } {
  return Object.fromEntries(
    Object.entries(desired)
      .filter(([name]) => fields.includes(name))
      .map(([name, value]) => [name, asBody(value)]),
  );
}

const liveValue = (value: Desired[string] | undefined): LiveValue =>
  value instanceof Sealed || typeof value === 'string' ? value : undefined;
