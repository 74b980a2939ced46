import { describe, expect, it } from 'vitest';
import { fakeHttp } from '../../test/support/fake-http.ts';
import type { Collection } from './collection.ts';
import { applyEntries, readParent, writeParent } from './parent.ts';
import type { ParentSpec } from './parent-spec.ts';

const signal = new AbortController().signal;
const variables: ParentSpec = { path: '/branches/a', method: 'POST', list_path: '/vars', shape: 'map', empty_as: { ' ': '' } };
const versioned: ParentSpec = { path: '/flags/7', method: 'PATCH', list_path: '/filters/groups', shape: 'array', send: ['filters'] };

const read = (spec: ParentSpec, body: unknown): Promise<Collection> =>
  readParent(
    fakeHttp(() => ({ body })),
    spec,
    { signal },
  );

describe('an empty collection', () => {
  it('is written in the provider’s form, and any other collection as it is', async () => {
    const live = await read(variables, { vars: { A: '1', B: '2' } });
    const without = (...items: string[]) =>
      applyEntries(
        live,
        variables,
        items.map((item) => ({ item, entry: null })),
      );
    expect(without('A', 'B')).toMatchObject({ changed: true, body: { vars: { ' ': '' } } });
    expect(without('A').body).toEqual({ vars: { B: '2' } });
  });

  it('may be null for the provider', async () => {
    const spec: ParentSpec = { ...versioned, empty_as: null };
    const live = await read(spec, { filters: { groups: ['a'], other: 1 } });
    expect(applyEntries(live, spec, [{ item: 'a', entry: null }]).body).toEqual({ filters: { groups: null, other: 1 } });
  });
});

describe('a version in the body', () => {
  const spec: ParentSpec = { ...versioned, version: { from: '/version', body: '/version', original: '/original_flag' } };
  const flag = { id: 7, version: 3, filters: { groups: ['a'] } };

  it('is the version of the read, in its type, beside the parent as it was read', async () => {
    const live = await read(spec, flag);
    const { body } = applyEntries(live, spec, [{ item: 'b', entry: 'b' }]);
    expect(body).toEqual({ filters: { groups: ['a', 'b'] }, version: 3, original_flag: flag });
    const http = fakeHttp(() => ({}));
    await writeParent(http, spec, body, { signal, version: live.version });
    expect(http.sent[0]?.request).toEqual({ method: 'PATCH', path: '/flags/7', body });
  });

  it('may stand alone, and members that every write drops are dropped from the parent as it was read, too', async () => {
    const alone: ParentSpec = { ...spec, version: { from: '/version', body: '/meta/version' } };
    expect(applyEntries(await read(alone, flag), alone, [{ item: 'b', entry: 'b' }]).body).toMatchObject({ meta: { version: 3 } });
    const trimmed: ParentSpec = { ...spec, drop: ['/original_flag/id'] };
    expect(applyEntries(await read(trimmed, flag), trimmed, [{ item: 'b', entry: 'b' }]).body).toMatchObject({
      original_flag: { version: 3, filters: { groups: ['a'] } },
    });
  });

  it('is not invented for a parent that does not exist yet', async () => {
    const missing: Collection = { raw: null, entries: [], missing: true };
    expect(applyEntries(missing, spec, [{ item: 'b', entry: 'b' }]).body).toEqual({ filters: { groups: ['b'] } });
  });
});
