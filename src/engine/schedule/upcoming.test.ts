import { describe, expect, it } from 'vitest';
import { newLine } from '../line/phases.ts';
import { Upcoming } from './upcoming.ts';

const lineAt = (id: string, base_url: string) => ({
  ...newLine(id, null, new AbortController().signal),
  http: { block: { api: 'x', base_url, auth: null }, send: () => Promise.reject(new Error('unsent')) },
});

describe('writes that wait for the ledger', () => {
  it('are expected at their host, as many as there are at once', async () => {
    const expected: [string, number][] = [];
    const upcoming = new Upcoming({ expect: ({ base_url }, count) => void expected.push([base_url, count]) });
    const stored = Promise.withResolvers<string>();
    const both = ['https://a.example', 'https://b.example', 'https://a.example'].map((url, n) =>
      upcoming.during(lineAt(`line-${n}`, url), stored.promise),
    );
    expect(expected).toEqual([
      ['https://a.example', 1],
      ['https://b.example', 1],
      ['https://a.example', 2],
    ]);
    stored.resolve('taken');
    expect(await Promise.all(both)).toEqual(['taken', 'taken', 'taken']);
    expected.length = 0;
    await expect(upcoming.during(lineAt('later', 'https://a.example'), Promise.reject(new Error('moved')))).rejects.toThrow('moved');
    await upcoming.during(lineAt('last', 'https://a.example'), Promise.resolve());
    expect(expected).toEqual([
      ['https://a.example', 1],
      ['https://a.example', 1],
    ]);
  });
});
