import { Failure } from '../../core/errors.ts';
import { Sealed } from '../../core/sealed.ts';
import type { Bulk, Desired, Io, ObjectBound, Params } from '../../ops/bound.ts';
import type { BindContext, Op } from '../../ops/op.ts';
import type { ParamProblem } from '../../ops/problem.ts';
import type { Live, LiveValue } from '../../remote/live-object.ts';
import { unreadable } from '../../remote/live-object.ts';
import type { Value } from '../../remote/value.ts';
import { identityText, Kept, Pending } from '../../remote/value.ts';
import {
  type EnvIdentity,
  type EnvVariable,
  findValue,
  keyPath,
  listPath,
  listRequest,
  listVariables,
  plainScopes,
  readVariable,
  valuesOf,
} from './api.ts';
import { addValues } from './env-together.ts';
import { addValue, changeValue, changeVariable } from './env-write.ts';
import { siteParam } from './params.ts';
import { noteStaleDeploy } from './stale-deploy.ts';

/**
 * One value of a variable of a site, for a deploy context or for one branch. The variable belongs to everybody with a value in
 * it. Our value is added and taken out, and the variable itself is never deleted.
 */
export const env: Op = {
  kind: 'object',
  doc: 'The value that an environment variable of a Netlify site has in one deploy context or on one branch. A deploy sees the values that were set before it started. An older deploy is reported, but not rebuilt.',
  subject: '{key} of site {site_id}, {context}[ {context_parameter}], account {account_id}',
  params: {
    account_id: {
      type: 'string',
      required: true,
      min_length: 1,
      doc: 'Id or slug of the team that owns the site. Always use the same one.',
      todo: 'Team settings → General → Team details, or the address of the team: app.netlify.com/teams/<slug>',
      example: 'acme',
    },
    site_id: siteParam,
    key: { type: 'string', required: true, pattern: '^[A-Za-z_][A-Za-z0-9_]*$', doc: 'Name of the variable.', example: 'DATABASE_URL' },
    value: { type: 'string', required: true, doc: 'Value of the variable in this context.', example: { from: 'database.connection_uri' } },
    context: {
      type: 'string',
      enum: ['branch', 'deploy-preview', 'branch-deploy', 'production', 'dev', 'dev-server', 'all'],
      default: 'branch',
      doc: 'Deploys that see the value. `branch` means one branch and wins over the others. All previews of the site share a `deploy-preview` value. `production` and `all` need an approval.',
    },
    context_parameter: {
      type: 'string',
      min_length: 1,
      doc: 'The branch, for the context `branch`. Netlify documents this for branch deploys, but does not say whether the deploy preview of that branch sees the value.',
      example: '${ctx.git.branch}',
    },
    secret: {
      type: 'boolean',
      doc: 'Whether the variable is a secret. This holds for all of its values: none of them can be read again, so a change from outside is not seen. A secret cannot have a value in `all` or `dev`.',
    },
    scopes: {
      type: 'list',
      items: 'string',
      enum: ['builds', 'functions', 'runtime', 'post_processing', 'post-processing'],
      min_length: 1,
      doc: 'Where all values of the variable are visible; everywhere when left out. Netlify accepts scopes on paid plans only.',
    },
  },
  // The docs name neither the limit of a site nor the answer beyond it. These words count as that answer (2026-11-21).
  quota: { answers: [{ status: 422, match: { '': { contains: 'too many' } } }] },
  destroys: 'Destroy deletes this value. Values of other contexts and branches stay.',
  outputs: { id: { doc: 'Id of the value.' }, key: { doc: 'Name of the variable.' } },
  writesProduction: ({ context }) => context === 'production' || context === 'all',
  bind(params, { sha, branch }) {
    const context = identityText(params.context ?? 'branch', 'context');
    const identity: EnvIdentity = {
      account: identityText(params.account_id, 'account_id'),
      site: identityText(params.site_id, 'site_id'),
      key: identityText(params.key, 'key'),
      context,
      branch: params.context_parameter === undefined ? null : identityText(params.context_parameter, 'context_parameter'),
    };
    return new EnvLine(identity, params, { sha, branch });
  },
};

/** Contradictions that are reported before any request. */
function problemsOf({ context, branch }: EnvIdentity, { secret, scopes }: Params): ParamProblem[] {
  const problems: ParamProblem[] = [];
  if (context === 'branch' && branch === null)
    problems.push({ at: ['context'], detail: 'The context branch needs the branch in `context_parameter`.' });
  if (context !== 'branch' && branch !== null)
    problems.push({ at: ['context_parameter'], detail: 'context_parameter is for the context branch only.' });
  if (secret === true && (context === 'all' || context === 'dev'))
    problems.push({ at: ['context'], detail: `A secret cannot have a value in the context ${context}.` });
  if (secret === true && textsOf(scopes)?.includes('post_processing'))
    problems.push({ at: ['scopes'], detail: 'A secret cannot have the scope post_processing.' });
  return problems;
}

/** Whether a change belongs to the variable, which an update writes whole. */
const isOfVariable = (changed: readonly string[]): boolean => changed.includes('secret') || changed.includes('scopes');

/** The provider names no limit of one request. */
const mostAtOnce = 50;

interface Mine {
  readonly line: EnvLine;
  readonly desired: Desired;
}

class EnvLine implements ObjectBound {
  readonly kind = 'object';
  /** A variable has one value in a context. */
  readonly coexist = false;
  readonly key: string;
  readonly fields: ObjectBound['fields'];
  readonly reach: ObjectBound['reach'];
  readonly problems: readonly ParamProblem[];
  readonly bulk: Bulk;
  readonly #identity: EnvIdentity;
  readonly #revision: Pick<BindContext, 'sha' | 'branch'>;

  constructor(identity: EnvIdentity, params: Params, revision: Pick<BindContext, 'sha' | 'branch'>) {
    const { site, context, branch } = identity;
    this.#identity = identity;
    this.#revision = revision;
    this.problems = problemsOf(identity, params);
    this.key = `${keyPath(identity)}?site_id=${encodeURIComponent(site)}[context=${context},context_parameter=${branch ?? ''}]`;
    const { value, secret, scopes } = params;
    this.fields = {
      ...(value !== undefined && { value }),
      ...(secret !== undefined && { secret }),
      ...(scopes !== undefined && { scopes: textsOf(scopes) ?? scopes }),
    };
    this.bulk = {
      key: `${listPath(identity.account)}?site_id=${site}`,
      most: mostAtOnce,
      create: (io, wanted) =>
        this.#createAll(
          io,
          wanted.flatMap(({ bound, desired }) => (bound instanceof EnvLine ? [{ line: bound, desired }] : [])),
        ),
    };
    this.reach = {
      kind: 'object',
      find: findValue(identity),
      remove: { method: 'DELETE', path: `${keyPath(identity)}/value/{id}`, query: { site_id: site } },
      witness: listRequest(identity),
    };
  }

  async find(io: Io): Promise<readonly Live[]> {
    const all = io.share === false ? [await readVariable(io, this.#identity)] : await listVariables(io, this.#identity);
    return all.flatMap((one) => (one?.key === this.#identity.key ? this.#lives(one) : []));
  }

  async create(io: Io, desired: Desired): Promise<Live> {
    if (desired.value === undefined) throw this.#nothingToKeep();
    return await this.#written(io, await addValue(io, this.#identity, desired));
  }

  leaving(_field: string, changed: readonly string[]): 'unsent' | 'as read' {
    return isOfVariable(changed) ? 'as read' : 'unsent';
  }

  async update(io: Io, _live: Live, desired: Desired, changed: readonly string[]): Promise<Live> {
    const write = isOfVariable(changed) ? changeVariable : changeValue;
    return await this.#written(io, await write(io, this.#identity, desired));
  }

  async #written(io: Io, variable: EnvVariable): Promise<Live> {
    const live = this.#liveIn(variable);
    if (live instanceof Error) throw live;
    await noteStaleDeploy(io, this.#identity, [variable], this.#revision);
    return live;
  }

  async #createAll(io: Io, wanted: readonly Mine[]): Promise<readonly (Live | Error)[] | null> {
    const sent = wanted.filter(({ desired }) => desired.value !== undefined);
    const added = await addValues(
      io,
      sent.map(({ line, desired }) => ({ identity: line.#identity, desired })),
    );
    if (added === null) return null;
    const written = new Map(sent.map(({ line }, i) => [line, added[i]]));
    await this.#noteAll(io, written);
    return wanted.map(({ line }) => {
      const variable = written.get(line);
      if (variable === undefined) return line.#nothingToKeep();
      return variable instanceof Error ? variable : line.#liveIn(variable);
    });
  }

  /** Looks at the deploys once for each context and branch that was written. */
  async #noteAll(io: Io, written: ReadonlyMap<EnvLine, EnvVariable | Error | undefined>): Promise<void> {
    const all = [...written].flatMap(([line, variable]) => (variable && !(variable instanceof Error) ? [{ line, variable }] : []));
    for (const of of Map.groupBy(all, ({ line }) => `${line.#identity.context} ${line.#identity.branch}`).values()) {
      const variables = of.map(({ variable }) => variable);
      for (const { line } of of.slice(0, 1)) await noteStaleDeploy(io, line.#identity, variables, this.#revision);
    }
  }

  #nothingToKeep(): Failure {
    return new Failure('PARAM_INVALID', {
      detail: `The variable ${this.#identity.key} has no value in this context, so pilotfish cannot keep it.`,
      fix: 'Give `value`, or set the value in Netlify first.',
    });
  }

  #liveIn(variable: EnvVariable): Live | Failure {
    const [live] = this.#lives(variable);
    if (live) return live;
    return new Failure('PROVIDER_RESPONSE', {
      detail: `netlify answered a write of ${this.#identity.key} without the written value.`,
      fix: 'Run again. The next run looks at the variable first.',
    });
  }

  #lives(variable: EnvVariable): Live[] {
    const { key, scopes, is_secret: isSecret } = variable;
    return valuesOf(variable, this.#identity).map(({ id, value }) => ({
      id,
      values: { value: liveValue(key, value, isSecret === true), secret: isSecret === true, scopes: plainScopes(scopes) },
      outputs: { id, key },
    }));
  }
}

/** The live value, sealed: any variable may hold a credential. */
const liveValue = (key: string, value: string | undefined, isSecret: boolean): LiveValue =>
  isSecret || value === undefined ? unreadable : new Sealed(value, `netlify ${key}`);

/** Scopes in one spelling and order; `null` where they are unknown or kept. */
function textsOf(value: Value | undefined): string[] | null {
  if (value === undefined || value instanceof Kept || value instanceof Pending || !Array.isArray(value)) return null;
  return plainScopes((value as readonly Value[]).map((one) => identityText(one, 'scopes')));
}
