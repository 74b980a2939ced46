import { describe, expect, it } from 'vitest';
import { areApart, instantOf, shownInstant } from './instant.ts';

describe('instantOf', () => {
  it.each([
    ['2026-11-20T10:00:00+02:00', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T10:00:00', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20 10:00:00.5', '2026-11-20T10:00:00.500Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['Fri, 20 Nov 2026 10:00:00 +0000', '2026-11-20T10:00:00.000Z'],
    ['Nov 20, 2026', '2026-11-20T00:00:00.000Z'],
    ['1763632800', '2025-11-20T10:00:00.000Z'],
    ['1763632800.25', '2025-11-20T10:00:00.250Z'],
    ['1763632800000', '2025-11-20T10:00:00.000Z'],
  ])('reads %s as %s, wherever this machine stands', (text, iso) => {
    expect(shownInstant(text)).toBe(iso);
  });

  it.each(['soon', '', '3 minutes ago'])('reads no moment in %j', (text) => {
    expect(instantOf(text)).toBeNull();
    expect(shownInstant(text)).toBe(text);
  });
});

describe('two moments of one provider', () => {
  it.each([
    ['in another time zone', '2026-11-20T10:00:00.000+02:00', '2026-11-20T08:00:00Z'],
    ['rounded down to seconds', '2026-11-20T08:00:00.999Z', '2026-11-20T08:00:00Z'],
    ['rounded up to seconds', '2026-11-20T08:00:00.500Z', '2026-11-20T08:00:01Z'],
    ['as a number of seconds and of milliseconds', '1763632800', '1763632800999'],
    ['rounded to minutes', '2026-11-20T08:00:59.999Z', '2026-11-20T08:00Z'],
    ['as a day', '2026-11-20T23:59:59Z', '2026-11-20'],
    ['without its zone', '2026-11-20T08:00:00', '2026-11-20T10:00:00+02:00'],
    ['without its zone, as its clock shows it', '2026-11-20T10:00:00', '2026-11-20T10:00:00+02:00'],
  ])('are one where the second is the first %s', (_, one, other) => {
    expect([areApart(one, other), areApart(other, one)]).toEqual([false, false]);
  });

  it.each([
    ['2026-11-20T08:00:00Z', '2026-11-20T08:00:02Z'],
    ['2026-11-20T08:00:00Z', '2026-11-20T10:00:00Z'],
    ['1763632800', '1763632900'],
    ['2026-11-20', '2026-11-22'],
  ])('%s and %s are two', (one, other) => {
    expect(areApart(one, other)).toBe(true);
  });

  it('are not told apart where one of them is no moment', () => {
    expect(areApart('2026-11-20T08:00:00Z', 'a while ago')).toBe(false);
  });
});
