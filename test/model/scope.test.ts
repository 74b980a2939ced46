import { describe, expect, it } from 'vitest';
import { some } from '../support/whole.ts';
import { foreignClaim } from './scope/apply.ts';
import { claims } from './scope/model.ts';
import { type RuleName, ruleNames } from './scope/rules.ts';
import { checkScope, checkScopeWithout, smallWorlds } from './sizes.ts';

describe('the protocol of one object', () => {
  it.each(some(Object.entries(smallWorlds), 2))(
    'keeps every claim in every state: %s',
    (_, size) => {
      const found = checkScope(size);
      expect(found.counterExample).toBeNull();
      expect(found.isWhole).toBe(true);
      expect(found.states).toBeGreaterThan(90_000);
    },
    120_000,
  );
});

/** What goes wrong first without each rule. */
const harm: { readonly [name in RuleName]: string } = {
  lease: claims.named,
  countedFromTheSend: claims.writers,
  bothClocks: claims.writers,
  takerCountsSlowly: claims.writers,
  margin: claims.named,
  quietAfterTakeover: claims.named,
  quietForInRelease: claims.named,
  quietPassedOn: claims.named,
  looksAreBelievedLate: claims.named,
  otherLooksWait: claims.applied,
  intentFirst: claims.named,
  intent: claims.named,
  lookUnderLease: claims.two,
  onlyVoidIntentsEnd: claims.named,
  sentIntentsStay: claims.named,
  contradiction: foreignClaim,
  unclearStays: claims.named,
  age: foreignClaim,
  answeredIsNotOurs: foreignClaim,
  foreignIsRefused: foreignClaim,
  severalAreRefused: claims.two,
  lookBeforeResend: claims.two,
  ownQuietMoment: claims.two,
  noReplayOverLease: claims.writers,
  noReplayOverFacts: claims.named,
};

describe('each rule is needed', () => {
  it.each(ruleNames)(
    '%s',
    (rule) => {
      const { counterExample } = checkScopeWithout(rule);
      expect(counterExample?.claim).toBe(harm[rule]);
      expect(counterExample?.trace.length).toBeGreaterThan(1);
      expect(counterExample?.trace.length).toBeLessThan(20);
    },
    60_000,
  );

  it('and a counter-example reads as what happened', () => {
    expect(checkScopeWithout('lookBeforeResend').counterExample?.trace).toEqual([
      'A begins (apply) and reads the ledger.',
      'A finds nothing.',
      'A stores its intent under its lease.',
      'A sends its create.',
      "A's create lands.",
      "A loses its create's answer.",
      'A sends its create again.',
      "A's create lands.",
    ]);
  });
});
