/** What is wrong in one exchange, before it is known whether an exemption covers it. */
export interface Flaw {
  /** `request body /config/url`, `query per_page`, `answer 201 /id`. */
  readonly at: string;
  readonly what: string;
}

/** A value at a JSON pointer of a body, as the validator tells it. */
export const flawAt = (place: string, faults: readonly Flaw[]): readonly Flaw[] =>
  faults.map(({ at, what }) => ({ at: `${place} ${at}`.trimEnd(), what }));
