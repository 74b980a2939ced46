import { expect, it } from 'vitest';
import { oneLine } from '../report/text.ts';
import { withoutFullStop } from './plain-text.ts';

it.each([
  ['It is done.', 'It is done'],
  ['It is done. .\n', 'It is done'],
  ['v1.2 is there', 'v1.2 is there'],
  [' . ', ''],
  ['', ''],
])('%j ends without its full stop', (text, without) => {
  expect(withoutFullStop(text)).toBe(without);
});

it.each([
  ['on one line', oneLine],
  ['without its full stop', withoutFullStop],
])('a text of a provider that is mostly spaces is told %s in time that grows with its length', (_, tell) => {
  const cpu = (length: number): number => {
    const text = `a${' '.repeat(length)}b`;
    const before = process.cpuUsage();
    for (let i = 0; i < 4; i += 1) expect(tell(text)).toBe(text);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  cpu(200_000);
  // Short texts are no measure: the engine takes far less time for each of their characters. Quadratic work would take a hundred times as long.
  expect(cpu(2_000_000) / cpu(200_000)).toBeLessThan(35);
});
