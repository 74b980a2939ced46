import { describe, expect, it } from 'vitest';
import { birthOf, isOfBirth, isReborn, shownBirths } from './birth.ts';
import type { FindSpec, Reach } from './reach.ts';

type ObjectReach = Extract<Reach, { kind: 'object' }>;

const list: FindSpec = {
  request: { method: 'GET', path: '/configs', query: { project: 'shop' } },
  list: '',
  match: { '/name': 'pr-12' },
  id: '/id',
};
const reach: ObjectReach = { kind: 'object', find: list, remove: { method: 'DELETE', path: '/configs/{id}' } };
const at = '2026-11-27T10:00:00Z';

describe('an object has a birth', () => {
  it.each<[string, Partial<ObjectReach>, string]>([
    ['whose id the plan chose', { find: { ...list, chosen_id: 'pr-12' } }, 'pr-12'],
    ['that its list is searched by its id for', {}, 'pr-12'],
    ['whose list shows its id in another case', {}, 'PR-12'],
    [
      'whose own path its id is',
      { find: { ...list, request: { method: 'GET', path: '/configs/feat%2Fone' }, list: null, match: {} } },
      'feat/one',
    ],
    ['whose id is in a query', { find: { ...list, request: { method: 'GET', path: '/config?name=pr-12&all=1' }, match: {} } }, 'pr-12'],
    [
      'whose id is in the variables of a request',
      { find: { ...list, match: {}, request: { method: 'POST', path: '', body: { where: [{ name: 'pr-12' }] } } } },
      'pr-12',
    ],
    ['whose delete takes no id', { remove: { method: 'DELETE', path: '/urls', query: { url: 'https://x.test' } } }, '4711'],
  ])('%s', (_, change, id) => {
    expect(birthOf({ ...reach, ...change }, { id, createdAt: at, uid: 'u1' })).toEqual({ uid: 'u1', at });
  });

  it.each<[string, Reach, object]>([
    ['not where the provider gives the id', reach, { id: 'cfg_7d1', createdAt: at }],
    ['not where the provider shows no sign', { ...reach, find: { ...list, chosen_id: 'pr-12' } }, { id: 'pr-12' }],
    [
      'not where each write moves the only sign',
      { ...reach, find: { ...list, chosen_id: 'pr-12', created_at_moves: true } },
      { id: 'pr-12', createdAt: at },
    ],
    ['not where it is an entry of a list', { kind: 'none' }, { id: 'pr-12', createdAt: at }],
  ])('%s', (_, where, shown) => {
    expect(birthOf(where, shown as { id: string })).toBeUndefined();
  });
});

describe('another birth', () => {
  it('is told by the id of the provider before its time', () => {
    const birth = { uid: 'U1', at };
    expect(isOfBirth(birth, reach, { uid: 'u1', createdAt: '2026-11-28T10:00:00Z' })).toBe(true);
    expect(isOfBirth(birth, reach, { uid: 'u2', createdAt: at })).toBe(false);
    expect(shownBirths(birth, reach, { uid: 'u2' })).toBe("the provider's own id of it is u2, and that of ours was U1");
  });

  it('is told by the time where one of them shows no id', () => {
    expect(isReborn({ uid: 'u1', at }, reach, { createdAt: '2026-11-28T10:00:00Z' })).toBe(true);
    expect(isReborn({ at }, reach, { uid: 'u2', createdAt: at })).toBe(false);
    expect(shownBirths({ at }, reach, { createdAt: '1795687200' })).toBe(
      'it was made at 2026-11-26T10:00:00.000Z, and ours at 2026-11-27T10:00:00.000Z',
    );
  });

  it.each([undefined, null, { uid: 'u1' }, { at }, { at: 'soon' }])('is not known from %j where the object shows nothing', (birth) => {
    expect(isOfBirth(birth, reach, {})).toBeUndefined();
  });

  it('is not told by a time that the operation says moves, whatever an earlier version recorded', () => {
    const moving: Reach = { ...reach, find: { ...list, created_at_moves: true } };
    expect(isOfBirth({ at }, moving, { createdAt: '2026-11-28T10:00:00Z' })).toBeUndefined();
  });
});
