import { describe, expect, it } from 'vitest';
import { Sealed } from '../../src/core/sealed.ts';
import type { RequestSpec } from '../../src/http/types.ts';
import { block, failureOf, ok, token, world } from './harness.ts';

const look: RequestSpec = {
  method: 'POST',
  path: '',
  graphql: { query: 'query($p: ID!) { project(id: $p) { name } }', variables: { p: 'p1' }, data_path: '/project' },
};
const put: RequestSpec = {
  method: 'POST',
  path: '',
  graphql: { query: 'mutation($i: I!) { put(input: $i) { id name } }', variables: { i: 1 }, data_path: '/put' },
};
const read = { purpose: 'read', idempotent: true } as const;
const write = { purpose: 'write' } as const;
const error = (message: string, extensions?: object) => ({ message, ...(extensions && { extensions }) });

describe('a GraphQL request', () => {
  it('is posted to the base URL as JSON, whatever the encoding of the block, and shows what stands at its data path', async () => {
    const { client, requests } = world(() => ok({ data: { project: { name: 'shop' }, other: 1 } }));
    const answer = await client.api({ ...block, encoding: 'form' }).send(look, read);
    expect(answer).toMatchObject({ status: 200, body: { name: 'shop' }, data: { project: { name: 'shop' }, other: 1 } });
    expect(requests[0]?.url).toBe('https://api.acme.example/v1');
    expect(requests[0]?.headers.get('content-type')).toBe('application/json');
    expect(await requests[0]?.json()).toEqual({ query: look.graphql?.query, variables: { p: 'p1' } });
  });

  it('shows a scalar as its value', async () => {
    for (const value of [true, 0, '']) {
      const { api } = world(() => ok({ data: { put: value } }));
      expect((await api.send(put, write)).body).toEqual({ value });
    }
  });

  it('reveals a secret variable only in what leaves, and masks it', async () => {
    const { api, requests, redactor } = world(() => ok({ errors: [error('bad hunter2-hunter2', { code: 'BAD_USER_INPUT' })] }));
    const variables = { i: { key: new Sealed('hunter2-hunter2', 'env://X') } };
    const failure = await failureOf(
      api.send({ ...put, graphql: { ...put.graphql, query: 'mutation', data_path: '/put', variables } }, write),
    );
    expect(await requests[0]?.json()).toMatchObject({ variables: { i: { key: 'hunter2-hunter2' } } });
    expect(failure.detail).toContain('bad ***');
    expect(redactor.text('hunter2-hunter2')).toBe('***');
  });

  it('of a look is joined with an equal one, and with no other', async () => {
    const { api, requests } = world(() => ok({ data: { project: { name: 'shop' } } }));
    const shared = { ...read, share: true };
    await Promise.all([api.send(look, shared), api.send(look, shared)]);
    expect(requests).toHaveLength(1);
    const other = { query: look.graphql?.query ?? '', variables: { p: 'p2' }, data_path: '/project' };
    await api.send({ ...look, graphql: other }, shared);
    expect(requests).toHaveLength(2);
  });
});

describe('errors of GraphQL, which come with status 200', () => {
  it.each<[string, object[], string, number]>([
    ['Apollo: nobody is signed in', [error('x', { code: 'UNAUTHENTICATED' })], 'PROVIDER_AUTH', 401],
    ['Railway: the code says nothing, the words do', [error('Not Authorized', { code: 'INTERNAL_SERVER_ERROR' })], 'PROVIDER_AUTH', 401],
    ['New Relic: its error class', [error('x', { errorClass: 'FORBIDDEN' })], 'PROVIDER_AUTH', 403],
    ['GitHub: its type', [{ type: 'NOT_FOUND', message: 'Could not resolve to a Repository' }], 'PROVIDER_NOT_FOUND', 404],
    ['graphql-java: its classification', [error('x', { classification: 'ValidationError' })], 'PROVIDER_INVALID', 400],
    ['words alone', [error('Project does not exist')], 'PROVIDER_NOT_FOUND', 404],
    ['a query that is wrong', [error('Cannot query field "x" on type "Y". Not found')], 'PROVIDER_INVALID', 400],
    ['a duplicate', [error('x', { code: 'ALREADY_EXISTS' })], 'PROVIDER_CONFLICT', 409],
    ['a full account', [error('x', { code: 'QUOTA_EXCEEDED' })], 'PROVIDER_QUOTA', 402],
    ['bad input', [error('x', { code: 'BAD_USER_INPUT' })], 'PROVIDER_INVALID', 400],
    ['nothing that is known', [error('Computer says no')], 'PROVIDER_INVALID', 400],
    ['a refusal beside a "not found"', [error('not found'), error('x', { code: 'FORBIDDEN' })], 'PROVIDER_AUTH', 403],
  ])('are told by the same codes: %s', async (_, errors, code, status) => {
    const { api } = world(() => ok({ data: { put: null }, errors }));
    expect(await failureOf(api.send(put, write))).toMatchObject({
      code,
      status,
      unanswered: false,
      detail: expect.stringContaining('like a'),
    });
  });

  it('that pass by waiting are waited for, also of a mutation', async () => {
    const { api, requests, clock } = world((_, number) =>
      number < 3 ? ok({ data: null, errors: [error('Rate limit exceeded')] }) : ok({ data: { put: { id: '1' } } }),
    );
    const sending = api.send(put, write);
    await clock.advance(120_000);
    expect((await sending).body).toEqual({ id: '1' });
    expect(requests).toHaveLength(3);
  });

  it('inside of the server are tried again for a look and an idempotent mutation only', async () => {
    const answer = () => ok({ data: null, errors: [error('x', { code: 'INTERNAL_SERVER_ERROR' })] });
    for (const [request, how, sent] of [
      [look, read, 5],
      [put, write, 1],
      [put, { ...write, idempotent: true }, 5],
    ] as const) {
      const { api, requests, clock } = world(answer);
      const failing = failureOf(api.send(request, how));
      await clock.advance(120_000);
      expect(await failing).toMatchObject({ code: 'PROVIDER_TRANSIENT' });
      expect(requests).toHaveLength(sent);
    }
  });

  it('make a look that came with data unbelievable', async () => {
    const { api } = world(() => ok({ data: { project: { name: 'shop' } }, errors: [error('x', { code: 'FORBIDDEN' })] }));
    expect(await failureOf(api.send(look, read))).toMatchObject({ code: 'PROVIDER_AUTH' });
  });

  it('do not undo a mutation whose data is there', async () => {
    const { api } = world(() => ok({ data: { put: { id: '1', name: null } }, errors: [error('name cannot be shown')] }));
    expect((await api.send(put, write)).body).toEqual({ id: '1', name: null });
  });

  it('that say "not found", and a look at nothing, are the 404 that the caller takes for an answer', async () => {
    for (const body of [{ data: { project: null }, errors: [error('not found')] }, { data: { project: null } }]) {
      const { api } = world(() => ok(body));
      expect((await api.send(look, { ...read, accept: [404] })).status).toBe(404);
      const again = world(() => ok(body));
      expect(await failureOf(again.api.send(look, read))).toMatchObject({ code: 'PROVIDER_NOT_FOUND' });
    }
  });

  it('with a status of their own keep it, unless their code says more than 400 or 500', async () => {
    const statuses: readonly (readonly [number, object, string])[] = [
      [401, {}, 'PROVIDER_AUTH'],
      [400, { code: 'UNAUTHENTICATED' }, 'PROVIDER_AUTH'],
      [500, { code: 'FORBIDDEN' }, 'PROVIDER_AUTH'],
      [403, { code: 'BAD_USER_INPUT' }, 'PROVIDER_AUTH'],
    ];
    for (const [status, extensions, code] of statuses) {
      const { api } = world(() => ok({ errors: [error('x', extensions)] }, status));
      expect(await failureOf(api.send(put, write))).toMatchObject({ code });
    }
  });

  it('that name the token do not show it', async () => {
    const { api } = world(() => ok({ errors: [error(`bad token ${token}`, { code: 'UNAUTHENTICATED' })] }));
    const failure = await failureOf(api.send(look, read));
    expect(failure.detail).not.toContain(token);
    expect(failure.fix).toContain('ACME_TOKEN');
  });
});

describe('what is no GraphQL answer', () => {
  it.each<[string, () => Response]>([
    ['a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['another field', () => ok({ data: { projects: [] } })],
    ['nothing', () => ok({})],
  ])('is unreadable, and of a write nobody knows: %s', async (_, answer) => {
    expect(await failureOf(world(answer).api.send(look, read))).toMatchObject({ code: 'PROVIDER_RESPONSE', unanswered: false });
    expect(await failureOf(world(answer).api.send(put, write))).toMatchObject({ code: 'PROVIDER_RESPONSE', unanswered: true });
  });
});
