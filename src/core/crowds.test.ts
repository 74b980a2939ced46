import { expect, it } from 'vitest';
import { Crowds } from './crowds.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('sixteen go on in each turn of the process, in the order in which they came', async () => {
  const crowds = new Crowds();
  const gone: number[] = [];
  for (let n = 0; n < 40; n += 1) void crowds.pass().then(() => gone.push(n));
  const counts: number[] = [];
  for (let n = 0; n < 4; n += 1) {
    await Promise.resolve();
    counts.push(gone.length);
    await turn();
  }
  expect(counts).toEqual([16, 32, 40, 40]);
  expect(gone).toEqual(Array.from({ length: 40 }, (_, n) => n));
});

it('who comes later waits behind who waits, and goes at once when nobody does', async () => {
  const crowds = new Crowds();
  const gone: string[] = [];
  for (let n = 0; n < 17; n += 1) void crowds.pass().then(() => gone.push(`${n}`));
  void crowds.pass().then(() => gone.push('late'));
  await Promise.resolve();
  expect(gone).toHaveLength(16);
  await turn();
  expect(gone.slice(16)).toEqual(['16', 'late']);
  for (let n = 0; n < 3; n += 1) await turn();
  void crowds.pass().then(() => gone.push('alone'));
  await Promise.resolve();
  expect(gone.at(-1)).toBe('alone');
});
