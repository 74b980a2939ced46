import { isMap } from '../../core/json.ts';
import type { Intent, LedgerRecord } from './facts.ts';

/**
 * Whether a parsed record or intent surely has the form that its schema asks for. A ledger holds thousands of them, all of a few
 * forms, and a schema tells what is wrong with a value at many times the price of seeing that nothing is. "No" means only that this is
 * not sure: whatever has a member that is not looked at here is for the schema to judge.
 */
export const isPlainFact = {
  record: (value: unknown, parts: SoundParts): boolean =>
    isMap(value) && hasOnly(value, recordMembers) && isShared(value, parts) && isRecordAlone(value),
  intent: (value: unknown, parts: SoundParts): boolean =>
    isMap(value) && hasOnly(value, intentMembers) && isShared(value, parts) && isIntentAlone(value),
};

/** Provider blocks and parents of items that the schema has let pass, by their JSON: the facts of a ledger have a few of each. */
export class SoundParts {
  readonly #blocks = new Set<string>();
  readonly #parents = new Set<string>();

  hasBlock(block: unknown): boolean {
    return this.#blocks.has(JSON.stringify(block) ?? '');
  }

  hasParent(parent: unknown): boolean {
    return this.#parents.has(JSON.stringify(parent) ?? '');
  }

  /** Told of a fact that the schema has let pass. A block without an address is sound only with some facts. */
  learn(fact: unknown): void {
    if (!isMap(fact)) return;
    const { provider, reach } = fact;
    if (isMap(provider) && provider.base_url !== '') keep(this.#blocks, provider);
    if (isMap(reach) && reach.kind === 'item') keep(this.#parents, reach.parent);
  }
}

/** JSON spells a number that is too large as `null`, so a part with `null` in it would vouch for others. */
function keep(known: Set<string>, part: unknown): void {
  const text = JSON.stringify(part) ?? 'null';
  if (!text.includes('null')) known.add(text);
}

type Members = { readonly [name: string]: unknown };

const shared = ['sum', 'v', 'identity', 'adapter', 'op', 'recipe', 'key', 'provider', 'line', 'plan', 'reach', 'lock', 'destroy', 'kind'];
const more = ['after', 'credential', 'generation', 'run'];
const recordMembers: ReadonlySet<string> = new Set<keyof LedgerRecord | string>([
  ...shared,
  ...more,
  ...[
    'recordId',
    'objectId',
    'owned',
    'hash',
    'fields',
    'fingerprints',
    'unready',
    'removing',
    'revision',
    'writtenAt',
    'writtenAtHosts',
    'outputs',
    'edges',
  ],
  ...['superseded', 'template'],
]);
const intentMembers: ReadonlySet<string> = new Set<keyof Intent | string>([
  ...shared,
  ...more,
  'idempotencyKey',
  'not',
  'fixed',
  'at',
  'atHost',
]);

function isShared(fact: Members, parts: SoundParts): boolean {
  return (
    fact.v === 1 &&
    isText(fact.identity) &&
    /^[0-9a-f]{64}$/.test(fact.identity) &&
    isText(fact.adapter) &&
    isText(fact.op) &&
    isTextOrNull(fact.recipe) &&
    isText(fact.key) &&
    isText(fact.line) &&
    fact.line !== '' &&
    isTextOrNull(fact.plan) &&
    isTextOrNull(fact.lock) &&
    (fact.destroy === 'delete' || fact.destroy === 'keep' || fact.destroy === 'never') &&
    (fact.kind === 'object' || fact.kind === 'item') &&
    isTexts(fact.after) &&
    fact.credential === 'block' &&
    isCount(fact.generation) &&
    isText(fact.run) &&
    (isObjectReach(fact.reach) || isItemReach(fact.reach, parts)) &&
    (isUsualBlock(fact.provider) || parts.hasBlock(fact.provider))
  );
}

function isRecordAlone(fact: Members): boolean {
  return (
    isText(fact.recordId) &&
    isText(fact.objectId) &&
    typeof fact.owned === 'boolean' &&
    isText(fact.hash) &&
    isTextMap(fact.fields) &&
    isTextMap(fact.fingerprints) &&
    typeof fact.unready === 'boolean' &&
    (fact.removing === undefined || fact.removing === true) &&
    (fact.revision === undefined || isText(fact.revision)) &&
    isTime(fact.writtenAt) &&
    (fact.writtenAtHosts === undefined || isTimeMap(fact.writtenAtHosts)) &&
    isMap(fact.outputs) &&
    Array.isArray(fact.edges) &&
    fact.edges.every(isEdge) &&
    Array.isArray(fact.superseded) &&
    fact.superseded.length === 0 &&
    isText(fact.template)
  );
}

function isIntentAlone(fact: Members): boolean {
  return (
    isTextOrNull(fact.idempotencyKey) &&
    isTexts(fact.not) &&
    (fact.fixed === undefined || isTextMap(fact.fixed)) &&
    isTime(fact.at) &&
    (fact.atHost === undefined || isTime(fact.atHost))
  );
}

function isEdge(edge: unknown): boolean {
  return (
    isMap(edge) &&
    isText(edge.field) &&
    isText(edge.line) &&
    isText(edge.output) &&
    isText(edge.producer) &&
    isText(edge.recordId) &&
    isCount(edge.generation)
  );
}

const reachMembers = new Set(['kind', 'find', 'remove', 'witness']);
const findMembers = new Set(['request', 'list', 'match', 'page', 'id']);

/** An object that is found in a list, or not at all, and goes with one request. */
function isObjectReach(reach: unknown): boolean {
  if (!isMap(reach) || reach.kind !== 'object' || !hasOnly(reach, reachMembers)) return false;
  if (reach.remove !== null && !isRequest(reach.remove)) return false;
  if (reach.witness !== undefined && !isRequest(reach.witness)) return false;
  const { find } = reach;
  if (find === null) return true;
  if (!isMap(find) || !hasOnly(find, findMembers)) return false;
  return isRequest(find.request) && isTextOrNull(find.list) && isTextMap(find.match) && isText(find.id) && isPaging(find.page);
}

const blockMembers = new Set(['api', 'base_url', 'base_url_env', 'auth', 'headers', 'encoding', 'concurrency']);

/** An API at an address, with one credential from the environment. */
function isUsualBlock(block: unknown): boolean {
  if (!isMap(block) || !hasOnly(block, blockMembers)) return false;
  const { api, base_url, base_url_env, auth, headers, encoding, concurrency } = block;
  return (
    isText(api) &&
    isAddress(base_url) &&
    (base_url_env === undefined || isText(base_url_env)) &&
    (auth === null || (isMap(auth) && isText(auth.bearer_env))) &&
    (headers === undefined || isTextMap(headers)) &&
    (encoding === undefined || encoding === 'json' || encoding === 'form') &&
    (concurrency === undefined || (isCount(concurrency) && concurrency !== 0))
  );
}

/** An address as plans have them: every one of these is a URL. */
const isAddress = (value: unknown): boolean =>
  isText(value) && /^https?:\/\/[a-z0-9.-]+(:\d+)?(\/[\w./~-]*)?$/.test(value) && URL.canParse(value);

const itemMembers = new Set(['kind', 'parent', 'item']);

const isItemReach = (reach: unknown, parts: SoundParts): boolean =>
  isMap(reach) && reach.kind === 'item' && hasOnly(reach, itemMembers) && isText(reach.item) && parts.hasParent(reach.parent);

function isPaging(page: unknown): boolean {
  if (page === undefined) return true;
  if (!isMap(page)) return false;
  if (page.kind === 'cursor') return isText(page.next) && isText(page.param) && (page.more === undefined || isText(page.more));
  return page.kind === 'link';
}

const methods = new Set<unknown>(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
const requestMembers = new Set(['method', 'path', 'query', 'headers']);

function isRequest(request: unknown): boolean {
  if (!isMap(request) || !hasOnly(request, requestMembers)) return false;
  const { method, path, query, headers } = request;
  if (!methods.has(method) || !isText(path) || !(path === '' || path.startsWith('/'))) return false;
  return (query === undefined || isTextMap(query)) && (headers === undefined || isTextMap(headers));
}

function hasOnly(value: Members, known: ReadonlySet<string>): boolean {
  for (const name in value) if (!known.has(name)) return false;
  return true;
}

/** As `toISOString` writes it, which no moment that does not exist is. */
function isTime(value: unknown): boolean {
  if (!isText(value) || value.length !== 24) return false;
  const at = Date.parse(value);
  return !Number.isNaN(at) && new Date(at).toISOString() === value;
}

const isTimeMap = (value: unknown): boolean => isMap(value) && Object.values(value).every(isTime);

function isTextMap(value: unknown): boolean {
  if (!isMap(value)) return false;
  for (const name in value) if (typeof value[name] !== 'string') return false;
  return true;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
