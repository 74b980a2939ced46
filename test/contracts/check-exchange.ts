import { isMap } from '../../src/core/json.ts';
import type { Exchange } from '../simulate/kit/types.ts';
import { type Content, type Contract, type Found, openContract, type Parameter } from './contract.ts';
import { decodeForm, type Pairs } from './form.ts';

/** One way in which a request or an answer is not what the provider's description says. */
export interface Problem {
  readonly provider: string;
  /** `POST /repos/{owner}/{repo}/hooks`, or the path as sent where no operation serves it. */
  readonly operation: string;
  /** `request body /config/url`, `query per_page`, `answer 201 /id`. */
  readonly at: string;
  readonly what: string;
}

export const showProblem = ({ provider, operation, at, what }: Problem): string => `${provider}: ${operation}: ${at}: ${what}`;

/**
 * Holds one recorded exchange against the provider's description. Empty: the vendor would take the request, and gives
 * such an answer. Two things are left out on purpose: a request that the simulation itself refused as invalid (400, 413,
 * 415, 422) is not reported again, and an answer that a test planted says nothing about the simulation. XML and multipart
 * bodies are held to their content type only.
 */
export function checkExchange(exchange: Exchange, folder: string): readonly Problem[] {
  return checkAgainst(openContract(exchange.provider, folder), exchange);
}

export function checkAgainst(contract: Contract, exchange: Exchange): readonly Problem[] {
  const found = contract.find(exchange.method, exchange.path);
  const operation = `${exchange.method} ${found?.operation.path ?? exchange.path}`;
  const report = (at: string, what: string): Problem => ({ provider: contract.provider, operation, at, what });
  if (!found) return [report('path', `the description has no operation for ${exchange.method} ${exchange.path}`)];
  const wasRefused = !exchange.injected && refusals.has(exchange.status);
  return [
    ...(wasRefused ? [] : [...parameterProblems(contract, found, exchange), ...bodyProblems(contract, found, exchange)]),
    ...(exchange.injected ? [] : answerProblems(contract, found, exchange)),
  ].map(({ at, what }) => report(at, what));
}

const refusals = new Set([400, 413, 415, 422]);

interface Flaw {
  readonly at: string;
  readonly what: string;
}

function parameterProblems(contract: Contract, { operation, params }: Found, exchange: Exchange): readonly Flaw[] {
  const flaws: Flaw[] = [];
  const pairs = Object.entries(exchange.query).flatMap(([name, value]): Pairs => [value].flat().map((text) => [name, text] as const));
  const isKnown = (name: string, parameter: Parameter): boolean => name === parameter.name || name.startsWith(`${parameter.name}[`);
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  for (const name of new Set(pairs.map(([name]) => name))) {
    if (contract.credentialNames.includes(name) || inQuery.some((parameter) => isKnown(name, parameter))) continue;
    flaws.push({ at: `query ${name}`, what: 'the operation has no such parameter' });
  }
  for (const parameter of operation.parameters.filter(isChecked)) {
    const value = sentValue(parameter, pairs, params, exchange.headers);
    const at = `${parameter.in} ${parameter.name}`;
    if (value === undefined) {
      if (parameter.required) flaws.push({ at, what: 'is required and was not sent' });
      continue;
    }
    for (const fault of contract.check(parameter.schema, value, 'request', true))
      flaws.push({ at: `${at} ${fault.at}`.trimEnd(), what: fault.what });
  }
  return flaws;
}

/** Content type and credential are checked elsewhere, or not recorded; a name with `*` stands for a family of headers. */
const isChecked = ({ in: place, name }: Parameter): boolean =>
  place !== 'cookie' && !(place === 'header' && (name.includes('*') || ['content-type', 'authorization'].includes(name.toLowerCase())));

function sentValue(parameter: Parameter, query: Pairs, path: Found['params'], headers: Exchange['headers']): unknown {
  const { name } = parameter;
  if (parameter.in === 'path') return path[name.replace(/^\+/, '')];
  if (parameter.in === 'header') return headers[name.toLowerCase()];
  const own = query.filter(([key]) => key === name || key.startsWith(`${name}[`));
  if (own.length === 0) return undefined;
  if (own.some(([key]) => key !== name))
    return Object.values(decodeForm(own.map(([key, value]) => [`x${key.slice(name.length)}`, value])))[0];
  const values = own.map(([, value]) => value);
  const isCommaList = parameter.explode === false && isMap(parameter.schema) && parameter.schema.type === 'array';
  if (isCommaList) return values.flatMap((value) => value.split(','));
  return values.length === 1 ? values[0] : values;
}

function bodyProblems(contract: Contract, { operation }: Found, exchange: Exchange): readonly Flaw[] {
  const at = 'request body';
  // A JSON `null` has a content type; a request without a body has none.
  const isEmpty = exchange.body === null && exchange.contentType === null;
  if (!operation.body) return exchange.body === null ? [] : [{ at, what: 'the operation takes no body' }];
  if (isEmpty) return operation.body.required ? [{ at, what: 'is required and was not sent' }] : [];
  const { content } = operation.body;
  const media = pick(content, exchange.contentType ?? '');
  if (media === null)
    return [{ at, what: `has content type ${exchange.contentType ?? 'none'}, the operation takes ${Object.keys(content).join(', ')}` }];
  const faults = isForm(exchange.contentType)
    ? contract.check(content[media], decodeForm(pairsOf(exchange.body)), 'request', true)
    : isJson(exchange.contentType)
      ? contract.check(content[media], exchange.body, 'request')
      : [];
  return faults.map((fault) => ({ at: `${at} ${fault.at}`.trimEnd(), what: fault.what }));
}

function answerProblems(contract: Contract, { operation }: Found, exchange: Exchange): readonly Flaw[] {
  const { status, answer } = exchange;
  const key = [String(status), `${Math.floor(status / 100)}XX`, `${Math.floor(status / 100)}xx`, 'default'].find(
    (name) => name in operation.answers,
  );
  const at = `answer ${status}`;
  // Vendors leave most refusals and outages out of their lists, never a success.
  if (key === undefined) return status >= 300 ? [] : [{ at, what: `the operation answers ${Object.keys(operation.answers).join(', ')}` }];
  const content = operation.answers[key] ?? {};
  const types = Object.keys(content);
  if (types.length === 0) return [];
  // A refusal may come without the body that others of its status have.
  if (answer.contentType === null) return status === 204 || status >= 300 ? [] : [{ at, what: 'has no body' }];
  const media = pick(content, answer.contentType);
  if (media === null) return [{ at, what: `has content type ${answer.contentType}, the operation answers ${types.join(', ')}` }];
  if (!isJson(answer.contentType)) return [];
  return contract.check(content[media], answer.body, 'answer').map((fault) => ({ at: `${at} ${fault.at}`.trimEnd(), what: fault.what }));
}

/** The declared media type for a content type: with its parameters, without them, then by wildcard. */
function pick(content: Content, contentType: string): string | null {
  const whole = contentType.toLowerCase().replaceAll('; ', ';');
  const plain = plainType(contentType);
  const types = Object.keys(content);
  return (
    types.find((type) => type.replaceAll('; ', ';') === whole) ??
    types.find((type) => plainType(type) === plain) ??
    types.find((type) => type === '*/*' || (type.endsWith('/*') && plain.startsWith(type.slice(0, -1)))) ??
    null
  );
}

const plainType = (type: string): string => type.split(';')[0]?.trim().toLowerCase() ?? '';
const isForm = (type: string | null): boolean => type !== null && plainType(type) === 'application/x-www-form-urlencoded';
const isJson = (type: string | null): boolean => type !== null && /[/+]json$/.test(plainType(type));

function pairsOf(body: unknown): Pairs {
  if (!Array.isArray(body)) return [];
  return body.filter(
    (pair): pair is readonly [string, string] => Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string',
  );
}
