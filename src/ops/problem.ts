/** A mistake in a part of params, as a sentence. The error points to the place of that part in the plan. */
export interface PartProblem {
  readonly detail: string;
  /** The keys that lead to the part, from the line down. */
  readonly at: readonly (string | number)[];
}

/** A mistake in params: of the whole line, or of a part of it. */
export type ParamProblem = string | PartProblem;

export const asPart = (problem: ParamProblem): PartProblem => (typeof problem === 'string' ? { detail: problem, at: [] } : problem);
