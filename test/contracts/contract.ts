import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { isMap } from '../../src/core/json.ts';
import { coerce } from './coerce.ts';
import { readSchema, type Schema } from './graphql-read.ts';
import { type Direction, normalize, resolve } from './normalize.ts';
import { templateOf } from './template.ts';

/** A provider's published description, ready to be asked about a request or an answer. */
export interface Contract {
  readonly provider: string;
  readonly operations: readonly Operation[];
  /** The operation that serves this method and path; concrete paths win over templates. `null`: the provider has none. */
  find(method: string, path: string): Found | null;
  /** What is wrong with a value, as `pointer: message`. Texts of a form or a query are first read as the types the schema names. */
  check(schema: unknown, value: unknown, direction: Direction, isText?: boolean): readonly Fault[];
  /** What a reference in a schema stands for. */
  resolve(schema: unknown, direction: Direction): unknown;
  /** The schema of its GraphQL documents, where the description brings one. */
  readonly graphql: Schema | null;
  /** Names of query parameters that carry the credential. */
  readonly credentialNames: readonly string[];
  /** Names of headers, in lower case, that carry the credential. */
  readonly credentialHeaders: readonly string[];
}

export interface Fault {
  /** JSON pointer into the value; empty for the value itself. */
  readonly at: string;
  readonly what: string;
}

export interface Parameter {
  readonly in: 'query' | 'path' | 'header' | 'cookie';
  readonly name: string;
  readonly required: boolean;
  readonly schema: unknown;
  /** `deepObject`: `name[member]=…`. */
  readonly style: string | null;
  readonly explode: boolean | null;
}

export type Content = { readonly [mediaType: string]: unknown };

/** One method of one path. Schemas are normalised for the direction they are used in. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Ways in which a request may carry its credential, each a list of places: `authorization bearer`, `x-api-key`. Empty: it needs none. */
  readonly credentials: readonly (readonly string[])[];
  /** `null`: the operation takes no body. */
  readonly body: { readonly required: boolean; readonly content: Content } | null;
  /** By status: `201`, `4XX`, `default`. */
  readonly answers: { readonly [status: string]: Content };
}

export interface Found {
  readonly operation: Operation;
  readonly params: { readonly [name: string]: string };
}

const opened = new Map<string, Contract>();

export const fileOf = (provider: string, folder: string): string => join(folder, `${provider}.openapi.json`);

/** Descriptions that hold further operations of the same provider. The first description wins. */
const alsoIn: { readonly [provider: string]: readonly string[] } = { cloudflare: ['cloudflare-workers'], 'github-ci': ['github-previews'] };

type Document = { readonly [key: string]: unknown };

function documentIn(file: string): Document {
  const document: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isMap(document)) throw new Error(`${file} is not an OpenAPI document`);
  return document;
}

const mapOf = (value: unknown): Document => (isMap(value) ? value : {});

/** The second description with the operations and shapes of the first added. */
function joined(more: Document, first: Document): Document {
  const [ours, theirs] = [mapOf(first.components), mapOf(more.components)];
  const components = Object.fromEntries(
    [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].map((name) => [name, { ...mapOf(theirs[name]), ...mapOf(ours[name]) }]),
  );
  return { ...more, ...first, components, paths: { ...mapOf(more.paths), ...mapOf(first.paths) } };
}

/** Reads `<folder>/<provider>.openapi.json` once. Schemas are compiled when they are first needed. */
export function openContract(provider: string, folder: string): Contract {
  const file = fileOf(provider, folder);
  const known = opened.get(file);
  if (known) return known;
  const document = [provider, ...(alsoIn[provider] ?? [])].map((name) => documentIn(fileOf(name, folder))).reduceRight(joined);
  const beside = join(folder, `${provider}.graphql`);
  const contract = contractOf(provider, document, existsSync(beside) ? readSchema(readFileSync(beside, 'utf8')) : null);
  opened.set(file, contract);
  return contract;
}

/** A contract from a document that is already read. */
export function contractOf(provider: string, document: { readonly [key: string]: unknown }, graphql: Schema | null = null): Contract {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, unicodeRegExp: false, logger: false });
  formats.default(ajv);
  const id = (direction: Direction) => `contract://${encodeURIComponent(provider)}/${direction}`;
  const requests = normalize(document, id('request'), 'request');
  const answers = normalize(document, id('answer'), 'answer');
  ajv.addSchema(requests, id('request'));
  ajv.addSchema(answers, id('answer'));

  const compiled = new WeakMap<object, ValidateFunction>();
  const validator = (schema: object): ValidateFunction => {
    const known = compiled.get(schema);
    if (known) return known;
    const made = ajv.compile(schema);
    compiled.set(schema, made);
    return made;
  };

  const operations = operationsOf(requests, answers);
  const templates = operations
    .flatMap(({ operation, bases }) => bases.map((base) => ({ operation, template: templateOf(base + operation.path) })))
    .sort((one, other) => one.template.freedom - other.template.freedom);

  return {
    provider,
    operations: operations.map(({ operation }) => operation),
    graphql,
    credentialNames: credentialsIn('query', document),
    credentialHeaders: credentialsIn('header', document).map((name) => name.toLowerCase()),
    resolve: (schema, direction) => resolve(direction === 'request' ? requests : answers, schema),
    find: (method, path) => {
      for (const { operation, template } of templates) {
        const params = operation.method === method ? template.match(path) : null;
        if (params) return { operation, params };
      }
      return null;
    },
    check: (schema, value, direction, isText = false) => {
      if (schema === undefined || schema === true) return [];
      if (!isMap(schema)) return [{ at: '', what: 'is not allowed at all' }];
      const root = direction === 'request' ? requests : answers;
      const read = isText
        ? coerce(value, schema, { resolve: (node) => resolve(root, node), fits: (part, v) => validator(part)(v) === true })
        : value;
      const validate = validator(schema);
      return validate(read) ? [] : faultsOf(validate);
    },
  };
}

function faultsOf(validate: ValidateFunction): readonly Fault[] {
  const faults = (validate.errors ?? []).map(({ instancePath, message = 'is not valid', params, keyword }): Fault => {
    if (keyword === 'additionalProperties')
      return { at: instancePath, what: `must not have the member "${String(params.additionalProperty)}"` };
    if (keyword === 'enum' && Array.isArray(params.allowedValues)) {
      return { at: instancePath, what: `must be one of ${params.allowedValues.map((value) => JSON.stringify(value)).join(', ')}` };
    }
    if (keyword === 'false schema') return { at: instancePath, what: 'is a member that only the other side sends' };
    return { at: instancePath, what: message };
  });
  // The deepest faults say most; those of every branch of an `anyOf` repeat each other.
  const seen = new Map(faults.map((fault) => [`${fault.at} ${fault.what}`, fault]));
  return [...seen.values()].sort((one, other) => other.at.split('/').length - one.at.split('/').length).slice(0, 8);
}

type Node = Record<string, unknown>;
const methods = ['get', 'put', 'post', 'patch', 'delete', 'head', 'options'];

function operationsOf(requests: Node, answers: Node): readonly { readonly operation: Operation; readonly bases: readonly string[] }[] {
  const found: { operation: Operation; bases: readonly string[] }[] = [];
  for (const [path, item] of entries(requests.paths)) {
    if (!isMap(item)) continue;
    for (const method of methods) {
      const request = item[method];
      if (!isMap(request)) continue;
      const answerItem = isMap(answers.paths) ? answers.paths[path] : undefined;
      const answer = isMap(answerItem) ? answerItem[method] : undefined;
      found.push({
        operation: {
          method: method.toUpperCase(),
          path,
          parameters: parametersOf(requests, item.parameters, request.parameters),
          credentials: waysOf(request.security ?? requests.security, requests),
          body: bodyOf(requests, request.requestBody),
          answers: Object.fromEntries(
            entries(isMap(answer) ? answer.responses : undefined).map(([status, node]) => [status, contentOf(resolve(answers, node))]),
          ),
        },
        bases: basesOf(request.servers ?? item.servers ?? requests.servers),
      });
    }
  }
  return found;
}

/** Parameters of the path and of the operation; the operation's win. */
function parametersOf(document: Node, ...groups: readonly unknown[]): readonly Parameter[] {
  const byName = new Map<string, Parameter>();
  for (const node of groups.flatMap((group) => (Array.isArray(group) ? group : []))) {
    const found = resolve(document, node);
    if (!isMap(found) || typeof found.name !== 'string') continue;
    const place = found.in;
    if (place !== 'query' && place !== 'path' && place !== 'header' && place !== 'cookie') continue;
    byName.set(`${place} ${found.name}`, {
      in: place,
      name: found.name,
      required: found.required === true,
      schema: found.schema,
      style: typeof found.style === 'string' ? found.style : null,
      explode: typeof found.explode === 'boolean' ? found.explode : null,
    });
  }
  return [...byName.values()];
}

function bodyOf(document: Node, node: unknown): Operation['body'] {
  const body = resolve(document, node);
  return isMap(body) ? { required: body.required === true, content: contentOf(body) } : null;
}

function contentOf(node: unknown): Content {
  const content = isMap(node) ? node.content : undefined;
  return Object.fromEntries(entries(content).map(([type, media]) => [type.toLowerCase(), isMap(media) ? media.schema : undefined]));
}

/** Base paths of the servers, without their origins: origins are the caller's business. */
function basesOf(servers: unknown): readonly string[] {
  const urls = (Array.isArray(servers) ? servers : []).flatMap((server) =>
    isMap(server) && typeof server.url === 'string' ? [server.url] : [],
  );
  // `https://host/base`, `{origin}/base`, `/base`: what follows the first slash that is not part of `://`.
  const bases = urls.map((url) => /^(?:[^/]*:\/\/)?[^/]*(.*)$/.exec(url)?.[1]?.replace(/\/$/, '') ?? '');
  return bases.length === 0 ? [''] : [...new Set(bases)];
}

const schemesOf = (document: Node): readonly (readonly [string, unknown])[] =>
  entries(isMap(document.components) ? document.components.securitySchemes : undefined);

const credentialsIn = (place: string, document: Node): readonly string[] =>
  schemesOf(document).flatMap(([, scheme]) =>
    isMap(scheme) && scheme.type === 'apiKey' && scheme.in === place && typeof scheme.name === 'string' ? [scheme.name] : [],
  );

function waysOf(security: unknown, document: Node): Operation['credentials'] {
  const schemes = new Map(schemesOf(document));
  const ways = (Array.isArray(security) ? security : []).filter(isMap);
  return ways.map((way) => Object.keys(way).map((name) => placeOf(schemes.get(name))));
}

function placeOf(scheme: unknown): string {
  if (!isMap(scheme)) return 'a scheme that is not described';
  if (scheme.type === 'apiKey' && typeof scheme.name === 'string')
    return scheme.in === 'query' ? `query ${scheme.name}` : scheme.name.toLowerCase();
  // Tokens of OAuth 2.0 and OpenID Connect are bearers.
  return `authorization ${scheme.type === 'http' && typeof scheme.scheme === 'string' ? scheme.scheme.toLowerCase() : 'bearer'}`;
}

const entries = (value: unknown): readonly (readonly [string, unknown])[] => (isMap(value) ? Object.entries(value) : []);
