import { describe, expect, it } from 'vitest';
import { descriptionOf, namesOf, stateNames } from '../scripts/docs/machine-config.ts';
import { machineSources } from '../src/machines/sources.ts';
import { machineWords } from '../src/machines/words.ts';

const sorted = (names: Iterable<string>): string[] => [...names].sort();

describe('the words of the machines', () => {
  it('are there for every machine, and for no other', () => {
    expect(sorted(Object.keys(machineWords))).toEqual(sorted(machineSources.map(({ name }) => name)));
  });

  for (const { name, config } of machineSources) {
    it(`explain every event, guard and action of ${name}, and nothing that it does not have`, () => {
      const words = machineWords[name] ?? { events: {}, guards: {}, actions: {} };
      const names = namesOf(config);
      expect(sorted(Object.keys(words.events))).toEqual(sorted(names.events));
      expect(sorted(Object.keys(words.guards))).toEqual(sorted(names.guards));
      expect(sorted(Object.keys(words.actions))).toEqual(sorted(names.actions));
    });

    it(`are full sentences for ${name}, those of its states in the chart`, () => {
      const words = machineWords[name] ?? { events: {}, guards: {}, actions: {} };
      const states = stateNames(config).map((state) => descriptionOf(config, state));
      for (const text of [...states, ...[words.events, words.guards, words.actions].flatMap(Object.values)]) {
        expect(text).toMatch(/^[A-Z].*\.$/);
      }
    });
  }
});
