import { Failure } from '../../core/errors.ts';
import { isMap } from '../../core/json.ts';
import { HttpFailure } from '../../http/failure.ts';
import { ask } from '../../ops/answer.ts';
import { type Desired, type Io, lookBy, type ObjectBound, type Params, type Readiness } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import type { ParamProblem } from '../../ops/problem.ts';
import { timeoutOf, timeoutParam } from '../../ops/timeout.ts';
import { findAll } from '../../remote/find.ts';
import { type Live, unreadable } from '../../remote/live-object.ts';
import type { FindSpec } from '../../remote/reach.ts';
import { asBody } from '../../remote/stored-json.ts';
import type { Value } from '../../remote/value.ts';
import { identityText } from '../../remote/value.ts';
import { exists, hasPendingTask, indexesPath, indexPath, isDone, queuedSchema, settingsPath } from './api.ts';

/** Seconds to wait for a copy. Its time grows with the records, and is some minutes at most as a rule. */
const longest = 900;

/** Most looks for an index whose copy is reported as done: about half a minute. */
const mostLooks = 12;

/** Every name but `.` and `..`, which are steps in a path. */
const namePattern = '^(?!\\.\\.?$)[\\s\\S]{1,256}$';

/**
 * An index that is a copy of another one. Algolia refuses neither a copy onto an existing index nor a copy of a missing index,
 * so both are checked right before the copy.
 */
export const index: Op = {
  kind: 'object',
  doc: 'An index of an Algolia application: a copy of another one. Identified by its name.',
  destroys: 'Destroy deletes it with its records, and waits until it is gone.',
  subject: '{name}, copied from {source_index}',
  params: {
    name: {
      type: 'string',
      required: true,
      pattern: namePattern,
      doc: 'Name of the index, which the app searches and writes.',
      example: 'products_${ctx.scope}',
    },
    source_index: {
      type: 'string',
      required: true,
      pattern: namePattern,
      doc: 'Name of the index to copy; it must exist. Another source makes a new copy in place of the old one.',
      todo: 'Algolia dashboard: Search, Index; the names are in the list of indices.',
      example: 'products',
    },
    scope: {
      type: 'list',
      items: 'string',
      enum: ['settings', 'synonyms', 'rules'],
      min_length: 1,
      doc: 'The parts to copy, of `settings`, `synonyms` and `rules`: a copy without records. When left out, everything with all records.',
      example: ['settings', 'synonyms', 'rules'],
    },
    timeout: timeoutParam(longest),
  },
  outputs: { id: { doc: 'Name of the index.' }, name: { doc: 'Name of the index.' } },
  quota: {
    limit: 'An application has as many indices and records as its plan allows, and 1,000 indices at the most.',
    // Statuses and sentences as clients got them; the description has none of them (2026-11-21).
    answers: [
      ...[400, 403].map((status) => ({ method: 'POST' as const, status, match: { '/message': { contains: 'too many indices' } } })),
      { method: 'POST', status: 403, match: { '/message': { contains: 'quota exceeded' } } },
    ],
  },
  notes: [
    '`base_url` of `providers.algolia` is https://<application id>.algolia.net. The address with `-dsn` serves searches only.',
    'Records of the copy count towards the plan of the application: `scope` copies an index without them.',
    'Replicas of the source are not copied, and neither are its settings `replicas`, `mode` and `enableReRanking`. A replica of the copy stays as an index of its own when the copy is deleted.',
    'Later writes to the source do not reach the copy: making the line anew copies it again.',
  ],
  bind(params) {
    return new IndexLine(identityText(params.name, 'name'), params);
  },
};

const fieldNames = ['source_index', 'scope'] as const;

class IndexLine implements ObjectBound {
  readonly kind = 'object';
  readonly immutable = fieldNames;
  /** An application has a name only once. */
  readonly coexist = false;
  readonly key: string;
  readonly fields: { readonly [field: string]: Value };
  readonly reach: ObjectBound['reach'];
  readonly problems: readonly ParamProblem[];
  readonly timeout: number;
  readonly #name: string;
  readonly #find: FindSpec;
  /** The answer to a sent copy was lost. The existing index may be that copy, and a second copy gives the same index. */
  #mayBeOwn = false;
  #looks = 0;

  constructor(name: string, params: Params) {
    this.#name = name;
    this.timeout = timeoutOf(params, longest);
    this.key = indexPath(name);
    this.fields = Object.fromEntries(fieldNames.flatMap((field) => (params[field] === undefined ? [] : [[field, params[field]]])));
    this.problems =
      this.fields.source_index === name
        ? [{ at: ['source_index'], detail: '`source_index` is the index itself, but a copy needs another `name`.' }]
        : [];
    // No `created_at`: a copy bears the creation date of its source (2026-11-21).
    this.#find = {
      request: { method: 'GET', path: settingsPath(name) },
      list: null,
      match: {},
      id: '',
      chosen_id: name,
      // A copy that waits in the queue is not visible.
      settle: 5,
    };
    this.reach = {
      kind: 'object',
      find: this.#find,
      remove: { method: 'DELETE', path: `${indexesPath}/{id}` },
      remove_fix:
        'Use a key that may delete the index (deleteIndex). If the index is a replica, first take it off its primary index (Algolia dashboard, the primary index, Replicas). Then run again.',
      // A delete is a task with the answer 200, whether the index existed or not.
      until_gone: { read: { method: 'GET', path: `${indexesPath}/{id}/settings` }, seconds: 120 },
    };
  }

  async find(io: Io): Promise<readonly Live[]> {
    const found = await findAll(io.http, this.#find, lookBy(io));
    return found.map(() => this.#live());
  }

  async create(io: Io, { source_index, scope }: Desired): Promise<Live> {
    const source = String(source_index);
    const [isTaken, isThere] = await Promise.all([exists(io, this.#name), exists(io, source)]);
    if (isTaken && !this.#mayBeOwn) {
      throw new Failure('PROVIDER_CONFLICT', { detail: `Somebody else made the index ${this.#name} at the same moment.` });
    }
    if (!isThere) throw absent(source);
    const request = {
      method: 'POST',
      path: `${indexPath(source)}/operation`,
      body: { operation: 'copy', destination: this.#name, ...(scope !== undefined && { scope: asBody(scope) }) },
    } as const;
    try {
      const { taskID } = await ask(io.http, request, { purpose: 'write', signal: io.signal, retry: 'none' }, queuedSchema);
      return this.#live(taskID);
    } catch (thrown) {
      if (thrown instanceof HttpFailure && thrown.unanswered) this.#mayBeOwn = true;
      throw thrown instanceof HttpFailure && thrown.status === 404 ? absent(source, thrown) : thrown;
    }
  }

  async ready(io: Io, live: Live): Promise<Readiness> {
    const task = isMap(live.raw) ? live.raw.taskID : undefined;
    const isCopied = typeof task === 'number' ? await isDone(io, this.#name, task) : !(await hasPendingTask(io, this.#name));
    if (!isCopied) return { state: 'wait', detail: 'copying' };
    if (await exists(io, this.#name)) return { state: 'ready', live };
    this.#looks += 1;
    if (this.#looks < mostLooks) return { state: 'wait', detail: 'copied, but not visible yet' };
    // A task ends well even where the application has no room for its result.
    return {
      state: 'failed',
      detail: `Algolia says that the copy is done, but shows no index ${this.#name}. Look for the reason in the dashboard (Search, Index, Logs), such as too many indices or records.`,
    };
  }

  #live(taskID?: number): Live {
    const name = this.#name;
    return {
      id: name,
      // The provider does not show the source of a copy.
      values: Object.fromEntries(fieldNames.map((field) => [field, unreadable])),
      outputs: { id: name, name },
      ...(taskID !== undefined && { raw: { taskID } }),
    };
  }
}

/** The error for a missing source. A copy of nothing would be an empty index, and its task may never end. */
const absent = (source: string, cause?: HttpFailure): Failure =>
  new Failure('PROVIDER_NOT_FOUND', {
    detail: `Algolia has no index ${source} to copy.`,
    fix: 'Correct `source_index`, or make that index first.',
    ...(cause && { cause, status: 404 }),
  });
