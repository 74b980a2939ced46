import { describe, expect, it } from 'vitest';
import { differencesOf, seenBy } from './compare.ts';
import type { Passed } from './tap.ts';

const look = (body: unknown, path = '/origins'): Passed => ({
  method: 'GET',
  url: new URL(`https://api.acme.example${path}`),
  headers: {},
  body: '',
  answer: { status: 200, headers: { 'content-type': 'application/json' }, bytes: Buffer.from(JSON.stringify(body)) },
  isLost: false,
});
const differences = (before: unknown, after: unknown, path?: string) =>
  differencesOf(seenBy([look(before, path)]), seenBy([look(after, path)]), 'pilotfish-live-abcdef');

describe('what stands after a proof', () => {
  it.each([
    [{ list: ['a', 'b'] }, { list: ['a'] }, ['/body/list']],
    [{ list: ['a'] }, { list: ['a', 'mine'] }, ['/body/list']],
    [{ list: [{ name: 'a', on: true }] }, { list: [{ name: 'a', on: false }] }, ['/body/list/*/on']],
    [{ more: { name: 'a' } }, {}, ['/body/more']],
    [{ count: 1 }, { count: 2 }, ['/body/count']],
  ])('is other than before: %j and %j', (before, after, changed) => {
    expect(differences(before, after)).toEqual({ changed, wentOn: [] });
  });

  it.each([
    [{ list: ['a', 'b'] }, { list: ['b', 'a'] }, []],
    [{ updatedAt: 1 }, { updatedAt: 2 }, ['/body/updatedAt']],
    [{ when: '2026-11-27T10:00:00Z' }, { when: '2026-11-27T10:00:01Z' }, ['/body/when']],
    [{}, { list: [] }, ['/body/list']],
    [{ etag: '"a"' }, { etag: '"b"' }, ['/body/etag']],
  ])('is as before: %j and %j', (before, after, wentOn) => {
    expect(differences(before, after)).toEqual({ changed: [], wentOn });
  });

  it('is as before where the service remembers the removed object itself', () => {
    const path = '/objects/shop-pilotfish-live-abcdef';
    expect(differences({ error: 'none' }, { deleted: true }, path).changed).toEqual([]);
    expect(differences({ error: 'none' }, { deleted: true }, '/objects/shop').changed).not.toEqual([]);
  });
});
