import type { Exchange } from 'pilotfish-sandbox/kit/types';
import { describe, expect, it } from 'vitest';
import { bakery } from './bakery.openapi.ts';
import { judge } from './check-exchange.ts';
import { contractOf } from './contract.ts';
import { contractsFolder, expectContracts } from './expect.ts';

const contract = contractOf('bakery', bakery);
const loaf = { id: 7, label: 'rye', note: null, shelf: null, baked_at: '2026-03-01T04:00:00Z' };

/** What the checker says of an exchange, as `at: what`; the operation is in another test. */
function problemsOf(change: Partial<Exchange>): readonly string[] {
  const exchange: Exchange = {
    provider: 'bakery',
    origin: 'https://eu.bakery.example',
    method: 'GET',
    path: '/api/v1/loaves',
    query: change.method && change.method !== 'GET' ? {} : { shop: 'a' },
    headers: {},
    credentials: [],
    contentType: null,
    body: null,
    status: 200,
    answer: { headers: {}, contentType: 'application/json', body: [] },
    injected: false,
    ...change,
  };
  return judge(contract, exchange).problems.map(({ at, what }) => `${at}: ${what}`);
}

const create = (body: unknown, change: Partial<Exchange> = {}): Partial<Exchange> => ({
  method: 'POST',
  contentType: 'application/json',
  body,
  status: 201,
  answer: { headers: {}, contentType: 'application/json', body: loaf },
  ...change,
});
const order = (fields: readonly (readonly [string, string])[]): Partial<Exchange> => ({
  method: 'POST',
  path: '/api/v1/orders',
  contentType: 'application/x-www-form-urlencoded',
  body: fields,
});
const wanted = { label: 'rye', note: null, shelf: 3, baked_at: '2026-03-01T04:00:00Z', pin: '1234' };
const get = (path: string, change: Partial<Exchange> = {}): Partial<Exchange> => ({ path: `/api/v1${path}`, query: {}, ...change });

describe('where a request goes', () => {
  it('an exchange that the description allows has no problems', () => {
    expect(
      problemsOf({ query: { shop: 'a', limit: '5' }, answer: { headers: {}, contentType: 'application/json', body: [loaf] } }),
    ).toEqual([]);
  });

  it('a path outside the base path, or with another slash, is no operation', () => {
    expect(problemsOf({ path: '/loaves' })).toEqual(['path: the description has no operation for GET /loaves']);
    expect(problemsOf({ path: '/api/v1/loaves/' })).toHaveLength(1);
    expect(problemsOf({ method: 'PUT' })).toHaveLength(1);
  });

  it('a concrete path wins over a template that would match it', () => {
    expect(contract.find('GET', '/api/v1/loaves/newest')?.operation.path).toBe('/loaves/newest');
    expect(contract.find('GET', '/api/v1/loaves/a%2Fb')?.params).toEqual({ id: 'a/b' });
  });

  it('a path with servers of its own is found below those', () => {
    expect(contract.find('POST', '/oven/token')?.operation.path).toBe('/oven/token');
    expect(contract.find('POST', '/api/v1/oven/token')).toBeNull();
  });

  it('a problem names the provider and the operation', () => {
    const {
      problems: [problem],
    } = judge(contract, { ...exchangeOf('/api/v1/loaves/x'), headers: { 'x-shop-version': '2026-01-01' } });
    expect(problem).toMatchObject({ provider: 'bakery', operation: 'GET /loaves/{id}', at: 'path id', what: 'must be integer' });
  });
});

describe('parameters', () => {
  it('an unknown query parameter is a problem, the credential is not', () => {
    expect(problemsOf({ query: { shop: 'a', api_key: 'k', limits: '5' } })).toEqual(['query limits: the operation has no such parameter']);
  });

  it('a required one that is missing is a problem, also in a header', () => {
    expect(problemsOf({ query: {} })).toEqual(['query shop: is required and was not sent']);
    expect(problemsOf(get('/loaves/7', answered(loaf)))).toEqual(['header X-Shop-Version: is required and was not sent']);
    expect(problemsOf(get('/loaves/7', { ...answered(loaf), headers: { 'x-shop-version': '2026-01-01' } }))).toEqual([]);
  });

  it('a version that every request must accept is held to, whatever the type of the answers is', () => {
    const wanted = 'application/vnd.bakery+json; version=3';
    expect(problemsOf(get('/menu', { headers: { accept: wanted } }))).toEqual([]);
    for (const headers of [{}, { accept: 'application/json' }])
      expect(problemsOf(get('/menu', { headers }))).toEqual([`header accept: must be one of "${wanted}"`]);
  });

  it('values are read as the types of their schemas', () => {
    expect(problemsOf({ query: { shop: 'a', limit: '500' } })).toEqual(['query limit: must be <= 100']);
    expect(problemsOf({ query: { shop: '12', limit: 'ten' } })).toEqual(['query limit: must be integer']);
    expect(problemsOf({ query: { shop: 'a', kind: 'rye,spelt' } })).toEqual(['query kind /1: must be one of "rye", "wheat"']);
    expect(problemsOf({ query: { shop: 'a', 'baked[after]': '1700000000' } })).toEqual([]);
    expect(problemsOf({ query: { shop: 'a', 'baked[after]': 'noon' } })).toEqual(['query baked /after: must be integer']);
  });
});

describe('JSON bodies', () => {
  it('what only the provider writes may be left out of a request, and what it never shows out of an answer', () => {
    expect(problemsOf(create(wanted))).toEqual([]);
    expect(problemsOf(create({ ...wanted, pin: undefined }))).toEqual(["request body: must have required property 'pin'"]);
    expect(problemsOf(create(wanted, answered({ ...loaf, id: undefined }, 201)))).toEqual(["answer 201: must have required property 'id'"]);
  });

  it('null is allowed exactly where the 3.0 word says so', () => {
    expect(problemsOf(create({ ...wanted, kind: null, anything: null }))).toEqual([]);
    expect(problemsOf(create({ ...wanted, label: null }))).toEqual(['request body /label: must be string']);
    expect(problemsOf(create({ ...wanted, note: 'x' }))).toContain('request body /note: must NOT have fewer than 2 characters');
  });

  it('a boolean exclusive minimum is a bound', () => {
    expect(problemsOf(create({ ...wanted, weight: 0 }))).toEqual(['request body /weight: must be > 0']);
    expect(problemsOf(create({ ...wanted, weight: 0.5 }))).toEqual([]);
  });

  it('known formats are held to, unknown ones are not', () => {
    expect(problemsOf(create({ ...wanted, baked_at: 'yesterday', odd: '?' }))).toEqual([
      'request body /baked_at: must match format "date-time"',
    ]);
  });

  it('a body that is required, not taken, or of another content type is a problem', () => {
    expect(problemsOf(create(null, { contentType: null }))).toEqual(['request body: is required and was not sent']);
    expect(problemsOf(create(wanted, { contentType: 'text/plain' }))).toEqual([
      'request body: has content type text/plain, the operation takes application/json',
    ]);
    expect(problemsOf(create(wanted, { contentType: 'application/json; charset=utf-8' }))).toEqual([]);
    const remove: Partial<Exchange> = { method: 'DELETE', path: '/api/v1/loaves/7', status: 204 };
    expect(problemsOf({ ...remove, contentType: 'application/json', body: {} })).toEqual(['request body: the operation takes no body']);
    expect(problemsOf(remove)).toEqual([]);
  });
});

describe('form bodies', () => {
  it('bracket notation is read as the schema names it', () => {
    const fields = [
      ['count', '2'],
      ['gift', 'true'],
      ['tags[]', 'a'],
      ['tags[]', '1'],
      ['metadata[scope]', 'pr-7'],
      ['lines[0][loaf]', '7'],
      ['lines[0][cut]', 'false'],
      ['lines[1][loaf]', '8'],
    ] as const;
    expect(problemsOf(order(fields))).toEqual([]);
  });

  it('a branch that only text can meet is taken as text', () => {
    expect(
      problemsOf(
        order([
          ['count', '2'],
          ['metadata', ''],
        ]),
      ),
    ).toEqual([]);
  });

  it('lists may repeat a plain name or use numbers', () => {
    expect(
      problemsOf(
        order([
          ['count', '1'],
          ['tags', 'a'],
          ['tags', 'b'],
        ]),
      ),
    ).toEqual([]);
    expect(
      problemsOf(
        order([
          ['count', '1'],
          ['tags', 'a'],
        ]),
      ),
    ).toEqual([]);
    expect(
      problemsOf(
        order([
          ['count', '1'],
          ['lines[][loaf]', '1'],
          ['lines[][loaf]', '2'],
        ]),
      ),
    ).toEqual([]);
  });

  it('wrong types and members that a closed body does not have are problems', () => {
    expect(problemsOf(order([['count', 'two']]))).toEqual(['request body /count: must be integer']);
    expect(
      problemsOf(
        order([
          ['count', '2'],
          ['colour', 'red'],
        ]),
      ),
    ).toEqual(['request body: must not have the member "colour"']);
    expect(
      problemsOf(
        order([
          ['count', '2'],
          ['lines[0][cut]', 'true'],
        ]),
      ),
    ).toEqual(["request body /lines/0: must have required property 'loaf'"]);
  });
});

describe('answers', () => {
  it('a success that the description does not list is a problem, an outage is not', () => {
    expect(problemsOf(create(wanted, { status: 200 }))).toEqual(["answer 200: must have required property 'message'"]);
    expect(problemsOf(get('/loaves/newest', { status: 202 }))).toEqual(['answer 202: the operation answers 200']);
    expect(problemsOf(get('/loaves/newest', { status: 503 }))).toEqual([]);
  });

  it('ranges and the default stand in for a status', () => {
    expect(problemsOf({ status: 404, answer: { headers: {}, contentType: 'application/json', body: { error: 'no' } } })).toEqual([
      "answer 404: must have required property 'message'",
    ]);
    expect(problemsOf(create(wanted, answered({ message: 'later' }, 429)))).toEqual([]);
  });

  it('a described answer needs its body and its content type', () => {
    expect(problemsOf({ answer: { headers: {}, contentType: null, body: null } })).toEqual(['answer 200: has no body']);
    expect(problemsOf({ answer: { headers: {}, contentType: 'text/html', body: '<p>' } })).toEqual([
      'answer 200: has content type text/html, the operation answers application/json',
    ]);
  });

  it('one that a test planted is not held against the simulation, its request is', () => {
    const planted = { ...create({}), ...answered('nonsense', 201), injected: true };
    expect(problemsOf(planted).every((line) => line.startsWith('request body'))).toBe(true);
    expect(problemsOf(planted)).not.toEqual([]);
  });

  it('a request that the simulation refused as invalid is not reported again', () => {
    expect(problemsOf(create({ label: 1 }, answered({ message: 'label must be text' }, 422)))).toEqual([]);
  });
});

describe('expectContracts', () => {
  it('says that it skips when no folder is given, and refuses a folder that is not there', () => {
    expect(contractsFolder({})).toBeNull();
    expect(() => contractsFolder({ PILOTFISH_CONTRACTS: '/nowhere/at/all' })).toThrow('which does not exist');
    expect(() => expectContracts([{ exchanges: [exchangeOf('/nowhere')] }], null)).not.toThrow();
  });

  it('a provider without a description in the given folder is an error, not a pass', () => {
    expect(() => expectContracts([{ exchanges: [{ ...exchangeOf('/v1/jars'), provider: 'cellar' }] }], import.meta.dirname)).toThrow(
      'cellar.openapi.json',
    );
  });
});

function answered(body: unknown, status = 200): Partial<Exchange> {
  return { status, answer: { headers: {}, contentType: 'application/json', body } };
}

function exchangeOf(path: string): Exchange {
  return {
    provider: 'bakery',
    origin: 'https://eu.bakery.example',
    method: 'GET',
    path,
    query: {},
    headers: {},
    credentials: [],
    contentType: null,
    body: null,
    status: 200,
    answer: { headers: {}, contentType: 'application/json', body: loaf },
    injected: false,
  };
}
