import { expect, it } from 'vitest';
import { block, fakeHttp } from '../../test/support/fake-http.ts';
import { problemsOf } from '../../test/support/problems-of.ts';
import type { Params } from '../ops/bound.ts';
import { listItem } from '../ops/generic/list-item.ts';
import { resource } from '../ops/generic/resource.ts';
import type { BindContext } from '../ops/op.ts';
import { applyEntries, entryOf, readParent } from './parent.ts';

const context: BindContext = { block, environment: 'preview', scope: 'pr-12', sha: null, branch: null };
const { signal } = new AbortController();

it('a field is as planned where its provider writes it in other letters, or leaves a default out of an entry', async () => {
  const params: Params = {
    find: { path: '/servers', list_path: '/data', match: { name: 'pr-12' } },
    create: { path: '/servers' },
    fields: { colour: 'Blue', rules: [{ type: 'A', negate: false, tag: 'Box' }] },
    compare: {
      colour: { ignore_case: true },
      rules: { members: { '/*/negate': { default: false }, '/*/tag': { ignore_case: true } } },
    },
  };
  const bound = resource.bind(params, context);
  if (bound.kind !== 'object') throw new Error('not an object');
  const seen = async (change: object) => {
    const data = [{ id: '1', name: 'pr-12', colour: 'blue', rules: [{ type: 'A', tag: 'BOX' }], ...change }];
    const [live] = await bound.find({ http: fakeHttp(() => ({ body: { data } })), signal, note: () => {} });
    return live?.values;
  };
  expect(await seen({})).toEqual({ colour: 'Blue', rules: [{ type: 'A', negate: false, tag: 'Box' }] });
  expect(await seen({ colour: 'red', rules: [{ type: 'A', negate: true, tag: 'x' }] })).toEqual({
    colour: 'red',
    rules: [{ type: 'A', negate: true, tag: 'x' }],
  });
});

it('an entry of a list is as planned where its provider leaves a default out, and is written when its value is another', async () => {
  const line = {
    parent: { path: '/flags/checkout', method: 'PUT' },
    list_path: 'rules',
    key_field: '/matchers/0/text',
    item: 'pr-12',
    value: { matchers: [{ type: 'IN', text: 'pr-12', negate: false }] },
    compare: { '/matchers/*/negate': { default: false } },
  } satisfies Params;
  expect(problemsOf(listItem, line)).toEqual([]);
  const { reach, entry } = listItem.bind(line, context) as Extract<ReturnType<typeof listItem.bind>, { kind: 'item' }>;
  expect(reach.parent).toMatchObject({ alike: { '/matchers/*/negate': { default: false } } });
  const read = (negate?: boolean) => {
    const matcher = { type: 'IN', text: 'pr-12', ...(negate !== undefined && { negate }) };
    return readParent(
      fakeHttp(() => ({ body: { rules: [{ matchers: [matcher] }] } })),
      reach.parent,
      { signal },
    );
  };
  expect(entryOf(await read(), 'pr-12', entry)).toEqual(line.value);
  const change = [{ item: 'pr-12', entry: line.value }];
  expect(applyEntries(await read(), reach.parent, change).changed).toBe(false);
  expect(applyEntries(await read(false), reach.parent, change).changed).toBe(false);
  expect(applyEntries(await read(true), reach.parent, change)).toMatchObject({ changed: true, body: { rules: [line.value] } });
});
