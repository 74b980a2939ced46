import type { Exchange } from 'pilotfish-sandbox/kit/types';
import { isMap } from '../../src/core/json.ts';
import type { Contract, Found, Parameter } from './contract.ts';
import type { Flaw } from './flaw.ts';
import { decodeForm, type Pairs } from './form.ts';

/**
 * Path, query and header parameters, and the way the credential went. A query parameter or a header that the description
 * does not know is a flaw: real providers ignore them, so a name that is spelt wrong would do nothing and be seen by nobody.
 */
export function parameterFlaws(contract: Contract, { operation, params }: Found, exchange: Exchange): readonly Flaw[] {
  const flaws: Flaw[] = [...credentialFlaws(operation.credentials, exchange)];
  const pairs = Object.entries(exchange.query).flatMap(([name, value]): Pairs => [value].flat().map((text) => [name, text] as const));
  const isKnown = (name: string, parameter: Parameter): boolean => name === parameter.name || name.startsWith(`${parameter.name}[`);
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  for (const name of new Set(pairs.map(([name]) => name))) {
    if (contract.credentialNames.includes(name) || inQuery.some((parameter) => isKnown(name, parameter))) continue;
    flaws.push({ at: `query ${name}`, what: 'the operation has no such parameter' });
  }
  const inHeader = operation.parameters.filter((parameter) => parameter.in === 'header');
  for (const name of Object.keys(exchange.headers)) {
    if (ofHttp.test(name) || contract.credentialHeaders.includes(name) || inHeader.some((parameter) => isHeader(parameter.name, name)))
      continue;
    flaws.push({ at: `header ${name}`, what: 'the operation has no such header' });
  }
  for (const parameter of operation.parameters.filter(isChecked)) {
    // Its value is not recorded.
    if (parameter.in === 'header' && exchange.credentials.includes(parameter.name.toLowerCase())) continue;
    const value = sentValue(parameter, pairs, params, exchange);
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

/** Headers of HTTP itself, which every operation takes. */
const ofHttp =
  /^(accept|accept-(encoding|language|charset)|cache-control|connection|content-(encoding|length|md5|type)|cookie|date|expect|host|keep-alive|pragma|sec-fetch-mode|te|traceparent|transfer-encoding|user-agent)$/;

/** A name with `*` stands for a family of headers: `x-goog-meta-*`. */
const isHeader = (declared: string, sent: string): boolean =>
  declared.includes('*') ? sent.startsWith(declared.toLowerCase().split('*')[0] ?? '') : declared.toLowerCase() === sent;

/** The content type is held against the body's, the credential is not recorded; a family of headers has no schema of its own. */
const isChecked = ({ in: place, name }: Parameter): boolean =>
  place !== 'cookie' &&
  !(place === 'header' && (name.includes('*') || ['content-type', 'authorization', 'accept'].includes(name.toLowerCase())));

/** One of the ways must have been gone as a whole. */
function credentialFlaws(ways: readonly (readonly string[])[], exchange: Exchange): readonly Flaw[] {
  if (ways.length === 0) return [];
  // A description that names only the header leaves its scheme open.
  const whole = exchange.credentials.map((name) => name.replace(/ .*$/, ''));
  const sent = [
    ...exchange.credentials,
    ...whole,
    ...Object.keys(exchange.headers),
    ...Object.keys(exchange.query).map((name) => `query ${name}`),
  ];
  if (ways.some((way) => way.every((place) => sent.includes(place)))) return [];
  const wanted = ways.map((way) => way.join(' and ')).join(', or ');
  return [{ at: 'credential', what: `goes as ${wanted}; sent was ${exchange.credentials.join(' and ') || 'none'}` }];
}

function sentValue(parameter: Parameter, query: Pairs, path: Found['params'], { headers }: Exchange): unknown {
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
