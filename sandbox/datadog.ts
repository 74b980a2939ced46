import {
  type Call,
  flawsOf,
  Ids,
  json,
  makeKit,
  type Reply,
  refuse,
  route,
  type Shape,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** A test as the server stores it. */
export interface SyntheticTest {
  readonly public_id: string;
  readonly monitor_id: number;
  name: string;
  readonly type: string;
  readonly subtype: string;
  status: string;
  message: string;
  tags: readonly string[];
  locations: readonly string[];
  config: Record<string, unknown>;
  options: Record<string, unknown>;
}

export interface DatadogState {
  readonly tests: SyntheticTest[];
  /** Ids of tests that their own path does not show yet, with the reads that are still to miss them. */
  readonly late: Record<string, number>;
  /** Tests that a widget or another test uses. */
  readonly used: string[];
  readonly locations: readonly string[];
  testLimit: number;
  /** What an application key without the permissions meets. */
  readonly isForbidden: boolean;
}

export interface DatadogWorld {
  readonly state: DatadogState;
  addTest(test: Partial<SyntheticTest> & { readonly name: string }): SyntheticTest;
  /** The API key, the same for all: what the tokens differ in is the application key. */
  readonly apiKey: string;
}

const emptyState = (isForbidden: boolean): DatadogState => ({
  tests: [],
  late: {},
  used: [],
  locations: ['aws:eu-central-1', 'aws:us-east-1', 'aws:eu-west-1'],
  testLimit: 1000,
  isForbidden,
});

/**
 * Synthetic API tests: https://docs.datadoghq.com/api/latest/synthetics/. Two keys in two headers; a wrong one, a missing one and one
 * without the permission are all 403. Lists page by number from 0.
 */
export function datadog(options: SimulationOptions = {}): Simulation<DatadogWorld> {
  const kit = makeKit('datadog', options);
  const ids = new Ids('datadog');
  const state = emptyState(false);
  const apiKey = 'datadog-api-key-0123456789abcdef';
  const api = '/api/v1/synthetics/tests';

  return simulate<DatadogState, DatadogWorld>(kit, {
    name: 'datadog',
    origin: 'https://api.datadoghq.com',
    state,
    blind: () => emptyState(true),
    world: (live) => ({
      state: live,
      apiKey,
      addTest: (given) => {
        const test: SyntheticTest = { ...made(), ...blank, ...structuredClone(defaults), ...given };
        live.tests.push(test);
        return test;
      },
    }),
    tokens: kit.tokens,
    secretHeaders: ['dd-api-key', 'dd-application-key'],
    credential: ({ headers }) => headers.get('dd-application-key'),
    tokenOf: (credential, { headers }) => (headers.get('dd-api-key') === apiKey ? credential : null),
    refuseCredential: () => forbidden(),
    routes: [
      route('GET', api, (call) => {
        checkAllowed(call);
        const size = numberOf(call, 'page_size', 100);
        const page = numberOf(call, 'page_number', 0);
        return json(200, { tests: call.state.tests.slice(page * size, (page + 1) * size) });
      }),
      route('POST', `${api}/api`, (call) => {
        checkAllowed(call);
        const written = writtenBy(call);
        if (call.state.tests.length >= call.state.testLimit) throw refuse(402, { errors: ['Test quota is reached'] });
        const test: SyntheticTest = { ...made(), ...written };
        call.state.tests.push(test);
        // The list has it at once. The vendor's own Terraform provider reads on when the path of a new test answers 404.
        call.state.late[test.public_id] = 1;
        return json(200, test);
      }),
      route('GET', `${api}/api/{id}`, (call) => {
        checkAllowed(call);
        const { late } = call.state;
        const misses = late[call.params.id] ?? 0;
        late[call.params.id] = Math.max(0, misses - 1);
        if (misses > 0) throw refuse(404, { errors: ['Synthetics test not found'] });
        return json(200, testOf(call));
      }),
      route('PUT', `${api}/api/{id}`, (call) => {
        checkAllowed(call);
        const test = testOf(call);
        const written = writtenBy(call);
        if (written.subtype !== test.subtype) throw refuse(400, { errors: ['Updating sub-type is forbidden'] });
        Object.assign(test, written);
        return json(200, test);
      }),
      route('POST', `${api}/delete`, (call) => {
        checkAllowed(call);
        const { body, state: live } = call;
        if (flawsOf(body, deleteShape).length > 0 || !isMap(body)) throw refuse(400, { errors: ['JSON format is wrong'] });
        const wanted = Array.isArray(body.public_ids) ? body.public_ids.map(String) : [];
        const doomed = live.tests.filter(({ public_id }) => wanted.includes(public_id));
        if (doomed.length < new Set(wanted).size) throw refuse(404, { errors: ["Tests to be deleted can't be found"] });
        if (body.force_delete_dependencies !== true && wanted.some((id) => live.used.includes(id)))
          throw refuse(400, { errors: ["Test cannot be deleted as it's used elsewhere"] });
        for (const test of doomed) live.tests.splice(live.tests.indexOf(test), 1);
        const deleted_at = new Date(call.now).toISOString();
        return json(200, { deleted_tests: doomed.map(({ public_id }) => ({ public_id, deleted_at })) });
      }),
    ],
  });

  function made(): Pick<SyntheticTest, 'public_id' | 'monitor_id'> {
    const id = ids.text(9, 'abcdefghijkmnpqrstuvwxyz23456789');
    return { public_id: `${id.slice(0, 3)}-${id.slice(3, 6)}-${id.slice(6)}`, monitor_id: 12_000_000 + ids.next() };
  }
}

type TestCall = Call<DatadogState, unknown>;

const forbidden = (): Reply => json(403, { errors: ['Forbidden'] });
const blank = { type: 'api', subtype: 'http', status: 'live', message: '', tags: [], locations: ['aws:eu-central-1'] };
/** What the server adds to a test that says less. */
const defaults = {
  config: { assertions: [], configVariables: [], request: { method: 'GET', url: 'https://acme.example' } },
  options: { tick_every: 60, min_location_failed: 1, min_failure_duration: 0, httpVersion: 'any', retry: { count: 0, interval: 300 } },
};

function checkAllowed({ state }: TestCall): void {
  if (state.isForbidden) throw refuse(403, { errors: ['Forbidden'] });
}

function testOf({ params, state }: Call<DatadogState, { readonly id: string }>): SyntheticTest {
  const test = state.tests.find(({ public_id, type }) => public_id === params.id && type === 'api');
  if (!test) throw refuse(404, { errors: ['Synthetics test not found'] });
  return test;
}

/** A number of the query; a size above the usual one is not documented to be taken. */
function numberOf({ query }: TestCall, name: string, otherwise: number): number {
  const value = Number(query.get(name) ?? otherwise);
  if (Number.isInteger(value) && value >= 0 && !(name === 'page_size' && (value < 1 || value > 100))) return value;
  throw refuse(400, { errors: [`Invalid ${name}`] });
}

const assertion: Shape = {
  fields: { type: 'string', operator: 'string', property: 'string', target: 'any', timingsScope: 'string' },
  required: ['type', 'operator', 'target'],
};
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const shape: Shape = {
  fields: {
    name: 'string',
    type: { oneOf: ['api'] },
    subtype: { oneOf: ['http', 'ssl', 'tcp', 'dns', 'multi', 'icmp', 'udp', 'websocket', 'grpc'] },
    status: { oneOf: ['live', 'paused'] },
    message: 'string',
    tags: { list: 'string' },
    locations: { list: 'string' },
    config: {
      fields: {
        assertions: { list: assertion },
        configVariables: { list: { values: 'any' } },
        request: { fields: { method: { oneOf: methods }, url: 'string' }, open: true },
      },
      required: ['request'],
    },
    options: { fields: { tick_every: 'integer' }, open: true },
  },
  required: ['name', 'config', 'locations', 'options', 'type', 'message'],
};
const deleteShape: Shape = { fields: { public_ids: { list: 'string' }, force_delete_dependencies: 'boolean' }, required: ['public_ids'] };

/** The whole test as one body says it, filled up with defaults: nothing of an earlier one stays. */
function writtenBy({ body, state }: TestCall): Omit<SyntheticTest, 'public_id' | 'monitor_id'> {
  const [flaw] = flawsOf(body, shape);
  if (flaw || !isMap(body))
    throw refuse(400, { errors: [flaw ? `JSON format is wrong: ${flaw.at} (${flaw.expected})` : 'JSON format is wrong'] });
  const config = isMap(body.config) ? body.config : {};
  const options = isMap(body.options) ? body.options : {};
  const locations = Array.isArray(body.locations) ? body.locations.map(String) : [];
  const unknown = locations.find((one) => !state.locations.includes(one));
  if (unknown !== undefined || locations.length === 0)
    throw refuse(400, { errors: [`Creation failed: locations: ${unknown ?? 'none given'}`] });
  const { tick_every: every = 60 } = options;
  if (typeof every === 'number' && (every < 30 || every > 604_800))
    throw refuse(400, { errors: ['tick_every must be between 30 and 604800'] });
  return structuredClone({
    name: String(body.name),
    type: 'api',
    subtype: typeof body.subtype === 'string' ? body.subtype : 'http',
    status: String(body.status ?? 'live'),
    message: String(body.message),
    tags: Array.isArray(body.tags) ? body.tags.map(String) : [],
    locations,
    config: { ...defaults.config, ...config, ...(Array.isArray(config.assertions) && { assertions: config.assertions.map(asKept) }) },
    options: { ...defaults.options, ...options },
  });
}

/** The operator decides whether a target is a number or a text, however it was sent. */
function asKept(one: unknown): unknown {
  if (!isMap(one) || !['string', 'number'].includes(typeof one.target)) return one;
  const { operator, target } = one;
  const isNumeric = /^(?:less|more)Than/.test(String(operator)) || (one.type === 'statusCode' && /^is(?:Not)?$/.test(String(operator)));
  const number = Number(target);
  return { ...one, target: isNumeric && !Number.isNaN(number) ? number : String(target) };
}
