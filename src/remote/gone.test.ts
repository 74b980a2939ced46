import { describe, expect, it } from 'vitest';
import { block, fakeHttp } from '../../test/support/fake-http.ts';
import { problemsOf } from '../../test/support/problems-of.ts';
import type { Params } from '../ops/bound.ts';
import { resource } from '../ops/generic/resource.ts';
import type { BindContext } from '../ops/op.ts';
import type { UntilGone } from './reach.ts';
import { isGone } from './read.ts';

const { signal } = new AbortController();
const how: UntilGone = { read: { method: 'GET', path: '/apps/{id}' }, seconds: 30 };

describe('whether an object is gone', () => {
  it.each([404, 410])('shows in a read of its own path: %d means gone', async (status) => {
    const http = fakeHttp(() => ({ status }));
    expect(await isGone(http, how, 'shop/a', signal)).toBe(true);
    expect(http.sent).toMatchObject([{ request: { path: '/apps/shop%2Fa' }, options: { purpose: 'read', share: false } }]);
  });

  it('does not follow from an answer that shows the object, nor from one that says nothing about it', async () => {
    expect(
      await isGone(
        fakeHttp(() => ({ body: { state: 'deleting' } })),
        how,
        'a',
        signal,
      ),
    ).toBe(false);
    await expect(
      isGone(
        fakeHttp(() => ({ status: 403 })),
        how,
        'a',
        signal,
      ),
    ).rejects.toMatchObject({ code: 'PROVIDER_AUTH' });
  });

  it('may follow from another status', async () => {
    const answer = fakeHttp(() => ({ status: 403 }));
    expect(await isGone(answer, { ...how, none: [403] }, 'a', signal)).toBe(true);
  });

  it('may follow from the body of an answer, accepted or refused', async () => {
    const says = { ...how, none_match: { '/state': 'deleted' } };
    const answer = (status: number, state: string) => fakeHttp(() => ({ status, body: { state } }));
    expect(await isGone(answer(200, 'deleted'), says, 'a', signal)).toBe(true);
    expect(await isGone(answer(200, 'deleting'), says, 'a', signal)).toBe(false);
    expect(await isGone(answer(400, 'deleted'), says, 'a', signal)).toBe(true);
    await expect(isGone(answer(400, 'deleting'), says, 'a', signal)).rejects.toMatchObject({ status: 400 });
  });
});

describe('delete.until_gone', () => {
  const context: BindContext = { block, environment: 'preview', scope: 'pr-12', sha: null, branch: null };
  const line = (until_gone: Params): Params => ({
    read: { path: '/apps/{id}' },
    chosen_id: 'shop',
    create: { path: '/apps' },
    delete: { path: '/apps/{id}', until_gone },
  });

  it('is kept in the ledger, because a destroy may have nothing else', () => {
    const { reach } = resource.bind(
      line({ path: '/apps/{id}', seconds: 60, none_status: [400], none_match: { '/state': 'deleted' } }),
      context,
    );
    expect(reach).toMatchObject({
      until_gone: { read: { method: 'GET', path: '/apps/{id}' }, seconds: 60, none: [400], none_match: { '/state': 'deleted' } },
    });
  });

  it.each([
    ['no read', { seconds: 5 }, 'delete.until_gone.path is missing.'],
    ['no end', { path: '/apps/{id}' }, 'delete.until_gone.seconds is missing.'],
    ['no time', { path: '/apps/{id}', seconds: 0 }, 'delete.until_gone.seconds is not valid'],
    ['a day', { path: '/apps/{id}', seconds: 86_400 }, 'delete.until_gone.seconds is not valid'],
    ['a slip', { path: '/apps/{id}', second: 5 }, 'Did you mean "seconds"?'],
    [
      'a write',
      { graphql: { query: 'mutation { appDelete }', data_path: '/appDelete' }, seconds: 5 },
      'delete.until_gone.graphql.query is a mutation, but a look must be a query.',
    ],
  ])('is refused with %s', (_, until_gone, sentence) => {
    expect(problemsOf(resource, line(until_gone))).toEqual(expect.arrayContaining([expect.stringContaining(sentence)]));
  });
});
