import { describe, expect, it } from 'vitest';
import { listClaims } from './list/model.ts';
import { listRuleNames } from './list/state.ts';
import { checkList, checkListWithout } from './sizes.ts';

describe('the protocol of a list that two scopes share', () => {
  it.each([4, 6] as const)(
    'keeps every claim in every state: a lock of %i units',
    (lease) => {
      const found = checkList(lease);
      expect(found.counterExample).toBeNull();
      expect(found.isWhole).toBe(true);
      expect(found.states).toBeGreaterThan(30_000);
    },
    60_000,
  );
});

describe('each rule of the list is needed', () => {
  it.each(listRuleNames)(
    '%s',
    (rule) => {
      const { counterExample } = checkListWithout(rule);
      expect(counterExample?.claim).toBe(rule === 'lockCheckedAtEachSend' ? listClaims.writers : listClaims.kept);
      expect(counterExample?.trace.length).toBeLessThan(25);
    },
    60_000,
  );
});
