import type { Exchange } from 'pilotfish-sandbox/kit/types';
import { isMap } from '../../src/core/json.ts';
import { graphqlFlaws } from './check-graphql.ts';
import type { Content, Contract, Found, Operation } from './contract.ts';
import { type Flaw, flawAt } from './flaw.ts';
import { decodeForm, type Pairs } from './form.ts';
import { accepts, isForm, isJson, isXml, pick } from './media-type.ts';
import { decodeXml } from './xml.ts';

export interface Judged {
  readonly flaws: readonly Flaw[];
  /** Why a part could not be judged: the description says nothing about it, or it is of a type that nobody reads here. */
  readonly unconfirmed: readonly string[];
}

/** The body of a request and what it asks to get back. */
export function requestBody(contract: Contract, { operation }: Found, exchange: Exchange): Judged {
  const at = 'request body';
  const { body, contentType } = exchange;
  // A JSON `null` has a content type; a request without a body has none.
  const isEmpty = body === null && contentType === null;
  const accept = acceptFlaws(contract, operation, exchange.headers.accept);
  if (!operation.body) return flawed(accept, body === null ? [] : [{ at, what: 'the operation takes no body' }]);
  if (isEmpty) return flawed(accept, operation.body.required ? [{ at, what: 'is required and was not sent' }] : []);
  const { content } = operation.body;
  const media = pick(content, contentType ?? '');
  if (media === null)
    return flawed(accept, [
      { at, what: `has content type ${contentType ?? 'none'}, the operation takes ${Object.keys(content).join(', ')}` },
    ]);
  const judged = bodyOf(contract, at, contentType ?? '', content[media], body, 'request');
  if (!isMap(body) || typeof body.query !== 'string' || !/\bgraphql\b/.test(operation.path)) {
    return { flaws: [...accept, ...judged.flaws], unconfirmed: judged.unconfirmed };
  }
  const { graphql } = contract;
  const open = graphql ? [] : [`${at} /query: the GraphQL document is not held to its schema`];
  const answered = exchange.injected || exchange.status !== 200 ? null : exchange.answer.body;
  const flaws = graphql ? graphqlFlaws(graphql, { query: body.query, variables: body.variables }, answered) : [];
  return { flaws: [...accept, ...judged.flaws, ...flaws], unconfirmed: [...judged.unconfirmed, ...open] };
}

/** Status, content type and body of an answer. */
export function answer(contract: Contract, { operation }: Found, { status, answer: given }: Exchange): Judged {
  const at = `answer ${status}`;
  const key = [String(status), `${Math.floor(status / 100)}XX`, `${Math.floor(status / 100)}xx`, 'default'].find(
    (name) => name in operation.answers,
  );
  if (key === undefined) return flawed([{ at, what: `the operation answers ${Object.keys(operation.answers).join(', ')}` }]);
  const content = operation.answers[key] ?? {};
  const types = Object.keys(content);
  if (types.length === 0) return { flaws: [], unconfirmed: given.body === null ? [] : [`${at}: the description shows no body`] };
  if (given.contentType === null) {
    // A refusal may come without the body that others of its status have.
    return status === 204 || status >= 300 ? flawed([]) : flawed([{ at, what: 'has no body' }]);
  }
  const media = pick(content, given.contentType);
  if (media === null) return flawed([{ at, what: `has content type ${given.contentType}, the operation answers ${types.join(', ')}` }]);
  return bodyOf(contract, at, given.contentType, content[media], given.body, 'answer');
}

/** What the request says that it takes must hold one form in which the operation succeeds. */
function acceptFlaws(contract: Contract, operation: Operation, accept: string | undefined): readonly Flaw[] {
  const own = operation.parameters.find(({ in: place, name }) => place === 'header' && name.toLowerCase() === 'accept');
  // Where every request must name a version there, that is what it is held to: the answers come as plain JSON all the same.
  if (own?.required) return flawAt('header accept', contract.check(own.schema, accept ?? '', 'request', true));
  const types = Object.entries(operation.answers).flatMap(([status, content]) => (status.startsWith('2') ? Object.keys(content) : []));
  return accepts(accept, types)
    ? []
    : [{ at: 'header accept', what: `takes ${accept}, the operation answers ${[...new Set(types)].join(', ')}` }];
}

function bodyOf(
  contract: Contract,
  at: string,
  type: string,
  schema: Content[string],
  body: unknown,
  direction: 'request' | 'answer',
): Judged {
  if (schema === undefined) return { flaws: [], unconfirmed: [`${at}: the description has no schema`] };
  if (isJson(type)) return flawed(flawAt(at, contract.check(schema, body, direction)));
  if (isForm(type)) return flawed(flawAt(at, contract.check(schema, decodeForm(pairsOf(body)), direction, true)));
  if (isXml(type) && typeof body === 'string') {
    const read = decodeXml(body, schema, (node) => contract.resolve(node, direction));
    if ('what' in read) return flawed(flawAt(at, [read]));
    return flawed(flawAt(at, contract.check(schema, read.value, direction, true)));
  }
  return { flaws: [], unconfirmed: [`${at}: ${type} is not read`] };
}

const flawed = (...flaws: readonly (readonly Flaw[])[]): Judged => ({ flaws: flaws.flat(), unconfirmed: [] });

function pairsOf(body: unknown): Pairs {
  if (!Array.isArray(body)) return [];
  return body.filter(
    (pair): pair is readonly [string, string] => Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string',
  );
}
