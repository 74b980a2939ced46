import { bearerOf, type Call, json, makeKit, type Reply, route, type Simulation, type SimulationOptions, simulate } from './kit/index.ts';
import { isMap, mapValues } from './kit/json.ts';

export interface RailwayVariable {
  value: string;
  /** Nobody can read it any more. */
  isSealed?: boolean;
}

export interface RailwayEnvironment {
  readonly projectId: string;
  /** By service id; the empty one holds the variables that all services share. */
  readonly services: Record<string, Record<string, RailwayVariable>>;
  /** The domains of services that have one. */
  readonly domains: Record<string, string>;
}

export interface RailwayState {
  readonly environments: Record<string, RailwayEnvironment>;
  /** Writes that did not say `skipDeploys`. */
  deploys: number;
}

export interface RailwayWorld {
  readonly state: RailwayState;
  addEnvironment(projectId: string, environmentId: string, serviceId: string, domain?: string): void;
  /** Live: changing one is a change from outside. */
  variables(environmentId: string, serviceId: string): Record<string, RailwayVariable>;
}

/**
 * Variables of services by GraphQL, as in https://docs.railway.com/integrations/api and the vendor's own schema: `variables` is a map
 * of names to texts, an upsert of what is there succeeds, and every error comes with status 200.
 */
export function railway(options: SimulationOptions = {}): Simulation<RailwayWorld> {
  const kit = makeKit('railway', options);
  const state: RailwayState = { environments: {}, deploys: 0 };
  return simulate<RailwayState, RailwayWorld>(kit, {
    name: 'railway',
    origin: 'https://backboard.railway.com',
    basePath: '/graphql/v2',
    state,
    blind: () => ({ environments: {}, deploys: 0 }),
    world: (live) => ({
      state: live,
      addEnvironment: (projectId, environmentId, serviceId, domain) => {
        const domains = domain === undefined ? {} : { [serviceId]: domain };
        live.environments[environmentId] = { projectId, services: { '': {}, [serviceId]: {} }, domains };
      },
      variables: (environmentId, serviceId) => live.environments[environmentId]?.services[serviceId] ?? {},
    }),
    tokens: kit.tokens,
    credential: bearerOf,
    refuseCredential: (call) => answer(null, { message: 'Not Authorized', path: [operationOf(call.body)?.field ?? ''] }),
    routes: [route('POST', '/graphql/v2', (call) => perform(call), { write: ({ body }) => operationOf(body)?.kind === 'mutation' })],
  });
}

interface Operation {
  readonly kind: 'query' | 'mutation';
  readonly field: string;
  /** Arguments of the field: the names of the variables that they take. */
  readonly args: Readonly<Record<string, string>>;
  /** Variables as the operation declares them. */
  readonly declared: Readonly<Record<string, string>>;
  readonly given: Readonly<Record<string, unknown>>;
}

const grammar = /^(query|mutation)\s*\w*\s*\(([^()]*)\)\s*\{\s*(\w+)\s*\(([^()]*)\)\s*\}$/;

/** One operation of one scalar field, every argument a variable: all that these fields need. */
function operationOf(body: unknown): Operation | null {
  if (!isMap(body) || typeof body.query !== 'string') return null;
  const parts = grammar.exec(body.query.trim());
  if (!parts) return null;
  return {
    kind: parts[1] === 'mutation' ? 'mutation' : 'query',
    field: parts[3] ?? '',
    declared: Object.fromEntries([...(parts[2] ?? '').matchAll(/\$(\w+)\s*:\s*([\w!]+)/g)].map((one) => [one[1] ?? '', one[2] ?? ''])),
    args: Object.fromEntries([...(parts[4] ?? '').matchAll(/(\w+)\s*:\s*\$(\w+)/g)].map((one) => [one[1] ?? '', one[2] ?? ''])),
    given: isMap(body.variables) ? body.variables : {},
  };
}

const place = { environmentId: 'String!', projectId: 'String!', serviceId: 'String' };
const fields: Readonly<Record<string, { readonly kind: Operation['kind']; readonly args: Readonly<Record<string, string>> }>> = {
  variables: { kind: 'query', args: { ...place, unrendered: 'Boolean' } },
  variablesForServiceDeployment: { kind: 'query', args: { ...place, serviceId: 'String!' } },
  variableUpsert: { kind: 'mutation', args: { input: 'VariableUpsertInput!' } },
  variableCollectionUpsert: { kind: 'mutation', args: { input: 'VariableCollectionUpsertInput!' } },
  variableDelete: { kind: 'mutation', args: { input: 'VariableDeleteInput!' } },
};
const inputs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'VariableUpsertInput!': { ...place, name: 'String!', value: 'String!', skipDeploys: 'Boolean' },
  'VariableCollectionUpsertInput!': { ...place, variables: 'Map!', replace: 'Boolean', skipDeploys: 'Boolean' },
  'VariableDeleteInput!': { ...place, name: 'String!' },
};

function perform(call: Call<RailwayState, unknown>): Reply {
  const operation = operationOf(call.body);
  if (!operation) return invalid('Syntax Error: Expected Name.', 'GRAPHQL_PARSE_FAILED');
  const flaw = flawOf(operation);
  if (flaw !== null) return invalid(flaw, 'GRAPHQL_VALIDATION_FAILED');
  const { field, args, given } = operation;
  const values =
    args.input === undefined ? Object.fromEntries(Object.entries(args).map(([arg, name]) => [arg, given[name]])) : given[args.input];
  if (!isMap(values)) return invalid('Variable "$input" of required type was not provided.', 'BAD_USER_INPUT');
  const environment = call.state.environments[String(values.environmentId)];
  const variables = environment?.services[typeof values.serviceId === 'string' ? values.serviceId : ''];
  if (!environment || environment.projectId !== values.projectId) return answer(null, { message: 'Not Authorized', path: [field] });
  if (!variables) return answer(null, { message: 'ServiceInstance not found', path: [field] });
  if (field === 'variablesForServiceDeployment') {
    const domain = environment.domains[String(values.serviceId)];
    // Railway adds variables of its own: docs.railway.com/reference/variables (2026-11-27).
    const own = { RAILWAY_ENVIRONMENT_ID: String(values.environmentId), ...(domain !== undefined && { RAILWAY_PUBLIC_DOMAIN: domain }) };
    return answer({ [field]: { ...mapValues(variables, ({ value }) => rendered(environment, value)), ...own } });
  }
  if (field === 'variables')
    return answer({
      variables: mapValues(variables, ({ value, isSealed }) => {
        // It keeps its name, and nobody can read it back.
        if (isSealed) return null;
        return values.unrendered === true ? value : rendered(environment, value);
      }),
    });
  if (values.skipDeploys !== true) call.state.deploys += 1;
  if (field === 'variableDelete') delete variables[String(values.name)];
  if (field === 'variableUpsert') variables[String(values.name)] = { value: String(values.value) };
  if (field === 'variableCollectionUpsert' && isMap(values.variables)) {
    if (values.replace === true) for (const name of Object.keys(variables)) delete variables[name];
    for (const [name, value] of Object.entries(values.variables)) variables[name] = { value: String(value) };
  }
  return answer({ [field]: true });
}

/** A value with the shared variables that it names in their places. */
const rendered = ({ services }: RailwayEnvironment, value: string): string =>
  value.replaceAll(/\$\{\{\s*shared\.(\w+)\s*\}\}/g, (_, name: string) => services['']?.[name]?.value ?? '');

/** What a validator says of an operation, or of its variables. */
function flawOf({ kind, field, args, declared, given }: Operation): string | null {
  const known = fields[field];
  if (!known || known.kind !== kind) return `Cannot query field "${field}" on type "${kind === 'query' ? 'Query' : 'Mutation'}".`;
  for (const [arg, name] of Object.entries(args)) {
    const wanted = known.args[arg];
    if (wanted === undefined) return `Unknown argument "${arg}" on field "${field}".`;
    const type = declared[name];
    if (type === undefined) return `Variable "$${name}" is not defined.`;
    if (type !== wanted && type !== `${wanted}!`)
      return `Variable "$${name}" of type "${type}" used in position expecting type "${wanted}".`;
    const flaw = inputs[wanted] ? inputFlaw(wanted, given[name]) : valueFlaw(`$${name}`, type, given[name]);
    if (flaw !== null) return flaw;
  }
  const unknown = Object.keys(given).find((name) => declared[name] === undefined);
  return unknown === undefined ? null : `Variable "$${unknown}" is never declared.`;
}

function inputFlaw(type: string, value: unknown): string | null {
  const members = inputs[type] ?? {};
  if (!isMap(value)) return `Variable "$input" of required type "${type}" was not provided.`;
  const unknown = Object.keys(value).find((name) => members[name] === undefined);
  if (unknown !== undefined) return `Variable "$input" got invalid value; Field "${unknown}" is not defined by type "${type}".`;
  return (
    Object.entries(members)
      .map(([name, of]) => valueFlaw(`$input.${name}`, of, value[name]))
      .find((flaw) => flaw !== null) ?? null
  );
}

function valueFlaw(name: string, type: string, value: unknown): string | null {
  if (value === undefined || value === null)
    return type.endsWith('!') ? `Variable "${name}" of required type "${type}" was not provided.` : null;
  const isFit = type.startsWith('String')
    ? typeof value === 'string'
    : type.startsWith('Boolean')
      ? typeof value === 'boolean'
      : isMap(value);
  return isFit ? null : `Variable "${name}" got invalid value; ${type} cannot represent it.`;
}

interface Trouble {
  readonly message: string;
  readonly path: readonly string[];
}

const answer = (data: unknown, trouble?: Trouble): Reply =>
  json(200, trouble ? { data: null, errors: [{ ...trouble, extensions: { code: 'INTERNAL_SERVER_ERROR' } }] } : { data });
const invalid = (message: string, code: string): Reply => json(200, { errors: [{ message, extensions: { code } }] });
