/**
 * The rules of the protocol that are about one object, each of which can be taken away. The numbers are those of the list in
 * ARCHITECTURE.md's ledger: lease, quiet moment, intent, whose intent, claim, lost answer, facts.
 */
export const ruleTexts = {
  lease: 'A run writes only while it holds the lease of its scope.',
  countedFromTheSend: 'A holder counts its lease from before the push that took it was sent, not from its answer.',
  bothClocks: 'A holder counts its lease by whichever of its clocks advanced more, so a machine that slept knows that time passed.',
  takerCountsSlowly: 'Who waits for a lease to run out counts by the monotonic clock: a wall clock that was set forward says nothing.',
  margin: 'A write is sent only with more of the lease left than one request may take.',
  quietAfterTakeover: 'After a takeover nothing is written and no look is believed for one deadline.',
  quietForInRelease: 'A release says how long an unanswered write of its holder may still land.',
  quietPassedOn: 'A release within a quiet moment passes on what is left of it.',
  looksAreBelievedLate: 'A look for what an intent announced is believed only when it began after the quiet moment.',
  otherLooksWait: 'So is any other look of an apply: a delete of an earlier run may still land on what is recorded.',
  intentFirst: 'A create is sent only after its intent is stored.',
  intent: 'A create is announced at all.',
  lookUnderLease: 'When another run wrote before this one had the lease, its look counts no more: it looks again.',
  onlyVoidIntentsEnd: "An earlier run's intent ends only by what a look found: a run does not withdraw what it did not write.",
  sentIntentsStay: 'A run withdraws its own intent only when no create of it may stand.',
  contradiction: "What an intent finds is claimed only if no other scope's record or intent names it.",
  unclearStays: 'While another scope announces the same object, an intent that finds one stays: nobody can say whose it is.',
  age: 'What an intent finds is claimed only if it was not made before the intent, where the provider tells.',
  answeredIsNotOurs: 'Where every create was answered and made nothing, what stands there is not ours.',
  foreignIsRefused: 'What is found without a record or an intent is refused.',
  severalAreRefused: 'Where several objects match, none is taken.',
  lookBeforeResend: 'A create whose answer was lost is sent again only after a look that found nothing.',
  ownQuietMoment: 'After a lost answer the look waits until the create can no longer land.',
  noReplayOverLease: "Facts, lease and release are not replayed over another holder's lease.",
  noReplayOverFacts: 'A fact is replayed on a moved head only while the record and intent that it was made from stand.',
} as const;

export type RuleName = keyof typeof ruleTexts;
export type Rules = { readonly [name in RuleName]: boolean };

export const ruleNames = Object.keys(ruleTexts) as readonly RuleName[];

/** All rules but those that are taken away. */
export const rulesWithout = (...gone: readonly RuleName[]): Rules =>
  Object.fromEntries(ruleNames.map((name) => [name, !gone.includes(name)])) as Rules;

/** How large the world is. Time is counted in deadlines of one request, or in parts of it. */
export interface Size {
  /** What one request may take. */
  readonly deadline: number;
  readonly lease: number;
  /** By how much two machines' clocks may disagree over one lease: less than a deadline. */
  readonly skew: number;
  /** Sends of one create. */
  readonly sends: number;
  /** The provider refuses a second object of one name. */
  readonly isUnique: boolean;
  /** A person who makes an object of the name, or gives the name to an old one. */
  readonly person: boolean;
  /** Another scope that wants an object of the same name. */
  readonly other: boolean;
}

export interface World extends Size {
  readonly rules: Rules;
}
