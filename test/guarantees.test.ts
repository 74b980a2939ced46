import { expect, it } from 'vitest';
import { guarantees } from '../scripts/docs/promises.ts';

it('the seven guarantees are explained, each once', () => {
  expect(guarantees.map(({ name }) => name)).toEqual(['G1', 'G2', 'G3', 'G4', 'G5', 'G6', 'G7']);
});
