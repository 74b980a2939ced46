import { describe, expect, test } from 'vitest';
import { applyChoices, type Choices, chosenEntries, noChoice } from './choices.ts';
import type { ParentSpec } from './parent-spec.ts';

const how: Choices = {
  list: '/options',
  id: '/key',
  names: '/people',
  index: '/option',
  match: { '/round': 2 },
  instructions: '/steps',
  add: { do: 'put', who: ['{name}'], on: '{choice}', note: 'not {name}' },
  remove: { do: 'take', who: ['{name}'], on: '{choice}' },
};
const spec: ParentSpec = { path: '/polls/1', method: 'PATCH', list_path: '/votes/final', shape: 'map', body: { poll: 1 }, choices: how };
const raw = {
  options: [
    { key: 'r', label: 'red' },
    { key: 'b', label: 'blue' },
    { key: 'c', label: 'blue' },
  ],
  votes: {
    final: [
      { round: 2, option: 0, people: ['ann', 'bob'] },
      { round: 2, option: 1, people: ['cy'] },
      { round: 1, option: 1, people: ['dee'] },
    ],
  },
};
const collection = { raw, entries: chosenEntries(raw, spec, how), missing: false };
const apply = (...changes: Parameters<typeof applyChoices>[3]) => applyChoices(collection, spec, how, changes);

describe('names under choices', () => {
  test('are entries whose value is their choice; groups of another kind do not count', () => {
    expect(collection.entries.map(({ name, value }) => [name, value])).toEqual([
      ['ann', raw.options[0]],
      ['bob', raw.options[0]],
      ['cy', raw.options[1]],
    ]);
    expect(chosenEntries({ ...raw, votes: {} }, spec, how)).toEqual([]);
  });

  test('need the parent of their groups, and a choice for every group', () => {
    expect(() => chosenEntries({ options: [] }, spec, how)).toThrow(/no votes/);
    expect(() => chosenEntries({ ...raw, options: [] }, spec, how)).toThrow(/no groups/);
    expect(() => chosenEntries({ ...raw, votes: { final: {} } }, spec, how)).toThrow(/no groups/);
  });

  test('are put, moved and taken by instructions, all in one write', () => {
    const { body, changed, next } = apply(
      { item: 'eve', entry: { label: 'red' } },
      { item: 'ann', entry: { key: 'c' } },
      { item: 'cy', entry: null },
    );
    expect(changed).toBe(true);
    expect(body).toEqual({
      poll: 1,
      steps: [
        { do: 'put', who: ['eve'], on: 'r', note: 'not {name}' },
        { do: 'take', who: ['ann'], on: 'r' },
        { do: 'put', who: ['ann'], on: 'c', note: 'not {name}' },
        { do: 'take', who: ['cy'], on: 'b' },
      ],
    });
    expect(next.entries.map(({ name }) => name)).toEqual(['bob', 'eve', 'ann']);
  });

  test('that stand as wanted, or are gone already, are not written', () => {
    expect(apply({ item: 'ann', entry: { label: 'red' } }, { item: 'zoe', entry: null })).toMatchObject({ changed: false });
  });

  test('a name that looks like a placeholder is a name', () => {
    expect(apply({ item: '{choice}', entry: { key: 'r' } }).body).toMatchObject({ steps: [{ who: ['{choice}'], on: 'r' }] });
  });

  test('a wish must fit exactly one choice', () => {
    const wish = (entry: { label: string } | { key: string }) => noChoice(collection, spec, { item: 'eve', entry })?.detail;
    expect(wish({ key: 'b' })).toBeUndefined();
    expect(wish({ label: 'blue' })).toMatch(/^More than one of the 3 choices for eve/);
    expect(wish({ label: 'green' })).toMatch(/^None of the 3 choices for eve.*"label":"red"/);
    expect(() => apply({ item: 'eve', entry: { label: 'green' } })).toThrow(/None of the 3/);
  });
});
