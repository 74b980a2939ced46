import { describe, expect, it } from 'vitest';
import { graphqlFlaws } from './check-graphql.ts';
import { readSchema } from './graphql-read.ts';

const schema = readSchema(`
# A bakery.
scalar Day
schema { query: Shop mutation: Till }
enum Size { SMALL "Enough for four." LARGE }
input OrderInput { size: Size! note: String count: Int = 1 days: [Day!] }
type Loaf { id: ID!, size: Size! baker: Baker }
type Baker { name: String! }
type Shop { loaf(id: ID!, fresh: Boolean = true): Loaf loaves: [Loaf!]! }
type Till { """Orders one.""" order(input: OrderInput!): Loaf! }
`);

const query = 'query one($id: ID!) { loaf(id: $id) { id size baker { name } } }';
const order = 'mutation($input: OrderInput!) { made: order(input: $input) { id } }';
const whats = (document: string, variables: unknown, answer: unknown = null): string[] =>
  graphqlFlaws(schema, { query: document, variables }, answer).map(({ at, what }) => `${at}: ${what}`);

describe('a GraphQL document', () => {
  it('is right when its fields, arguments and variables are those of the schema', () => {
    expect(whats(query, { id: 'l1' }, { data: { loaf: { id: 'l1', size: 'SMALL', baker: null } } })).toEqual([]);
    expect(whats(query, { id: 'l1' }, { data: { loaf: null } })).toEqual([]);
    expect(whats(order, { input: { size: 'LARGE', days: ['Monday'] } }, { data: { made: { id: 'l2' } } })).toEqual([]);
    expect(whats('{ loaves { id } }', undefined, { data: { loaves: [{ id: 'l1' }] } })).toEqual([]);
  });

  it.each([
    ['{ cake { id } }', {}, 'Shop has no field cake'],
    ['{ loaves }', {}, 'loaves is an object and its fields are not named'],
    ['{ loaves { id { x } } }', {}, 'id is a value and has no fields'],
    ['{ loaf { id } }', {}, 'loaf lacks the argument id'],
    ['query($id: ID) { loaf(id: $id) { id } }', { id: 'l1' }, 'id takes ID!, and id is ID'],
    ['query($id: ID!) { loaf(id: $id, old: $id) { id } }', { id: 'l1' }, 'loaf has no argument old'],
    ['query { loaf(id: $id) { id } }', {}, 'the variable id is not declared'],
    [query, { id: 'l1', more: 1 }, 'the document declares no such variable'],
    [query, {}, 'must be ID!'],
    [order, { input: {} }, 'must be Size!'],
    [order, { input: { size: 'small' } }, 'must be Size!'],
    [order, { input: { size: 'SMALL', sice: 1 } }, 'OrderInput has no such field'],
    [order, { input: { size: 'SMALL', count: '2' } }, 'must be Int'],
    ['{ loaves { id }', {}, '} is missing'],
    ['{ loaves { ...all } }', {}, '... is not read here'],
  ])('%s with %j is refused: %s', (document, variables, what) => {
    expect(whats(document, variables)).toEqual([expect.stringContaining(what)]);
  });

  it('is not answered by data that its schema does not give', () => {
    const answers = (loaf: unknown): string[] => whats(query, { id: 'l1' }, { data: { loaf } });
    expect(answers({ id: 'l1', size: 'HUGE', baker: null })).toEqual(['answer /data/loaf/size: must be Size!']);
    expect(answers({ id: null, size: 'SMALL', baker: null })).toEqual(['answer /data/loaf/id: must be ID!']);
    expect(answers({ id: 'l1', size: 'SMALL' })).toEqual(['answer /data/loaf/baker: was asked for and is not there']);
    expect(whats('{ loaves { id } }', {}, { data: { loaves: {} } })).toEqual(['answer /data/loaves: must be a list']);
    expect(whats(query, { id: 'l1' }, { data: { loaf: 7 }, errors: [{ message: 'no' }] })).toEqual([]);
  });
});
