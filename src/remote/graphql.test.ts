import { describe, expect, it } from 'vitest';
import { fakeHttp } from '../../test/support/fake-http.ts';
import { problemsOf } from '../../test/support/problems-of.ts';
import { Failure } from '../core/errors.ts';
import { Sealed } from '../core/sealed.ts';
import type { Params } from '../ops/bound.ts';
import { bindAction } from '../ops/generic/action.ts';
import { bindListItem, listItem } from '../ops/generic/list-item.ts';
import { bindResource as bindTo, resource } from '../ops/generic/resource.ts';
import { recordIdOf, removeObject } from './find.ts';
import { Pending, PendingValue } from './value.ts';

const bindResource = (params: Params) => bindTo(params, { environment: 'preview', scope: 'pr-12' });
const signal = new AbortController().signal;
const block = { api: 'railway', base_url: 'https://api.test/graphql', auth: null };
const look = 'query look($project: String!, $after: String) { variables(project: $project, after: $after) { edges { node { id name } } } }';
const put = 'mutation put($input: Put!) { variableUpsert(input: $input) { id } }';
const drop = 'mutation drop($id: ID!) { variableDelete(id: $id) }';

const line: Params = {
  find: {
    graphql: { query: look, variables: { project: 'p1' }, data_path: '/variables/edges' },
    entry_path: '/node',
    match: { name: 'API_URL' },
    page: { kind: 'cursor', next: '/variables/pageInfo/endCursor', more: '/variables/pageInfo/hasNextPage', param: 'after' },
  },
  create: {
    graphql: { query: put, variables: { input: { project: 'p1', name: 'API_URL' } }, data_path: '/variableUpsert' },
    fields_at: '/input',
  },
  delete: { graphql: { query: drop, variables: { id: '{id}' }, data_path: '/variableDelete' } },
  fields: { name: 'API_URL' },
};
const secret = new Sealed('s3cret-s3cret', 'env://S');
const refused = (words: string) => expect.objectContaining({ code: 'PARAM_INVALID', detail: expect.stringContaining(words) });
const with_ = (part: 'find' | 'create' | 'delete', graphql: object): Params => ({
  ...line,
  [part]: { ...(line[part] as object), graphql: { ...(line[part] as { graphql: object }).graphql, ...graphql } },
});

describe('a GraphQL line', () => {
  it('has the root field, its variables, the data path and the match as its key', () => {
    expect(bindResource(line).key).toBe('variables({"project":"p1"})/variables/edges[node/name=API_URL]');
    // The layout of the query and the members that it asks for are not part of the identity.
    expect(bindResource(with_('find', { query: look.replaceAll(' ', '  ') })).key).toBe(bindResource(line).key);
    const { find: _none, ...rest } = line;
    const read = {
      graphql: { query: 'query($id: ID!) { variable(id: $id) { id name } }', variables: { id: '{id}' }, data_path: '/variable' },
    };
    expect(bindResource({ ...rest, read, chosen_id: 'v1' }).key).toBe('variable({"id":"v1"})/variable');
  });

  it('has the mutation that removes it as its record id, and a destroy sends that mutation from the ledger alone', async () => {
    const { reach } = bindResource(line);
    if (reach.kind !== 'object') throw new Error('it is an object');
    expect(recordIdOf(reach, 'v1')).toBe('mutation variableDelete({"id":"v1"})');
    const http = fakeHttp(() => ({ body: { value: true } }));
    expect(await removeObject(http, reach, 'v1', signal)).toBe('removed');
    expect(http.sent[0]).toMatchObject({
      request: { method: 'POST', path: '', graphql: { query: drop, variables: { id: 'v1' } } },
      options: { purpose: 'write', idempotent: false },
    });
    const gone = fakeHttp(() => ({ status: 404 }));
    expect(await removeObject(gone, reach, 'v1', signal)).toBe('gone');
  });

  it('never fills an id into the text of its query, where {id} asks for a member', () => {
    const query = 'mutation($id: ID!) { variableDelete(id: $id) {id} }';
    const { reach } = bindResource(with_('delete', { query }));
    if (reach.kind !== 'object' || !reach.remove) throw new Error('it can be removed');
    expect(reach.remove.graphql?.query).toBe(query);
  });

  it('finds in the edges of every page, by the cursor beside them, until there is no more', async () => {
    const page = (name: string, endCursor: string, hasNextPage: boolean) => {
      const edges = [{ node: { id: `id-${name}`, name } }];
      return { body: edges, data: { variables: { edges, pageInfo: { endCursor, hasNextPage } } } };
    };
    const fake = fakeHttp(() => ({}));
    const http = {
      block: fake.block,
      send: async (...given: Parameters<typeof fake.send>) => {
        await fake.send(...given);
        const after = given[0].graphql?.variables?.after;
        return { status: 200, headers: {}, ...(after === 'c1' ? page('API_URL', 'c2', false) : page('OTHER', 'c1', true)) };
      },
    };
    const [found, ...more] = await bindResource(line).find({ http, signal, note: () => {}, share: false });
    expect(found).toMatchObject({ id: 'id-API_URL', values: { name: 'API_URL' } });
    expect(more).toEqual([]);
    expect(fake.sent.map(({ request, options }) => [request.graphql?.variables, options.purpose])).toEqual([
      [{ project: 'p1' }, 'read'],
      [{ project: 'p1', after: 'c1' }, 'read'],
    ]);
  });

  it('puts its fields at their places in the variables, secrets as they are', async () => {
    const http = fakeHttp(() => ({ body: { id: 'v1', name: 'API_URL' } }));
    const bound = bindResource({ ...line, fields: { name: 'API_URL', value: secret } });
    await bound.create({ http, signal, note: () => {} }, { name: 'API_URL', value: secret });
    expect(http.sent[0]?.request.graphql?.variables).toEqual({ input: { project: 'p1', name: 'API_URL', value: secret } });
    expect(http.sent[0]?.options).toMatchObject({ purpose: 'write', retry: 'none' });
  });

  it('repeats a mutation only where it is idempotent', async () => {
    const http = fakeHttp(() => ({ body: { id: 'v1' } }));
    const bound = bindResource(with_('create', { idempotent: true }));
    await bound.create({ http, signal, note: () => {} }, { name: 'API_URL' });
    expect(http.sent[0]?.options).toMatchObject({ retry: 'table', idempotent: true });
  });

  it.each<[string, Params]>([
    ['the find', with_('find', { variables: { project: secret } })],
    ['the delete', with_('delete', { variables: { id: secret } })],
    ['the data path', with_('find', { data_path: secret })],
  ])('takes no secret in the parts of its key or record id: %s', (_, params) => {
    expect(() => bindResource(params)).toThrow(refused('env://S'));
  });

  it('waits for a variable that does not exist yet', () => {
    expect(() => bindResource(with_('find', { variables: { project: new Pending('app', 'id') } }))).toThrow(PendingValue);
  });

  it.each<[string, Params, string]>([
    ['a mutation that looks', with_('find', { query: put }), 'find.graphql.query is a mutation'],
    ['a query that writes', with_('create', { query: look }), 'create.graphql.query is a query'],
    ['two operations', with_('find', { query: `${look} query other { x }` }), 'holds 2 operations'],
    ['a bracket too few', with_('find', { query: 'query { variables { id }' }), 'a bracket that is not closed'],
    ['a variable that is not used', with_('delete', { variables: { id: '{id}', idx: 1 } }), 'gives idx, which the query does not use'],
    ['another root field', with_('find', { data_path: '/variable/edges' }), 'begins with variable, which the query does not ask for'],
    ['a data path without root', with_('find', { data_path: 'variables' }), 'a pointer that begins with the root field'],
    ['idempotent about a query', with_('find', { idempotent: true }), 'is about mutations'],
    ['a path too', { ...line, find: { ...(line.find as object), path: '/x' } as Params }, 'find has path and graphql'],
    ['a method too', { ...line, delete: { ...(line.delete as object), method: 'POST' } as Params }, 'delete has method and graphql'],
    ['neither', { ...line, create: {} }, 'create.path is missing'],
    [
      'fields that are not sent to a place',
      { ...line, create: { ...(line.create as object), send_fields: false } as Params },
      'create.fields_at says',
    ],
  ])('is refused before any request: %s', (_, params, words) => {
    expect(problemsOf(resource, params).join(' ')).toContain(words);
    expect(() => bindResource(params)).toThrow(Failure);
  });

  it('keeps comments, texts and fragments of a query apart from its operations', () => {
    const query = `# mutation {\n${look} fragment F on V { id } `;
    expect(problemsOf(resource, with_('find', { query }))).toEqual([]);
  });
});

describe('an action by GraphQL', () => {
  const action: Params = {
    trigger: { version: 'abc' },
    identity: ['version'],
    request: {
      graphql: {
        query: 'mutation($d: D!) { createDeployment(deployment: $d) { deploymentId } }',
        variables: { d: { version: 'abc', key: secret } },
        data_path: '/createDeployment',
      },
    },
    outputs: { deployment_id: '/deploymentId' },
  };

  it('is named by its root field, sent once with its secrets, and shows its outputs', async () => {
    const http = fakeHttp(() => ({ body: { deploymentId: 'd1' } }));
    const bound = bindAction(action, { block, api: 'newrelic' });
    expect(bound.key).toBe('mutation createDeployment[version=abc]');
    expect(await bound.send({ http, signal, note: () => {} })).toEqual({ outputs: { deployment_id: 'd1' } });
    expect(http.sent[0]?.request.graphql?.variables).toEqual({ d: { version: 'abc', key: secret } });
  });

  it('needs an API block, and nothing beside it', () => {
    expect(() => bindAction(action, { block, api: null })).toThrow(refused('names no api'));
    const twice = { ...action, request: { ...(action.request as object), url: 'https://a.test' } } as Params;
    expect(() => bindAction(twice, { block, api: 'newrelic' })).toThrow(refused('either url or path, or graphql'));
  });
});

describe('a list by GraphQL', () => {
  const read = { graphql: { query: 'query($p: ID!) { variables(p: $p) }', variables: { p: 'p1' }, data_path: '/variables' } };
  const write = { graphql: { query: 'mutation($input: I!) { put(input: $input) }', variables: { input: { p: 'p1' } }, data_path: '/put' } };
  const item: Params = { parent: { read, write, write_list_path: '/input/vars' }, list_path: '', shape: 'map', item: 'A', value: '1' };

  it('takes its key and its lock from its read', () => {
    const bound = bindListItem(item, { block });
    expect(bound.key).toBe('variables({"p":"p1"})/variables#=A');
    expect(bound.lockOn).toBe('https://api.test/graphql#variables({"p":"p1"})');
    expect(recordIdOf(bound.reach, 'A')).toBe(bound.key);
  });

  it.each<[string, object, string]>([
    ['a look without a write', { write: undefined }, 'belong together'],
    ['a path too', { path: '/x' }, 'parent.path has no meaning beside GraphQL'],
    ['no place for the collection', { write_list_path: undefined }, 'parent.write_list_path is missing'],
    ['a version', { version: { from: 'etag', header: 'If-Match' } }, 'parent.version has no meaning'],
  ])('is refused: %s', (_, change, words) => {
    const parent = Object.fromEntries(Object.entries({ ...(item.parent as object), ...change }).filter(([, value]) => value !== undefined));
    expect(problemsOf(listItem, { ...item, parent }).join(' ')).toContain(words);
  });
});
