import { expect, test } from 'vitest';
import { Sealed } from '../core/sealed.ts';
import { type Expr, FromRef, KeepRef, type PlanLine, SecretRef } from '../plan/types.ts';
import { Pending } from '../remote/value.ts';
import type { Op, ParamSpec } from './op.ts';
import { checkResolved, readParams } from './params.ts';

const op = (params: { [name: string]: ParamSpec }, open = false): Op => ({
  kind: 'object',
  doc: 'An object.',
  params,
  open,
  outputs: {},
  bind: () => {
    throw new Error('not bound here');
  },
});
const place = { file: 'p.yaml', line: 1, column: 1 };
const line = (params: PlanLine['params'], texts: { [path: string]: string } = {}, open: string[] = []): PlanLine => ({
  id: 'a',
  place,
  adapter: 'neon',
  op: 'branch',
  recipe: null,
  api: null,
  destroy: null,
  drift: 'put-back',
  credential: null,
  dependsOn: [],
  params,
  placeOf: (path) => ({ file: `p.yaml/${path.join('/')}`, line: 2, column: 1 }),
  textOf: (path) => texts[path.join('/')] ?? null,
  isPublic: (path) => open.includes(path.join('/')),
});
const problems = (spec: ParamSpec, value: Expr): string[] =>
  readParams(op({ x: spec }), line({ x: value })).failures.map((failure) => failure.detail);

const doc = 'A thing.';

test('a slip in the name of a param is one mistake, with the nearest name and the place', () => {
  const name: ParamSpec = { type: 'string', required: true, doc: 'The name.', example: 'pr-1' };
  expect(readParams(op({ name }), line({ nmae: 'x' })).failures.map((failure) => failure.toData())).toEqual([
    expect.objectContaining({ code: 'PARAM_INVALID', detail: expect.stringContaining('Did you mean "name"?'), place: 'p.yaml/nmae:2:1' }),
  ]);
  expect(readParams(op({ name }), line({ colour: 'x' })).failures.map((failure) => failure.toData())).toEqual([
    expect.objectContaining({ detail: expect.stringContaining('"colour"'), place: 'p.yaml/colour:2:1' }),
    expect.objectContaining({ detail: 'a lacks the param name: The name.', fix: 'Add `name:`, for example "pr-1".', place: 'p.yaml:1:1' }),
  ]);
});

test('the error for a missing param says where its value is found', () => {
  const zone: ParamSpec = { type: 'string', required: true, doc: 'The zone.', todo: 'Dashboard, Overview.', example: 'z1' };
  const [failure] = readParams(op({ zone }), line({})).failures;
  expect(failure?.fix).toBe('Add `zone:`, for example "z1". Where its value is found: Dashboard, Overview.');
});

test('the error for a value of the wrong form shows an example, and says where the value is found', () => {
  const zone: ParamSpec = { type: 'string', pattern: '^z[0-9]$', doc: 'The zone.', todo: 'Dashboard, Overview.', example: 'z1' };
  expect(readParams(op({ zone }), line({ zone: 'one' })).failures.map(({ detail, fix }) => [detail, fix])).toEqual([
    [
      'a.zone must match ^z[0-9]$.',
      'Correct the param at the place shown, for example "z1". Where its value is found: Dashboard, Overview.',
    ],
  ]);
  const [failure] = readParams(op({ size: { type: 'integer', doc, example: { from: 'a.size' } } }), line({ size: 'x' })).failures;
  expect(failure?.fix).toBe('Correct the param at the place shown.');
});

test('names that every object inherits are unknown params', () => {
  expect(readParams(op({}), line({ constructor: 'x' })).failures).toHaveLength(1);
});

test('defaults fill what the line leaves out', () => {
  const spec = { size: { type: 'integer', default: 3, doc }, tags: { type: 'list', doc } } as const;
  expect(readParams(op(spec), line({})).params).toEqual({ size: 3 });
  expect(readParams(op(spec), line({ size: 9 })).params).toEqual({ size: 9 });
});

test('an unquoted number becomes the text that the plan writes where text is wanted, even in lists', () => {
  const spec = { id: { type: 'string', doc }, ids: { type: 'list', items: 'string', doc } } as const;
  const read = readParams(op(spec), line({ id: 7, ids: [1, 'b'] }, { id: '007', 'ids/0': '1.0' }));
  expect(read.failures).toEqual([]);
  expect(read.params).toEqual({ id: '007', ids: ['1.0', 'b'] });
});

test.each<[ParamSpec, Expr, string]>([
  [{ type: 'string', doc }, null, 'must be text, not empty'],
  [{ type: 'string', doc }, ['a'], 'must be text, not a list'],
  [{ type: 'boolean', doc }, 'yes', 'A quoted value is text'],
  [{ type: 'integer', doc }, 1.5, 'must be a whole number'],
  [{ type: 'integer', doc }, 2 ** 60, 'must be a whole number'],
  [{ type: 'integer', minimum: 1, doc }, 0, 'at least 1'],
  [{ type: 'integer', maximum: 5, doc }, 6, 'at most 5'],
  [{ type: 'list', doc }, 'a', 'Put it into brackets'],
  [{ type: 'list', min_length: 1, doc }, [], 'at least 1 entries'],
  [{ type: 'map', doc }, ['a'], 'must be a map'],
  [{ type: 'string', enum: ['single', 'batch'], doc }, 'bacth', 'Did you mean "batch"?'],
  [{ type: 'list', items: 'string', enum: ['preview'], doc }, ['prevew'], 'a.x.0 must be one of preview'],
  [{ type: 'string', pattern: '^/', doc }, 'api', 'must match ^/'],
  [{ type: 'string', max_length: 2, doc }, 'äöü', 'at most 2 characters; it has 3'],
  [{ type: 'string', format: 'url', doc }, 'example.com', 'a full http or https URL'],
  [{ type: 'string', format: 'https_url', doc }, 'http://example.com', 'a full https URL'],
  [{ type: 'string', format: 'hostname', doc }, 'https://example.com', 'a host name'],
  [{ type: 'string', format: 'hostname', doc }, 'example.com:80', 'a host name'],
  [{ type: 'string', format: 'uuid', doc }, '123', 'a UUID'],
  [{ type: 'string', format: 'digits', doc }, '12a', 'digits only'],
])('%j refuses %j: %s', (spec, value, words) => {
  expect(problems(spec, value).join('\n')).toContain(words);
});

test.each<[ParamSpec, Expr]>([
  [{ type: 'string', format: 'url', doc }, 'http://localhost:3000/a?b'],
  [{ type: 'string', format: 'hostname', doc }, 'a-b.example.com'],
  [{ type: 'string', format: 'uuid', doc }, '123e4567-e89b-12d3-a456-426614174000'],
  [{ type: 'string', max_length: 1, doc }, '😀'],
  [{ type: 'any', doc }, null],
  [{ type: 'map', doc }, { a: [{ b: 1 }] }],
])('%j takes %j', (spec, value) => {
  expect(problems(spec, value)).toEqual([]);
});

test('a reference may stand in place of any literal', () => {
  const refs = [new FromRef('b', 'id', place), new SecretRef('env://A_KEY', place), new KeepRef(place)];
  for (const ref of refs) {
    for (const type of ['string', 'boolean', 'integer', 'list', 'map'] as const)
      expect(problems({ type, required: true, doc }, ref)).toEqual([]);
    expect(problems({ type: 'list', items: 'string', doc }, [ref])).toEqual([]);
    expect(problems({ type: 'map', doc }, { a: { b: ref } })).toEqual([]);
  }
});

test('a secret param refuses literals, except public ones', () => {
  const spec = { value: { type: 'string', secret: true, doc } } as const;
  const [failure] = readParams(op(spec), line({ value: 'hunter2' })).failures;
  expect(failure?.code).toBe('SECRET_LITERAL');
  expect(failure?.detail).not.toContain('hunter2');
  expect(readParams(op(spec), line({ value: 12345678 }, { value: '12345678' })).failures[0]?.code).toBe('SECRET_LITERAL');
  expect(readParams(op(spec), line({ value: 'shown' }, {}, ['value'])).failures).toEqual([]);
});

test('an open op takes further params and names its own problems', () => {
  const own: Op = { ...op({}, true), problems: (params) => Object.keys(params).map((name) => `${name} is odd.`) };
  const read = readParams(own, line({ find: { path: '/x' } }));
  expect(read.params).toEqual({ find: { path: '/x' } });
  expect(read.failures.map((failure) => failure.detail)).toEqual(['a: find is odd.']);
});

test('a mistake in a part of an open op’s params has the place of that part', () => {
  const own: Op = { ...op({}, true), problems: () => ['The line is odd.', { detail: 'find.path is odd.', at: ['find', 'path'] }] };
  expect(readParams(own, line({ find: { path: '/x' } })).failures.map((failure) => failure.toData())).toEqual([
    expect.objectContaining({ detail: 'a: The line is odd.', place: 'p.yaml/:2:1' }),
    expect.objectContaining({ detail: 'a: find.path is odd.', place: 'p.yaml/find/path:2:1' }),
  ]);
});

test('a value from a reference must follow the same rules, and no error quotes a secret', () => {
  const digits = op({ id: { type: 'string', format: 'digits', doc } });
  expect(checkResolved(digits, { id: 'x1' })[0]?.failure.detail).toBe('id must be digits only.');
  const [wrong] = checkResolved(digits, { id: new Sealed('hunter2', 'env://ID') });
  expect(wrong?.failure.detail).toContain('env://ID');
  expect(wrong?.failure.detail).not.toContain('hunter2');
  expect(checkResolved(digits, { id: new Pending('a', 'id') })).toEqual([]);
  expect(checkResolved(digits, { id: '12' })).toEqual([]);
  expect(checkResolved(digits, { id: 12 })).toEqual([]);
  const hosts = op({ hosts: { type: 'list', items: 'string', format: 'hostname', doc } });
  expect(checkResolved(hosts, { hosts: ['a.example', 'b.example/path'] })[0]?.failure.detail).toBe(
    'hosts.1 must be a host name without scheme, port or path.',
  );
  expect(checkResolved(hosts, { hosts: ['a.example', new Pending('a', 'host')] })).toEqual([]);
});
