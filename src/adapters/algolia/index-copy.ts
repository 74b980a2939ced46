import { Failure } from '../../core/errors.ts';
import { isMap } from '../../core/json.ts';
import { HttpFailure } from '../../http/failure.ts';
import { ask } from '../../ops/answer.ts';
import { type Desired, type Io, lookBy, type ObjectBound, type Params, type Readiness } from '../../ops/bound.ts';
import type { Op } from '../../ops/op.ts';
import { timeoutOf, timeoutParam } from '../../ops/timeout.ts';
import { findAll } from '../../remote/find.ts';
import { type Live, unreadable } from '../../remote/live-object.ts';
import type { FindSpec } from '../../remote/reach.ts';
import { asBody } from '../../remote/stored-json.ts';
import type { Value } from '../../remote/value.ts';
import { identityText } from '../../remote/value.ts';
import { exists, hasPendingTask, indexesPath, indexPath, isDone, queuedSchema, settingsPath } from './api.ts';

/** Seconds; a copy takes as long as there are records, some minutes at the most as a rule. */
const longest = 900;

/** Looks for an index whose copy is said to be done: about half a minute. */
const mostLooks = 12;

/** Every name that is no step in a path. */
const namePattern = '^(?!\\.\\.?$)[\\s\\S]{1,256}$';

/**
 * An index that is a copy of another one. Algolia neither refuses a copy onto an index that is there nor one of an index that is not,
 * so both are looked at right before it.
 */
export const index: Op = {
  kind: 'object',
  doc: 'An index of an Algolia application: a copy of another one. Identified by its name.',
  destroys: 'Destroy deletes it with its records, and waits until it is gone.',
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
      doc: 'Name of the index that is copied; it must exist. Another one makes a new copy in place of the old one.',
      todo: 'Algolia dashboard: Search, Index; the names are in the list of indices.',
      example: 'products',
    },
    scope: {
      type: 'list',
      items: 'string',
      enum: ['settings', 'synonyms', 'rules'],
      min_length: 1,
      doc: 'What is copied, of `settings`, `synonyms` and `rules`: a copy without records. When left out, everything with all records.',
      example: ['settings', 'synonyms', 'rules'],
    },
    timeout: timeoutParam(longest),
  },
  outputs: { id: { doc: 'Name of the index.' }, name: { doc: 'Name of the index.' } },
  quota: {
    limit: 'An application has as many indices and records as its plan allows, and 1,000 indices at the most.',
    // Statuses and sentences as clients were told them; the description has none of them (2026-11-21).
    answers: [
      ...[400, 403].map((status) => ({ method: 'POST' as const, status, match: { '/message': { contains: 'too many indices' } } })),
      { method: 'POST', status: 403, match: { '/message': { contains: 'quota exceeded' } } },
    ],
  },
  notes: [
    '`base_url` of `providers.algolia` is https://<application id>.algolia.net; the address with `-dsn` serves searches alone.',
    'Records of the copy count towards the plan of the application: `scope` copies an index without them.',
    'Replicas of the source are not copied, and neither are its settings `replicas`, `mode` and `enableReRanking`. A replica that is made for the copy stays when the copy is deleted, as an index of its own.',
    'What is written to the source later does not reach the copy: `--recreate` copies it anew.',
  ],
  bind(params) {
    return new IndexLine(identityText(params.name, 'name'), params);
  },
};

const fieldNames = ['source_index', 'scope'] as const;

class IndexLine implements ObjectBound {
  readonly kind = 'object';
  readonly immutable = fieldNames;
  /** A name is there once. */
  readonly coexist = false;
  readonly key: string;
  readonly fields: { readonly [field: string]: Value };
  readonly reach: ObjectBound['reach'];
  readonly problems: readonly string[];
  readonly timeout: number;
  readonly #name: string;
  readonly #find: FindSpec;
  /** A copy was sent whose answer was lost: what stands there now may be it, and a second copy is the same. */
  #mayBeOwn = false;
  #looks = 0;

  constructor(name: string, params: Params) {
    this.#name = name;
    this.timeout = timeoutOf(params, longest);
    this.key = indexPath(name);
    this.fields = Object.fromEntries(fieldNames.flatMap((field) => (params[field] === undefined ? [] : [[field, params[field]]])));
    this.problems = this.fields.source_index === name ? ['`source_index` is the index itself: a copy needs another `name`.'] : [];
    // No `created_at`: a copy bears the creation date of its source (2026-11-21).
    this.#find = {
      request: { method: 'GET', path: settingsPath(name) },
      list: null,
      match: {},
      id: '',
      chosen_id: name,
      // A copy that waits in the queue is not to be seen.
      settle: 5,
    };
    this.reach = {
      kind: 'object',
      find: this.#find,
      remove: { method: 'DELETE', path: `${indexesPath}/{id}` },
      remove_fix:
        'Use a key with the right deleteIndex for it. Where it is a replica, take it off its primary index first (Algolia dashboard, the primary index, Replicas). Then run again.',
      // Whether there was an index or not, a delete is a task that is answered with 200.
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
      throw new Failure('PROVIDER_CONFLICT', { detail: `The index ${this.#name} was made by somebody else at the same moment.` });
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
    if (this.#looks < mostLooks) return { state: 'wait', detail: 'copied, and not to be seen yet' };
    // A task ends well also where the application had no room for what it was to make.
    return {
      state: 'failed',
      detail: `Algolia says that the copy is done and shows no index ${this.#name}. Look for the reason in the dashboard (Search, Index, Logs), such as too many indices or records.`,
    };
  }

  #live(taskID?: number): Live {
    const name = this.#name;
    return {
      id: name,
      // Nothing shows what it was copied from.
      values: Object.fromEntries(fieldNames.map((field) => [field, unreadable])),
      outputs: { id: name, name },
      ...(taskID !== undefined && { raw: { taskID } }),
    };
  }
}

/** A copy of nothing would be an index without anything in it, and its task may never end. */
const absent = (source: string, cause?: HttpFailure): Failure =>
  new Failure('PROVIDER_NOT_FOUND', {
    detail: `Algolia has no index ${source} that could be copied.`,
    fix: 'Correct `source_index`, or make that index first.',
    ...(cause && { cause, status: 404 }),
  });
