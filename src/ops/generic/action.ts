import { z } from 'zod';
import { Failure } from '../../core/errors.ts';
import { type Json, mapValues } from '../../core/json.ts';
import { once } from '../../core/once.ts';
import { getAt } from '../../core/pointer.ts';
import { Sealed } from '../../core/sealed.ts';
import type { RequestSpec } from '../../http/types.ts';
import { rootField, sentGraphql } from '../../remote/graphql.ts';
import type { OutputRule } from '../../remote/live.ts';
import { headersToSend, queryOf, storedPath, toSend } from '../../remote/stored.ts';
import { asJson } from '../../remote/stored-json.ts';
import { expandPath } from '../../remote/template.ts';
import { identityText } from '../../remote/value.ts';
import type { ActionBound, Io, Params } from '../bound.ts';
import type { BindContext, Op, OutputSpec } from '../op.ts';
import type { PartProblem } from '../problem.ts';
import { graphql, graphqlProblems } from './graphql-shape.ts';
import { outputRules } from './resource-plan.ts';
import { addFlaws, flaw, leaf, outputs, parseShape, shapeProblems, text, values } from './shape.ts';

/** The params of `http.action`, and the template of a recipe of that kind. */
export const actionShape = once(() =>
  z
    .strictObject({
      trigger: values().describe('Values whose change causes a send.'),
      identity: z.array(z.string()).exactOptional().describe('Triggers that distinguish this action from others with the same request.'),
      request: z
        .strictObject({
          method: z.enum(['POST', 'PUT', 'PATCH', 'GET', 'DELETE']).exactOptional().describe('POST when left out.'),
          url: text().exactOptional().describe("An absolute URL: the app's own endpoint."),
          path: text().exactOptional().describe('A path below the base URL of the API block.'),
          query: values().exactOptional().describe('Query parameters.'),
          headers: values().exactOptional().describe('Headers of the request.'),
          body: leaf().exactOptional().describe('A body: JSON to a URL, otherwise in the encoding of the API block.'),
          encoding: z
            .enum(['json', 'form', 'xml', 'multipart'])
            .exactOptional()
            .describe('How the body is written, in place of the encoding of the API block.'),
          graphql: graphql().exactOptional().describe('A mutation, posted to the base URL of the API block.'),
        })
        .describe('The request that is sent.'),
      outputs: outputs().exactOptional().describe('Name to pointer inside the answer.'),
      with: values().exactOptional().describe('Values for `{name}` and `{+name}` in the URL or path.'),
    })
    .superRefine((shape, ctx) => {
      addFlaws(ctx, actionProblems(shape));
    }),
);

type ActionShape = z.output<ReturnType<typeof actionShape>>;

function actionProblems({ trigger, identity = [], request }: ActionShape): PartProblem[] {
  const problems: PartProblem[] = [];
  if (Object.keys(trigger).length === 0) problems.push(flaw('trigger', 'is empty: name at least one value whose change causes a send.'));
  const places = [request.url, request.path, request.graphql].filter((place) => place !== undefined);
  if (places.length !== 1) problems.push(flaw('request', 'needs either url or path, or graphql.'));
  if (request.graphql) {
    problems.push(...graphqlProblems('request', request.graphql, 'mutation'));
    for (const key of ['method', 'query', 'body', 'encoding'])
      if (Object.hasOwn(request, key)) problems.push(flaw('request', `has ${key} and graphql, but a GraphQL request takes no ${key}.`));
  }
  for (const name of identity)
    if (!Object.hasOwn(trigger, name)) problems.push(flaw('identity', `names ${name}, which is not one of the triggers.`));
  return problems;
}

/** A one-off effect with nothing to read back or delete: a sync, a deploy notification. */
export const action: Op = {
  kind: 'action',
  doc: 'A request that is sent when its trigger changes: a sync, a deploy notification. Nothing is read back or deleted.',
  subject: [
    '[{request.method} ]{request.url}[, {trigger}]',
    '[{request.method} ]{request.path}[, {trigger}]',
    '{request.graphql.data_path}[, {trigger}]',
  ],
  params: {},
  open: true,
  outputs: {},
  outputsFor: (params) => actionOutputs(params),
  problems: (params) => shapeProblems(actionShape(), params),
  bind: (params, context) => bindAction(params, context),
};

export function bindAction(params: Params, context: Pick<BindContext, 'block' | 'api'>): ActionBound {
  const shape = parseShape(actionShape(), params);
  const isBare = (context.api ?? null) === null || isAddressless(context.block);
  const target = targetOf(shape, context.block.base_url, isBare);
  const parts = (shape.identity ?? []).map((name) => `${name}=${identityText(shape.trigger[name], `trigger.${name}`)}`);
  return {
    kind: 'action',
    key: `${target.shown}${parts.length > 0 ? `[${parts.sort().join(',')}]` : ''}`,
    fields: shape.trigger,
    reach: { kind: 'none' },
    ...(shape.request.url !== undefined && { elsewhere: [target.path] }),
    send: async (io) => {
      const answer = await io.http.send(requestOf(shape, target), {
        purpose: 'write',
        signal: io.signal,
        ...(isBare && { bare: true }),
        ...(shape.request.graphql?.idempotent !== undefined && { idempotent: shape.request.graphql.idempotent }),
      });
      return { outputs: outputsOf(outputRules(shape.outputs), answer.body, io) };
    },
  };
}

/** Whether a block adds nothing to a request, as for a family whose lines name the app's own endpoint. The request is then sent bare. */
const isAddressless = ({ base_url: base, auth, headers }: BindContext['block']): boolean =>
  base === '' && auth === null && headers === undefined;

function actionOutputs(params: { readonly [name: string]: unknown }): { readonly [name: string]: OutputSpec } {
  const declared = outputs().safeParse(params.outputs ?? {});
  return mapValues(
    declared.success ? outputRules(declared.data) : {},
    (rule): OutputSpec => ({
      doc: `The value at ${rule.path} of the answer.`,
      ...(rule.sensitive && { sensitive: true }),
      ...(rule.once && { once: true }),
    }),
  );
}

interface Target {
  readonly method: RequestSpec['method'];
  readonly path: string;
  /** The target in the key. */
  readonly shown: string;
}

/** The target of an action. The root field names the effect of a mutation, and its variables take the place of a body. */
function targetOf(shape: ActionShape, base: string, isBare: boolean): Target {
  const { method = 'POST', graphql: request } = shape.request;
  if (!request) {
    const path = addressOf(shape, base, isBare);
    return { method, path, shown: `${method} ${path}` };
  }
  if (isBare) throw needsApi('request.graphql goes to the base URL of an API block');
  const { data_path } = sentGraphql(request, undefined, 'request');
  return { method: 'POST', path: '', shown: `mutation ${rootField(data_path)}` };
}

const needsApi = (why: string): Failure =>
  new Failure('PARAM_INVALID', { detail: `${why}, but the line names no api.`, fix: 'Add api, or give request.url.' });

function addressOf(shape: ActionShape, base: string, isBare: boolean): string {
  const names = mapValues(shape.with ?? {}, (value, name) => identityText(value, `with.${name}`));
  if (shape.request.url === undefined) {
    if (!isBare) return storedPath(shape.request.path ?? null, names, 'request.path');
    throw needsApi('request.path counts from the base URL of an API block');
  }
  const target = expandPath(identityText(shape.request.url, 'request.url'), names);
  const url = URL.parse(target);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new Failure('PARAM_INVALID', {
      at: ['request', 'url'],
      detail: `request.url must be an absolute http or https URL without user name and password.`,
    });
  }
  // With an API block the request carries a credential, which must not leave the API's own host.
  if (!isBare && url.origin !== URL.parse(base)?.origin) {
    throw new Failure('PARAM_INVALID', {
      detail: `request.url goes to ${url.origin}, but the credential of the line's api belongs to another host.`,
      fix: 'Leave api out, so that the request is sent without a credential.',
    });
  }
  return target;
}

function requestOf(shape: ActionShape, { method, path }: Target): RequestSpec {
  const { query, headers, body, encoding, graphql: mutation } = shape.request;
  if (mutation) {
    const variables = mutation.variables && mapValues(mutation.variables, (value) => toSend(value) ?? null);
    return {
      method,
      path,
      ...(headers && { headers: headersToSend(headers, 'request.headers') }),
      graphql: sentGraphql(mutation, variables, 'request'),
    };
  }
  const sent = body === undefined ? undefined : toSend(body);
  return {
    method,
    path,
    ...(query && { query: queryOf(query, 'request.query') }),
    ...(headers && { headers: headersToSend(headers, 'request.headers') }),
    ...(sent !== undefined && { body: sent }),
    // The body of an action to a URL is JSON, whatever the API's own encoding is.
    ...(shape.request.url !== undefined && { encoding: 'json' }),
    ...(encoding && { encoding }),
  };
}

function outputsOf(rules: { readonly [name: string]: OutputRule }, body: unknown, io: Io): { readonly [name: string]: Json | Sealed } {
  const found: { [name: string]: Json | Sealed } = {};
  for (const [name, rule] of Object.entries(rules)) {
    const value = getAt(body, rule.path);
    if (value === undefined || value === null) io.note(`The answer has nothing at ${rule.path}, so the output ${name} is empty.`);
    else
      found[name] = rule.sensitive
        ? new Sealed(typeof value === 'string' ? value : JSON.stringify(value), `output ${name}`)
        : asJson(value);
  }
  return found;
}
