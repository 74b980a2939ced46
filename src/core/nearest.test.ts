import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from './nearest.ts';

describe('nearest', () => {
  it('finds a name with a slip of the finger', () => {
    const known = ['environment', 'scope', 'approved-by', 'plan', 'apply'];
    expect(nearest('aply', known)).toBe('apply');
    expect(nearest('scpoe', known)).toBe('scope');
    expect(nearest('Enviroment', known)).toBe('environment');
    expect(nearest('approvedby', known)).toBe('approved-by');
  });

  it('prefers the closest of several', () => {
    expect(nearest('plans', ['planet', 'plan', 'pans'])).toBe('plan');
  });

  it('stays silent when nothing is close', () => {
    expect(nearest('zzz', ['plan', 'apply'])).toBeNull();
    expect(nearest('', ['plan'])).toBeNull();
    expect(didYouMean('zzz', ['plan'])).toBe('');
    expect(didYouMean('pln', ['plan'])).toBe(' Did you mean "plan"?');
  });
});
