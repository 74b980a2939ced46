import { describe, expect, it } from 'vitest';
import { block } from '../../../test/support/fake-http.ts';
import { Sealed } from '../../core/sealed.ts';
import { recordIdOf } from '../../remote/find.ts';
import { Kept, Pending, PendingValue } from '../../remote/value.ts';
import type { ItemBound, Params } from '../bound.ts';
import type { BindContext } from '../op.ts';
import { listItem } from './list-item.ts';

const context: BindContext = { block, environment: 'preview', scope: 'pr-12', sha: null, branch: null };
const callback = { parent: { path: '/clients/abc', method: 'PATCH' }, list_path: '/callbacks', item: 'https://a.test' } satisfies Params;

function bind(params: Params): ItemBound {
  const bound = listItem.bind(params, context);
  if (bound.kind !== 'item') throw new Error('not an item');
  return bound;
}

const refused = (detail: string) => expect.objectContaining({ code: 'PARAM_INVALID', detail: expect.stringContaining(detail) });

it('has parent, list and item as its identity, however the list is spelled', () => {
  const bound = bind(callback);
  expect(bound.key).toBe('/clients/abc#callbacks=https://a.test');
  expect(bind({ ...callback, list_path: 'callbacks' }).key).toBe(bound.key);
  expect(recordIdOf(bound.reach, 'https://a.test')).toBe(bound.key);
});

it('locks the parent, whichever list of it the item stands in', () => {
  const other = { ...callback, list_path: 'web_origins', parent: { ...callback.parent, read_path: '/clients/abc?fields=web_origins' } };
  expect(bind(other).lockOn).toBe(bind(callback).lockOn);
  expect(bind({ ...callback, parent: { ...callback.parent, path: '/clients/def' } }).lockOn).not.toBe(bind(callback).lockOn);
});

describe('the entry', () => {
  it('is the item itself in a plain list, and a number stays a number', () => {
    expect(bind(callback)).toMatchObject({ entry: 'https://a.test', fields: { item: 'https://a.test' } });
    expect(bind({ ...callback, item: 5 }).entry).toBe(5);
  });

  it('is a map that names itself under key_field', () => {
    const bound = bind({ ...callback, key_field: '/meta/name', value: { on: true, meta: { by: 'x' } } });
    expect(bound.entry).toEqual({ on: true, meta: { by: 'x', name: 'https://a.test' } });
  });

  it('is the value of a map, which may be secret or pending or kept', () => {
    const map = { ...callback, shape: 'map', item: 'KEY' };
    for (const value of [new Sealed('s3cret', 'env://S'), new Pending('db', 'url'), new Kept()]) {
      expect(bind({ ...map, value }).entry).toBe(value);
    }
  });

  it('leaves out members that are kept, and a list in it cannot have any', () => {
    const rule = { ...callback, key_field: '/name' };
    const value = { on: new Kept(), meta: { by: new Kept(), at: 1 } };
    expect(bind({ ...rule, value }).entry).toEqual({ name: 'https://a.test', meta: { at: 1 } });
    expect(() => bind({ ...rule, value: { tags: [new Kept()] } })).toThrow(expect.objectContaining({ code: 'PARAM_INVALID' }));
  });
});

it('waits for an item that does not exist yet, and takes no secret one', () => {
  expect(() => bind({ ...callback, item: new Pending('deploy', 'url') })).toThrow(PendingValue);
  expect(() => bind({ ...callback, item: new Sealed('s3cret', 'env://S') })).toThrow(refused('env://S'));
});

it.each([
  [{ shape: 'map' }, 'needs a value'],
  [{ shape: 'map', value: 1, key_field: 'x' }, 'belongs to a list of maps'],
  [{ value: 1 }, 'needs key_field'],
  [{ key_field: 'name', value: 'text' }, 'must be a map'],
  [{ shape: 'delimited', item: 'a,b' }, 'separate the entries'],
  [{ item: ' ' }, 'item is empty'],
  [{ parent: { path: '/x', method: 'DELETE' } }, 'parent.method'],
  [{ list_pth: 'x' }, 'Did you mean "list_path"?'],
])('%j is refused', (change, words) => {
  expect(() => bind({ ...callback, ...change })).toThrow(refused(words));
});
