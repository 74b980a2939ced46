import { isMap } from '../../core/json.ts';
import { getAt, splitPointer } from '../../core/pointer.ts';
import type { Answer, GraphqlRequest } from '../types.ts';
import { BadBody } from './decode.ts';

/**
 * Makes a GraphQL answer look like any other. Its body is the value at `data_path` (`{ value }` for a scalar). Its errors come with status
 * 200 and get the status of a REST API, so one table gives their meaning.
 *
 * A look with errors counts as failed, even with data: a list may lack the entries that could not be read. A mutation whose root field
 * has a value took effect, even with errors below that field.
 */
export function readGraphql(request: GraphqlRequest, isWrite: boolean, answer: Answer): Answer & { readonly isTranslated: boolean } {
  const { status, body } = answer;
  const errors = isMap(body) && Array.isArray(body.errors) ? body.errors.filter(isMap) : [];
  if (status < 200 || status >= 300) {
    // Some servers answer every error with 400 or 500 and name it in its code.
    const told = errors.length > 0 && (status === 400 || status === 500) ? statusOf(errors) : status;
    return { ...answer, status: told, isTranslated: told !== status };
  }
  const data = isMap(body) ? body.data : undefined;
  const [root = ''] = splitPointer(request.data_path);
  const field = isMap(data) && Object.hasOwn(data, root) ? data[root] : undefined;
  const isMade = isWrite && field !== undefined && field !== null;
  if (errors.length > 0 && !isMade) return { ...answer, status: statusOf(errors), isTranslated: true };
  if (!isMap(data) || field === undefined) throw new BadBody(`no field ${root} in the data of its GraphQL answer`);
  const found = getAt(data, request.data_path);
  const at = found ?? null;
  // The value exists, but nobody can read it. A run that took it for absent would overwrite a value that nobody can restore.
  const isSealed = found === null && request.null_is === 'sealed';
  if (isSealed && !isWrite) return { ...answer, body: { value: null }, data, isTranslated: false };
  if (at === null && !isWrite) return { ...answer, status: 404, isTranslated: true };
  const shown = at === null || typeof at === 'object' ? at : { value: at };
  return { ...answer, body: shown, data, isTranslated: false };
}

type GraphqlError = Readonly<Record<string, unknown>>;

/** The one status for several errors. "Not found" counts only when every error says so. */
function statusOf(errors: readonly GraphqlError[]): number {
  const kinds = errors.map(kindOf);
  return severest.find((status) => kinds.includes(status)) ?? 400;
}

const severest = [401, 403, 402, 429, 503, 500, 409, 400, 404];

/** The status of an error: by its code unless that says "internal", else by its words, else "internal" where the code says so. */
function kindOf(error: GraphqlError): number {
  const code = codeOf(error);
  const byCode = codes.find(([, words]) => words.test(code))?.[0];
  if (byCode !== undefined && byCode !== 500) return byCode;
  const message = typeof error.message === 'string' ? error.message : '';
  return messages.find(([, words]) => words.test(message))?.[0] ?? byCode ?? 400;
}

/** `extensions.code` is Apollo's, `errorClass` New Relic's, `classification` graphql-java's, `type` GitHub's. */
function codeOf(error: GraphqlError): string {
  const extensions = isMap(error.extensions) ? error.extensions : {};
  const found = [extensions.code, extensions.errorClass, extensions.classification, extensions.type, error.type, error.code];
  const texts = found.filter((value) => typeof value === 'string');
  return texts
    .join(' ')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toUpperCase();
}

const codes: readonly (readonly [number, RegExp])[] = [
  [401, /UNAUTHENTICATED|UNAUTHORI[SZ]ED|NOT_AUTHENTICATED|INVALID_(?:API_KEY|TOKEN)|AUTHENTICATION/],
  [403, /FORBIDDEN|ACCESS_DENIED|PERMISSION|NOT_AUTHORI[SZ]ED|INSUFFICIENT_SCOPES?/],
  [429, /RATE_?LIMIT|THROTTL|TOO_MANY_REQUESTS/],
  [402, /QUOTA|PAYMENT_REQUIRED|LIMIT_(?:REACHED|EXCEEDED)/],
  [404, /NOT_?FOUND/],
  [409, /CONFLICT|ALREADY_EXISTS|DUPLICATE|STALE/],
  [503, /UNAVAILABLE/],
  [400, /BAD_USER_INPUT|BAD_REQUEST|VALIDATION|PARSE_FAILED|INVALID|OPERATION_RESOLUTION_FAILURE|PERSISTED_QUERY|COST/],
  [500, /INTERNAL|SERVER_ERROR|TIMEOUT|DATA_FETCHING/],
];

const messages: readonly (readonly [number, RegExp])[] = [
  [400, /cannot query field|unknown (?:argument|type|field)|variable "?\$|syntax error|must have a selection|got invalid value/i],
  [
    401,
    /not authenticated|unauthenticated|not authori[sz]ed|unauthori[sz]ed|invalid (?:api )?(?:token|key)|(?:token|api key) (?:is )?(?:invalid|expired)/i,
  ],
  [403, /forbidden|access denied|permission|not allowed/i],
  [429, /rate limit|too many requests|throttl/i],
  [402, /quota|limit (?:reached|exceeded)|upgrade your plan/i],
  [409, /already exists|duplicate|conflict/i],
  [404, /not found|does not exist|no such|could not (?:find|resolve to)/i],
  [503, /temporarily unavailable|try again later/i],
  [500, /internal|problem processing request|timed? ?out|unexpected error/i],
];
